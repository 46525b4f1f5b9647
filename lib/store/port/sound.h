/* SPDX-License-Identifier: MIT */
/*
 * Do the rows of a thread belong together?  For export and import: what is not
 * whole is not to look whole.  check.c says more, and reads more.
 */
#ifndef CTX_STORE_PORT_SOUND_H
#define CTX_STORE_PORT_SOUND_H

#include "store/db.h"

/*
 * In a transaction: every log has all of its messages, contexts have their
 * parents, and what stands beside a log has a context.  1; 0 and what[] says
 * what is missing; -1.
 */
#define CTX_SOUND_SIZE	80
int	ctx_sound_thread(struct ctx_store *st, int64_t thread,
	    char what[CTX_SOUND_SIZE], struct ctx_err *err);

/* Likewise: there are no rows whose thread is missing. */
int	ctx_sound_threads(struct ctx_store *st, char what[CTX_SOUND_SIZE],
	    struct ctx_err *err);

#endif
