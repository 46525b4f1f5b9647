/* SPDX-License-Identifier: MIT */
/*
 * The characters of Chinese, Japanese and Korean that token/chop decides with
 * masks, 64 bytes at a time, and where no token can lie across two of them.
 *
 * They are letters without case (U+3041 to U+3096, U+30A1 to U+30FA, U+30FC,
 * U+4E00 to U+9FFF, U+AC00 to U+D77F) and punctuation (U+2010 to U+2027, U+3001
 * to U+3003, U+3008 to U+3011, U+FF01 to U+FF0F, U+FF1A to U+FF20, U+FF3B to
 * U+FF40, U+FF5B to U+FF65 without the letters and marks among them); all have
 * three bytes.
 *
 * Names: east.
 */
#ifndef CTX_TOKEN_CHOP_EAST_H
#define CTX_TOKEN_CHOP_EAST_H

#include <stdint.h>

#include "base/cpu.h"
#include "token/table.h"

#ifdef CTX_X86
#include <immintrin.h>

/* First bytes of characters, in bits for the bytes of a block. */
struct east {
	uint64_t letter;
	uint64_t other;
};

#define EAST_IS(x, c)	_mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)(c)))
#define EAST_IN(x, lo, hi) _mm512_cmple_epu8_mask(_mm512_sub_epi8(x, \
	_mm512_set1_epi8((char)(lo))), _mm512_set1_epi8((char)((hi) - (lo))))

/* The letters; a, b and c are the block from its byte 0, 1 and 2 on. */
static inline CTX_AVX512 uint64_t
east_letters(__m512i a, __m512i b, __m512i c)
{
	uint64_t han = EAST_IN(a, 0xe5, 0xe9) |
	    (EAST_IS(a, 0xe4) & EAST_IN(b, 0xb8, 0xbf));
	uint64_t hangul = EAST_IN(a, 0xeb, 0xec) |
	    (EAST_IS(a, 0xea) & EAST_IN(b, 0xb0, 0xbf)) |
	    (EAST_IS(a, 0xed) & EAST_IN(b, 0x80, 0x9d));
	uint64_t kana = (EAST_IS(b, 0x81) & EAST_IN(c, 0x81, 0xbf)) |
	    (EAST_IS(b, 0x82) & (EAST_IN(c, 0x80, 0x96) |
	    EAST_IN(c, 0xa1, 0xbf))) |
	    (EAST_IS(b, 0x83) & (EAST_IN(c, 0x80, 0xba) | EAST_IS(c, 0xbc)));

	return han | hangul | (EAST_IS(a, 0xe3) & kana);
}

static inline CTX_AVX512 uint64_t
east_others(__m512i a, __m512i b, __m512i c)
{
	uint64_t dashes = EAST_IS(a, 0xe2) & EAST_IS(b, 0x80) &
	    EAST_IN(c, 0x90, 0xa7);
	uint64_t marks = EAST_IS(a, 0xe3) & EAST_IS(b, 0x80) &
	    (EAST_IN(c, 0x81, 0x83) | EAST_IN(c, 0x88, 0x91));
	uint64_t wide = (EAST_IS(b, 0xbc) & (EAST_IN(c, 0x81, 0x8f) |
	    EAST_IN(c, 0x9a, 0xa0) | EAST_IN(c, 0xbb, 0xbf))) |
	    (EAST_IS(b, 0xbd) & (EAST_IS(c, 0x80) | EAST_IN(c, 0x9b, 0xa5)));

	return dashes | marks | (EAST_IS(a, 0xef) & wide);
}

/* Find them in the 64 bytes at p, of which 66 can be read. */
static inline CTX_AVX512 struct east
east_find(const uint8_t *p)
{
	__m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 1);
	__m512i c = _mm512_loadu_si512(p + 2);
	/* with two more bytes, and all of it in the block */
	uint64_t three = EAST_IN(b, 0x80, 0xbf) & EAST_IN(c, 0x80, 0xbf) &
	    UINT64_MAX >> 2;
	struct east e;

	e.letter = east_letters(a, b, c) & three;
	e.other = east_others(a, b, c) & three;
	return e;
}

/* Code points of three bytes each, as 32 numbers of 16 bits. */
static inline CTX_AVX512 __m512i
east_points(__m512i a, __m512i b, __m512i c)
{
	const __m512i low = _mm512_set1_epi16(63);

#define WIDEN(x) _mm512_cvtepu8_epi16(_mm512_castsi512_si256(x))
	return _mm512_or_si512(_mm512_slli_epi16(WIDEN(a), 12),
	    _mm512_or_si512(_mm512_slli_epi16(_mm512_and_si512(WIDEN(b),
	    low), 6), _mm512_and_si512(WIDEN(c), low)));
#undef WIDEN
}

