/* SPDX-License-Identifier: MIT */
/*
 * A body that is too long is cut to its head, or its head and tail, with a
 * marker that says how long it was:
 *
 *	head\n... (truncated, 5321 chars total)
 *	head\n... (truncated, 5321 chars total, sha256:HEX)\ntail
 *	head\n... (truncated, 5321 chars total, kept in DIR/HEX)\ntail
 *
 * Lengths are in characters, or in tokens if a counter is given.  A text that
 * was already shortened like this, in whatever language, is left alone, so
 * shortening twice gives the same result as once.  Input and output are contents
 * of JSON strings, still escaped.
 */
#ifndef CTX_DECIDE_SHORTEN_H
#define CTX_DECIDE_SHORTEN_H

#include "text/marker.h"
#include "read/span.h"

/*
 * Count the tokens of s into *total and, unless chars is NULL, set *chars to
 * the number of characters in its first `want` tokens.  Returns 0, or -1 with
 * *err.
 */
typedef int ctx_count_fn(void *arg, struct ctx_str s, uint64_t want,
	    uint64_t *total, uint64_t *chars, struct ctx_err *err);

struct ctx_shorten {
	uint64_t max;		/* 0: no limit */
	uint64_t tail;		/* how much of max is taken from the end */
	int tokens;		/* max and tail are in tokens */
	int shrinks;		/* a text of which no characters are saved,
				   with the marker, stays as it is */
	ctx_count_fn *count;	/* needed for tokens */
	void *arg;
	const struct ctx_markers *notes;	/* how the marker is written */
};

/*
 * Parse a limit as options give it: "1000" or "10k" characters, "2kt" tokens,
 * which sets max and tokens.  Returns 0, or -1 with CTX_EUSAGE.
 */
int	ctx_shorten_parse(const char *text, struct ctx_shorten *how,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Append the shortened s to out.  hash, unless NULL, is 64 hex digits for the
 * marker to name; if how->notes has a folder, as a file in it.
 * Returns: 1 if shortened, 0 if s is short enough, -1 with *err.
 */
int	ctx_shorten(const struct ctx_shorten *how, struct ctx_str s,
	    const char *hash, struct ctx_buf *out, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * The hash in s's marker, 64 hex digits borrowed from s; NULL if s has no
 * marker or the marker has no hash.
 */
const char *ctx_shorten_hash(struct ctx_str s);
/* Does s have a marker? */
int	ctx_shorten_marked(struct ctx_str s);

#endif
