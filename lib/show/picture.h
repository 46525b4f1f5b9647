/* SPDX-License-Identifier: MIT */
/*
 * Pictures of where a history's tokens are, as SVG: a bar in which each message
 * is as wide as its tokens, a map of them by tool and file or turn, and a plot
 * of how the window fills.
 *
 * Names: ctx_picture_, ctx_drawing_, ctx_cached_.
 */
#ifndef CTX_SHOW_PICTURE_H
#define CTX_SHOW_PICTURE_H

#include "base/strmap.h"
#include "show/calls.h"
#include "show/scene.h"

enum ctx_picture_kind { CTX_PICTURE_BAR, CTX_PICTURE_TREEMAP,
	CTX_PICTURE_PLOT };

/* A message. */
struct ctx_picture_mark {
	uint64_t no, turn, conversation, tokens;
	uint32_t what;		/* number of what it is, in what */
	enum ctx_became became;
	int shown;		/* on the page, so it can be gone to */
	int fresh;		/* what came before it is no longer sent */
	int joined;		/* it continues the answer before it */
	int cached;		/* a provider's cache may hold it */
};

/* What tokens are for: of one kind, in one place. */
struct ctx_picture_cell {
	uint32_t what;
	uint64_t tokens;
};

/* All zero is ready for use. */
struct ctx_picture {
	/* set by the caller, or not */
	uint64_t window;	/* the model's limit; 0: unknown */
	const struct ctx_became_sum *sums;	/* of each enum ctx_became, if
				   another history was compared */
	/* of a bar that is of one of two histories: its messages, */
	size_t first, end;
	uint64_t scale;		/* the tokens of the whole width, */
	char anchor;		/* and of links to messages, as in #m3 */

	/* internal */
	size_t marked;		/* 1 + the place of the last message that is
				   marked to be cached with all before it */
	struct ctx_usage usage;	/* of the latest answer; input 0: none */
	size_t answer;		/* the place of that */
	struct ctx_picture_mark *mark;
	size_t nmark, capmark;
	struct ctx_strmap what;	/* "system", "user", "assistant", "thinking"
				   and names of tools */
	uint64_t *sum;		/* the tokens of each */
	size_t nsum, capsum;
	struct ctx_strmap where;	/* "WHAT FILE" or "WHAT turn N" */
	struct ctx_picture_cell *cell;
	size_t ncell, capcell;
	struct ctx_calls call;	/* 1 + the number of the file that it names */
	struct ctx_strmap file;
	struct ctx_buf word;
	struct ctx_doc args;
};

/* Add a message.  Returns 0, or -1 with *err. */
int	ctx_picture_add(struct ctx_picture *p, const struct ctx_shown *m,
	    int shown, struct ctx_err *err) CTX_CHECKED;

/* Take what the request cost of the latest answer that was added. */
void	ctx_picture_usage(struct ctx_picture *p, const struct ctx_usage *usage);

/*
 * Append a picture of what was added: as a file of its own, or with alone 0 for
 * a page that has the style of pictures and the messages.  Returns 0, or -1
 * with *err.
 */
int	ctx_picture_put(struct ctx_picture *p, enum ctx_picture_kind kind,
	    int alone, struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

/*
 * Append what the lines under a bar mean, if there are any: what became of the
 * messages, and what a provider's cache may hold.  Returns 0, or -1 with *err.
 */
int	ctx_picture_notes(struct ctx_picture *p, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Append what the colours mean, and a table of the tokens by what they are for.
 * Returns 0, or -1 with *err.
 */
int	ctx_picture_legend(struct ctx_picture *p, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_picture_done(struct ctx_picture *p);

/* The style of pictures in a page. */
struct ctx_str	ctx_picture_style(void);

#endif
