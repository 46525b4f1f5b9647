/* SPDX-License-Identifier: MIT */
/* Character classes and rough sizes; see glyph.h. */
#include "extract/glyph.h"

#include <string.h>

#include "base/utf8.h"

#define HAN_FIRST 0x4e00u
#define HAN_LAST 0x9fffu

static int
within(uint32_t cp, uint32_t lo, uint32_t hi)
{
	return cp >= lo && cp <= hi;
}

static enum ctx_glyph
class_of(uint32_t cp)
{
	if (within(cp, HAN_FIRST, HAN_LAST) || within(cp, 0x3400, 0x4dbf) ||
	    within(cp, 0x3041, 0x30ff) || within(cp, 0xf900, 0xfaff) ||
	    within(cp, 0x20000, 0x3ffff))
		return CTX_GLYPH_HAN;
	if (cp == 0xa0 || cp == 0x3000 || cp == 0x85 ||
	    within(cp, 0x2000, 0x200b))
		return CTX_GLYPH_SPACE;
	/* punctuation, symbols, private use, full-width forms, emoji */
	if (cp < 0xc0 || cp == 0xd7 || cp == 0xf7 ||
	    within(cp, 0x2000, 0x2bff) || within(cp, 0x2e00, 0x303f) ||
	    within(cp, 0xd800, 0xf8ff) || within(cp, 0xfe00, 0xffff) ||
	    within(cp, 0x1f000, 0x1ffff))
		return CTX_GLYPH_MARK;
	return CTX_GLYPH_LETTER;
}

static enum ctx_glyph
class_of_ascii(unsigned char c)
{
	if ((c | 32) >= 'a' && (c | 32) <= 'z')
		return CTX_GLYPH_ALPHA;
	if (c >= '0' && c <= '9')
		return CTX_GLYPH_DIGIT;
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return CTX_GLYPH_SPACE;
	return CTX_GLYPH_MARK;
}

size_t
ctx_glyph_step(const char *p, size_t len, uint32_t *cp, enum ctx_glyph *class)
{
	unsigned char c = (unsigned char)*p;
	size_t n;

	if (c < 0x80) {
		*cp = c;
		*class = class_of_ascii(c);
		return 1;
	}
	if ((n = ctx_utf8_step(p, len, cp)) == 0) {
		*cp = 0xfffd;
		*class = CTX_GLYPH_MARK;
		return 1;
	}
	*class = class_of(*cp);
	return n;
}

/* How many characters of a class make a token; 0: each character is one. */
static uint32_t
per_token(enum ctx_glyph class)
{
	switch (class) {
	case CTX_GLYPH_ALPHA:
		return 6;
	case CTX_GLYPH_DIGIT:
	case CTX_GLYPH_LETTER:
		return 3;
	default:
		return 0;
	}
}

/* Walk while the size is at most max.  Sets *size to the size. */
static size_t
measure(const char *p, size_t len, uint32_t max, uint32_t *size)
{
	enum ctx_glyph class, last = CTX_GLYPH_SPACE;
	uint32_t cp, n = 0, per, run = 0;
	size_t i = 0, step;

	while (i < len) {
		step = ctx_glyph_step(p + i, len - i, &cp, &class);
		per = per_token(class);
		if (class != last)
			run = 0;
		if (class != CTX_GLYPH_SPACE && (per == 0 || run % per == 0)) {
			if (n == max)
				break;
			n++;
		}
		run++;
		last = class;
		i += step;
	}
	*size = n;
	return i;
}

uint32_t
ctx_glyph_size(const char *p, size_t len)
{
	uint32_t size;

	measure(p, len, UINT32_MAX, &size);
	return size;
}

size_t
ctx_glyph_cut(const char *p, size_t len, uint32_t size)
{
	uint32_t got;

	return measure(p, len, size, &got);
}

void
ctx_han_set_init(struct ctx_han_set *set, const char *chars)
{
	size_t len = strlen(chars), n;
	uint32_t cp;

	memset(set, 0, sizeof(*set));
	for (; len > 0; chars += n, len -= n) {
		if ((n = ctx_utf8_step(chars, len, &cp)) == 0)
			break;
		if (within(cp, HAN_FIRST, HAN_LAST))
			set->bit[(cp - HAN_FIRST) / 8] |=
			    (uint8_t)(1u << (cp - HAN_FIRST) % 8);
	}
}

int
ctx_han_set_has(const struct ctx_han_set *set, uint32_t cp)
{
	return within(cp, HAN_FIRST, HAN_LAST) &&
	    (set->bit[(cp - HAN_FIRST) / 8] >> (cp - HAN_FIRST) % 8 & 1);
}
