/* SPDX-License-Identifier: MIT */
/*
 * Words to messages.  What is looked at is the text of a message (text.h), not
 * its JSON.
 */
#ifndef CTX_STORE_SEARCH_H
#define CTX_STORE_SEARCH_H

#include "store/log.h"
#include "store/rank.h"

struct ctx_search {
	const char *words;
	const char *thread, *role;	/* NULL: any */
	int64_t since;			/* messages of that time or later */
	int64_t limit;
	int rank;			/* the best ones first, not the newest */
	int substring;			/* words is text to be found anywhere */
	/*
	 * Messages found otherwise, sorted: they are given too, the best of
	 * both first, or with only_like they alone.  NULL: none.
	 */
	const struct ctx_rank *like;
	int only_like;
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

#endif
