/* SPDX-License-Identifier: MIT */
#include "token/chop.h"

#include <string.h>

#include "base/cpu.h"
#include "base/vec.h"
#include "read/word.h"
#include "token/chop_east.h"
#include "token/chop_place.h"
#include "token/chop_script.h"
#include "token/chop_script_avx2.h"

/* Classes of 64 bytes, the first in the lowest bit. */
struct masks {
	uint64_t wide;		/* not ASCII, and in no other class */
	uint64_t han;		/* letters without case, and marks */
	uint64_t mark;		/* marks after letters, if they extend words */
	uint64_t duo, tri;	/* first bytes of punctuation of two and three
				   bytes */
	uint64_t gap, gap_end;	/* white space of such lengths that has none
				   beside it: all its bytes, and the last */
	uint64_t east;		/* first bytes of three-byte characters; */
	uint64_t low, high;	/* their tokens if alone, as a number of two
				   bits; not known if 0 */
	unsigned limit;		/* no start is known from here on */
	uint64_t letter;
	uint64_t upper;
	uint64_t digit;
	uint64_t space;		/* white space, with the next two */
	uint64_t newline;	/* CR and LF */
	uint64_t blank;		/* ' ' */
	uint64_t quote;		/* ' */
	uint64_t slash;
};

/* Bytes that are read to decide about 64 of them. */
#define BLOCK		66

/*
 * White space after a newline extends to a later newline of the same run;
 * where there is one (or may be one, beyond the known text) masks cannot
 * decide.  Returns the first such place, or 64.
 */
CTX_INLINE unsigned
space_limit(const struct masks *m)
{
	uint64_t line = m->space & ~m->newline;
	uint64_t start = line & m->newline << 1;
	uint64_t sum = line + start;	/* carries past each such run */
	uint64_t bad = sum & ~line & (m->newline | m->wide);

	if (bad != 0)
		return 63 - (unsigned)__builtin_clzll(start &
		    below(lowest(bad)));
	return sum < line ? 64 - (unsigned)__builtin_clzll(~line) : 64;
}

/*
 * Starts of pieces for \p{N}{1,3}: every third digit of a run begins a piece.
 */
CTX_INLINE uint64_t
digit_starts(uint64_t digit)
{
	uint64_t four = digit & digit << 1 & digit << 2 & digit << 3;
	uint64_t start = digit & ~(digit << 1), more = start;

	while ((more = more << 3 & four) != 0)
		start |= more;
	return start;
}

/*
 * Starts of pieces in white space: the first of a run, the last, and the first
 * after newlines.
 */
CTX_INLINE uint64_t
space_starts(const struct masks *m, uint64_t other)
{
	uint64_t line = m->space & ~m->newline;

	return (m->space & ~(m->space << 1) & ~(m->newline & other << 1)) |
	    (line & ~(m->space >> 1)) | (line & m->newline << 1);
}

/*
 * Number of letters of a contraction at p, in either case; 0 if there is none.
 */
CTX_INLINE unsigned
contraction(const uint8_t *p)
{
	uint8_t a = p[0] | 0x20, b = p[1] | 0x20;

	if (a == 's' || a == 't' || a == 'm' || a == 'd')
		return 1;
	if ((a == 'l' && b == 'l') || (b == 'e' && (a == 'v' || a == 'r')))
		return 2;
	return 0;
}

/*
 * 's and the like begin words, but are pieces of their own even if letters
 * follow.
 */
CTX_INLINE uint64_t
quotes_cl100k(const struct masks *m, const uint8_t *p, uint64_t lead,
    uint64_t start)
{
	uint64_t quote = m->quote & lead & m->letter >> 1 & m->letter >> 2;
	unsigned i, n;

	for (; quote != 0; quote &= quote - 1) {
		i = lowest(quote);
		n = contraction(p + i + 1);
		if (n != 0)
			start |= (uint64_t)2 << i << n;
	}
	return start;
}

