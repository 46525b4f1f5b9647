/* SPDX-License-Identifier: MIT */
/*
 * Are the rows of a thread consistent?  Export and import use this so that
 * they do not make incomplete data look complete; so does check.
 */
#ifndef CTX_STORE_SOUND_H
#define CTX_STORE_SOUND_H

#include "store/db.h"

#define CTX_SOUND_SIZE	80
#define CTX_SOUND_LOGS	2

/*
 * In a transaction: check that logs have all of their messages, that contexts
 * have their parents, that whatever accompanies a log has a context, and that
 * lists have no gaps.  The checks are run from number *at on; 0 is the first
 * one, and CTX_SOUND_LOGS the first that is not about logs.  Returns 1 if all
 * is well; 0 if not, with the reason in what[] and the check to continue with
 * in *at; or -1.
 */
int	ctx_sound_thread(struct ctx_store *st, int64_t thread, size_t *at,
	    char what[CTX_SOUND_SIZE], struct ctx_err *err);

/*
 * In a transaction: check that no rows belong to a thread that does not
 * exist.  Returns 1, 0 with the reason in what[], or -1.
 */
int	ctx_sound_threads(struct ctx_store *st, char what[CTX_SOUND_SIZE],
	    struct ctx_err *err);

#endif
