/* SPDX-License-Identifier: MIT */
/* Characters as Claude's tokenizers have them; see claude_char.h. */
#include "token/claude_char.h"

#include <stddef.h>

#include "base/uclass.h"

/* Latin capitals whose small letters are not the next characters, in order. */
static const struct {
	uint16_t capital, small;
} pair[] = {
	{ 0x130, 0x69 }, { 0x178, 0xff }, { 0x181, 0x253 }, { 0x186, 0x254 },
	{ 0x189, 0x256 }, { 0x18a, 0x257 }, { 0x18e, 0x1dd }, { 0x18f, 0x259 },
	{ 0x190, 0x25b }, { 0x193, 0x260 }, { 0x194, 0x263 }, { 0x196, 0x269 },
	{ 0x197, 0x268 }, { 0x19c, 0x26f }, { 0x19d, 0x272 }, { 0x19f, 0x275 },
	{ 0x1a6, 0x280 }, { 0x1a9, 0x283 }, { 0x1ae, 0x288 }, { 0x1b1, 0x28a },
	{ 0x1b2, 0x28b }, { 0x1b7, 0x292 }, { 0x1c4, 0x1c6 }, { 0x1c7, 0x1c9 },
	{ 0x1ca, 0x1cc }, { 0x1f1, 0x1f3 }, { 0x1f6, 0x195 }, { 0x1f7, 0x1bf },
	{ 0x220, 0x19e }, { 0x23a, 0x2c65 }, { 0x23d, 0x19a },
	{ 0x23e, 0x2c66 }, { 0x243, 0x180 }, { 0x244, 0x289 }, { 0x245, 0x28c },
	{ 0x1e9e, 0xdf },
};

uint32_t
ctx_claude_plain(uint32_t cp, int late)
{
	if (cp >= 0x20 && cp < 0x7f)
		return cp;
	if (cp == 0)
		return ' ';
	if (cp < 0x20)
		return cp == '\t' || cp == '\n' ? cp : 0;
	if (cp < 0xa0 || (cp >= 0xe000 && cp <= 0xf8ff))
		return 0;
	/* U+3000 is left */
	if (cp < 0x3000 && ctx_uclass(cp) & CTX_UC_SPACE)
		return ' ';
	if (!late && (cp == 0x2018 || cp == 0x2019))
		return '\'';
	if (!late && (cp == 0x201c || cp == 0x201d))
		return '"';
	return cp;
}

int
ctx_claude_is_upper(uint32_t cp)
{
	return (ctx_uclass(cp) & (CTX_UC_UPPER | CTX_UC_LOWER)) ==
	    CTX_UC_UPPER;
}

/* Ordinals are small letters by another property. */
int
ctx_claude_is_lower(uint32_t cp)
{
	return cp == 0xaa || cp == 0xba || (ctx_uclass(cp) & (CTX_UC_UPPER |
	    CTX_UC_LOWER)) == CTX_UC_LOWER;
}

uint32_t
ctx_claude_lower(uint32_t cp)
{
	size_t i;

	if (!ctx_claude_is_upper(cp))
		return cp;
	if (cp < 0xe0)
		return cp + 32;
	for (i = 0; i < sizeof(pair) / sizeof(*pair); i++)
		if (pair[i].capital == cp)
			return pair[i].small;
	return ctx_claude_is_lower(cp + 1) ? cp + 1 : cp;
}
