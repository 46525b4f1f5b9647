/* SPDX-License-Identifier: MIT */
/*
 * Memory: what an agent knew at a turn, with a summary and insights.  Contexts
 * that resemble each other share what they have in common (body.h).
 */
#ifndef CTX_STORE_MEMORY_H
#define CTX_STORE_MEMORY_H

#include "base/buf.h"
#include "store/thread.h"

struct ctx_memory_part {
	const char *name;		/* of the file, NULL: none */
	const char *data;
	size_t len;
};

struct ctx_memory {
	int64_t turn;			/* -1: the log's newest, or the next one */
	const char *name;		/* NULL: "ctx_" + turn */
	const char *summary;		/* NULL: none */
	const char *insights;		/* a JSON array, NULL: none */
	const char *const *link;	/* names of other memories */
	size_t nlink;
	const struct ctx_memory_part *part;
	size_t npart;
	int64_t ts;			/* when listed */
};

/*
 * Keep one.  The thread is made if need be.  One of that turn and name that is
 * there already must be the same, else CTX_EINPUT.
 */
int	ctx_memory_put(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_memory *m, struct ctx_err *err);

/* Remove those of that name, at whichever turn.  CTX_ENO if there is none. */
int	ctx_memory_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);

typedef int ctx_memory_fn(const struct ctx_memory *m, void *arg,
	    struct ctx_err *err);

struct ctx_memory_want {
	int64_t from, to;	/* turns, inclusive */
	/*
	 * NULL, or words that the summary, the insights or the contents have
	 * all of, as search finds them.
	 */
	const char *match;
	int parts;		/* with their contents */
};

/*
 * Hand those that are wanted to fn, in the order of their turns.  CTX_EUSAGE:
 * match has no words.
 */
int	ctx_memory_list(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_memory_want *want, ctx_memory_fn *fn, void *arg,
	    struct ctx_err *err);

#endif
