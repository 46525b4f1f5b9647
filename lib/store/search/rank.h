/* SPDX-License-Identifier: MIT */
/*
 * Find the messages of threads that are related to a question: any of its
 * words counts, those that are rare in the threads most (score.h).  Unlike in
 * search, not all of them have to occur.
 */
#ifndef CTX_STORE_SEARCH_RANK_H
#define CTX_STORE_SEARCH_RANK_H

#include "store/thread.h"

struct ctx_rank_hit {
	int64_t id;		/* the message's row */
	int64_t seq;
	size_t of;		/* of several contexts, which one */
	double score;		/* higher is better; above 0 */
};

/* All zero is an empty list. */
struct ctx_rank {
	struct ctx_rank_hit *hit;	/* in no order unless sorted */
	size_t n, cap;
};

void	ctx_rank_done(struct ctx_rank *r);
int	ctx_rank_add(struct ctx_rank *r, const struct ctx_rank_hit *hit,
	    struct ctx_err *err);

/* Sort, the best first; among equals, the newer first. */
void	ctx_rank_sort(struct ctx_rank *r);

/*
 * Merge two sorted lists into the first, sorted.  A message is ranked by its
 * positions in them, so the scores need not be comparable.
 */
int	ctx_rank_fuse(struct ctx_rank *r, const struct ctx_rank *more,
	    struct ctx_err *err);

/*
 * Add those messages of n contexts, including their parents' before a fork,
 * whose score is not far below the best.
 */
int	ctx_rank_words(struct ctx_store *st, const struct ctx_where *w,
	    size_t n, const char *question, struct ctx_rank *r,
	    struct ctx_err *err);

#endif
