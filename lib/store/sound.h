/* SPDX-License-Identifier: MIT */
/*
 * Do the rows of a thread belong together?  For export and import, which must
 * not make what is not whole look whole, and for check.
 */
#ifndef CTX_STORE_SOUND_H
#define CTX_STORE_SOUND_H

#include "store/db.h"

#define CTX_SOUND_SIZE	80
#define CTX_SOUND_LOGS	2

/*
 * In a transaction: every log has all of its messages, contexts have their
 * parents, what stands beside a log has a context, and lists have no gap.  The
 * checks from number *at on, 0 being the first and CTX_SOUND_LOGS the first that
 * is not about logs.  1: all is well; 0: what[] says what is missing, and *at is
 * where to go on; -1.
 */
int	ctx_sound_thread(struct ctx_store *st, int64_t thread, size_t *at,
	    char what[CTX_SOUND_SIZE], struct ctx_err *err);

/* Likewise: there are no rows whose thread is missing.  1, 0 with what[], -1. */
int	ctx_sound_threads(struct ctx_store *st, char what[CTX_SOUND_SIZE],
	    struct ctx_err *err);

#endif