/* 's and the like belong to the word before them. */
CTX_INLINE uint64_t
quotes_o200k(const struct masks *m, const uint8_t *p, uint64_t start)
{
	uint64_t quote = m->quote & m->letter << 1 & m->letter >> 1 & below(61);
	unsigned i, n, end = 0;

	for (; quote != 0; quote &= quote - 1) {
		i = lowest(quote);
		n = contraction(p + i + 1);
		if (n == 0 || i == end)
			continue;
		end = i + n + 1;
		start &= ~(below(n + 1) << i);
		start |= (uint64_t)1 << end;
	}
	return start;
}

/*
 * Letters without case are capital and small at the same time.  A capital
 * after them begins a piece, unless another letter follows the capitals and
 * there is no small letter before these letters in their piece.  Adds such
 * starts; *limit becomes the first place where that is not known.
 */
CTX_INLINE uint64_t
capitals(const struct masks *m, uint64_t start, unsigned *limit)
{
	uint64_t capital = m->upper & m->han << 1, other;
	uint64_t small = m->letter & ~m->upper & ~m->han;
	unsigned i, end, row;

	for (; capital != 0; capital &= capital - 1) {
		i = lowest(capital);
		end = i + lowest(~(m->upper >> i));
		if (end >= 60 || m->wide >> end & 1) {
			*limit = i < *limit ? i : *limit;
			break;
		}
		other = ~m->han & below(i);
		row = other == 0 ? 0 : 64 - (unsigned)__builtin_clzll(other);
		if ((m->letter >> end & 1) == 0 ||
		    (small << 1 & ~start) >> row & 1)
			start |= (uint64_t)1 << i;
	}
	return start;
}

/*
 * Newlines after punctuation that are followed by a slash: the first place
 * where one is.
 */
CTX_INLINE unsigned
slash_limit(const struct masks *m, uint64_t other)
{
	uint64_t line = m->newline & other << 1;

	return (m->newline + line) & ~m->newline & m->slash ? lowest(line) : 64;
}

/*
 * Starts of pieces in the 64 bytes at p, which is itself a start: one bit for
 * each.  Starts that depend on unknown facts are left out: what a non-ASCII
 * character is, and what follows the 64 bytes.
 */
CTX_INLINE uint64_t
starts(struct masks *m, const uint8_t *p, enum ctx_split_kind kind)
{
	uint64_t other = ~(m->wide | m->letter | m->digit | m->space | m->gap);
	uint64_t line = m->space & ~m->newline;
	/* Single, and not preceded by a blank: begins a word. */
	uint64_t lead = other & ~(other << 1) & ~(m->blank << 1) &
	    ~((other >> 1 & ~(m->duo | m->tri)) | (other >> 2 & m->duo) |
	    (other >> 3 & m->tri));
	uint64_t after = (lead & ~(m->duo | m->tri)) << 1 |
	    (lead & m->duo) << 2 | (lead & m->tri) << 3 | m->gap_end << 1;
	/* Undecided: the last of white space, and "don'" before a long s. */
	uint64_t open = m->wide >> 1 & ((m->space & m->space << 1) |
	    (m->quote & m->letter << 1));
	unsigned limit = 60, n;
	uint64_t start;

	start = (m->gap & ~(m->gap << 1)) |
	    (m->letter & ~(m->letter << 1) & ~after & ~(line << 1)) |
	    (other & ~(other << 1) & ~(m->blank << 1)) |
	    (kind == CTX_SPLIT_QWEN ? m->digit : digit_starts(m->digit)) |
	    space_starts(m, other);
	if (kind == CTX_SPLIT_O200K) {
		start |= m->upper & (m->letter & ~m->upper & ~m->han) << 1;
		start = quotes_o200k(m, p, start);
		start = capitals(m, start, &limit);
		n = slash_limit(m, other);
		limit = n < limit ? n : limit;
	} else
		start = quotes_cl100k(m, p, lead, start);
	n = lowest(m->wide);
	limit = n < limit ? n : limit;
	n = space_limit(m);
	m->limit = limit = n < limit ? n : limit;
	return (start & ~open & below(limit)) | 1;
}

/* The classes, for each kind of processor. */

