/* SPDX-License-Identifier: MIT */
#include "token/cross.h"

#include <string.h>

#include "base/utf8.h"

void
ctx_cross_set(struct ctx_cross *x, uint32_t cp, unsigned bits)
{
	x->of[cp / 8] |= (uint32_t)bits << cp % 8 * 4;
}

/* Mark every character that begins with the n bytes at p. */
static void
mark_begins(struct ctx_cross *x, const uint8_t *p, size_t n)
{
	char text[4];
	uint32_t cp;

	for (cp = CTX_CROSS_FIRST; cp <= CTX_CROSS_LAST; cp++) {
		if (cp >= 0xd800 && cp < 0xe000)
			continue;
		ctx_utf8_put(text, cp);
		if (memcmp(text, p, n) == 0)
			ctx_cross_set(x, cp, CTX_CROSS_BEFORE);
	}
}

/* If the border at byte i lies between two characters, note them. */
static void
add_border(struct ctx_cross *x, const uint8_t *text, size_t len, size_t i)
{
	size_t j = i - 1, n;
	uint32_t left, right, hash;

	while (j > 0 && (text[j] & 0xc0) == 0x80)
		j--;
	n = ctx_utf8_step((const char *)text + i, len - i, &right);
	if ((text[j] & 0xc0) == 0x80) {
		/* The token begins inside a character. */
		if (n == 3)
			ctx_cross_set(x, right, CTX_CROSS_BEFORE);
		else if (n == 0)
			mark_begins(x, text + i, len - i);
		return;
	}
	if (ctx_utf8_step((const char *)text + j, i - j, &left) != 3)
		return;
	if (n == 0)
		ctx_cross_set(x, left, CTX_CROSS_AFTER);
	else if (n == 3) {
		hash = ctx_cross_hash(left, right);
		x->pair[hash / 32] |= (uint32_t)1 << hash % 32;
	}
}

void
ctx_cross_add(struct ctx_cross *x, const uint8_t *text, size_t len,
    int by_space)
{
	size_t i;

	for (i = 1; i < len; i++) {
		if (text[i] != ' ' || !by_space)
			x->border[text[i - 1] * 4 + text[i] / 64] |=
			    (uint64_t)1 << text[i] % 64;
		if (text[i] >= 0xe0 && text[i] < 0xf0)
			add_border(x, text, len, i);
	}
}

void
ctx_cross_never(struct ctx_cross *x)
{
	uint32_t cp;

	for (cp = CTX_CROSS_FIRST; cp <= CTX_CROSS_LAST; cp++)
		ctx_cross_set(x, cp, CTX_CROSS_AFTER);
}
