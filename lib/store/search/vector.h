/* SPDX-License-Identifier: MIT */
/*
 * Vectors of messages, by which those are found that mean the same as a
 * question in other words.  Where vectors come from is not known here: texts
 * are given out, numbers are taken in.
 *
 * A vector is kept as a byte a number, scaled to its largest: for an order by
 * angles that is as good as floats, and a quarter of the space and of the time.
 * Vectors of different models have nothing in common and do not meet.
 */
#ifndef CTX_STORE_SEARCH_VECTOR_H
#define CTX_STORE_SEARCH_VECTOR_H

#include "base/buf.h"
#include "store/search/rank.h"

struct ctx_vector_want {
	const char *model;
	const char *thread;		/* NULL: of all threads */
	size_t texts, bytes;		/* of a batch, at most */
	size_t chars;			/* of a text; the rest is cut off */
	int anew;			/* also what has a vector */
};

struct ctx_vector_item {
	int64_t id;			/* the message's row */
	size_t off, len;		/* its text; 0: it says nothing */
};

/* All zero before the first one. */
struct ctx_vector_batch {
	struct ctx_vector_item *item;
	size_t n, cap;
	size_t ntext;			/* those with a text */
	struct ctx_buf text;
	int64_t after;			/* done so far, by row */
	int dropped;			/* anew: the old ones are gone */
};
void	ctx_vector_batch_done(struct ctx_vector_batch *b);

/*
 * The next messages that have no vector of the model.  1, 0: there are no more,
 * or -1.
 */
int	ctx_vector_next(struct ctx_store *st, const struct ctx_vector_want *want,
	    struct ctx_vector_batch *b, struct ctx_err *err);

/*
 * Keep the vectors of a batch, ntext of dim numbers, in one transaction.  With
 * want->anew the first time also removes those of before.
 * CTX_ENO: the model's vectors have another length.
 */
int	ctx_vector_put(struct ctx_store *st, const struct ctx_vector_want *want,
	    struct ctx_vector_batch *b, const float *v, size_t dim,
	    struct ctx_err *err);

/* Has the store vectors of the model?  1 and *dim, 0, -1. */
int	ctx_vector_of(struct ctx_store *st, const char *model, size_t *dim,
	    struct ctx_err *err);

struct ctx_vector_like {
	const char *model;
	const float *v;
	size_t dim;
	size_t max;			/* messages */
	const struct ctx_where *where;	/* NULL: of the whole store */
	int context;			/* of that context, as it is read, not
					   of all of the thread */
};

/*
 * Add the messages whose vectors are most like v, the best first; r was empty.
 * CTX_ENO: dim is not that of the model's vectors.
 */
int	ctx_vector_rank(struct ctx_store *st, const struct ctx_vector_like *how,
	    struct ctx_rank *r, struct ctx_err *err);

/* The likeness of two vectors of n numbers as they are kept: for tests. */
int64_t	ctx_vector_dot(const int8_t *a, const int8_t *b, size_t n);

#endif
