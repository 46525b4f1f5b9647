/* SPDX-License-Identifier: MIT */
/*
 * The contents of JSON strings; see span.h.  They should come from a scanned
 * line.  For others, and for contents cut inside a character, nothing is read
 * or written out of bounds, but the result is unspecified.
 */
#include "read/span.h"

#include "base/utf8.h"
#include "read/span_scan.h"
#include "read/word.h"

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

/* The character that a backslash and c spell.  For " \ and / it is c itself. */
static unsigned char
short_escape(char c)
{
	switch (c) {
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	default:
		return (unsigned char)c;
	}
}

/*
 * Decode the escape at s[0], a backslash.  A lone surrogate is stored in *cp as
 * it is.  Returns the length of the spelling, at least 1.
 */
static size_t
escape_step(const char *s, size_t len, uint32_t *cp)
{
	*cp = 0xfffd;
	if (len < 2)
		return len;
	if (s[1] != 'u') {
		*cp = short_escape(s[1]);
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

/* Decode the next character, plain or escaped. */
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
			w = word_load(s + i);
			n = word_chars(w);
			if (word_eq(w, '\\') != 0 || n >= nchars)
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

/*
 * Offset of the next place from i on that has a backslash, 'u' and 'd' or 'D'; len if
 * there is none.  The inner loop has no branch, so that compilers use vectors.
 */
static size_t
find_ud(const char *s, size_t len, size_t i)
{
	size_t k;
	int any;

	for (; len - i >= 66; i += 64) {
		for (any = 0, k = i; k < i + 64; k++)
			any |= (s[k] == '\\') & (s[k + 1] == 'u') &
			    ((s[k + 2] | 32) == 'd');
		if (any)
			break;
	}
	for (; len - i >= 6; i++)
		if (s[i] == '\\' && s[i + 1] == 'u' && (s[i + 2] | 32) == 'd')
			return i;
	return len;
}

/* Offset of the next half from i on; len if there is none. */
static size_t
find_half(const char *s, size_t len, size_t i)
{
	size_t at;

	while ((i = find_ud(s, len, i)) < len) {
		for (at = i; at > 0 && s[at - 1] == '\\'; at--)
			;
		if ((i - at) % 2 != 0)
			i += 2;		/* a backslash, and then letters */
		else if (!is_surrogate(hex4(s + i + 2)))
			i += 6;
		else if (!ctx_scan_pair(s + i, len - i))
			return i;
		else
			i += 12;
	}
	return len;
}

size_t
ctx_str_half(const char *s, size_t len)
{
	return find_half(s, len, 0);
}

size_t
ctx_str_mend(char *s, size_t len)
{
	size_t i, n = 0;

	for (i = 0; (i = find_half(s, len, i)) < len; n++) {
		memcpy(s + i, "\\ufffd", 6);
		i += 6;
	}
	return n;
}

/*
 * Copy s up to its first backslash to out, which has room for len bytes, and
 * return how many were copied.  Eight are copied at a time; those after the
 * backslash are overwritten later.
 */
static size_t
copy_plain(char *out, const char *s, size_t len)
{
	size_t i = 0;
	uint64_t slash;

	for (; len - i >= 8; i += 8) {
		memcpy(out + i, s + i, 8);
		if ((slash = word_eq(word_load(s + i), '\\')) != 0)
			return i + word_first(slash);
	}
	for (; i < len && s[i] != '\\'; i++)
		out[i] = s[i];
	return i;
}

size_t
ctx_str_escape(const char *s, size_t len, char *out, size_t *n)
{
	uint32_t cp;
	size_t used = escape_step(s, len, &cp);

	*n = ctx_utf8_put(out, is_surrogate(cp) ? 0xfffd : cp);
	return used;
}

int
ctx_str_decode(struct ctx_buf *out, const char *s, size_t len)
{
	size_t i, n;
	char *o;

	/* only U+FFFD for a cut character is longer than its spelling */
	if (ctx_buf_reserve(out, len + 4) == -1)
		return -1;
	o = out->data + out->len;
	for (i = 0; i < len; ) {
		n = copy_plain(o, s + i, len - i);
		o += n;
		if ((i += n) == len)
			break;
		i += ctx_str_escape(s + i, len - i, o, &n);
		o += n;
	}
	out->len = (size_t)(o - out->data);
	return 0;
}

size_t
ctx_str_spelling(const char *s, size_t len, size_t n)
{
	size_t i = 0, one;
	uint32_t cp;
	char c[4];

	while (i < len && n > 0) {
		one = 1;
		if (s[i] == '\\') {
			i += escape_step(s + i, len - i, &cp);
			one = ctx_utf8_put(c, is_surrogate(cp) ? 0xfffd : cp);
		} else
			i++;
		n -= one < n ? one : n;
	}
	return i;
}

/* Lone surrogates are compared by value, although they all decode to U+FFFD. */
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

/* Write c, which a string can contain only as an escape: at most 6 bytes. */
static char *
put_escape(char *o, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char letter[] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
		['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'
	};

	*o++ = '\\';
	if (letter[c] != '\0') {
		*o++ = letter[c];
		return o;
	}
	memcpy(o, "u00", 3);
	o[3] = hex[c >> 4];
	o[4] = hex[c & 15];
	return o + 5;
}

/* Escape text into o, which has room for 6 * len bytes.  Returns the end. */
static char *
encode_chunk(char *o, const char *text, size_t len)
{
	size_t i = 0;
	uint64_t w, stop;
	unsigned char c;

	while (i < len) {
		for (; len - i >= 8; i += 8, o += 8) {
			memcpy(o, text + i, 8);
			w = word_load(text + i);
			stop = word_less(w, 0x20) | word_eq(w, '"') |
			    word_eq(w, '\\');
			if (stop == 0)
				continue;
			i += word_first(stop);
			o += word_first(stop);
			break;
		}
		if (i == len)
			break;
		c = (unsigned char)text[i++];
		if (c < 0x20 || c == '"' || c == '\\')
			o = put_escape(o, c);
		else
			*o++ = (char)c;
	}
	return o;
}

int
ctx_str_encode(struct ctx_buf *out, const char *text, size_t len)
{
	const size_t chunk = 1024;	/* bounds the unused room */
	size_t i, n;

	for (i = 0; i < len; i += n) {
		n = len - i < chunk ? len - i : chunk;
		if (ctx_buf_reserve(out, 6 * n) == -1)
			return -1;
		out->len = (size_t)(encode_chunk(out->data + out->len,
		    text + i, n) - out->data);
	}
	return out->failed ? -1 : 0;
}

int
ctx_str_blank(struct ctx_str s)
{
	uint32_t i;

	for (i = 0; i < s.len; i++) {
		if (s.p[i] == ' ')
			continue;
		if (s.p[i] != '\\' || strchr("ntr", s.p[i + 1]) == NULL)
			return 0;
		i++;
	}
	return 1;
}
