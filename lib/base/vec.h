/* SPDX-License-Identifier: MIT */
/*
 * Vectors of bytes: AVX2 on x86-64, which is tested for at run time, and NEON
 * on 64-bit ARM, where every machine has it.  On other machines VEC is not
 * defined.
 *
 *	VEC_TARGET	the attribute of functions that use them
 *	VEC_NAME	the name of the path
 *	vec_have()	does this machine have them?
 *	VEC		bytes of a vector, 16 or 32
 *	vec		its type
 *	vec_load vec_set vec_table vec_or vec_and vec_xor vec_sub vec_subs
 *	vec_shr4 vec_eq vec_min
 *			bytewise; vec_eq gives 0xff for yes
 *	vec_look(t, i)	t[i & 15] for i under 0x80, else unspecified
 *	vec_prev(v, before, k)
 *			v moved up by k bytes, filled from before's end
 *	vec_any(v)	is any bit set?
 *	vec_high(v)	is any byte over 0x7f?
 *	vec_first(v)	index of the first 0xff, VEC if all are zero
 *	vec_mask(v)	the result of vec_eq as a mask, bit i for byte i
 *	block_mask(b)	the same for a block
 *
 * Names: vec, block.
 */
#ifndef CTX_BASE_VEC_H
#define CTX_BASE_VEC_H

#include <stdint.h>

#include "base/cpu.h"

#define VEC_BLOCK	64	/* bytes of a block */

#if defined(__x86_64__)

#include <immintrin.h>

#define VEC		32
#define VEC_NAME	"avx2"
#define VEC_TARGET	__attribute__((target("avx2,bmi,bmi2,popcnt")))

typedef __m256i vec;

#define vec_or		_mm256_or_si256
#define vec_and		_mm256_and_si256
#define vec_xor		_mm256_xor_si256
#define vec_eq		_mm256_cmpeq_epi8
#define vec_min		_mm256_min_epu8
#define vec_sub		_mm256_sub_epi8
#define vec_subs	_mm256_subs_epu8
#define vec_look	_mm256_shuffle_epi8

/*
 * The shift works on each 128-bit half, so the half before v's low one is the
 * high half of before.
 */
#define vec_prev(v, before, k)						\
	_mm256_alignr_epi8(v,						\
	    _mm256_permute2x128_si256(before, v, 0x21), 16 - (k))

static inline int
vec_have(void)
{
	return CTX_CPU_HAS(AVX2, "avx2") && CTX_CPU_HAS(BMI1, "bmi") &&
	    CTX_CPU_HAS(BMI2, "bmi2") && CTX_CPU_HAS(POPCNT, "popcnt");
}

VEC_TARGET static inline vec
vec_load(const void *p)
{
	return _mm256_loadu_si256(p);
}

VEC_TARGET static inline vec
vec_set(unsigned char c)
{
	return _mm256_set1_epi8((char)c);
}

VEC_TARGET static inline vec
vec_table(const unsigned char table[16])
{
	__m128i half = _mm_loadu_si128((const void *)table);

	return _mm256_broadcastsi128_si256(half);
}

VEC_TARGET static inline vec
vec_shr4(vec v)
{
	return vec_and(_mm256_srli_epi16(v, 4), vec_set(15));
}

VEC_TARGET static inline int
vec_any(vec v)
{
	return !_mm256_testz_si256(v, v);
}

VEC_TARGET static inline uint32_t
vec_mask(vec v)
{
	return (uint32_t)_mm256_movemask_epi8(v);
}

VEC_TARGET static inline int
vec_high(vec v)
{
	return vec_mask(v) != 0;
}

VEC_TARGET static inline unsigned
vec_first(vec v)
{
	return _tzcnt_u32(vec_mask(v));
}

#elif defined(__aarch64__)

#include <arm_neon.h>

#define VEC		16
#define VEC_NAME	"neon"
#define VEC_TARGET

typedef uint8x16_t vec;

#define vec_set		vdupq_n_u8
#define vec_table	vld1q_u8
#define vec_or		vorrq_u8
#define vec_and		vandq_u8
#define vec_xor		veorq_u8
#define vec_eq		vceqq_u8
#define vec_min		vminq_u8
#define vec_sub		vsubq_u8
#define vec_subs	vqsubq_u8
#define vec_look	vqtbl1q_u8

#define vec_prev(v, before, k)	vextq_u8(before, v, 16 - (k))

static inline int
vec_have(void)
{
	return 1;
}

static inline vec
vec_load(const void *p)
{
	return vld1q_u8(p);
}

static inline vec
vec_shr4(vec v)
{
	return vshrq_n_u8(v, 4);
}

static inline int
vec_any(vec v)
{
	return vmaxvq_u8(v) != 0;
}

static inline int
vec_high(vec v)
{
	return vmaxvq_u8(v) > 0x7f;
}

/* Narrowing by four bits leaves four bits for each byte. */
static inline unsigned
vec_first(vec v)
{
	uint8x8_t half = vshrn_n_u16(vreinterpretq_u16_u8(v), 4);
	uint64_t m = vget_lane_u64(vreinterpret_u64_u8(half), 0);

	return m == 0 ? VEC : (unsigned)__builtin_ctzll(m) / 4;
}

/* Keep in each byte the bit of its position. */
static inline vec
vec_places(vec v)
{
	static const unsigned char places[16] = {
		1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128
	};

	return vandq_u8(v, vld1q_u8(places));
}

static inline uint32_t
vec_mask(vec v)
{
	v = vec_places(v);
	return vaddv_u8(vget_low_u8(v)) |
	    (uint32_t)vaddv_u8(vget_high_u8(v)) << 8;
}

#endif

#ifdef VEC
struct block {
	vec v[VEC_BLOCK / VEC];
};

VEC_TARGET static inline struct block
block_load(const void *p)
{
	struct block b;
	int i;

	for (i = 0; i < VEC_BLOCK / VEC; i++)
		b.v[i] = vec_load((const char *)p + i * VEC);
	return b;
}

VEC_TARGET static inline uint64_t
block_mask(struct block b)
{
#if VEC == 32
	return vec_mask(b.v[0]) | (uint64_t)vec_mask(b.v[1]) << 32;
#else
	vec lo, hi;

	/* adding neighbours packs the bits together */
	lo = vpaddq_u8(vec_places(b.v[0]), vec_places(b.v[1]));
	hi = vpaddq_u8(vec_places(b.v[2]), vec_places(b.v[3]));
	lo = vpaddq_u8(lo, hi);
	lo = vpaddq_u8(lo, lo);
	return vgetq_lane_u64(vreinterpretq_u64_u8(lo), 0);
#endif
}

/* The bytes of b in lo .. lo + n - 1, after setting the given bits in each. */
VEC_TARGET CTX_INLINE uint64_t
block_within(struct block b, uint8_t bits, uint8_t lo, uint8_t n)
{
	vec v;
	int i;

	for (i = 0; i < VEC_BLOCK / VEC; i++) {
		v = vec_sub(vec_or(b.v[i], vec_set(bits)), vec_set(lo));
		b.v[i] = vec_eq(v, vec_min(v, vec_set((uint8_t)(n - 1))));
	}
	return block_mask(b);
}
#endif

#endif
