/* SPDX-License-Identifier: MIT */
/*
 * The kernels that all vector paths share.  They work on blocks of 64 bytes,
 * turned into masks of 64 bits, bit i for byte i.  The file that includes this
 * has defined SCAN_TARGET and:
 *
 *	VEC		bytes of a vector, 16 or 32
 *	vec		its type
 *	vec_load vec_set vec_table vec_or vec_and vec_xor vec_subs vec_shr4
 *	vec_eq vec_min	bytewise; vec_eq gives 0xff for yes
 *	vec_look(t, i)	t[i & 15], for i under 0x80, else anything
 *	vec_prev(v, before, k)
 *			v moved up by k bytes, filled from before's end
 *	vec_any(v)	is a bit set?
 *	vec_high(v)	is a byte over 0x7f?
 *	vec_first(v)	index of the first 0xff, VEC if all are zero
 *	block_mask(b)	struct block of vec_eq's results to a mask
 */
#include "read/scan.h"

#define EVEN	0x5555555555555555u

/*
 * Bytes that an odd number of backslashes stands before, which makes them the
 * letter of an escape; *carry is 1 when the block before ended in such a run.
 * (The escaped one of two backslashes is not told: it is a good escape.)
 *
 * Adding the first bit of a run of ones moves it behind the run's end.  Runs
 * that begin at even places and end before odd ones are odd, and the other
 * way round.
 */
SCAN_TARGET static inline uint64_t
escaped(uint64_t slash, uint64_t *carry)
{
	uint64_t first, even, odd, out;

	slash &= ~*carry;
	first = slash & ~(slash << 1);
	even = (slash + (first & EVEN)) & ~slash & ~EVEN;
	out = *carry;
	*carry = __builtin_add_overflow(slash, first & ~EVEN, &odd);
	return even | (odd & ~slash & EVEN) | out;
}

SCAN_TARGET static inline struct block
block_load(const char *p)
{
	struct block b;
	int i;

	for (i = 0; i < CTX_SCAN_BLOCK / VEC; i++)
		b.v[i] = vec_load(p + i * VEC);
	return b;
}

SCAN_TARGET static inline uint64_t
block_eq(struct block b, char c)
{
	int i;

	for (i = 0; i < CTX_SCAN_BLOCK / VEC; i++)
		b.v[i] = vec_eq(b.v[i], vec_set((unsigned char)c));
	return block_mask(b);
}

SCAN_TARGET static inline vec
vec_control(vec v)
{
	return vec_eq(vec_min(v, vec_set(0x1f)), v);
}

SCAN_TARGET static inline uint64_t
block_control(struct block b)
{
	int i;

	for (i = 0; i < CTX_SCAN_BLOCK / VEC; i++)
		b.v[i] = vec_control(b.v[i]);
	return block_mask(b);
}

/* Bytes that are in none of the classes of ctx_scan_class. */
SCAN_TARGET static inline uint64_t
block_not_class(struct block b, unsigned char classes)
{
	vec lo = vec_table(ctx_scan_class_lo);
	vec hi = vec_table(ctx_scan_class_hi);
	vec both, none = vec_set(0);
	int i;

	for (i = 0; i < CTX_SCAN_BLOCK / VEC; i++) {
		both = vec_and(vec_look(hi, vec_shr4(b.v[i])),
		    vec_look(lo, vec_and(b.v[i], vec_set(15))));
		b.v[i] = vec_eq(vec_and(both, vec_set(classes)), none);
	}
	return block_mask(b);
}

struct high {
	vec v;
};

SCAN_TARGET static inline struct high
high_none(void)
{
	return (struct high){ vec_set(0) };
}

SCAN_TARGET static inline int
high_any(struct high high)
{
	return vec_high(high.v);
}

/*
 * The letters of escapes, letter, must be such, and behind each u four hex
 * digits are due; *due carries them into the next block.  Gives the bytes that
 * are wrong.
 */
SCAN_TARGET static inline uint64_t
escapes_bad(struct block b, uint64_t letter, uint64_t *due)
{
	uint64_t bad = letter & block_not_class(b, CTX_ESC_ANY);
	uint64_t u = letter & block_eq(b, 'u'), hex = *due;

	if ((u | hex) == 0)
		return bad;
	hex |= u << 1 | u << 2 | u << 3 | u << 4;
	*due = u >> 63 | u >> 62 | u >> 61 | u >> 60;
	return bad | (hex & block_not_class(b, CTX_HEX_ANY));
}

