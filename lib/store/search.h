/* SPDX-License-Identifier: MIT */
/*
 * Words to messages.  What is indexed is the text of a message (text.h), not
 * its JSON, cut by cut.h.
 */
#ifndef CTX_STORE_SEARCH_H
#define CTX_STORE_SEARCH_H

#include "store/log.h"

/* Version of the cut; kept beside each message that is indexed. */
#define CTX_SEARCH_CUT	1

/* Contents (body.h) are in the index under this number minus their row. */
#define CTX_SEARCH_BODY	(-(INT64_C(1) << 40))

struct ctx_search {
	const char *words;
	const char *thread, *role;	/* NULL: any */
	int64_t since;			/* messages of that time or later */
	int64_t limit;
	int rank;			/* the best ones first, not the newest */
	int substring;			/* words is text to be found anywhere */
};

struct ctx_hit {
	const char *thread, *context;
	struct ctx_message message;
	const char *snippet;		/* text around the first word */
	size_t snippet_len;
};
typedef int ctx_hit_fn(const struct ctx_hit *h, void *arg,
	    struct ctx_err *err);

/*
 * Hand the hits to fn.  *missing counts
 * the messages that are not indexed.  CTX_EUSAGE: nothing to look for.
 */
int	ctx_search_find(struct ctx_store *st, const struct ctx_search *how,
	    ctx_hit_fn *fn, void *arg, int64_t *missing,
	    struct ctx_err *err);

/* Index what is not, some thousand messages a transaction; all: anew. */
int	ctx_search_reindex(struct ctx_store *st, int all, int64_t *n,
	    struct ctx_err *err);

/* In a write transaction: index message row id with that line. */
int	ctx_search_add(struct ctx_store *st, int64_t id, const char *raw,
	    size_t len, struct ctx_err *err);

/*
 * In a write transaction: the messages of a thread in the contexts that
 * temp.gone(id) lists are about to be deleted.
 */
int	ctx_search_forget(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

#endif
