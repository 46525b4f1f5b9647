/* SPDX-License-Identifier: MIT */
/* The path for x86-64 with AVX2; asked for at run time. */
#if defined(__x86_64__)

#include <immintrin.h>

#include "read/span_scan.h"

#define SCAN_TARGET	__attribute__((target("avx2,bmi,bmi2,popcnt")))
#define VEC		32

typedef __m256i vec;

struct block {
	vec v[CTX_SCAN_BLOCK / VEC];
};

#define vec_or		_mm256_or_si256
#define vec_and		_mm256_and_si256
#define vec_xor		_mm256_xor_si256
#define vec_eq		_mm256_cmpeq_epi8
#define vec_min		_mm256_min_epu8
#define vec_subs	_mm256_subs_epu8
#define vec_look	_mm256_shuffle_epi8

/* This shifts halves: the one before v's low half is before's high one. */
#define vec_prev(v, before, k)						\
	_mm256_alignr_epi8(v,						\
	    _mm256_permute2x128_si256(before, v, 0x21), 16 - (k))

SCAN_TARGET static inline vec
vec_load(const char *p)
{
	return _mm256_loadu_si256((const void *)p);
}

SCAN_TARGET static inline vec
vec_set(unsigned char c)
{
	return _mm256_set1_epi8((char)c);
}

SCAN_TARGET static inline vec
vec_table(const unsigned char table[16])
{
	__m128i half = _mm_loadu_si128((const void *)table);

	return _mm256_broadcastsi128_si256(half);
}

SCAN_TARGET static inline vec
vec_shr4(vec v)
{
	return vec_and(_mm256_srli_epi16(v, 4), vec_set(15));
}

SCAN_TARGET static inline int
vec_any(vec v)
{
	return !_mm256_testz_si256(v, v);
}

SCAN_TARGET static inline int
vec_high(vec v)
{
	return _mm256_movemask_epi8(v) != 0;
}

SCAN_TARGET static inline unsigned
vec_first(vec v)
{
	return _tzcnt_u32((unsigned)_mm256_movemask_epi8(v));
}

SCAN_TARGET static inline uint64_t
block_mask(struct block b)
{
	return (uint32_t)_mm256_movemask_epi8(b.v[0]) |
	    (uint64_t)(uint32_t)_mm256_movemask_epi8(b.v[1]) << 32;
}

#include "read/scan_vector.inc"
#include "read/scan_grammar.inc"

static int
have(void)
{
	return __builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
	    __builtin_cpu_supports("popcnt");
}

const struct ctx_scan_kernel ctx_scan_avx2 = {
	"avx2", have, scan_doc, scan_utf8, scan_chars
};

#else
extern int ctx_scan_no_avx2;	/* ISO C wants something in each file */
#endif
