/* SPDX-License-Identifier: MIT */
/*
 * Memory: what an agent knew at a turn, with a summary and insights.  Similar
 * contexts share what they have in common (body.h).
 */
#ifndef CTX_STORE_MEMORY_H
#define CTX_STORE_MEMORY_H

#include "base/buf.h"
#include "store/thread.h"

struct ctx_memory_part {
	const char *name;		/* of the file, or NULL */
	const char *data;
	size_t len;
};

struct ctx_memory {
	int64_t turn;			/* -1: the log's newest, or next */
	const char *name;		/* NULL for "ctx_" + turn */
	const char *summary;		/* or NULL */
	const char *insights;		/* a JSON array, or NULL */
	const char *const *link;	/* names of other memories */
	size_t nlink;
	const struct ctx_memory_part *part;
	size_t npart;
	int replace;			/* an existing one */
	int64_t ts;			/* set in lists */
};

/*
 * Store a memory, creating the thread if necessary.  If one with that turn and
 * name exists, it must be the same, or is replaced; otherwise CTX_EINPUT.  If
 * only a name is given, the last one called so is replaced.
 */
int	ctx_memory_put(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_memory *m, struct ctx_err *err);

/* Remove the memories called name, of any turn.  CTX_ENO if there are none. */
int	ctx_memory_remove(struct ctx_store *st, const struct ctx_where *w,
	    const char *name, struct ctx_err *err);

typedef int ctx_memory_fn(const struct ctx_memory *m, void *arg,
	    struct ctx_err *err);

struct ctx_memory_want {
	int64_t from, to;	/* turns, inclusive */
	/*
	 * NULL, or words that must all occur in the summary, the insights or
	 * the contents, as in a search.
	 */
	const char *match;
	int parts;		/* include their contents */
};

/*
 * Pass the selected memories to fn, in the order of their turns.  CTX_EUSAGE
 * if match contains no words.
 */
int	ctx_memory_list(struct ctx_store *st, const struct ctx_where *w,
	    const struct ctx_memory_want *want, ctx_memory_fn *fn, void *arg,
	    struct ctx_err *err);

#endif