/*
 * Escapes are judged a block at a time, without a branch for each, since text
 * with code in it has one every few bytes.  Where less than a block is left,
 * the last block of the line is read and its first bytes are shifted out.
 */
SCAN_TARGET static inline const char *
string_end_blocks(const char *p, const char *limit, struct high *high)
{
	uint64_t quote, slash, bad, letter, carry = 0, due = 0;
	struct block b;
	size_t left, skip = 0;
	int i;

	for (;; p += CTX_SCAN_BLOCK) {
		left = (size_t)(limit - p);
		if (left < CTX_SCAN_BLOCK) {
			if (left == 0)
				return NULL;
			skip = CTX_SCAN_BLOCK - left;
		}
		b = block_load(p - skip);
		for (i = 0; i < CTX_SCAN_BLOCK / VEC; i++)
			high->v = vec_or(high->v, b.v[i]);
		quote = block_eq(b, '"') >> skip;
		slash = block_eq(b, '\\') >> skip;
		bad = block_control(b) >> skip;
		if ((slash | carry | due) != 0) {
			letter = escaped(slash, &carry);
			quote &= ~letter;
			due <<= skip;
			bad |= escapes_bad(b, letter << skip, &due) >> skip;
		}
		/* up to the first quote, and with it */
		if ((bad & (quote ^ (quote - 1))) != 0)
			return NULL;
		if (quote != 0)
			return p + __builtin_ctzll(quote);
		if (skip > 0)
			return NULL;
	}
}

/* Most strings are keys and other short ones: one vector, one test. */
SCAN_TARGET static inline const char *
string_end(const char *p, const char *limit, struct high *high)
{
	unsigned i;
	vec v;

	if (limit - p >= VEC) {
		v = vec_load(p);
		high->v = vec_or(high->v, v);
		i = vec_first(vec_or(vec_control(v),
		    vec_or(vec_eq(v, vec_set('"')), vec_eq(v, vec_set('\\')))));
		if (i < VEC && p[i] == '"')
			return p + i;
	}
	return string_end_blocks(p, limit, high);
}

/*
 * UTF-8 by the method of Keiser and Lemire, "Validating UTF-8 in less than one
 * instruction per byte" (2021): each wrong pair of bytes is found by three
 * lookups of half bytes whose results are ANDed; a bit stands for one way of
 * being wrong.
 */
#define TOO_SHORT	0x01	/* lead without continuation */
#define TOO_LONG	0x02	/* continuation after ASCII */
#define OVERLONG_3	0x04
#define TOO_LARGE	0x08	/* over U+10FFFF */
#define SURROGATE	0x10
#define OVERLONG_2	0x20
#define OVERLONG_4	0x40	/* or over U+10FFFF: F5 to FF, then 80 to 8F */
#define TWO_CONT	0x80	/* right as third and fourth bytes only */
#define ANY_LOW		(TOO_SHORT | TOO_LONG | TWO_CONT)

static const unsigned char first_hi[16] = {
	TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
	TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
	TWO_CONT, TWO_CONT, TWO_CONT, TWO_CONT,
	TOO_SHORT | OVERLONG_2,
	TOO_SHORT,
	TOO_SHORT | OVERLONG_3 | SURROGATE,
	TOO_SHORT | TOO_LARGE | OVERLONG_4
};

static const unsigned char first_lo[16] = {
	ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
	ANY_LOW | OVERLONG_2,
	ANY_LOW, ANY_LOW,
	ANY_LOW | TOO_LARGE,
	ANY_LOW | TOO_LARGE | OVERLONG_4, ANY_LOW | TOO_LARGE | OVERLONG_4,
	ANY_LOW | TOO_LARGE | OVERLONG_4, ANY_LOW | TOO_LARGE | OVERLONG_4,
	ANY_LOW | TOO_LARGE | OVERLONG_4, ANY_LOW | TOO_LARGE | OVERLONG_4,
	ANY_LOW | TOO_LARGE | OVERLONG_4, ANY_LOW | TOO_LARGE | OVERLONG_4,
	ANY_LOW | TOO_LARGE | OVERLONG_4 | SURROGATE,
	ANY_LOW | TOO_LARGE | OVERLONG_4, ANY_LOW | TOO_LARGE | OVERLONG_4
};

#define CONT	(TOO_LONG | OVERLONG_2 | TWO_CONT)

