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
/* What the letter of an escape of two characters spells; 0: no such letter. */
static const char spells[128] = {
	['"'] = '"', ['/'] = '/', ['\\'] = '\\', ['b'] = '\b', ['f'] = '\f',
	['n'] = '\n', ['r'] = '\r', ['t'] = '\t'
};

/*
 * Decode 64 bytes at a time, with the two-character escapes in them, up to
 * another kind of escape or until there is less room.  No step waits for where
 * the one before has ended, and none branches on whether it has an escape, which
 * is unpredictable in text.  Returns the number of bytes written.
 */
static CTX_AVX512 size_t
unescape_avx512(char *out, size_t size, const char *s, size_t len,
    size_t *used)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaau;
	const __m512i low = _mm512_loadu_si512(spells);
	const __m512i high = _mm512_loadu_si512(spells + 64);
	uint64_t all, slash, code, letter, rest, keep, open = 0;
	size_t i = 0, o = 0, n;
	__m512i v, as;

	for (; i < len && o + 64 <= size; i += n) {
		n = len - i < 64 ? len - i : 64;
		all = _bzhi_u64(UINT64_MAX, (unsigned)n);
		v = _mm512_maskz_loadu_epi8(all, s + i);
		slash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
		/* Subtraction borrows through runs, to every other one. */
		code = slash & ~open;
		code = ((code << 1 | odd) - code) ^ odd;
		letter = (code ^ (slash | open)) & all;
		keep = ~(code & slash) & all;
		as = _mm512_permutex2var_epi8(low, v, high);
		rest = letter & ~_mm512_test_epi8_mask(as, as);
		if (rest != 0)
			keep &= (rest & -rest) - 1;
		_mm512_storeu_si512(out + o, _mm512_maskz_compress_epi8(keep,
		    _mm512_mask_mov_epi8(v, letter, as)));
		o += (unsigned)__builtin_popcountll(keep);
		if (rest != 0) {
			i += (unsigned)__builtin_ctzll(rest);
			open = 1;
			break;
		}
		open = (code & slash) >> (n - 1) & 1;
	}
	/* An open escape has been begun, but nothing is written of it. */
	*used = i - open;
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
