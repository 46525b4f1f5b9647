/* SPDX-License-Identifier: MIT */
/*
 * Cutting text into pieces, many at a time.  Most text is ASCII: there the
 * piece borders of 64 bytes come out of a few dozen operations on bit masks,
 * one bit a byte.  What masks cannot tell (other characters, white space that
 * ends in a newline after newlines, the end of the text) goes piece by piece
 * through token/split.
 */
#ifndef CTX_TOKEN_CHOP_H
#define CTX_TOKEN_CHOP_H

#include <stdint.h>

#include "token/split.h"
#include "token/table.h"

#define CTX_CHOP_MAX	512

/* The pieces: number i is at[i] .. at[i + 1]. */
struct ctx_chops {
	const uint8_t *at[CTX_CHOP_MAX + 96];	/* with room for a block more */
	unsigned n;
	/* The end of a piece whose inner cuts did not all find room, or NULL:
	 * the next call goes on in it.  NULL before the first call. */
	const uint8_t *rest;
	unsigned met;	/* why there are no more: CTX_SPLIT_END or _BAD */
};

/*
 * Cut p .. end, at least one byte, into up to CTX_CHOP_MAX pieces.  whole: the
 * text ends at end; if not, no piece is given that more text might change.
 * cross, unless NULL, lets pieces be cut further where no token can lie.
 */
typedef void ctx_chop_fn(struct ctx_chops *c, const uint8_t *p,
    const uint8_t *end, int whole, ctx_split_fn *split,
    const struct ctx_cross *cross);

/* The fastest function of this machine, or the forced one, for a kind. */
ctx_chop_fn *ctx_chop_get(enum ctx_split_kind kind);

#endif
