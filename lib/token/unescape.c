/* SPDX-License-Identifier: MIT */
#include "token/unescape.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "token/path.h"
#include "token/table.h"

#ifdef CTX_X86
#include <immintrin.h>
#endif

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

#ifdef CTX_X86
/* Backslashes that begin an escape, if the first byte is not in one. */
CTX_INLINE uint64_t
escape_starts(uint64_t backslash)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaau;
	/* Subtraction borrows through runs: it leaves every other one. */
	uint64_t code = ((backslash << 1 | odd) - backslash) ^ odd;

	return code & backslash;
}

/*
 * 64 bytes at a time, with the escapes of two characters in them, up to one of
 * another kind or where less than that is left.  Returns the bytes written.
 */
static CTX_AVX512 size_t
unescape_avx512(char *out, size_t size, const char *s, size_t len,
    size_t *used)
{
	size_t i = 0, o = 0;
	uint64_t start, keep, known, odd;
	unsigned n = 64;
	__m512i v;

	for (; n >= 63 && i + 64 <= len && o + 64 <= size; i += n) {
		v = _mm512_loadu_si512(s + i);
		start = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
		if (start == 0) {
			_mm512_storeu_si512(out + o, v);
			n = 64;
			o += 64;
			continue;
		}
		start = escape_starts(start);
		n = 64 - (unsigned)(start >> 63);
		known = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"')) |
		    _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('/')) |
		    _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
#define SPELL(c, as) do { \
	keep = start << 1 & _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)); \
	known |= keep; \
	v = _mm512_mask_mov_epi8(v, keep, _mm512_set1_epi8(as)); \
} while (0)
		SPELL('n', '\n');
		SPELL('t', '\t');
		SPELL('r', '\r');
		SPELL('b', '\b');
		SPELL('f', '\f');
#undef SPELL
		odd = start << 1 & ~known;
		if (odd != 0)
			n = (unsigned)__builtin_ctzll(odd) - 1;
		keep = ~start & (n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1);
		_mm512_storeu_si512(out + o, _mm512_maskz_compress_epi8(keep,
		    v));
		o += (unsigned)__builtin_popcountll(keep);
	}
	*used = i;
	return o;
}
#endif

size_t
ctx_unescape(char *out, size_t size, const char *s, size_t len, size_t *used)
{
	size_t i = 0, o = 0, n;
	uint64_t found;

	while (i < len && o + 4 <= size) {
#ifdef CTX_X86
		if (ctx_path_now() == CTX_PATH_AVX512) {
			o += unescape_avx512(out + o, size - o, s + i, len - i,
			    &n);
			i += n;
		}
#endif
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
