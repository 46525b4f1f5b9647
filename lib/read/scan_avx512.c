/* SPDX-License-Identifier: MIT */
/*
 * The path for AVX-512: 64 bytes at a time, escapes by lookups in a table of
 * 128 bytes.  Loads are masked, so that nothing near an end is a special case.
 */
#include "read/span_scan.h"

#include "base/cpu.h"

#ifdef CTX_X86
#include <immintrin.h>

#include "read/scan_utf8.inc"

#define SCAN_TARGET	CTX_AVX512

struct high {
	__m512i v;
	uint64_t u;
};

/* The bytes of p[0 .. len) as a mask, 64 at most. */
SCAN_TARGET static inline uint64_t
mask_of(size_t len)
{
	return len < 64 ? _bzhi_u64(UINT64_MAX, (unsigned)len) : UINT64_MAX;
}

SCAN_TARGET static inline struct high
high_none(void)
{
	return (struct high){ _mm512_setzero_si512(), 0 };
}

SCAN_TARGET static inline int
high_any(struct high high)
{
	return _mm512_movepi8_mask(high.v) != 0;
}

/* What a byte is after a backslash. */
#define LETTER	1	/* of an escape of two characters */
#define UNICODE	2
#define HEX	4	/* a digit after UNICODE */

static const char kinds[128] = {
	['"'] = LETTER, ['/'] = LETTER, ['\\'] = LETTER, ['b'] = LETTER | HEX,
	['f'] = LETTER | HEX, ['n'] = LETTER, ['r'] = LETTER, ['t'] = LETTER,
	['u'] = UNICODE, ['0'] = HEX, ['1'] = HEX, ['2'] = HEX, ['3'] = HEX,
	['4'] = HEX, ['5'] = HEX, ['6'] = HEX, ['7'] = HEX, ['8'] = HEX,
	['9'] = HEX, ['A'] = HEX, ['B'] = HEX, ['C'] = HEX, ['D'] = HEX,
	['E'] = HEX, ['F'] = HEX, ['a'] = HEX, ['c'] = HEX, ['d'] = HEX,
	['e'] = HEX
};

/* What the block before leaves to this one. */
struct due {
	uint64_t letter;	/* 1: the letter of an escape */
	uint64_t hex;		/* digits */
};

/*
 * The backslashes in slash that begin an escape; *letters becomes the bytes after
 * them.  *due is 1 if the first byte is one of these, and is set for the block
 * that follows.
 */
static inline uint64_t
escapes_of(uint64_t slash, uint64_t *due, uint64_t *letters)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaau;
	uint64_t code = slash & ~*due;

	/* Subtraction borrows through runs, to every other one. */
	code = ((code << 1 | odd) - code) ^ odd;
	*letters = code ^ (slash | *due);
	*due = (code & slash) >> 63;
	return code & slash;
}

/*
 * Check the escapes of block v, whose backslashes are slash.  Returns the
 * wrong bytes; *letters becomes those after a backslash.
 */
SCAN_TARGET static inline uint64_t
escapes_bad(__m512i v, uint64_t slash, struct due *due, uint64_t *letters,
    struct high *high)
{
	const uint64_t wide = _mm512_movepi8_mask(v);
	uint64_t letter, u, hex, bad;
	__m512i kind;

	escapes_of(slash, &due->letter, letters);
	letter = *letters;
	kind = _mm512_permutex2var_epi8(_mm512_loadu_si512(kinds), v,
	    _mm512_loadu_si512(kinds + 64));
	bad = letter & (wide | ~_mm512_test_epi8_mask(kind,
	    _mm512_set1_epi8(LETTER | UNICODE)));
	u = letter & _mm512_test_epi8_mask(kind, _mm512_set1_epi8(UNICODE));
	if ((u | due->hex) == 0)
		return bad;
	high->u |= u;
	hex = due->hex | u << 1 | u << 2 | u << 3 | u << 4;
	due->hex = u >> 63 | u >> 62 | u >> 61 | u >> 60;
	return bad | (hex & (wide | ~_mm512_test_epi8_mask(kind,
	    _mm512_set1_epi8(HEX))));
}

/*
 * Long strings.  That a block has no escape is unpredictable in text, so it
 * makes no difference.
 */
SCAN_TARGET __attribute__((noinline)) static const char *
string_end_blocks(const char *p, const char *limit, struct high *high)
{
	struct due due = { 0, 0 };
	uint64_t quote, slash, bad, letters;
	__m512i v;

	for (; p < limit; p += 64) {
		v = _mm512_maskz_loadu_epi8(mask_of((size_t)(limit - p)), p);
		high->v = _mm512_or_si512(high->v, v);
		quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
		slash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
		bad = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20)) |
		    escapes_bad(v, slash, &due, &letters, high);
		quote &= ~letters;
		/* errors count up to and including the first quote */
		if ((bad & (quote ^ (quote - 1))) != 0)
			return NULL;
		if (quote != 0)
			return p + __builtin_ctzll(quote);
	}
	return NULL;
}

