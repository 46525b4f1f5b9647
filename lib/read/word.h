/* SPDX-License-Identifier: MIT */
/*
 * Eight bytes at a time in a 64-bit word, for every machine.  The first byte is
 * in the lowest bits, so counting trailing zeros finds the first match.
 */
#ifndef CTX_READ_WORD_H
#define CTX_READ_WORD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WORD_ONES	0x0101010101010101u
#define WORD_HIGHS	0x8080808080808080u

static inline uint64_t
word_load(const void *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/*
 * Mark the high bit of each byte under limit (at most 0x80).  A borrow can also
 * mark bytes above a correct one, so rely only on whether there is a mark and
 * where the lowest is.
 */
static inline uint64_t
word_less(uint64_t w, unsigned limit)
{
	return (w - WORD_ONES * limit) & ~w & WORD_HIGHS;
}

static inline uint64_t
word_eq(uint64_t w, unsigned char c)
{
	return word_less(w ^ WORD_ONES * c, 1);
}

/* The index of the lowest mark. */
static inline size_t
word_first(uint64_t marks)
{
	return (size_t)__builtin_ctzll(marks) / 8;
}

/* The number of bytes that begin a character: all but 10xxxxxx. */
static inline size_t
word_chars(uint64_t w)
{
	return (size_t)(((~(w >> 7) | w >> 6) & WORD_ONES) * WORD_ONES >> 56);
}

#endif
