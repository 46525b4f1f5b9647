/* SPDX-License-Identifier: MIT */
/*
 * The newest part of a text that fits a number of tokens, behind a line that
 * says how much is missing:
 *
 *	[... 5321 characters left out]\nthe end of the text
 */
#ifndef CTX_DECIDE_TAIL_H
#define CTX_DECIDE_TAIL_H

#include "base/buf.h"
#include "view/convo.h"

/* Tokens of s into *n.  0, or -1 with *err. */
typedef int ctx_tail_fn(void *arg, struct ctx_str s, uint64_t *n,
	    struct ctx_err *err);

/*
 * Replace what out holds by the marker and as many of s's last characters as
 * fit max tokens, both escaped.  A text that fits, by what count says of it,
 * must not come here.
 * Returns: 1; 0 if not even one character fits; -1 with *err.
 */
int	ctx_tail(struct ctx_buf *out, struct ctx_str s, uint64_t max,
	    ctx_tail_fn *count, void *arg, struct ctx_err *err) CTX_CHECKED;

#endif