static const unsigned char second_hi[16] = {
	TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
	TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
	CONT | OVERLONG_3 | OVERLONG_4,
	CONT | OVERLONG_3 | TOO_LARGE,
	CONT | SURROGATE | TOO_LARGE, CONT | SURROGATE | TOO_LARGE,
	TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT
};

/* What is wrong in v; before is the vector before it. */
SCAN_TARGET static inline vec
utf8_wrong(vec v, vec before)
{
	vec p1 = vec_prev(v, before, 1);
	vec p2 = vec_prev(v, before, 2), p3 = vec_prev(v, before, 3);
	vec pair, third;

	pair = vec_and(vec_look(vec_table(first_hi), vec_shr4(p1)),
	    vec_and(vec_look(vec_table(first_lo), vec_and(p1, vec_set(15))),
	    vec_look(vec_table(second_hi), vec_shr4(v))));
	/* over 0x7f where a third or fourth byte must be: it is TWO_CONT */
	third = vec_or(vec_subs(p2, vec_set(0xe0 - 0x80)),
	    vec_subs(p3, vec_set(0xf0 - 0x80)));
	return vec_xor(vec_and(third, vec_set(0x80)), pair);
}

struct utf8 {
	vec before;	/* the last vector */
	vec wrong;
	int open;	/* the last vector may end inside a character */
};

SCAN_TARGET static inline void
utf8_block(struct utf8 *u, struct block b)
{
	vec all = b.v[0];
	int i;

	for (i = 1; i < CTX_SCAN_BLOCK / VEC; i++)
		all = vec_or(all, b.v[i]);
	if (!u->open && !vec_high(all))
		return;
	for (i = 0; i < CTX_SCAN_BLOCK / VEC; i++) {
		u->wrong = vec_or(u->wrong, utf8_wrong(b.v[i], u->before));
		u->before = b.v[i];
	}
	u->open = vec_high(u->before);
}

/* The last bytes with at least one NUL behind, which shows a cut character. */
SCAN_TARGET static inline struct block
block_tail(const char *p, size_t len)
{
	char pad[CTX_SCAN_BLOCK] = { 0 };

	if (len > 0)
		memcpy(pad, p, len);
	return block_load(pad);
}

SCAN_TARGET static int
scan_utf8(const char *p, size_t len)
{
	struct utf8 u = { vec_set(0), vec_set(0), 0 };
	size_t i;

	if (len == 0)		/* and p is perhaps NULL */
		return 1;
	for (i = 0; len - i >= CTX_SCAN_BLOCK; i += CTX_SCAN_BLOCK)
		utf8_block(&u, block_load(p + i));
	utf8_block(&u, block_tail(p + i, len - i));
	return !vec_any(u.wrong);
}

/*
 * Bytes that begin no character of their own in a block with backslashes:
 * each escape's backslash and the digits behind its u.  s + at is the block.
 */
SCAN_TARGET static inline size_t
chars_less(const char *s, size_t len, size_t at, struct block b,
    uint64_t *carry)
{
	uint64_t slash = block_eq(b, '\\'), was = *carry, letter, u;
	size_t i, less, odd;

	letter = escaped(slash, carry);
	/* of a run of k backslashes, (k + 1) / 2 begin an escape */
	odd = (size_t)__builtin_popcountll(letter & ~was) + *carry;
	less = ((size_t)__builtin_popcountll(slash & ~was) + odd) / 2;
	for (u = letter & block_eq(b, 'u'); u != 0; u &= u - 1) {
		less += 4;
		i = at + (size_t)__builtin_ctzll(u) - 1;
		less += (size_t)ctx_scan_pair(s + i, len - i);
	}
	return less;
}

SCAN_TARGET static inline uint64_t
block_continuation(struct block b)
{
	int i;

	for (i = 0; i < CTX_SCAN_BLOCK / VEC; i++)
		b.v[i] = vec_eq(vec_and(b.v[i], vec_set(0xc0)), vec_set(0x80));
	return block_mask(b);
}

SCAN_TARGET static size_t
scan_chars(const char *s, size_t len)
{
	size_t i, n = len, less = 0;
	uint64_t carry = 0;
	struct block b;

	for (i = 0; i < len; i += CTX_SCAN_BLOCK) {
		b = len - i >= CTX_SCAN_BLOCK ? block_load(s + i) :
		    block_tail(s + i, len - i);
		less += (size_t)__builtin_popcountll(block_continuation(b));
		if ((block_eq(b, '\\') | carry) != 0)
			less += chars_less(s, len, i, b, &carry);
	}
	return n > less ? n - less : 0;
}