/* Gather the top bit of each byte of w, which must have no other bits set. */
CTX_INLINE uint64_t
gather(uint64_t w)
{
	return (w >> 7) * 0x0102040810204080u >> 56;
}

/* Set the top bits of the bytes, all below 0x80, that are in lo .. hi. */
CTX_INLINE uint64_t
within(uint64_t w, uint8_t lo, uint8_t hi)
{
	const uint64_t one = 0x0101010101010101u;

	return (w + one * (uint64_t)(0x80 - lo)) &
	    ~(w + one * (uint64_t)(0x7f - hi)) & one << 7;
}

CTX_INLINE void
classify_portable(struct masks *m, const uint8_t *p)
{
	const uint64_t top = 0x8080808080808080u;
	uint64_t w, wide, upper, letter;
	unsigned i;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < 64; i += 8) {
		w = word_load(p + i);
		wide = w & top;
		w &= ~top;
		upper = within(w, 'A', 'Z') & ~wide;
		letter = (within(w, 'a', 'z') & ~wide) | upper;
		m->wide |= gather(wide) << i;
		m->upper |= gather(upper) << i;
		m->letter |= gather(letter) << i;
		m->digit |= gather(within(w, '0', '9') & ~wide) << i;
		m->blank |= gather(within(w, ' ', ' ') & ~wide) << i;
		m->space |= gather(within(w, '\t', '\r') & ~wide) << i;
		m->newline |= gather((within(w, '\n', '\n') |
		    within(w, '\r', '\r')) & ~wide) << i;
		m->quote |= gather(within(w, '\'', '\'') & ~wide) << i;
		m->slash |= gather(within(w, '/', '/') & ~wide) << i;
	}
	m->space |= m->blank;
}

CTX_INLINE uint64_t
decide_portable(struct masks *m, const uint8_t *p, enum ctx_split_kind kind)
{
	classify_portable(m, p);
	return starts(m, p, kind);
}

#ifdef VEC
/* Inlined, so that classes which it does not know cost nothing. */
VEC_TARGET CTX_INLINE void
classify_vector(struct masks *m, const uint8_t *p)
{
	struct block b = block_load(p);

	memset(m, 0, sizeof(*m));
	m->wide = block_within(b, 0, 0x80, 0x80);
	m->upper = block_within(b, 0, 'A', 26);
	m->letter = block_within(b, 0x20, 'a', 26);
	m->digit = block_within(b, 0, '0', 10);
	m->blank = block_within(b, 0, ' ', 1);
	m->space = block_within(b, 0, '\t', 5) | m->blank;
	m->newline = block_within(b, 0, '\n', 1) | block_within(b, 0, '\r', 1);
	m->quote = block_within(b, 0, '\'', 1);
	m->slash = block_within(b, 0, '/', 1);
}

#ifndef CTX_X86
VEC_TARGET CTX_INLINE uint64_t
decide_vector(struct masks *m, const uint8_t *p, enum ctx_split_kind kind)
{
	classify_vector(m, p);
	return starts(m, p, kind);
}
#endif
#endif

#ifdef CTX_X86
/* The bytes of the characters that begin there. */
CTX_INLINE uint64_t
spread(const struct script *s, uint64_t first)
{
	return first | first << 1 | (first & s->three) << 2;
}

/*
 * Letters and punctuation of other scripts.  In o200k, a mark belongs to the
 * letter before it; one without a letter is left.  In the others it is like
 * punctuation.
 */
