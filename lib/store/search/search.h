/* SPDX-License-Identifier: MIT */
/*
 * Words to messages, and to what is kept beside them.  What is looked at is the
 * text of a message (text.h), not its JSON.
 */
#ifndef CTX_STORE_SEARCH_SEARCH_H
#define CTX_STORE_SEARCH_SEARCH_H

#include "store/log.h"
#include "store/search/rank.h"

/* What to look in. */
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
	const char *name;	/* of what was remembered, or a file */
	struct ctx_message message;	/* if it is one */
	struct ctx_where_row {
		int64_t thread, context;
	} row;
	const char *snippet;	/* text around the first word */
	size_t snippet_len;
};
typedef int ctx_hit_fn(const struct ctx_hit *h, void *arg,
	    struct ctx_err *err);

struct ctx_search {
	const char *words;
	const char *thread, *role;	/* NULL: any; role: of messages */
	int64_t since;			/* of that time or later */
	int64_t limit;
	unsigned in;			/* CTX_IN_... */
	int rank;			/* the best messages, not the newest */
	int substring;			/* words is text to be found anywhere */
	/*
	 * Messages found otherwise, sorted: they are given too, the best of
	 * both first, or with only_like they alone.  NULL: none.
	 */
	const struct ctx_rank *like;
	int only_like;
	/* 1: the message is a hit, 0: it is none, -1: *err.  NULL: all are. */
	ctx_hit_fn *accept;
	void *accept_arg;
};

/*
 * Hand the hits to fn, the newest first, or the best messages and then the rest
 * from the newest on.  Of a file only the newest version is looked at.
 * *missing counts what is not indexed, up to 10000.  CTX_EUSAGE: nothing to
 * look for, or too much.
 */
int	ctx_search_find(struct ctx_store *st, const struct ctx_search *how,
	    ctx_hit_fn *fn, void *arg, int64_t *missing,
	    struct ctx_err *err);

/*
 * Index what is not, and anew what an older version indexed, some thousand
 * messages a transaction; all: everything anew.  The counts are of messages,
 * and of the rest.
 */
int	ctx_search_reindex(struct ctx_store *st, int all, int64_t *messages,
	    int64_t *notes, struct ctx_err *err);

#endif
