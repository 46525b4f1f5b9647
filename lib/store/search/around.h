/* SPDX-License-Identifier: MIT */
/*
 * Hits with the messages around them, as a history: every message once, in its
 * order.  All zero is an empty list.
 */
#ifndef CTX_STORE_SEARCH_AROUND_H
#define CTX_STORE_SEARCH_AROUND_H

#include "store/log.h"

struct ctx_around_place {
	int64_t thread, context, seq;
	size_t order;			/* as they were added */
	int64_t from, to;		/* of the messages around it */
};

struct ctx_around {
	struct ctx_around_place *place;
	size_t n, cap;
};

int	ctx_around_add(struct ctx_around *a, int64_t thread, int64_t context,
	    int64_t seq, struct ctx_err *err);
void	ctx_around_done(struct ctx_around *a);

/*
 * Hand the messages up to n before and after each place to fn, context by
 * context: the one whose place was added first comes last.  Calls of tools and
 * their results stay together.  A range ends where its context's own log does:
 * at a fork, its parent's messages are not in it.
 */
int	ctx_around_read(struct ctx_store *st, struct ctx_around *a, int64_t n,
	    ctx_message_fn *fn, void *arg, struct ctx_err *err);

/*
 * Hand the message at a place to fn, after those it answers if it is of tool
 * results.  Also while a read transaction is open.
 */
int	ctx_around_answered(struct ctx_store *st, const struct ctx_around_place *at,
	    ctx_message_fn *fn, void *arg, struct ctx_err *err);

#endif
