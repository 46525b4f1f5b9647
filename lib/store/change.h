/* SPDX-License-Identifier: MIT */
/*
 * What changed since when, for a store that follows another one: each change
 * gets a number, which grows.  A thread has the number of its last change in
 * thread.change; what has no row to keep it has one in event, with the thread
 * that was removed, as a whole or in part, or 0 for the states of users.
 *
 * Whoever looks at the changes after number n looks at the newest one again:
 * it gets no new number while nothing else changes.  So one thread that is
 * written to again and again writes no number.  Numbers of threads are higher
 * than those of events, if there is any thread, so that a write need not look
 * at events.
 */
#ifndef CTX_STORE_CHANGE_H
#define CTX_STORE_CHANGE_H

#include "store/db.h"

/* In SQL: the highest number, 0 if there is none. */
#define CTX_CHANGE_TOP CTX_DB_GREATEST "(ifnull((SELECT max(change) FROM" \
	" thread), 0), ifnull((SELECT max(n) FROM event), 0))"

/*
 * In a write transaction that changes a thread otherwise than by
 * ctx_thread_used, which does this too.
 */
int	ctx_change_thread(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/*
 * In a write transaction, before messages of a thread are removed, or the
 * whole thread.
 */
int	ctx_change_removed(struct ctx_store *st, int64_t thread, int whole,
	    struct ctx_err *err);

/* In a write transaction: the state of a user changes. */
int	ctx_change_users(struct ctx_store *st, struct ctx_err *err);

#endif