CTX_INLINE void
classify_script(struct masks *m, struct script s, enum ctx_split_kind kind)
{
	uint64_t mark = kind == CTX_SPLIT_O200K ? spread(&s, s.mark) : 0;
	uint64_t known = (s.two | s.three) & ~(s.number | s.space | mark);
	uint64_t other = known & ~s.letter, space = spread(&s, s.space);
	uint64_t gap;

	m->letter |= spread(&s, s.letter);
	m->upper |= spread(&s, s.upper & ~s.lower);
	m->han |= spread(&s, s.letter & s.upper & s.lower);
	m->duo |= other & s.two;
	m->tri |= other & s.three;
	if (mark != 0) {
		m->mark = ((mark + (m->letter << 1 & mark)) ^ mark) & mark;
		m->letter |= m->mark;
		m->han |= m->mark;
		known |= s.mark & m->mark;
	}
	m->east |= known & s.three;
	gap = s.space & ~((m->space | space) << 1) &
	    ~((m->space | space) >> 2 & s.two) &
	    ~((m->space | space) >> 3 & s.three);
	m->gap = spread(&s, gap);
	m->gap_end = (gap & s.two) << 1 | (gap & s.three) << 2;
	m->wide &= ~spread(&s, known | gap);
}

/*
 * ASCII has its own copy of the code, in which most classes are zero, as have
 * blocks whose first other character would be left.
 */
VEC_TARGET CTX_INLINE uint64_t
decide_avx2(struct masks *m, const uint8_t *p, enum ctx_split_kind kind)
{
	classify_vector(m, p);
	if ((m->wide & below(62)) == 0 ||
	    !script_begins(p[lowest(m->wide)], SCRIPT_AVX2_LAST))
		return starts(m, p, kind);
	classify_script(m, script_find_avx2(p, m->wide), kind);
	return starts(m, p, kind);
}

/* Letters and punctuation of Chinese, Japanese and Korean. */
static inline CTX_AVX512 void
classify_east(struct masks *m, const uint8_t *p)
{
	struct east e = east_find(p);

	m->east = e.letter | e.other;
	m->tri = e.other;
	m->han = e.letter | e.letter << 1 | e.letter << 2;
	m->letter |= m->han;
	m->wide &= ~(m->east | m->east << 1 | m->east << 2);
}

static inline CTX_AVX512 uint64_t
decide_avx512(struct masks *m, const uint8_t *p, enum ctx_split_kind kind)
{
	__m512i v = _mm512_loadu_si512(p);

#define RANGE(x, lo, n) _mm512_cmplt_epu8_mask(_mm512_sub_epi8(x, \
	_mm512_set1_epi8((char)(lo))), _mm512_set1_epi8(n))
#define EQUAL(c) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c))
	memset(m, 0, sizeof(*m));
	m->wide = _mm512_movepi8_mask(v);
	m->upper = RANGE(v, 'A', 26);
	m->digit = RANGE(v, '0', 10);
	m->blank = EQUAL(' ');
	m->space = RANGE(v, '\t', 5) | m->blank;
	m->newline = EQUAL('\n') | EQUAL('\r');
	m->quote = EQUAL('\'');
	m->slash = EQUAL('/');
	m->letter = RANGE(_mm512_or_si512(v, _mm512_set1_epi8(0x20)), 'a', 26);
	if (m->wide != 0 && RANGE(v, 0xe2, 14) != 0)
		classify_east(m, p);
	/* at the end, there may be a part of a character */
	if ((m->wide & below(62)) != 0)
		classify_script(m, script_find(p, m->wide), kind);
	return starts(m, p, kind);
#undef RANGE
#undef EQUAL
}
#endif

/*
 * Add the piece p .. q, cut wherever no token can lie across, as far as there
 * is room.  The cuts are unpredictable, so the code does not branch: a place
 * that is not a cut, or ends a character that is left out, is overwritten.
 */
static void
add_piece(struct ctx_chops *c, const uint8_t *p, const uint8_t *q,
    const struct ctx_cross *x)
{
	const uint8_t *from = p;	/* where the piece begins */
	const unsigned skip = c->skip != 0;
	uint32_t left = 0, cp;
	unsigned n = c->n, last = CTX_CROSS_AFTER, of, cut, alone;

	if (q - p <= 3 || (q - p <= CTX_WORD_MAX && q[-3] == 0xe0))
		p = q;
	while (p < q && n < CTX_CHOP_MAX) {
		if ((*p & 0xf0) != 0xe0) {
			last = CTX_CROSS_AFTER;
			p++;
			continue;
		}
		cp = (uint32_t)(p[0] & 15) << 12 | (uint32_t)(p[1] & 63) << 6 |
		    (p[2] & 63);
		of = ctx_cross_of(x, cp);
		cut = ~(ctx_cross_pair(x, left, cp) | last | of >> 1) & 1;
		alone = last >> CTX_CROSS_ALONE &
		    -(cut & skip & (unsigned)(p - from == 3));
		c->skipped += alone;
		c->to[n] = p;
		n += cut & (alone == 0);
		from = cut ? p : from;
		c->at[n] = from;
		left = cp;
		last = of;
		p += 3;
	}
	c->rest = p < q ? q : NULL;
	if (p >= q) {
		c->to[n] = q;
		c->at[++n] = q;
	}
	c->n = n;
}

