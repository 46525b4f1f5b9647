/* SPDX-License-Identifier: MIT */
/*
 * Cut text into pieces, many at a time.  The piece borders of 64 bytes are
 * found with a few dozen operations on bit masks, one bit a byte; with AVX-512,
 * also those of characters of two and three bytes, and with AVX2 those up to
 * U+2FFF.  What masks cannot decide
 * (other characters, white space that ends in a newline after newlines, the end
 * of the text) goes to token/split piece by piece.
 */
#ifndef CTX_TOKEN_CHOP_H
#define CTX_TOKEN_CHOP_H

#include <stdint.h>

#include "token/split.h"
#include "token/table.h"

#define CTX_CHOP_MAX	512

/* Piece i is at[i] .. to[i]; there is room for another block. */
struct ctx_chops {
	const uint8_t *at[CTX_CHOP_MAX + 96];
	const uint8_t *to[CTX_CHOP_MAX + 96];
	unsigned n;		/* pieces; each call adds some */
	const uint8_t *next;	/* where the next call begins */
	/*
	 * Set by the caller: pieces of a byte, or of a three-byte character
	 * whose tokens are known, may be left out.
	 */
	int skip;
	unsigned skipped;	/* their tokens are added */
	/*
	 * The end of a piece some of whose inner cuts did not fit, or NULL.
	 * The next call continues in that piece.  NULL before the first call.
	 */
	const uint8_t *rest;
	unsigned met;	/* why it stopped: CTX_SPLIT_END or _BAD */
};

/*
 * Cut p .. end, at least one byte, until there are CTX_CHOP_MAX pieces; the
 * caller sets n and skipped to 0 when it has used them.  If whole
 * is set, the text ends at end; otherwise a piece that more text might change
 * is not returned.  If cross is not NULL, pieces may also be cut where no
 * token can lie across the cut.
 */
typedef void ctx_chop_fn(struct ctx_chops *c, const uint8_t *p,
    const uint8_t *end, int whole, ctx_split_fn *split,
    const struct ctx_cross *cross);

/* The fastest function for this kind on this machine, or the forced one. */
ctx_chop_fn *ctx_chop_get(enum ctx_split_kind kind);

#endif
