/* SPDX-License-Identifier: MIT */
/*
 * A history as text for a terminal or a pipe: turns, roles, calls in one line
 * with the beginning of their results, and tokens in the margin.
 *
 * Names: ctx_screen_, struct ctx_screen.
 */
#ifndef CTX_SHOW_SCREEN_H
#define CTX_SHOW_SCREEN_H

#include "show/look.h"
#include "show/select.h"

struct ctx_screen {
	/* set by the caller */
	struct ctx_look look;
	int full;		/* nothing is folded */
	int compared;		/* lines begin with the sign of what became of
				   the message */
	struct ctx_select select;

	/* the totals of what was shown */
	uint64_t messages, tokens;

	/* internal */
	uint64_t turn, conversation;	/* of the message before */
	int joins;			/* it may go on in the next one */
	enum ctx_became became;		/* of the message */
	uint64_t margin;		/* tokens for the next line, or
					   UINT64_MAX: none */
	struct ctx_buf *out;
	struct ctx_err *err;
	int failed;			/* with *err */
	struct ctx_buf line;		/* a line as it is printed, */
	size_t match, match_end;	/* and the next match in it; SIZE_MAX:
					   none */
	struct ctx_doc args;
	struct ctx_buf word;
};

/* Append message m, if it is selected, to out.  Returns 0, or -1 with *err. */
int	ctx_screen_put(struct ctx_screen *t, const struct ctx_shown *m,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

/*
 * Append a line that says what became of all messages.  Returns 0, or -1 with
 * *err.
 */
int	ctx_screen_end(struct ctx_screen *t, const struct ctx_became_sum *sums,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

void	ctx_screen_done(struct ctx_screen *t);

#endif
