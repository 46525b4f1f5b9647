/* SPDX-License-Identifier: MIT */
/*
 * A body that is too long keeps its head, or its head and tail, and says how
 * long it was:
 *
 *	head\n... (truncated, 5321 chars total)
 *	head\n... (truncated, 5321 chars total, sha256:HEX)\ntail
 *
 * Lengths are characters, or tokens where a counter is given.  A text that was
 * shortened so before is left, so shortening twice is shortening once.
 * Texts are contents of JSON strings, still escaped, in and out.
 */
#ifndef CTX_DECIDE_SHORTEN_H
#define CTX_DECIDE_SHORTEN_H

#include "view/convo.h"

/*
 * Tokens of s, into *total; and, if chars is not NULL, the characters of its
 * first `want` tokens.  0, or -1 with *err.
 */
typedef int ctx_count_fn(void *arg, struct ctx_str s, uint64_t want,
	    uint64_t *total, uint64_t *chars, struct ctx_err *err);

struct ctx_shorten {
	uint64_t max;		/* 0: any length */
	uint64_t tail;		/* of max, at the end */
	int tokens;		/* max and tail are tokens */
	ctx_count_fn *count;	/* with tokens */
	void *arg;
};

/*
 * Append to out what s is shortened to.  hash, unless NULL, is 64 hex digits
 * that the marker names.
 * Returns: 1 shortened, 0 short enough, -1 with *err.
 */
int	ctx_shorten(const struct ctx_shorten *how, struct ctx_str s,
	    const char *hash, struct ctx_buf *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * The hash in s's marker, 64 hex digits borrowed from s; NULL if it has no
 * marker or the marker names none.
 */
const char *ctx_shorten_hash(struct ctx_str s);

#endif
