/* SPDX-License-Identifier: MIT */
/*
 * Parts of a plain text that have a number of tokens.  Texts are UTF-8; a part
 * begins and ends at the border of a character, and its tokens are those of
 * the part alone, as it would be sent.
 */
#ifndef CTX_JOB_SLICE_H
#define CTX_JOB_SLICE_H

#include "job/cost.h"

/* Bytes [from, to) of a text. */
struct ctx_slice {
	size_t from, to;
	uint64_t tokens;
};

/*
 * Set *out to the longest beginning of text[0 .. len), or end of it, that was
 * found to have at most max tokens.  Returns 0, or -1 with *err.
 */
int	ctx_slice_head(struct ctx_cost *k, const char *text, size_t len,
	    uint64_t max, struct ctx_slice *out, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_slice_tail(struct ctx_cost *k, const char *text, size_t len,
	    uint64_t max, struct ctx_slice *out, struct ctx_err *err)
	    CTX_CHECKED;

/* How a text is divided. */
struct ctx_slice_opts {
	uint64_t max;		/* tokens of a part, at least 1 */
	uint64_t overlap;	/* that a part shares with the one before, at
				   most; less than max */
};

/*
 * Set *part, of the last call or all zero, to the next part of text[0 .. len).
 * It ends where a paragraph, a line, a sentence or a word does, the first of
 * these in its second half; a character that has more than max tokens is a part
 * by itself.  Without overlap the parts are the whole text.  Returns 1, 0 if
 * there is none, or -1 with *err.
 */
int	ctx_slice_next(struct ctx_cost *k, const struct ctx_slice_opts *opts,
	    const char *text, size_t len, struct ctx_slice *part,
	    struct ctx_err *err) CTX_CHECKED;

#endif
