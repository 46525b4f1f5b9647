/* SPDX-License-Identifier: MIT */
/* The path for 64-bit ARM, all of which have NEON. */
#if defined(__aarch64__)

#include <arm_neon.h>

#include "read/span_scan.h"

#define SCAN_TARGET
#define VEC		16

typedef uint8x16_t vec;

struct block {
	vec v[CTX_SCAN_BLOCK / VEC];
};

#define vec_set		vdupq_n_u8
#define vec_table	vld1q_u8
#define vec_or		vorrq_u8
#define vec_and		vandq_u8
#define vec_xor		veorq_u8
#define vec_eq		vceqq_u8
#define vec_min		vminq_u8
#define vec_subs	vqsubq_u8
#define vec_look	vqtbl1q_u8

#define vec_prev(v, before, k)	vextq_u8(before, v, 16 - (k))

static inline vec
vec_load(const char *p)
{
	return vld1q_u8((const unsigned char *)p);
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

/* Narrowing by four bits leaves half a byte for each byte. */
static inline unsigned
vec_first(vec v)
{
	uint8x8_t half = vshrn_n_u16(vreinterpretq_u16_u8(v), 4);
	uint64_t m = vget_lane_u64(vreinterpret_u64_u8(half), 0);

	return m == 0 ? VEC : (unsigned)__builtin_ctzll(m) / 4;
}

/* Each byte keeps the bit of its place; adding neighbours packs them. */
static inline uint64_t
block_mask(struct block b)
{
	static const unsigned char places[16] = {
		1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128
	};
	vec bit = vld1q_u8(places), lo, hi;

	lo = vpaddq_u8(vandq_u8(b.v[0], bit), vandq_u8(b.v[1], bit));
	hi = vpaddq_u8(vandq_u8(b.v[2], bit), vandq_u8(b.v[3], bit));
	lo = vpaddq_u8(lo, hi);
	lo = vpaddq_u8(lo, lo);
	return vgetq_lane_u64(vreinterpretq_u64_u8(lo), 0);
}

#include "read/scan_vector.inc"
#include "read/scan_grammar.inc"

static int
have(void)
{
	return 1;
}

const struct ctx_scan_kernel ctx_scan_neon = {
	"neon", have, scan_doc, scan_utf8, scan_chars
};

#else
extern int ctx_scan_no_neon;	/* ISO C wants something in each file */
#endif
