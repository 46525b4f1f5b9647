/* SPDX-License-Identifier: MIT */
/*
 * The characters of token/chop_script.h with AVX2, 32 bytes at a time: all of
 * two bytes, and those of three up to U+2FFF.
 *
 * Names: script, SCRIPT_AVX2.
 */
#ifndef CTX_TOKEN_CHOP_SCRIPT_AVX2_H
#define CTX_TOKEN_CHOP_SCRIPT_AVX2_H

#include <stdint.h>

#include "base/cpu.h"
#include "base/uclass.h"
#include "base/vec.h"
#include "token/chop_script.h"

#ifdef CTX_X86
#define SCRIPT_AVX2_LAST	0xe2	/* the highest first byte */

/*
 * The classes of bytes 0x80 to 0xbf: a shuffle looks up 16 of them, and gives 0
 * for an index from 0x80 on.
 */
VEC_TARGET CTX_INLINE vec
script_look(const uint8_t class[64], vec last)
{
	vec found = vec_set(0), i;
	unsigned k;

	for (k = 0; k < 4; k++) {
		i = _mm256_adds_epu8(vec_xor(last,
		    vec_set((uint8_t)(0x80 | k << 4))), vec_set(0x70));
		found = vec_or(found, vec_look(vec_table(class + k * 16), i));
	}
	return found;
}

/* Is this class bit set?  A bit for each byte. */
VEC_TARGET CTX_INLINE uint64_t
script_test(struct block class, uint8_t bit)
{
	return block_within(class, (uint8_t)~bit, 0xff, 1);
}

/*
 * Add to class that of the characters which begin like the one at q, and return
 * where they begin; text has the block from its bytes 0, 1 and 2 on.
 */
VEC_TARGET CTX_INLINE uint64_t
script_add_avx2(struct block *class, const struct block text[3],
    const uint8_t *q)
{
	const int three = q[0] >= 0xe0;
	const uint32_t cp = three ? (uint32_t)(q[0] & 15) << 12 |
	    (uint32_t)(q[1] & 63) << 6 : (uint32_t)(q[0] & 31) << 6;
	const uint8_t *known =
	    &ctx_uclass_bits[ctx_uclass_block[cp >> 7]][cp & 127];
	struct block same;
	unsigned i;

	for (i = 0; i < VEC_BLOCK / VEC; i++) {
		same.v[i] = vec_eq(text[0].v[i], vec_set(q[0]));
		if (three)
			same.v[i] = vec_and(same.v[i],
			    vec_eq(text[1].v[i], vec_set(q[1])));
		class->v[i] = vec_or(class->v[i], vec_and(same.v[i],
		    script_look(known, text[1 + three].v[i])));
	}
	return block_mask(same);
}

/* As script_find; the others are left. */
VEC_TARGET static inline struct script
script_find_avx2(const uint8_t *p, uint64_t wide)
{
	const struct block text[3] = {
		block_load(p), block_load(p + 1), block_load(p + 2)
	};
	uint64_t next = wide & block_within(text[1], 0, 0x80, 64), found = 0;
	uint64_t two = next & block_within(text[0], 0, 0xc2, 30) &
	    UINT64_MAX >> 1 & ~(block_within(text[0], 0, 0xc5, 1) &
	    block_within(text[1], 0, 0xbf, 1));
	uint64_t three = next & UINT64_MAX >> 2 &
	    block_within(text[0], 0, 0xe0, SCRIPT_AVX2_LAST - 0xdf) &
	    block_within(text[2], 0, 0x80, 64) &
	    ~(block_within(text[0], 0, 0xe0, 1) &
	    block_within(text[1], 0, 0x80, 32));
	struct block class = { { vec_set(0), vec_set(0) } };
	uint64_t left = two | three;
	unsigned n;

	for (n = 0; n < SCRIPT_MAX && left != 0; n++) {
		found |= left & script_add_avx2(&class, text,
		    p + _tzcnt_u64(left));
		left = (two | three) & ~found;
	}
	return (struct script){
		.two = two & found, .three = three & found,
		.letter = found & script_test(class, CTX_UC_LETTER),
		.upper = found & script_test(class, CTX_UC_UPPER),
		.lower = found & script_test(class, CTX_UC_LOWER),
		.mark = found & script_test(class, CTX_UC_MARK),
		.space = found & script_test(class, CTX_UC_SPACE),
		.number = found & script_test(class, CTX_UC_NUMBER)
	};
}
#endif

#endif