/* Begin with what is left of the last piece; returns where to continue. */
static inline const uint8_t *
begin(struct ctx_chops *c, const uint8_t *p, const struct ctx_cross *cross)
{
	c->met = 0;
	c->at[c->n] = p;
	if (c->rest != NULL)
		add_piece(c, p, c->rest, cross);
	return c->at[c->n];
}

/*
 * Add the next piece, cut by the splitter, with its inner cuts; returns 0 if
 * there is none.
 */
static int
cut_plain(struct ctx_chops *c, const uint8_t *p, const uint8_t *end, int whole,
    ctx_split_fn *split, const struct ctx_cross *cross)
{
	unsigned met = 0;
	const uint8_t *q = split(p, end, &met);

	if (met & CTX_SPLIT_END && !whole) {
		c->met = CTX_SPLIT_END;
		return 0;
	}
	if (met & CTX_SPLIT_BAD) {
		c->met = CTX_SPLIT_BAD;
		return 0;
	}
	add_piece(c, p, q, cross);
	return 1;
}

/*
 * Without characters of three bytes, a block is cut at starts only, and masks
 * would give at most one piece if the first bytes of p are not ASCII.
 */
CTX_INLINE int
soon_wide(const uint8_t *p)
{
	return (word_load(p) & 0x80808080u) != 0;
}

CTX_INLINE uint64_t
places(struct masks *m, const uint8_t *p, uint64_t start,
    const struct ctx_cross *cross)
{
	(void)m;
	(void)p;
	(void)cross;
	return start;
}

#ifdef CTX_X86
/* The same, but for bytes that may begin characters up to those of last. */
CTX_INLINE int
soon_after(const uint8_t *p, uint8_t last)
{
	unsigned wide = (unsigned)word_load(p) & 0x80808080u;

	return wide != 0 &&
	    !script_begins(p[__builtin_ctz(wide) / 8], last);
}

CTX_INLINE int
soon_wide_avx2(const uint8_t *p)
{
	return soon_after(p, SCRIPT_AVX2_LAST);
}

CTX_INLINE int
soon_wide_avx512(const uint8_t *p)
{
	return soon_after(p, 0xef);
}

/*
 * Cut a block also where no token can lie across.  The last place is
 * where to continue: a start or, if no other letter lies between, a cut in a
 * row of letters without case after it, so that the row goes on as it began.
 */
CTX_INLINE uint64_t
places_east(struct masks *m, struct east_cuts e, uint64_t start)
{
	uint64_t after = UINT64_MAX << (63 - __builtin_clzll(start | 1));
	uint64_t cut = e.cut & m->han & ~m->mark & m->han << 1 &
	    below(m->limit) & after << 1 &
	    below(lowest(m->letter & ~m->han & after));
	uint64_t last = start | cut;

	m->low = e.low;
	m->high = e.high;
	return last == 0 ? 0 : (start | e.cut) &
	    UINT64_MAX >> __builtin_clzll(last);
}

VEC_TARGET CTX_INLINE uint64_t
places_avx2(struct masks *m, const uint8_t *p, uint64_t start,
    const struct ctx_cross *cross)
{
	return m->east == 0 ? start :
	    places_east(m, east_cuts_plain(cross, p, m->east), start);
}

