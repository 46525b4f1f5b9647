/* SPDX-License-Identifier: MIT */
/*
 * A history as one page of HTML, which needs no other file and no network:
 * turns, messages, calls with their arguments and results, images, and each
 * message's JSON to be copied.  It is readable without its script, which
 * searches, folds, and moves by keys.
 *
 * Whatever a history holds, the page runs nothing of it and loads nothing: all
 * of it is text (html.h), images are those of formats without a script, and a
 * content security policy allows only the style and the script of the page
 * itself.
 *
 * Names: ctx_page_, struct ctx_page.
 */
#ifndef CTX_SHOW_PAGE_H
#define CTX_SHOW_PAGE_H

#include "show/calls.h"
#include "show/picture.h"
#include "show/select.h"

struct ctx_page {
	/* set by the caller */
	const char *title;		/* of what: a name, or NULL */
	const char *counted;		/* how tokens were, or NULL */
	int redacted;			/* secrets were replaced */
	struct ctx_select *select;	/* borrowed */
	struct ctx_picture *picture;	/* of all messages; borrowed */

	/*
	 * For a page of another kind than a history: what the keys for turns go
	 * to ("change"), and, as HTML, what stands under the title and below
	 * that.  NULL: a history.
	 */
	const char *stop;
	struct ctx_buf about, charts;

	/* the totals of what is shown */
	uint64_t messages, tokens, turns;

	/* internal */
	uint64_t turn, conversation;	/* of the message before */
	struct ctx_buf body, nav;	/* of another kind: filled by it */
	struct ctx_calls call;		/* the latest one of each id */
	uint64_t calls;
	struct ctx_buf word;
	struct ctx_doc args;
};

/* Append the parts of a message that are selected.  Returns 0, or -1 with *err. */
int	ctx_page_parts(struct ctx_page *p, const struct ctx_shown *m,
	    struct ctx_err *err) CTX_CHECKED;

/* Append an image or file: as it is, if it is one that can be shown. */
void	ctx_page_media(struct ctx_page *p, const struct ctx_shown_part *part);

/* End a message, whose JSON can be copied. */
void	ctx_page_json(struct ctx_page *p, const struct ctx_shown *m);

/* Append the beginning of a text, on one line. */
void	ctx_page_cut(struct ctx_buf *out, struct ctx_str text, uint32_t max);
#define CTX_PAGE_FIRST	160	/* bytes of what is folded, and of a turn */

/* Add message m, if it is selected.  Returns 0, or -1 with *err. */
int	ctx_page_put(struct ctx_page *p, const struct ctx_shown *m,
	    struct ctx_err *err) CTX_CHECKED;

/* Takes the next bytes of a page.  Returns 0, or -1 with *err. */
typedef int ctx_page_fn(void *arg, const char *bytes, size_t len,
	    struct ctx_err *err);

/* Write the page, which is then complete.  Returns 0, or -1 with *err. */
int	ctx_page_end(struct ctx_page *p, ctx_page_fn *write, void *arg,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_page_done(struct ctx_page *p);

#endif
