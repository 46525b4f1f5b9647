/* SPDX-License-Identifier: MIT */
/*
 * Which vectors may be among the nearest to one, so that not all of them need
 * be looked at.  A file has no help for that, and passes on all of them; a
 * server that has pgvector compares them itself.  For vector.c, which compares
 * what it gets.
 */
#ifndef CTX_STORE_SEARCH_NEAR_H
#define CTX_STORE_SEARCH_NEAR_H

#include "store/db.h"
#include "store/segs.h"

struct ctx_near {
	int64_t model;
	const int8_t *v;		/* of dim numbers, as stored */
	size_t dim;
	size_t max;			/* so many are wanted */
	int all;			/* of all threads; else those of */
	const int64_t *thread;		/* these */
	size_t nthread;
	const struct ctx_segs *segs;	/* and these pieces, or NULL */
};

/* Called with a row: message, vector, context, seq. */
typedef int ctx_near_fn(sqlite3_stmt *q, void *arg, struct ctx_err *err);

/*
 * In a read transaction: pass on the max nearest, and in doubt more, but none
 * of other threads or pieces.
 */
int	ctx_near_each(struct ctx_store *st, const struct ctx_near *near,
	    ctx_near_fn *fn, void *arg, struct ctx_err *err);

/* Hand over to the server what it lacks of the vectors, if it compares them. */
int	ctx_near_fill(struct ctx_store *st, struct ctx_err *err);

/*
 * Let searches of the whole store be approximate, by an index, or exact again.
 * CTX_EUSAGE if there is nothing that could have one.
 */
int	ctx_near_index(struct ctx_store *st, int on, struct ctx_err *err);

#endif