static inline CTX_AVX512 uint64_t
places_avx512(struct masks *m, const uint8_t *p, uint64_t start,
    const struct ctx_cross *cross)
{
	return m->east == 0 ? start :
	    places_east(m, east_cuts(cross, p, m->east), start);
}
#endif

/*
 * The bytes of the block at p.  Near the end of a text they are a copy with
 * blanks after the text, which decide nothing that its end would decide
 * otherwise.  NULL if there are too few.
 */
CTX_INLINE const uint8_t *
block_at(const uint8_t *p, const uint8_t *end, int whole, uint8_t copy[BLOCK])
{
	if (end - p >= BLOCK)
		return p;
	if (!whole)
		return NULL;
	memset(copy, ' ', BLOCK);
	memcpy(copy, p, (size_t)(end - p));
	return copy;
}

/* The starts in a block whose text ends at byte n, and that end if it is one. */
CTX_INLINE uint64_t
end_with(const struct masks *m, uint64_t start, unsigned n)
{
	return (start & below(n)) | (uint64_t)(m->limit >= n) << (n & 63);
}

CTX_INLINE unsigned
count(uint64_t bits)
{
	return (unsigned)__builtin_popcountll(bits);
}

/*
 * Of pieces that begin at the bits of *from and end at those of *to, remove
 * those of one byte or character, if skip has all bits.
 */
CTX_INLINE void
leave_out(struct ctx_chops *c, const struct masks *m, uint64_t *from,
    uint64_t *to, uint64_t skip)
{
	uint64_t one = *from & *to >> 1 & skip, three = 0;

	c->skipped += count(one);
	if (m->east != 0) {
		three = *from & *to >> 3 & skip & (m->low | m->high);
		c->skipped += count(three & m->low) +
		    2 * count(three & m->high);
	}
	*from &= ~(one | three);
	*to &= ~(one << 1 | three << 3);
}

/*
 * Where masks have decided little, other characters than ASCII are left to the
 * splitter for a few pieces: such texts mix scripts.
 */
#define LITTLE	12	/* bytes */
#define FEW	6	/* pieces */

CTX_INLINE int
rest(unsigned *tired, const uint8_t *p)
{
	if (*tired == 0)
		return 0;
	--*tired;
	return soon_wide(p);
}

#define DEFINE_CUT(name, attribute, kind, decide, soon, places, add) \
static attribute void \
name(struct ctx_chops *c, const uint8_t *p, const uint8_t *end, int whole, \
    ctx_split_fn *split, const struct ctx_cross *cross) \
{ \
	const uint64_t skip = -(uint64_t)(c->skip != 0); \
	uint8_t copy[BLOCK]; \
	const uint8_t *q; \
	struct masks m; \
	uint64_t start, from; \
	unsigned last, tired = 0; \
 \
	p = begin(c, p, cross); \
	while (c->n < CTX_CHOP_MAX && p < end) { \
		start = 0; \
		q = block_at(p, end, whole, copy); \
		if (q != NULL && !soon(q) && !rest(&tired, q)) { \
			start = decide(&m, q, kind) & ~(uint64_t)1; \
			if (q == copy) \
				start = end_with(&m, start, \
				    (unsigned)(end - p)); \
			start = places(&m, q, start, cross); \
		} \
		if (start != 0) { \
			last = 63 - (unsigned)__builtin_clzll(start); \
			from = (start | 1) ^ (uint64_t)1 << last; \
			leave_out(c, &m, &from, &start, skip); \
			add(c->to + c->n, p, start); \
			c->n += add(c->at + c->n, p, from); \
			p += last; \
			c->at[c->n] = p; \
			tired = last < LITTLE ? FEW : tired; \
		} else if (cut_plain(c, p, end, whole, split, cross)) \
			p = c->at[c->n]; \
		else \
			break; \
	} \
	c->next = c->at[c->n]; \
}

#define DEFINE_CUTS(path, attribute, decide, soon, places, add) \
DEFINE_CUT(cl100k_##path, attribute, CTX_SPLIT_CL100K, decide, soon, \
    places, add) \
DEFINE_CUT(o200k_##path, attribute, CTX_SPLIT_O200K, decide, soon, \
    places, add) \