/*
 * Most strings are short, such as keys: one vector and one test.  The comparison
 * is signed, so that a byte over 0x7f is also left to the blocks, which note it.
 */
SCAN_TARGET __attribute__((always_inline)) static inline const char *
string_end(const char *p, const char *limit, struct high *high)
{
	uint32_t quote, other;
	__m256i v;

	if (limit - p >= 32) {
		v = _mm256_loadu_si256((const __m256i *)p);
		quote = _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('"'));
		other = _mm256_cmplt_epi8_mask(v, _mm256_set1_epi8(0x20)) |
		    _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('\\'));
		if (quote != 0 && (other & (quote ^ (quote - 1))) == 0)
			return p + _tzcnt_u32(quote);
	}
	return string_end_blocks(p, limit, high);
}

#include "read/scan_grammar.inc"

/* The halves of bytes in a table of 16. */
SCAN_TARGET static inline __m512i
look(const unsigned char table[16], __m512i half)
{
	return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128(
	    (const __m128i *)table)), half);
}

SCAN_TARGET static inline __m512i
low_half(__m512i v)
{
	return _mm512_and_si512(v, _mm512_set1_epi8(15));
}

/* The bytes that lie n before p[0 .. left), which has i bytes before it. */
SCAN_TARGET static inline __m512i
bytes_before(const char *p, size_t i, size_t left, unsigned n)
{
	uint64_t all = mask_of(left + n);

	return _mm512_maskz_loadu_epi8(i == 0 ? all & UINT64_MAX << n : all,
	    p - n);
}

/* The wrong bytes of v, the block at p; arguments as above. */
SCAN_TARGET static inline __m512i
utf8_wrong(__m512i v, const char *p, size_t i, size_t left)
{
	const __m512i one = bytes_before(p, i, left, 1);
	const __m512i two = bytes_before(p, i, left, 2);
	const __m512i three = bytes_before(p, i, left, 3);
	__m512i pair = _mm512_and_si512(look(second_hi,
	    low_half(_mm512_srli_epi16(v, 4))), _mm512_and_si512(
	    look(first_hi, low_half(_mm512_srli_epi16(one, 4))),
	    look(first_lo, low_half(one))));
	/* over 0x7f where a third or fourth byte is due; TWO_CONT cancels it */
	__m512i due = _mm512_or_si512(
	    _mm512_subs_epu8(two, _mm512_set1_epi8(0xe0 - 0x80)),
	    _mm512_subs_epu8(three, _mm512_set1_epi8(0xf0 - 0x80)));

	return _mm512_xor_si512(_mm512_and_si512(due,
	    _mm512_set1_epi8((char)0x80)), pair);
}

SCAN_TARGET static int
scan_utf8(const char *p, size_t len)
{
	__m512i v, wrong = _mm512_setzero_si512();
	uint64_t wide, open = 0;	/* may the last block end inside a
					   character? */
	size_t i;

	/* a last block, of no bytes at least, reveals a cut character */
	for (i = 0; i <= len && len > 0; i += 64) {
		v = _mm512_maskz_loadu_epi8(mask_of(len - i), p + i);
		wide = _mm512_movepi8_mask(v);
		if ((wide | open) == 0)
			continue;
		wrong = _mm512_or_si512(wrong, utf8_wrong(v, p + i, i,
		    len - i));
		open = wide >> 61;
	}
	return _mm512_test_epi8_mask(wrong, wrong) == 0;
}

/*
 * The number of bytes that do not begin a character of their own, in block v at
 * s + at with these backslashes: each escape's backslash, the digits after a u,
 * and the second half of a pair.
 */
SCAN_TARGET static inline size_t
chars_less(const char *s, size_t len, size_t at, __m512i v, uint64_t slash,
    uint64_t *due)
{
	uint64_t letters, u;
	size_t less = (size_t)_mm_popcnt_u64(escapes_of(slash, due, &letters));
	size_t i;

	for (u = letters & _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('u'));
	    u != 0; u &= u - 1) {
		i = at + (size_t)__builtin_ctzll(u) - 1;
		less += 4 + (size_t)ctx_scan_pair(s + i, len - i);
	}
	return less;
}

SCAN_TARGET static size_t
scan_chars(const char *s, size_t len)
{
	uint64_t due = 0, slash;
	size_t i, less = 0;
	__m512i v;

	for (i = 0; i < len; i += 64) {
		v = _mm512_maskz_loadu_epi8(mask_of(len - i), s + i);
		/* 10xxxxxx are the least as signed numbers */
		less += (size_t)_mm_popcnt_u64(_mm512_cmplt_epi8_mask(v,
		    _mm512_set1_epi8((char)0xc0)));
		slash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
		if ((slash | due) != 0)
			less += chars_less(s, len, i, v, slash, &due);
	}
	return len > less ? len - less : 0;
}

const struct ctx_scan_kernel ctx_scan_avx512 = {
	scan_doc, scan_utf8, scan_chars
};

#else
extern int ctx_scan_no_avx512;	/* ISO C requires a declaration in each file */
#endif
