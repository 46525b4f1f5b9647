/* SPDX-License-Identifier: MIT */
/*
 * Which messages have to do with a question: any of its words counts, the rare
 * ones most (BM25 over the index of index.h).  Not all of them have to be
 * there, as they have for search.
 */
#ifndef CTX_STORE_SEARCH_RANK_H
#define CTX_STORE_SEARCH_RANK_H

#include "store/thread.h"

struct ctx_rank_hit {
	int64_t id;		/* the message's row */
	int64_t seq;
	double score;		/* the higher the better, over 0 */
};

/* All zero is an empty list. */
struct ctx_rank {
	struct ctx_rank_hit *hit;	/* in no order but what a call says */
	size_t n, cap;
};

void	ctx_rank_done(struct ctx_rank *r);
int	ctx_rank_add(struct ctx_rank *r, const struct ctx_rank_hit *hit,
	    struct ctx_err *err);

/* The best first; of equal ones the newer. */
void	ctx_rank_sort(struct ctx_rank *r);

/*
 * Join two sorted lists into the first, sorted: a message counts by its places
 * in them, so that scores need not be of one kind.
 */
int	ctx_rank_fuse(struct ctx_rank *r, const struct ctx_rank *more,
	    struct ctx_err *err);

/*
 * Add the messages that a context has, those of its parents before a fork too,
 * whose score is not far below the best one's.  *missing counts the messages
 * of the store that are not indexed.
 */
int	ctx_rank_words(struct ctx_store *st, const struct ctx_where *w,
	    const char *question, struct ctx_rank *r, int64_t *missing,
	    struct ctx_err *err);

#endif
