/* SPDX-License-Identifier: MIT */
/*
 * The contents of JSON strings; see span.h.  They are expected to come from a
 * scanned line.  Of others, and of those cut inside a character, nothing is
 * read or written out of bounds, but what comes out is not specified.
 */
#include "base/utf8.h"
#include "read/scan.h"

#define HIGHS	0x8080808080808080u
#define ONES	0x0101010101010101u

/* Has w, eight bytes, a backslash? */
static inline int
has_slash(uint64_t w)
{
	w ^= ONES * '\\';
	return ((w - ONES) & ~w & HIGHS) != 0;
}

static inline int
is_surrogate(uint32_t cp)
{
	return cp >= 0xd800 && cp < 0xe000;
}

static uint32_t
hex4(const char *p)
{
	uint32_t v = 0;
	int i;

	for (i = 0; i < 4; i++)
		v = v * 16 + ((uint32_t)p[i] & 15) + (p[i] > '9' ? 9 : 0);
	return v;
}

/*
 * The character that the escape at s[0], a backslash, spells: bytes of the
 * spelling, always at least 1.  A lone surrogate is given as it is in *cp.
 */
static size_t
escape_step(const char *s, size_t len, uint32_t *cp)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *p;

	*cp = 0xfffd;
	if (len < 2)
		return len;
	if (s[1] != 'u') {
		p = strchr(from, s[1]);
		*cp = (unsigned char)(p != NULL && *p != '\0' ?
		    to[p - from] : s[1]);
		return 2;
	}
	if (len < 6)
		return len;
	*cp = hex4(s + 2);
	if (!ctx_scan_pair(s, len))
		return 6;
	*cp = 0x10000 + ((*cp & 0x3ff) << 10) + (hex4(s + 8) & 0x3ff);
	return 12;
}

/* The next character, plain or escaped. */
static size_t
step(const char *s, size_t len, uint32_t *cp)
{
	size_t n;

	if (*s == '\\')
		return escape_step(s, len, cp);
	if ((n = ctx_utf8_step(s, len, cp)) > 0)
		return n;
	*cp = 0xfffd;
	return 1;
}

size_t
ctx_str_cut(const char *s, size_t len, size_t nchars)
{
	size_t i = 0, n;
	uint64_t w;
	uint32_t cp;

	while (i < len && nchars > 0) {
		for (; len - i >= 8; i += 8) {
			memcpy(&w, s + i, 8);
			/* the bytes that begin a character */
			n = ((~(w >> 7) | w >> 6) & ONES) * ONES >> 56;
			if (has_slash(w) || n >= nchars)
				break;
			nchars -= n;
		}
		/* the words may have ended inside a character */
		while (i < len && (signed char)s[i] < -64)
			i++;
		if (i < len) {
			i += step(s + i, len - i, &cp);
			nchars--;
		}
	}
	return i;
}

int
ctx_str_decode(struct ctx_buf *out, const char *s, size_t len)
{
	size_t i = 0;
	uint64_t w;
	uint32_t cp;
	char *o;

	/* no spelling is shorter than its text, but U+FFFD for a cut one */
	if (ctx_buf_reserve(out, len + 4) == -1)
		return -1;
	o = out->data + out->len;
	while (i < len) {
		for (; len - i >= 8; i += 8, o += 8) {
			memcpy(&w, s + i, 8);
			if (has_slash(w))
				break;
			memcpy(o, &w, 8);
		}
		while (i < len && s[i] != '\\')
			*o++ = s[i++];
		if (i == len)
			break;
		i += escape_step(s + i, len - i, &cp);
		if (is_surrogate(cp))
			cp = 0xfffd;
		o += ctx_utf8_put(o, cp);
	}
	out->len = (size_t)(o - out->data);
	return 0;
}

/* Lone surrogates are told apart, though decoding makes one of them. */
int
ctx_str_equal(const char *a, size_t alen, const char *b, size_t blen)
{
	size_t i = 0, j = 0;
	uint32_t ca, cb;

	if (alen == blen && (alen == 0 || memcmp(a, b, alen) == 0))
		return 1;
	if ((alen == 0 || memchr(a, '\\', alen) == NULL) &&
	    (blen == 0 || memchr(b, '\\', blen) == NULL))
		return 0;
	while (i < alen && j < blen) {
		i += step(a + i, alen - i, &ca);
		j += step(b + j, blen - j, &cb);
		if (ca != cb)
			return 0;
	}
	return i == alen && j == blen;
}

int
ctx_str_spells(const char *s, size_t len, const char *text, size_t textlen)
{
	size_t i = 0, j = 0, n;
	uint32_t cp;
	char c[4];

	while (i < len) {
		i += step(s + i, len - i, &cp);
		if (is_surrogate(cp))
			return 0;
		n = ctx_utf8_put(c, cp);
		if (n > textlen - j || memcmp(c, text + j, n) != 0)
			return 0;
		j += n;
	}
	return j == textlen;
}

/* Is c one of the bytes that cannot stand in a string as they are? */
static inline int
must_escape(unsigned char c)
{
	return c < 0x20 || c == '"' || c == '\\';
}

/* The same for eight bytes: is one of them such? */
static inline int
must_escape_any(uint64_t w)
{
	uint64_t quote = w ^ ONES * '"';

	return has_slash(w) || ((quote - ONES) & ~quote & HIGHS) != 0 ||
	    ((w - ONES * 0x20) & ~w & HIGHS) != 0;
}

static size_t
plain_run(const char *text, size_t len)
{
	size_t i = 0;
	uint64_t w;

	for (; len - i >= 8; i += 8) {
		memcpy(&w, text + i, 8);
		if (must_escape_any(w))
			break;
	}
	while (i < len && !must_escape((unsigned char)text[i]))
		i++;
	return i;
}

int
ctx_str_encode(struct ctx_buf *out, const char *text, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	static const char letter[0x20] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'
	};
	char esc[6] = "\\u00";
	size_t i, run;
	unsigned char c;

	for (i = 0; i < len; i++) {
		run = plain_run(text + i, len - i);
		ctx_buf_add(out, text + i, run);
		if ((i += run) == len)
			break;
		c = (unsigned char)text[i];
		if (c >= 0x20 || letter[c] != '\0') {
			esc[1] = c >= 0x20 ? (char)c : letter[c];
			ctx_buf_add(out, esc, 2);
			continue;
		}
		esc[1] = 'u';
		esc[4] = hex[c >> 4];
		esc[5] = hex[c & 15];
		ctx_buf_add(out, esc, 6);
	}
	return out->failed ? -1 : 0;
}
