/* SPDX-License-Identifier: MIT */
/*
 * Vectors of messages, used to find messages that mean the same as a question
 * in other words.  This module does not know where vectors come from: it gives
 * out texts and takes in numbers.
 *
 * A vector is stored with one byte for each number, scaled to its largest; for
 * ordering by angle that is as good as floats, in a quarter of the space and
 * time.  Vectors of different models are unrelated and are never compared.
 */
#ifndef CTX_STORE_SEARCH_VECTOR_H
#define CTX_STORE_SEARCH_VECTOR_H

#include "base/buf.h"
#include "store/search/rank.h"

struct ctx_vector_want {
	const char *model;
	const char *thread;		/* NULL for all threads */
	size_t texts, bytes;		/* limits of a batch */
	size_t chars;			/* of a text; the rest is cut off */
	int anew;			/* also for messages that have one */
	/*
	 * Unless NULL, takes secrets out of a line before its texts are cut out
	 * of it.  Returns 0, or -1 with *err.
	 */
	int (*clean)(void *arg, struct ctx_buf *line, struct ctx_err *err);
	void *arg;
};

struct ctx_vector_item {
	int64_t thread, id;		/* the message's row, and its sum: */
	int64_t crc;			/* another may get the number */
	size_t off, len;		/* its text; len 0 if it has none */
};

/* Must be all zero before the first batch. */
struct ctx_vector_batch {
	struct ctx_vector_item *item;
	size_t n, cap;
	size_t ntext;			/* number of items with a text */
	struct ctx_buf text;
	int64_t after;			/* last row done so far */
	int dropped;			/* anew: the old ones were removed */
};
void	ctx_vector_batch_done(struct ctx_vector_batch *b);

/*
 * Get the next messages that have no vector of the model.  Returns 1, 0 if
 * there are no more, or -1.
 */
int	ctx_vector_next(struct ctx_store *st,
	    const struct ctx_vector_want *want, struct ctx_vector_batch *b,
	    struct ctx_err *err);

/*
 * Store the vectors of a batch, ntext of dim numbers, in one transaction.
 * With want->anew, the first call also removes the old ones.  CTX_ENO if the
 * model's vectors have another length.
 */
int	ctx_vector_put(struct ctx_store *st, const struct ctx_vector_want *want,
	    struct ctx_vector_batch *b, const float *v, size_t dim,
	    struct ctx_err *err);

/*
 * Does the store have vectors of the model?  Returns 1 with *dim set, 0, or
 * -1.
 */
int	ctx_vector_of(struct ctx_store *st, const char *model, size_t *dim,
	    struct ctx_err *err);

struct ctx_vector_like {
	const char *model;
	const float *v;
	size_t dim;
	size_t max;			/* most messages to add */
	const struct ctx_where *where;	/* these contexts, as they are read; */
	size_t nwhere;			/* if none: */
	const char *const *thread;	/* these threads, as in among.h */
	size_t nthread;
};

/*
 * Add the messages whose vectors are most similar to v, the best first; r must
 * be empty.  CTX_ENO if dim is not that of the model's vectors.
 */
int	ctx_vector_rank(struct ctx_store *st, const struct ctx_vector_like *how,
	    struct ctx_rank *r, struct ctx_err *err);

/* The similarity of two stored vectors of n numbers; for tests. */
int64_t	ctx_vector_dot(const int8_t *a, const int8_t *b, size_t n);

#endif
