/* SPDX-License-Identifier: MIT */
/* UTF-8 in portable C; read/scan has a vector version for whole lines. */
#include "base/utf8.h"

#include <string.h>

size_t
ctx_utf8_step(const char *p, size_t len, uint32_t *cp)
{
	const unsigned char *s = (const unsigned char *)p;
	uint32_t c;
	size_t n, i;

	if (len == 0)
		return 0;
	c = s[0];
	if (c < 0x80) {
		if (cp != NULL)
			*cp = c;
		return 1;
	}
	if (c < 0xc2 || c > 0xf4)
		return 0;
	n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (len < n)
		return 0;
	c &= 0xffu >> (n + 1);
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if ((n == 3 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
	    (n == 4 && (c < 0x10000 || c > 0x10ffff)))
		return 0;
	if (cp != NULL)
		*cp = c;
	return n;
}

size_t
ctx_utf8_put(char *out, uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

/*
 * Skip three-byte characters, except those whose lead byte has special rules.
 */
static size_t
skip_threes(const unsigned char *p, size_t i, size_t len)
{
	while (len - i >= 3 && p[i] > 0xe0 && p[i] < 0xed &&
	    ((p[i + 1] ^ 0x80) | (p[i + 2] ^ 0x80)) < 0x40)
		i += 3;
	return i;
}

size_t
ctx_utf8_check(const char *p, size_t len)
{
	size_t i = 0, n;
	uint64_t w;

	while ((i = skip_threes((const unsigned char *)p, i, len)) < len) {
		while (i + 8 <= len) {
			memcpy(&w, p + i, 8);
			if (w & 0x8080808080808080u)
				break;
			i += 8;
		}
		if (i == len)
			break;
		if ((n = ctx_utf8_step(p + i, len - i, NULL)) == 0)
			return i;
		i += n;
	}
	return len;
}

size_t
ctx_utf8_bad(const char *text, size_t len, int *cut)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t want = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2, n = 1;
	unsigned char low = 0x80, high = 0xbf;

	*cut = 0;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 1;
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xf4)
		high = 0x8f;
	while (n < len && n < want && p[n] >= low && p[n] <= high) {
		low = 0x80;
		high = 0xbf;
		n++;
	}
	*cut = n == len && n < want;
	return n;
}

size_t
ctx_utf8_count(const char *p, size_t len)
{
	size_t i, n = 0;

	/* compilers turn this loop into vector code */
	for (i = 0; i < len; i++)
		n += (signed char)p[i] >= -64;
	return n;
}
