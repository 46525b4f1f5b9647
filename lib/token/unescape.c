/* SPDX-License-Identifier: MIT */
#include "token/unescape.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "token/table.h"

#define WIDE	8	/* bytes that one copy step moves */

/* The value of four hexadecimal digits; UINT32_MAX if they are not. */
static uint32_t
hex4(const char *s, size_t len)
{
	uint32_t v = 0;
	size_t i;
	char c;

	if (len < 4)
		return UINT32_MAX;
	for (i = 0; i < 4; i++) {
		c = s[i];
		if (c >= '0' && c <= '9')
			v = v << 4 | (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return UINT32_MAX;
	}
	return v;
}

/* \uXXXX at s, and the low half behind a high one; its length, or 0. */
static size_t
unicode(const char *s, size_t len, uint32_t *cp)
{
	uint32_t low;

	*cp = hex4(s + 2, len - 2);
	if (*cp == UINT32_MAX)
		return 0;
	if (*cp < 0xd800 || *cp > 0xdfff)
		return 6;
	if (*cp < 0xdc00 && len >= 12 && s[6] == '\\' && s[7] == 'u') {
		low = hex4(s + 8, len - 8);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*cp = 0x10000 + ((*cp - 0xd800) << 10) +
			    (low - 0xdc00);
			return 12;
		}
	}
	*cp = 0xfffd;
	return 6;
}

/* The escape at s: its length, at least 1; what it spells into out. */
static size_t
escape(const char *s, size_t len, char *out, size_t *written)
{
	static const char plain[256] = {
		['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b',
		['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t'
	};
	uint32_t cp;
	size_t n;

	*written = 1;
	if (len >= 2 && plain[(uint8_t)s[1]] != 0) {
		*out = plain[(uint8_t)s[1]];
		return 2;
	}
	if (len >= 2 && s[1] == 'u' && (n = unicode(s, len, &cp)) != 0) {
		*written = ctx_utf8_put(out, cp);
		return n;
	}
	*out = *s;
	return 1;
}

/* Bits in the bytes of w that are backslashes; the lowest is right. */
static inline uint64_t
backslashes(uint64_t w)
{
	w ^= 0x5c5c5c5c5c5c5c5cu;
	return (w - 0x0101010101010101u) & ~w & 0x8080808080808080u;
}

size_t
ctx_unescape(char *out, size_t size, const char *s, size_t len, size_t *used)
{
	size_t i = 0, o = 0, n;
	uint64_t found;

	while (i < len && o + 4 <= size) {
		for (n = WIDE; n == WIDE && i + WIDE <= len &&
		    o + WIDE <= size; i += n, o += n) {
			memcpy(out + o, s + i, WIDE);
			found = backslashes(ctx_load8((const uint8_t *)s + i));
			if (found != 0)
				n = (unsigned)__builtin_ctzll(found) / 8;
		}
		while (i < len && o < size && s[i] != '\\')
			out[o++] = s[i++];
		if (i < len && o + 4 <= size) {
			i += escape(s + i, len - i, out + o, &n);
			o += n;
		}
	}
	*used = i;
	return o;
}
