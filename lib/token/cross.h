/* SPDX-License-Identifier: MIT */
/*
 * Where a piece may be cut: cutting between two three-byte characters changes
 * nothing if no token lies across that border.  It is a section of the table
 * file (token/table.h).
 *
 * Names: ctx_border_.
 */
#ifndef CTX_TOKEN_CROSS_H
#define CTX_TOKEN_CROSS_H

#include <stddef.h>
#include <stdint.h>

/* Three-byte characters. */
#define CTX_CROSS_FIRST	0x800u
#define CTX_CROSS_LAST	0xffffu

#define CTX_CROSS_BITS	18

/* Bits of a character. */
#define CTX_CROSS_AFTER	1u	/* some token ends inside the next one */
#define CTX_CROSS_BEFORE 2u	/* some token begins inside the last one */
#define CTX_CROSS_ALONE	2	/* above these: the number of its tokens if it
				   is a piece, 1 to 3; 0 is unknown */

/*
 * pair is a hashed bitmap of the pairs that tokens contain; of has four bits
 * for each character.  border does the same for two bytes, with one bit for
 * each pair that occurs in a token; if the bit is clear, no token lies across
 * the border.
 */
struct ctx_cross {
	uint32_t pair[(1 << CTX_CROSS_BITS) / 32];
	uint32_t of[0x10000 / 8];
	uint64_t border[0x10000 / 64];
};

#define CTX_HASH_CROSS	0x9e3779b1u

static inline uint32_t
ctx_cross_hash(uint32_t left, uint32_t right)
{
	return (left << 16 ^ right) * CTX_HASH_CROSS >> (32 - CTX_CROSS_BITS);
}

/* The bits of a character. */
static inline unsigned
ctx_cross_of(const struct ctx_cross *x, uint32_t cp)
{
	return x->of[cp / 8] >> cp % 8 * 4 & 15;
}

/* In the lowest bit: may a token contain these two characters? */
static inline unsigned
ctx_cross_pair(const struct ctx_cross *x, uint32_t left, uint32_t right)
{
	uint32_t i = ctx_cross_hash(left, right);

	return x->pair[i / 32] >> i % 32;
}

/* May a piece be cut between these two three-byte characters? */
static inline int
ctx_cross_free(const struct ctx_cross *x, uint32_t left, uint32_t right)
{
	return ((ctx_cross_pair(x, left, right) | ctx_cross_of(x, left) |
	    ctx_cross_of(x, right) >> 1) & 1) == 0;
}

/* May a piece be cut between these two bytes? */
static inline int
ctx_border_free(const struct ctx_cross *x, uint8_t left, uint8_t right)
{
	return (x->border[left * 4 + right / 64] >> right % 64 & 1) == 0;
}

/* How it is made, from zeros on: set bits of a character; */
void	ctx_cross_set(struct ctx_cross *x, uint32_t cp, unsigned bits);

/*
 * note where text[0 .. len), a token, has borders; with by_space, pieces begin
 * at spaces and contain no others;
 */
void	ctx_cross_add(struct ctx_cross *x, const uint8_t *text, size_t len,
	    int by_space);

/* or never cut between characters. */
void	ctx_cross_never(struct ctx_cross *x);

#endif
