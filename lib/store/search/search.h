/* SPDX-License-Identifier: MIT */
/*
 * Find messages, and what is stored besides them, by words.  What is searched
 * is the text of a message (text.h), not its JSON.
 */
#ifndef CTX_STORE_SEARCH_SEARCH_H
#define CTX_STORE_SEARCH_SEARCH_H

#include "store/log.h"
#include "store/search/rank.h"

/* What to search. */
#define CTX_IN_MESSAGES		1u
#define CTX_IN_SUMMARIES	2u
#define CTX_IN_MEMORY		4u
#define CTX_IN_CODE		8u
#define CTX_IN_UPLOADS		16u

struct ctx_hit {
	const char *kind;	/* "message", "summary", "memory", "code",
				   "upload" */
	const char *thread, *context;
	int64_t ts;
	int64_t n;		/* number, turn or version; 0 for messages */
	const char *name;	/* of a memory or a file */
	struct ctx_message message;	/* if the hit is a message */
	struct ctx_where_row {
		int64_t thread, context;
	} row;
	const char *snippet;	/* text around the first match */
	size_t snippet_len;
};
typedef int ctx_hit_fn(const struct ctx_hit *h, void *arg,
	    struct ctx_err *err);

struct ctx_search {
	const char *words;
	const char *const *thread;	/* names; none for any */
	size_t nthread;
	const char *role;		/* NULL for any; messages only */
	int64_t since;			/* from that time on */
	int64_t limit;
	unsigned in;			/* CTX_IN_... */
	int rank;			/* best messages instead of newest */
	int substring;			/* words is a text to find anywhere */
	/*
	 * Messages found by other means, sorted, or NULL.  They are returned
	 * as well, the best of both lists first; with only_like, only they
	 * are.
	 */
	const struct ctx_rank *like;
	int only_like;
	/*
	 * Returns 1 if the message is a hit, 0 if not, or -1 with *err set.
	 * NULL accepts all.
	 */
	ctx_hit_fn *accept;
	void *accept_arg;
	/*
	 * The tool of which accept wants calls and their results, as
	 * ctx_toolhit_accept does, so that it need not see each message; or
	 * NULL.
	 */
	const char *tool;
};

#define CTX_SEARCH_BEST	200	/* of a list; later ones are not related */

/*
 * How many of the best by words, and of those in how->like, are merged.  With
 * filters all are, since they are applied to the merged list.
 */
size_t	ctx_search_most(const struct ctx_search *how);

/*
 * Pass the hits to fn, the newest first, or the best messages and then the
 * rest, the newest first.  Only the newest version of a file is searched.
 * *missing gets the number of messages that are not indexed, up to 10000.
 * CTX_EUSAGE if there is nothing to look for, or too much.
 */
int	ctx_search_find(struct ctx_store *st, const struct ctx_search *how,
	    ctx_hit_fn *fn, void *arg, int64_t *missing,
	    struct ctx_err *err);

/*
 * Index what is not indexed, and reindex what an older version indexed, some
 * thousand messages in each transaction; with all, reindex everything.  The
 * counts are of messages and of everything else.
 */
int	ctx_search_reindex(struct ctx_store *st, int all, int64_t *messages,
	    int64_t *notes, struct ctx_err *err);

/*
 * Make or remove an index for how->substring, which is kept from then on.  *n
 * gets the number of messages that it was given.
 */
int	ctx_search_trigrams(struct ctx_store *st, int on, int64_t *n,
	    struct ctx_err *err);

#endif
