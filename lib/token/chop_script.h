/* SPDX-License-Identifier: MIT */
/*
 * The characters of two and three bytes that token/chop decides with masks, by
 * their classes: those of 64 bytes are looked up together as often as their
 * first bytes, or first two, differ, which in one script is once or twice.
 *
 * Names: script.
 */
#ifndef CTX_TOKEN_CHOP_SCRIPT_H
#define CTX_TOKEN_CHOP_SCRIPT_H

#include <stdint.h>

#include "base/cpu.h"
#include "base/uclass.h"

#ifdef CTX_X86
#include <immintrin.h>

/* Lookups in a block; characters that would need more are left. */
#define SCRIPT_MAX	6

/* First bytes of characters, in bits for the bytes of a block. */
struct script {
	uint64_t two, three;	/* that were looked up, by their length */
	uint64_t letter, upper, lower;	/* upper and lower: see base/uclass.h */
	uint64_t mark;
	uint64_t space, number;
};

/* May c begin a character of two bytes, or of three up to first byte last? */
CTX_INLINE int
script_begins(uint8_t c, uint8_t last)
{
	return (uint8_t)(c - 0xc2) <= last - 0xc2;
}

#define SCRIPT_IS(x, c)	_mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)(c)))
#define SCRIPT_IN(x, lo, hi) _mm512_cmple_epu8_mask(_mm512_sub_epi8(x, \
	_mm512_set1_epi8((char)(lo))), _mm512_set1_epi8((char)((hi) - (lo))))

/* Add the characters same, whose last bytes are last; cp is the first of 64. */
static inline CTX_AVX512 void
script_add(struct script *s, uint64_t same, __m512i last, uint32_t cp)
{
	/* the lower six bits of a byte are its place in the table */
	__m512i class = _mm512_permutexvar_epi8(last, _mm512_loadu_si512(
	    &ctx_uclass_bits[ctx_uclass_block[cp >> 7]][cp & 127]));

#define SCRIPT_TEST(bits)	(same & _mm512_test_epi8_mask(class, \
	_mm512_set1_epi8(bits)))
	s->letter |= SCRIPT_TEST(CTX_UC_LETTER);
	s->upper |= SCRIPT_TEST(CTX_UC_UPPER);
	s->lower |= SCRIPT_TEST(CTX_UC_LOWER);
	s->mark |= SCRIPT_TEST(CTX_UC_MARK);
	s->space |= SCRIPT_TEST(CTX_UC_SPACE);
	s->number |= SCRIPT_TEST(CTX_UC_NUMBER);
#undef SCRIPT_TEST
}

/*
 * Look up the characters at p, of which 66 bytes can be read, that begin at
 * bytes of wide.  The long s, which ends "'s" like an s, and what is not UTF-8
 * are left.
 */
static inline CTX_AVX512 struct script
script_find(const uint8_t *p, uint64_t wide)
{
	__m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 1);
	__m512i c = _mm512_loadu_si512(p + 2);
	uint64_t next = wide & SCRIPT_IN(b, 0x80, 0xbf);
	uint64_t two = next & SCRIPT_IN(a, 0xc2, 0xdf) & UINT64_MAX >> 1 &
	    ~(SCRIPT_IS(a, 0xc5) & SCRIPT_IS(b, 0xbf));
	uint64_t three = next & SCRIPT_IN(a, 0xe0, 0xef) & UINT64_MAX >> 2 &
	    SCRIPT_IN(c, 0x80, 0xbf) &
	    ~(SCRIPT_IS(a, 0xe0) & SCRIPT_IN(b, 0x80, 0x9f)) &
	    ~(SCRIPT_IS(a, 0xed) & SCRIPT_IN(b, 0xa0, 0xbf));
	struct script s = { 0 };
	uint64_t left, same;
	unsigned i, n;

	for (n = 0; n < SCRIPT_MAX && (left = (two | three) &
	    ~(s.two | s.three)) != 0; n++) {
		i = (unsigned)_tzcnt_u64(left);
		same = left & SCRIPT_IS(a, p[i]);
		if (p[i] < 0xe0) {
			s.two |= same;
			script_add(&s, same, b, (uint32_t)(p[i] & 31) << 6);
			continue;
		}
		same &= SCRIPT_IS(b, p[i + 1]);
		s.three |= same;
		script_add(&s, same, c, (uint32_t)(p[i] & 15) << 12 |
		    (uint32_t)(p[i + 1] & 63) << 6);
	}
	return s;
}

#undef SCRIPT_IS
#undef SCRIPT_IN
#endif

#endif
