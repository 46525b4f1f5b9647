/* SPDX-License-Identifier: MIT */
/* Where contents are cut; see piece.h. */
#include "store/piece.h"

/* Sizes of pieces in bytes; they usually have about 4 KB. */
#define PIECE_MIN	1024
#define PIECE_MAX	16384
#define PIECE_MASK	UINT64_C(0xff80000000000000)
#define PIECE_BACK	256	/* searched for the end of a word */

/* 256 numbers without a pattern: the values of splitmix64. */
void
ctx_piece_begin(struct ctx_pieces *c)
{
	uint64_t x = 0, z;
	int i;

	for (i = 0; i < 256; i++) {
		x += UINT64_C(0x9e3779b97f4a7c15);
		z = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		c->gear[i] = z ^ z >> 31;
	}
}

/*
 * Does a word end before p?  Pieces are indexed separately (note.h), so no
 * word may be cut in two.  Words consist of letters, digits and everything
 * that is not ASCII except Chinese punctuation: U+3000 to U+303F, U+FF00 to
 * U+FF3F.
 */
static int
ends_word(const unsigned char *p)
{
	if (p[-1] < 0x80)
		return !((p[-1] >= '0' && p[-1] <= '9') || p[-1] == '_' ||
		    ((p[-1] | 0x20) >= 'a' && (p[-1] | 0x20) <= 'z'));
	return (p[-3] == 0xe3 && p[-2] == 0x80) ||
	    (p[-3] == 0xef && p[-2] == 0xbc);
}

/*
 * Length of the first piece.  It ends at the end of a word where a rolling sum
 * of the last 64 bytes has nine zero bits at its top, so that equal bytes are
 * cut alike wherever they occur.
 */
size_t
ctx_piece_len(const struct ctx_pieces *c, const unsigned char *p, size_t n)
{
	size_t i, end = n < PIECE_MAX ? n : PIECE_MAX;
	uint64_t sum = 0;

	if (n <= PIECE_MIN)
		return n;
	for (i = PIECE_MIN - 64; i < end; i++) {
		sum = (sum << 1) + c->gear[p[i]];
		if (i >= PIECE_MIN && (sum & PIECE_MASK) == 0 &&
		    ends_word(p + i + 1))
			return i + 1;
	}
	for (i = end; end < n && i > end - PIECE_BACK; i--)
		if (ends_word(p + i))
			return i;
	return end;
}
