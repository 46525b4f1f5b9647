/* SPDX-License-Identifier: MIT */
/*
 * What changed since when, for a store that follows another one: each change
 * gets a number, which grows.  A thread has the number of its last change in
 * thread.change; what has no row to keep it has one in event, with the thread
 * that was removed, as a whole or in part, or 0 for the states of users.
 *
 * In a file, whoever looks at the changes after number n looks at the newest one
 * again: it gets no new number while nothing else changes.  So one thread that
 * is written to again and again writes no number.  Numbers of threads are higher
 * than those of events, if there is any thread, so that a write need not look
 * at events.  On a server, numbers are those of transactions (pg/change.c).
 */
#ifndef CTX_STORE_CHANGE_H
#define CTX_STORE_CHANGE_H

#include "store/db.h"

/* In SQL: the highest number, 0 if there is none. */
#define CTX_CHANGE_TOP CTX_DB_GREATEST "(ifnull((SELECT max(change) FROM" \
	" thread), 0), ifnull((SELECT max(n) FROM event), 0))"

/* In SQL: the number that a change gets in this transaction. */
#ifdef CTX_PG
#define CTX_CHANGE_NEXT "((SELECT value::bigint FROM meta WHERE key =" \
	" 'changes') + pg_current_xact_id()::text::bigint)"
#else
#define CTX_CHANGE_NEXT "(" CTX_CHANGE_TOP " + 1)"
#endif

/*
 * In a write transaction that changes a thread otherwise than by
 * ctx_thread_used, which does this too.
 */
int	ctx_change_thread(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/*
 * The same, and note that it was written at now.  In a file, the time is
 * updated only every tenth of a second, unless another thread was written since,
 * so that one commit per message writes less; the order of threads is as exact as
 * their times.
 */
int	ctx_change_touch(struct ctx_store *st, int64_t thread, int64_t now,
	    struct ctx_err *err);

/*
 * In a write transaction, before messages of a thread are removed, or the
 * whole thread.
 */
int	ctx_change_removed(struct ctx_store *st, int64_t thread, int whole,
	    struct ctx_err *err);

/* In a write transaction: the state of a user changes. */
int	ctx_change_users(struct ctx_store *st, struct ctx_err *err);

/*
 * A walk through the changes from a position on; all zero but for the position
 * at first.  Each call is made in a read transaction, and each look at a change
 * in that of the call which found it.
 */
struct ctx_changes {
	int64_t since;		/* the position: what is below was looked at */
	int64_t number, thread;	/* the change looked at last */
	int event;		/* it is one, or a thread has changed */
	int begun;		/* there was a change, since the last end */
	int64_t version;	/* of the store, at the begin of the walk */
	struct ctx_changes_pass *pass;	/* of a server, else NULL */
};

/* Find the next one.  Returns 1, 0 if there is none now, or -1. */
int	ctx_changes_next(struct ctx_store *st, struct ctx_changes *c,
	    struct ctx_err *err);

/* A number that is another one when anybody has written. */
int	ctx_changes_version(struct ctx_store *st, int64_t *now,
	    struct ctx_err *err);

/*
 * After a look at the change that was found: the position from which all that
 * was not looked at is found again.  *message is set if nothing is left now:
 * all messages are known then that ctx_changes_unknown does not find.
 */
int	ctx_changes_position(struct ctx_store *st, struct ctx_changes *c,
	    int64_t *number, int64_t *message, struct ctx_err *err);

/* The first message of a log that may be unknown to who has a position. */
int	ctx_changes_unknown(struct ctx_store *st, int64_t thread,
	    int64_t context, int64_t message, int64_t *seq,
	    struct ctx_err *err);

/* Does this store get its changes from a server that has more?  1, 0 or -1. */
int	ctx_changes_late(struct ctx_store *st, struct ctx_err *err);

/* The position of a copy of this store; all 0 if it could miss a change. */
int	ctx_changes_copy(struct ctx_store *st, int64_t *number,
	    int64_t *thread, int64_t *message, struct ctx_err *err);

void	ctx_changes_done(struct ctx_changes *c);

#endif
