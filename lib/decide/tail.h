/* SPDX-License-Identifier: MIT */
/*
 * The end of a text, as much as fits a number of tokens, after a line that says
 * how much was left out:
 *
 *	[... 5321 characters left out]\nthe end of the text
 */
#ifndef CTX_DECIDE_TAIL_H
#define CTX_DECIDE_TAIL_H

#include "text/marker.h"
#include "view/convo.h"

/* Count the tokens of s into *n.  Returns 0, or -1 with *err. */
typedef int ctx_tail_fn(void *arg, struct ctx_str s, uint64_t *n,
	    struct ctx_err *err);

struct ctx_tail {
	uint64_t max;		/* tokens */
	ctx_tail_fn *count;
	void *arg;		/* of count */
	const struct ctx_markers *notes;	/* how the line is written */
};

/*
 * Replace the contents of out with the marker and as many of s's last
 * characters as fit how->max tokens, both escaped.  The caller must not pass a
 * text that fits, as counted by how->count.
 * Returns: 1; 0 if not even one character fits; -1 with *err.
 */
int	ctx_tail(const struct ctx_tail *how, struct ctx_str s,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

#endif
