/* SPDX-License-Identifier: MIT */
/*
 * Hits with the messages around them, as a history: every message once, in log
 * order.  An all-zero list is empty.
 */
#ifndef CTX_STORE_SEARCH_AROUND_H
#define CTX_STORE_SEARCH_AROUND_H

#include "store/log.h"

struct ctx_around_place {
	int64_t thread, context, seq;
	int64_t created;		/* of the context; see segs.h */
	size_t order;			/* order in which they were added */
	int64_t from, to;		/* the surrounding messages */
};

struct ctx_around {
	struct ctx_around_place *place;
	size_t n, cap;
};

/* In the transaction that found it: add a thread's message. */
int	ctx_around_add(struct ctx_store *st, struct ctx_around *a,
	    const struct ctx_around_place *place, struct ctx_err *err);
void	ctx_around_done(struct ctx_around *a);

/*
 * Pass up to n messages before and after each place to fn, context by context;
 * the context whose place was added first comes last.  Tool calls and their
 * results stay together.  A range does not extend beyond its context's own
 * log: at a fork, the parent's messages are not included.
 */
int	ctx_around_read(struct ctx_store *st, struct ctx_around *a, int64_t n,
	    ctx_message_fn *fn, void *arg, struct ctx_err *err);

/*
 * Pass the message at a place to fn; if it has tool results, pass the messages
 * with their calls first.  May be called during a read transaction.
 */
int	ctx_around_answered(struct ctx_store *st,
	    const struct ctx_around_place *at, ctx_message_fn *fn, void *arg,
	    struct ctx_err *err);

#endif
