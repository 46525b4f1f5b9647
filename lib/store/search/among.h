/* SPDX-License-Identifier: MIT */
/* The threads that a search is limited to. */
#ifndef CTX_STORE_SEARCH_AMONG_H
#define CTX_STORE_SEARCH_AMONG_H

#include "base/buf.h"
#include "store/search/rank.h"
#include "store/store.h"

#define CTX_AMONG_FILTER	100	/* most threads in a query */

struct ctx_among {
	int all;		/* every thread; else those of id, in order */
	int64_t *id;
	size_t n, cap;
};

/*
 * In a read transaction: the n threads of these names or, if n is 0, those of
 * the store's user, or all if it has none.  Returns 0, or -1: CTX_ENO if there
 * is no such thread.  Call ctx_among_done in any case.
 */
int	ctx_among_make(struct ctx_among *s, struct ctx_store *st,
	    const char *const *names, size_t n, struct ctx_err *err);
void	ctx_among_done(struct ctx_among *s);

int	ctx_among_has(const struct ctx_among *s, int64_t thread);

/*
 * Append what limits a query of the index to these threads, unless they are
 * too many: hits are checked in any case.
 */
void	ctx_among_filter(const struct ctx_among *s, struct ctx_buf *expr);

/*
 * Append the messages of these threads to r, in no order and without a score;
 * with indexed, only those that are in the index.
 */
int	ctx_among_rows(const struct ctx_among *s, struct ctx_store *st,
	    int indexed, struct ctx_rank *r, struct ctx_err *err);

#endif