/* What the table knows of the characters of a block, in bits for each. */
struct east_known {
	uint64_t pair;		/* a token may contain it and the next */
	uint64_t after;
	uint64_t before;
	uint64_t low, high;	/* of the number of its tokens if it is alone */
};

/* The hashes of 8 pairs. */
static inline CTX_AVX512 __m256i
east_hash(__m256i left, __m256i right)
{
	return _mm256_srli_epi32(_mm256_mullo_epi32(_mm256_xor_si256(
	    _mm256_slli_epi32(left, 16), right),
	    _mm256_set1_epi32((int)CTX_HASH_CROSS)), 32 - CTX_CROSS_BITS);
}

/* Look up 8 characters, beginning with number i. */
static inline CTX_AVX512 void
east_look(struct east_known *k, const struct ctx_cross *x, __m256i cp,
    __m256i next, unsigned i)
{
	__m256i hash = east_hash(cp, next), bits;

#define EAST_TEST(n)	((uint64_t)_mm256_test_epi32_mask(bits, \
	_mm256_set1_epi32(n)) << i)
	bits = _mm256_srlv_epi32(_mm256_i32gather_epi32((const int *)x->pair,
	    _mm256_srli_epi32(hash, 5), 4),
	    _mm256_and_si256(hash, _mm256_set1_epi32(31)));
	k->pair |= EAST_TEST(1);
	bits = _mm256_srlv_epi32(_mm256_i32gather_epi32((const int *)x->of,
	    _mm256_srli_epi32(cp, 3), 4), _mm256_slli_epi32(
	    _mm256_and_si256(cp, _mm256_set1_epi32(7)), 2));
	k->after |= EAST_TEST(CTX_CROSS_AFTER);
	k->before |= EAST_TEST(CTX_CROSS_BEFORE);
	k->low |= EAST_TEST(1 << CTX_CROSS_ALONE);
	k->high |= EAST_TEST(2 << CTX_CROSS_ALONE);
#undef EAST_TEST
}

/* The results, in bits for the bytes of a block. */
struct east_cuts {
	uint64_t cut;		/* before one of these characters and after
				   another: no token can lie across */
	uint64_t low, high;	/* first bytes of characters, as above */
};

/* first has the first bytes of all these characters in the block at p. */
static inline CTX_AVX512 struct east_cuts
east_cuts(const struct ctx_cross *x, const uint8_t *p, uint64_t first)
{
	__m512i a = _mm512_maskz_compress_epi8(first, _mm512_loadu_si512(p));
	__m512i b = _mm512_maskz_compress_epi8(first,
	    _mm512_loadu_si512(p + 1));
	__m512i c = _mm512_maskz_compress_epi8(first,
	    _mm512_loadu_si512(p + 2));
	unsigned n = (unsigned)_mm_popcnt_u64(first), i;
	struct east_known k = { 0 };
	uint16_t point[40] = { 0 };
	uint64_t free;

	_mm512_storeu_si512(point, east_points(a, b, c));
	for (i = 0; i < n; i += 8)
		east_look(&k, x, _mm256_cvtepu16_epi32(_mm_loadu_si128(
		    (const __m128i *)(point + i))), _mm256_cvtepu16_epi32(
		    _mm_loadu_si128((const __m128i *)(point + i + 1))), i);
	free = ~(k.pair | k.after | k.before >> 1);
	return (struct east_cuts){ (_pdep_u64(free, first) & first >> 3) << 3,
	    _pdep_u64(k.low, first), _pdep_u64(k.high, first) };
}

/* The same with AVX2 or less, character by character. */
CTX_INLINE struct east_cuts
east_cuts_plain(const struct ctx_cross *x, const uint8_t *p, uint64_t first)
{
	struct east_cuts e = { 0, 0, 0 };
	uint32_t left = 0, cp;
	unsigned i, of, last = CTX_CROSS_AFTER;
	uint64_t rest, free = 0;

	for (rest = first; rest != 0; rest &= rest - 1) {
		i = (unsigned)__builtin_ctzll(rest);
		cp = (uint32_t)(p[i] & 15) << 12 |
		    (uint32_t)(p[i + 1] & 63) << 6 | (p[i + 2] & 63);
		of = ctx_cross_of(x, cp);
		free |= (uint64_t)(~(ctx_cross_pair(x, left, cp) | last |
		    of >> 1) & 1) << i;
		e.low |= (uint64_t)(of >> CTX_CROSS_ALONE & 1) << i;
		e.high |= (uint64_t)(of >> CTX_CROSS_ALONE >> 1) << i;
		left = cp;
		last = of;
	}
	e.cut = free & first << 3;
	return e;
}

#undef EAST_IS
#undef EAST_IN
#endif

#endif