DEFINE_CUT(qwen_##path, attribute, CTX_SPLIT_QWEN, decide, soon, \
    places, add)

DEFINE_CUTS(portable, , decide_portable, soon_wide, places, add_places)
#ifdef CTX_X86
DEFINE_CUTS(vector, VEC_TARGET, decide_avx2, soon_wide_avx2, places_avx2,
    add_places)
DEFINE_CUTS(avx512, CTX_AVX512, decide_avx512, soon_wide_avx512,
    places_avx512, add_places_avx512)
#elif defined(VEC)
DEFINE_CUTS(vector, VEC_TARGET, decide_vector, soon_wide, places,
    add_places)
#endif

/* The three-byte character at p; 0 if it is something else. */
CTX_INLINE uint32_t
three(const uint8_t *p, const uint8_t *end)
{
	if ((*p & 0xf0) != 0xe0 || end - p < 3)
		return 0;
	return (uint32_t)(p[0] & 15) << 12 | (uint32_t)(p[1] & 63) << 6 |
	    (p[2] & 63);
}

/*
 * Without a pattern: cut where no token can lie across, between two bytes or
 * two three-byte characters.  The text is UTF-8.
 */
static void
border(struct ctx_chops *c, const uint8_t *p, const uint8_t *end, int whole,
    ctx_split_fn *split, const struct ctx_cross *x)
{
	uint32_t last = three(p, end), cp;
	const uint8_t *q = p + (last != 0 ? 3 : 1);
	unsigned n = c->n;

	(void)split;
	c->met = 0;
	c->at[n] = p;
	/* The cuts are unpredictable, so the loop does not branch on them. */
	for (; q < end && n < CTX_CHOP_MAX; q += cp != 0 ? 3 : 1) {
		c->to[n] = c->at[n + 1] = q;
		if (*q < 0x80) {
			n += (unsigned)ctx_border_free(x, q[-1], *q);
			last = cp = 0;
			continue;
		}
		cp = three(q, end);
		n += (unsigned)ctx_border_free(x, q[-1], *q) |
		    ((unsigned)((last != 0) & (cp != 0)) &
		    (unsigned)ctx_cross_free(x, last, cp));
		last = cp;
	}
	if (q >= end && whole) {
		c->to[n] = end;
		c->at[++n] = end;
	} else if (q >= end)
		c->met = CTX_SPLIT_END;
	c->n = n;
	c->next = c->at[n];
}

/* Cut by a pattern that has no masks. */
static void
plain(struct ctx_chops *c, const uint8_t *p, const uint8_t *end, int whole,
    ctx_split_fn *split, const struct ctx_cross *cross)
{
	p = begin(c, p, cross);
	while (c->n < CTX_CHOP_MAX && p < end) {
		if (!cut_plain(c, p, end, whole, split, cross))
			break;
		p = c->at[c->n];
	}
	c->next = c->at[c->n];
}

#define CUTS(path) \
	{ [CTX_SPLIT_NONE] = border, [CTX_SPLIT_SPACES] = border, \
	  [CTX_SPLIT_R50K] = plain, [CTX_SPLIT_DEEPSEEK] = plain, \
	  [CTX_SPLIT_DIGIT] = plain, [CTX_SPLIT_DIGITS] = plain, \
	  [CTX_SPLIT_BERT] = plain, \
	  [CTX_SPLIT_CL100K] = cl100k_##path, \
	  [CTX_SPLIT_O200K] = o200k_##path, \
	  [CTX_SPLIT_QWEN] = qwen_##path }

ctx_chop_fn *
ctx_chop_get(enum ctx_split_kind kind)
{
	static ctx_chop_fn *const fn[][CTX_SPLIT_MAX + 1] = {
		[CTX_CPU_PORTABLE] = CUTS(portable),
#ifdef VEC
		[CTX_CPU_VECTOR] = CUTS(vector),
#endif
#ifdef CTX_X86
		[CTX_CPU_AVX512] = CUTS(avx512),
#endif
	};

	return fn[ctx_cpu_now()][kind];
}
