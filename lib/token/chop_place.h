/* SPDX-License-Identifier: MIT */
/*
 * From bits of a block of token/chop, one for each byte, to places in the text.
 *
 * Names: below, lowest, add_.
 */
#ifndef CTX_TOKEN_CHOP_PLACE_H
#define CTX_TOKEN_CHOP_PLACE_H

#include <stdint.h>

#include "base/cpu.h"

#ifdef CTX_X86
#include <immintrin.h>
#endif

/* Bits below position n; all of them from 64 on. */
CTX_INLINE uint64_t
below(unsigned n)
{
	return n > 63 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

CTX_INLINE unsigned
lowest(uint64_t x)
{
	return x == 0 ? 64 : (unsigned)__builtin_ctzll(x);
}

/* Store the places that bits say; returns their number. */
CTX_INLINE unsigned
add_places(const uint8_t **at, const uint8_t *p, uint64_t bits)
{
	unsigned n = 0;

	for (; bits != 0; bits &= bits - 1)
		at[n++] = p + lowest(bits);
	return n;
}

#ifdef CTX_X86
/* Store sixteen places. */
static inline CTX_AVX512 void
add_sixteen(const uint8_t **at, const uint8_t *p, __m128i places)
{
	const __m512i base = _mm512_set1_epi64((long long)(uintptr_t)p);

	_mm512_storeu_si512(at, _mm512_add_epi64(base,
	    _mm512_cvtepu8_epi64(places)));
	_mm512_storeu_si512(at + 8, _mm512_add_epi64(base,
	    _mm512_cvtepu8_epi64(_mm_unpackhi_epi64(places, places))));
}

/*
 * The same without a branch for each place, or for more or less than 16, which
 * is as unpredictable.  Writes up to 32 extra entries.
 */
static inline CTX_AVX512 unsigned
add_places_avx512(const uint8_t **at, const uint8_t *p, uint64_t bits)
{
	static const uint8_t index[64] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
		18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
		34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
		50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
	};
	unsigned n = (unsigned)_mm_popcnt_u64(bits);
	const __m512i where = _mm512_maskz_compress_epi8(bits,
	    _mm512_loadu_si512(index));

	add_sixteen(at, p, _mm512_castsi512_si128(where));
	add_sixteen(at + 16, p, _mm512_extracti32x4_epi32(where, 1));
	if (n > 32) {
		add_sixteen(at + 32, p, _mm512_extracti32x4_epi32(where, 2));
		add_sixteen(at + 48, p, _mm512_extracti32x4_epi32(where, 3));
	}
	return n;
}
#endif

#endif
