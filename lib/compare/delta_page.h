/* SPDX-License-Identifier: MIT */
/*
 * The differences of two histories as a page (show/page.h): a bar of each, with
 * what became of its messages, and all messages, one after another.  What is the
 * same is folded; in what is not, the words that differ are marked.
 *
 * Names: ctx_delta_page, struct ctx_delta_page.
 */
#ifndef CTX_COMPARE_DELTA_PAGE_H
#define CTX_COMPARE_DELTA_PAGE_H

#include "compare/match.h"
#include "show/page.h"
#include "show/reel.h"

struct ctx_delta_page {
	/* set by the caller */
	const struct ctx_matching *m;	/* after ctx_match_end */
	struct ctx_reel *reel;		/* two: all messages that were added */
	struct ctx_page page;		/* title, counted and redacted */

	/* internal */
	struct ctx_select all;
	struct ctx_picture bar;		/* of both histories */
	struct ctx_buf text[2];
	uint32_t key;			/* the conversation of what is put */
};

/* Write the page.  Returns 0, or -1 with *err. */
int	ctx_delta_page(struct ctx_delta_page *d, ctx_page_fn *write, void *arg,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_delta_page_done(struct ctx_delta_page *d);

#endif
