/* SPDX-License-Identifier: MIT */
#include "token/unescape.h"

#include <stdint.h>
#include <string.h>

#include "base/cpu.h"
#include "read/span.h"
#include "read/word.h"

#ifdef CTX_X86
#include <immintrin.h>
#endif

#define WIDE	8	/* bytes that one copy step moves */

#ifdef CTX_X86
/*
 * Find the backslashes that begin an escape, unless the first byte is in one.
 */
CTX_INLINE uint64_t
escape_starts(uint64_t backslash)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaau;
	/* Subtraction borrows through runs and so leaves every other one. */
	uint64_t code = ((backslash << 1 | odd) - backslash) ^ odd;

	return code & backslash;
}

/*
 * Decode 64 bytes at a time, with the two-character escapes in them, up to
 * another kind of escape or until fewer bytes are left.  Returns the number of
 * bytes written.
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
	uint64_t slash;

	while (i < len && o + 4 <= size) {
#ifdef CTX_X86
		if (ctx_cpu_now() == CTX_CPU_AVX512) {
			o += unescape_avx512(out + o, size - o, s + i, len - i,
			    &n);
			i += n;
		}
#endif
		for (n = WIDE; n == WIDE && i + WIDE <= len &&
		    o + WIDE <= size; i += n, o += n) {
			memcpy(out + o, s + i, WIDE);
			slash = word_eq(word_load(s + i), '\\');
			if (slash != 0)
				n = word_first(slash);
		}
		while (i < len && o < size && s[i] != '\\')
			out[o++] = s[i++];
		if (i < len && o + 4 <= size) {
			i += ctx_str_escape(s + i, len - i, out + o, &n);
			o += n;
		}
	}
	*used = i;
	return o;
}
