/* SPDX-License-Identifier: MIT */
/*
 * The Unicode classes of a code point, as the split patterns of tokenizers name
 * them.  Unicode 16.0; uclass_gen.mjs generates uclass_data.inc.
 */
#ifndef CTX_BASE_UCLASS_H
#define CTX_BASE_UCLASS_H

#include <stdint.h>

#define CTX_UC_LETTER	0x01	/* \p{L} */
#define CTX_UC_NUMBER	0x02	/* \p{N} */
#define CTX_UC_SPACE	0x04	/* White_Space, \s */
#define CTX_UC_UPPER	0x08	/* Lu Lt Lm Lo M */
#define CTX_UC_LOWER	0x10	/* Ll Lm Lo M */
#define CTX_UC_MARK	0x20	/* \p{M} */
#define CTX_UC_PUNCT	0x40	/* \p{P} and \p{S} */
#define CTX_UC_WORD	0x80	/* Alphabetic M Nd Pc Join_Control, \w */

#define CTX_UC_MAX	0x10ffff

extern const uint8_t ctx_uclass_block[];	/* cp >> 7 to block number */
extern const uint8_t ctx_uclass_bits[][128];

/* The class bits of cp, which is at most CTX_UC_MAX. */
static inline unsigned
ctx_uclass(uint32_t cp)
{
	return ctx_uclass_bits[ctx_uclass_block[cp >> 7]][cp & 127];
}

#endif
