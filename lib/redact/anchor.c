/* SPDX-License-Identifier: MIT */
/*
 * Find many literals in one pass; see anchor.h.
 *
 * The filter: the literals' fragments are dealt to 32 buckets.  For each of the
 * four positions of a fragment and each nibble, a table of 32 bits says which
 * buckets have a fragment with that nibble there.  The AND over four positions
 * and both nibbles leaves the buckets that may have a fragment here; usually no
 * bit is left.  (This is "Teddy", from Hyperscan.)  A table has four planes of
 * 8 buckets, because the vector instruction looks up bytes.  With 500 literals
 * in two planes, most blocks of a text passed, and looking at these took longer
 * than the filter.
 */
#include "redact/anchor.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cpu.h"
#include "base/vec.h"

#define FRAG	4	/* bytes of a fragment; that of a 3-byte literal has
			   3 */
#define PLANES	4
#define BUCKETS	(8 * PLANES)
#define LONG	7	/* a literal over this has many fragments, of which
			   those over NEARLY times as frequent as its rarest
			   are not tried: a command would start later */
#define NEARLY	2
#define TOO_MUCH	4	/* more than any cost, which is at most 1, and
			   another */
#define HASH	1024	/* slots, a power of two */
#define NIL	UINT16_MAX
#define THREE	0xffffffu	/* the first three bytes of bits_at */
#define BLOCK	32	/* positions that the filter checks in one step */
#define READ	(BLOCK + FRAG - 1)	/* bytes that it reads for this */

struct anchor {
	const char *text;
	uint8_t len;
	uint8_t at;	/* offset in text of its fragment */
	uint8_t exact;
	uint8_t bucket;
	uint32_t frag;	/* its fragment, as bits_at has it */
	double rarity;	/* lower is rarer; see rarity() */
	uint16_t next;	/* next in the hash chain */
	unsigned tag;
};

struct filter {		/* [plane][position][nibble]: buckets */
	uint8_t lo[PLANES][FRAG][16];
	uint8_t hi[PLANES][FRAG][16];
	uint32_t byte[FRAG][256];	/* the same for all planes, indexed by
					   byte */
	uint8_t ascii[PLANES][FRAG][128];	/* just the fragments' bytes,
					   for machines that can look these
					   up; and of bytes over 0x7f, by
					   their low bits */
};

struct ctx_anchors {
	struct filter f;
	uint8_t seen[(1u << 16) / 8];	/* bit hash4(fragment) is set, of a
					   fragment of 3 bytes in the other */
	uint8_t seen3[(1u << 16) / 8];
	uint16_t head[HASH];
	struct anchor *anchor;
	size_t n, cap;
};

static inline unsigned char
fold(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* Three or four bytes, with letters folded; other bytes may become the same. */
static inline uint32_t
bits_at(const unsigned char *p, size_t n)
{
	uint32_t v = (uint32_t)p[0] | (uint32_t)p[1] << 8 |
	    (uint32_t)p[2] << 16;

	return (n > 3 ? v | (uint32_t)p[3] << 24 : v) | 0x20202020;
}

/* Hash three of them. */
static inline unsigned
hash3(uint32_t bits)
{
	return ((bits & THREE) * 0x9e3779b1u) >> 22 & (HASH - 1);
}

/* A wider hash of three or four, so that chains are seldom searched. */
static inline unsigned
hash4(uint32_t bits)
{
	return (bits * 0x9e3779b1u) >> 16;
}

/*
 * How often a byte occurs in agents' transcripts and in manuals, out of about
 * 10000.  This need only be good enough to choose rare fragments.
 */
static unsigned
frequency(unsigned char c)
{
	static const uint16_t printable[96] = {	/* from the space on */
		1272, 3, 208, 6, 5, 8, 2, 14, 47, 47, 10, 3,
		160, 105, 94, 47, 78, 108, 71, 46, 50, 45, 40, 33,
		40, 39, 168, 5, 24, 23, 29, 3, 1, 21, 11, 22,
		15, 22, 19, 8, 10, 30, 3, 4, 15, 10, 14, 14,
		15, 3, 16, 27, 38, 21, 6, 8, 4, 13, 6, 18,
		101, 14, 1, 102, 9, 482, 114, 261, 239, 821, 139, 129,
		200, 408, 15, 57, 284, 172, 544, 456, 176, 10, 407, 445,
		577, 208, 56, 67, 39, 86, 7, 32, 2, 32, 2, 1
	};

	if (c >= ' ' && c < 0x80)
		return printable[c - ' '];
	return c == '\n' ? 100 : c < ' ' ? 1 : 3;
}

static int
frag_len(const struct anchor *a)
{
	return a->len < FRAG ? a->len : FRAG;
}

/* The high nibbles, one or two, that letter c of a literal may have. */
static unsigned
high_nibbles(const struct anchor *a, unsigned char c)
{
	unsigned either = !a->exact && c >= 'a' && c <= 'z';

	return 1u << (c >> 4) | either << ((c & ~0x20) >> 4);
}

/*
 * What one bucket lets pass at one position: each byte whose low nibble is in
 * lo and whose high nibble is in hi.  The sums make adding a byte cheap.
 */
struct place {
	unsigned lo, hi;	/* sets of nibbles */
	unsigned pass;		/* total frequency of everything that passes */
	unsigned lo_sum[16];	/* by low nibble: sum over its bytes with a high
				   nibble in hi */
	unsigned hi_sum[16];	/* by high nibble: sum over its bytes with a low
				   nibble in lo */
};

struct bucket {
	struct place place[FRAG];
	double cost;	/* share of a text's positions that pass */
	double rest[FRAG + 1];	/* the same at the places from i on */
};

struct dealer {
	unsigned freq[16][16];	/* by high nibble, then low nibble */
	double share;	/* share of all text that one unit of frequency is */
	struct bucket bucket[BUCKETS];
};

/* The frequency of what p lets pass once byte c of a is added. */
static unsigned
pass_with(const struct dealer *d, const struct place *p,
    const struct anchor *a, unsigned char c)
{
	unsigned l = c & 15, lo_new = ~p->lo >> l & 1, h;
	unsigned hi_new = high_nibbles(a, c) & ~p->hi;
	unsigned pass = p->pass + (lo_new ? p->lo_sum[l] : 0);

	for (; hi_new != 0; hi_new &= hi_new - 1) {
		h = (unsigned)__builtin_ctz(hi_new);
		pass += p->hi_sum[h] + (lo_new ? d->freq[h][l] : 0);
	}
	return pass;
}

/* Let lo and hi pass at p too. */
static void
place_add(const struct dealer *d, struct place *p, unsigned lo, unsigned hi)
{
	unsigned l, h;

	if ((lo & ~p->lo) == 0 && (hi & ~p->hi) == 0)
		return;
	p->lo |= lo;
	p->hi |= hi;
	memset(p->lo_sum, 0, sizeof(p->lo_sum));
	memset(p->hi_sum, 0, sizeof(p->hi_sum));
	p->pass = 0;
	for (h = 0; h < 16; h++)
		for (l = 0; l < 16; l++) {
			if (p->hi >> h & 1)
				p->lo_sum[l] += d->freq[h][l];
			if (p->lo >> l & 1)
				p->hi_sum[h] += d->freq[h][l];
			if (p->hi >> h & p->lo >> l & 1)
				p->pass += d->freq[h][l];
		}
}

/*
 * The cost of b after adding the fragment of a that begins at its byte at, or
 * TOO_MUCH if it is certain to be at least limit.
 */
static double
cost_with(const struct dealer *d, const struct bucket *b,
    const struct anchor *a, int at, double limit)
{
	double cost = 1;
	int i;

	/* a 3-byte literal has no fourth byte, and any passes: times 1 */
	for (i = 0; i < frag_len(a) && cost * b->rest[i] < limit; i++)
		cost *= d->share * pass_with(d, &b->place[i], a,
		    (unsigned char)a->text[at + i]);
	return i < frag_len(a) ? TOO_MUCH : cost;
}

static void
bucket_add(const struct dealer *d, struct bucket *b, const struct anchor *a)
{
	unsigned char c;
	int i;

	b->cost = cost_with(d, b, a, a->at, 2);
	for (i = 0; i < FRAG; i++) {
		if (i >= frag_len(a)) {
			place_add(d, &b->place[i], 0xffff, 0xffff);
			continue;
		}
		c = (unsigned char)a->text[a->at + i];
		place_add(d, &b->place[i], 1u << (c & 15),
		    high_nibbles(a, c));
	}
	b->rest[FRAG] = 1;
	for (i = FRAG; i-- > 0; )
		b->rest[i] = b->rest[i + 1] * d->share * b->place[i].pass;
}

/* The share of positions at which the fragment at is expected. */
static double
rarity_at(const struct anchor *a, int at)
{
	double p = 1;
	int i;

	for (i = 0; i < frag_len(a); i++)
		p *= frequency((unsigned char)a->text[at + i]);
	return frag_len(a) < FRAG ? p * 10000 : p;
}

/* The same of the rarest fragment. */
static double
rarity(const struct anchor *a)
{
	double least = 0, p;
	int at;

	for (at = 0; at + frag_len(a) <= a->len; at++) {
		p = rarity_at(a, at);
		least = at == 0 || p < least ? p : least;
	}
	return least;
}

/* Choose the fragment and bucket for a that let the fewest more pass. */
static void
deal(struct dealer *d, struct anchor *a)
{
	double least = 2, more;
	size_t b, best = 0;
	int at;

	for (at = 0; at + frag_len(a) <= a->len; at++) {
		if (a->len > LONG && rarity_at(a, at) > NEARLY * a->rarity)
			continue;
		for (b = 0; b < BUCKETS; b++) {
			more = cost_with(d, &d->bucket[b], a, at, least +
			    d->bucket[b].cost) - d->bucket[b].cost;
			if (more < least) {
				least = more;
				best = b;
				a->at = (uint8_t)at;
			}
		}
	}
	a->bucket = (uint8_t)best;
	bucket_add(d, &d->bucket[best], a);
}

static int
by_rarity(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;

	if (x->rarity != y->rarity)
		return x->rarity > y->rarity ? -1 : 1;
	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

struct ctx_anchors *
ctx_anchors_new(struct ctx_err *err)
{
	struct ctx_anchors *a = calloc(1, sizeof(*a));

	if (a == NULL)
		ctx_fail_nomem(err);
	return a;
}

void
ctx_anchors_free(struct ctx_anchors *a)
{
	if (a == NULL)
		return;
	free(a->anchor);
	free(a);
}

int
ctx_anchors_add(struct ctx_anchors *a, const char *text, size_t len,
    unsigned tag, struct ctx_err *err)
{
	struct anchor *new;
	size_t i;

	if (len < CTX_ANCHOR_MIN || len > CTX_ANCHOR_MAX || a->n == NIL)
		return ctx_fail(err, CTX_ERANGE,
		    "literal of %zu bytes cannot be looked for", len);
	if (CTX_ROOM(a->anchor, a->n, &a->cap) == -1)
		return ctx_fail_nomem(err);
	new = &a->anchor[a->n++];
	memset(new, 0, sizeof(*new));
	new->text = text;
	new->len = (uint8_t)len;
	new->tag = tag;
	for (i = 0; i < len; i++)
		if (text[i] >= 'A' && text[i] <= 'Z')
			new->exact = 1;
	new->rarity = rarity(new);
	return 0;
}

/* Deal all literals to the buckets, those with the fewest choices first. */
static void
deal_all(struct ctx_anchors *a, struct dealer *d)
{
	unsigned c, total = 0;
	size_t i;

	memset(d, 0, sizeof(*d));
	for (c = 0; c < 256; c++) {
		d->freq[c >> 4][c & 15] = frequency((unsigned char)c);
		total += frequency((unsigned char)c);
	}
	d->share = 1.0 / total;
	if (a->n > 0)
		qsort(a->anchor, a->n, sizeof(*a->anchor), by_rarity);
	for (i = 0; i < a->n; i++)
		deal(d, &a->anchor[i]);
}

/* Note the fragment of a literal, and enter it into the bitmap of its hash. */
static void
mark(struct ctx_anchors *a, struct anchor *an)
{
	const unsigned char *p = (const unsigned char *)an->text + an->at;
	uint8_t *seen = frag_len(an) == FRAG ? a->seen : a->seen3;
	unsigned h;

	an->frag = bits_at(p, (size_t)frag_len(an));
	if (frag_len(an) < FRAG)
		an->frag &= THREE;
	h = hash4(an->frag);
	seen[h / 8] |= (uint8_t)(1u << h % 8);
}

/* Set the nibbles that bucket b passes at position i, for both lookups. */
static void
set_filter(struct filter *f, const struct place *p, size_t b, size_t i)
{
	uint8_t bit = (uint8_t)(1u << b % 8);
	unsigned n, c;

	for (n = 0; n < 16; n++) {
		if (p->lo >> n & 1)
			f->lo[b / 8][i][n] |= bit;
		if (p->hi >> n & 1)
			f->hi[b / 8][i][n] |= bit;
	}
	for (c = 0; c < 256; c++)
		if (p->lo >> (c & 15) & p->hi >> (c >> 4) & 1)
			f->byte[i][c] |= 1u << b;
}

/* Set the bytes of a fragment, of any case if it is not exact. */
static void
set_bytes(struct filter *f, const struct anchor *a)
{
	uint8_t bit = (uint8_t)(1u << a->bucket % 8), *t;
	unsigned char c;
	int i, k;

	for (i = 0; i < FRAG; i++) {
		t = f->ascii[a->bucket / 8][i];
		if (i >= frag_len(a)) {
			for (k = 0; k < 128; k++)
				t[k] |= bit;
			continue;
		}
		c = (unsigned char)a->text[a->at + i];
		t[c & 127] |= bit;
		if (!a->exact && c >= 'a' && c <= 'z')
			t[c & ~0x20] |= bit;
	}
}

void
ctx_anchors_ready(struct ctx_anchors *a)
{
	struct dealer d;
	size_t i, b;
	unsigned h;

	deal_all(a, &d);
	memset(a->head, 0xff, sizeof(a->head));
	for (i = a->n; i-- > 0; ) {
		mark(a, &a->anchor[i]);
		set_bytes(&a->f, &a->anchor[i]);
		h = hash3(a->anchor[i].frag);
		a->anchor[i].next = a->head[h];
		a->head[h] = (uint16_t)i;
	}
	for (b = 0; b < BUCKETS; b++)
		for (i = 0; i < FRAG; i++)
			set_filter(&a->f, &d.bucket[b].place[i], b, i);
}

static int
same(const struct anchor *a, const unsigned char *p)
{
	size_t i;

	if (a->exact)
		return memcmp(a->text, p, a->len) == 0;
	for (i = 0; i < a->len; i++)
		if (fold(p[i]) != (unsigned char)a->text[i])
			return 0;
	return 1;
}

/* The literals searched for, the text, and the callback. */
struct walk {
	const struct ctx_anchors *a;
	const unsigned char *p;
	size_t len;
	ctx_anchor_fn *fn;
	void *arg;
};

/* May p[off] be the start of a fragment?  Most that pass the filter are not. */
static inline int
may_report(const struct ctx_anchors *a, const unsigned char *p, size_t len,
    size_t off)
{
	uint32_t bits;
	unsigned i, k;

	if (len < off + FRAG)
		return len >= off + CTX_ANCHOR_MIN;
	bits = bits_at(p + off, FRAG);
	i = hash4(bits);
	k = hash4(bits & THREE);
	return (a->seen[i / 8] >> i % 8 | a->seen3[k / 8] >> k % 8) & 1;
}

/* Report the literals whose fragment is at p[off]; seldom called. */
__attribute__((noinline)) static int
report(const struct walk *w, size_t off)
{
	const struct ctx_anchors *a = w->a;
	const unsigned char *p = w->p;
	const struct anchor *an;
	uint32_t bits = bits_at(p + off, w->len - off);
	size_t start;
	unsigned i;
	int rc;

	for (i = a->head[hash3(bits)]; i != NIL; i = an->next) {
		an = &a->anchor[i];
		if ((an->len < FRAG ? bits & THREE : bits) != an->frag ||
		    an->at > off)
			continue;
		start = off - an->at;
		if (an->len > w->len - start || !same(an, p + start))
			continue;
		if ((rc = w->fn(w->arg, start, an->len, an->tag)) != 0)
			return rc;
	}
	return 0;
}

/* Report the literals at off plus each bit that is set in found. */
static inline int
report_all(const struct walk *w, size_t off, uint32_t found)
{
	size_t at;
	int rc = 0;

	for (; found != 0 && rc == 0; found &= found - 1) {
		at = off + (size_t)__builtin_ctz(found);
		if (may_report(w->a, w->p, w->len, at))
			rc = report(w, at);
	}
	return rc;
}

/*
 * Report the literals in the blocks of p[*off .. len), the text from at on, as
 * far as READ bytes are there.  Sets *off to where fewer are left.  Returns what
 * report_all returned.
 */
typedef int blocks_fn(const struct walk *w, const unsigned char *p, size_t len,
	    size_t at, size_t *off);

static int
blocks_portable(const struct walk *w, const unsigned char *p, size_t len,
    size_t at, size_t *off)
{
	const struct filter *f = &w->a->f;
	const unsigned char *q;
	uint32_t found, hit;
	unsigned i;
	int rc = 0;

	for (; rc == 0 && len - *off >= READ; *off += BLOCK) {
		q = p + *off;
		for (found = i = 0; i < BLOCK; i++) {
			hit = f->byte[0][q[i]] & f->byte[1][q[i + 1]] &
			    f->byte[2][q[i + 2]] & f->byte[3][q[i + 3]];
			found |= (uint32_t)(hit != 0) << i;
		}
		if (found != 0)
			rc = report_all(w, at + *off, found);
	}
	return rc;
}

#ifdef VEC
/* What a plane lets pass at position k, of bytes with the nibbles lo and hi. */
VEC_TARGET static inline vec
pass_plane(const struct filter *f, int plane, int k, vec lo, vec hi)
{
	return vec_and(vec_look(vec_table(f->lo[plane][k]), lo),
	    vec_look(vec_table(f->hi[plane][k]), hi));
}

/* The places in the VEC bytes from p on where a fragment may begin. */
VEC_TARGET static inline uint32_t
pass(const struct filter *f, const unsigned char *p)
{
	vec a = vec_set(0xff), b = a, c = a, d = a, v, lo, hi;
	int k;

	for (k = 0; k < FRAG; k++) {
		v = vec_load(p + k);
		lo = vec_and(v, vec_set(15));
		hi = vec_shr4(v);
		a = vec_and(a, pass_plane(f, 0, k, lo, hi));
		b = vec_and(b, pass_plane(f, 1, k, lo, hi));
		c = vec_and(c, pass_plane(f, 2, k, lo, hi));
		d = vec_and(d, pass_plane(f, 3, k, lo, hi));
	}
	a = vec_or(vec_or(a, b), vec_or(c, d));
	return vec_any(a) ? vec_mask(vec_eq(vec_eq(a, vec_set(0)),
	    vec_set(0))) : 0;
}

VEC_TARGET static int
blocks_vector(const struct walk *w, const unsigned char *p, size_t len,
    size_t at, size_t *off)
{
	uint32_t found;
	unsigned i;
	int rc = 0;

	for (; rc == 0 && len - *off >= READ; *off += BLOCK) {
		for (found = i = 0; i < BLOCK; i += VEC)
			found |= pass(&w->a->f, p + *off + i) << i;
		if (found != 0)
			rc = report_all(w, at + *off, found);
	}
	return rc;
}
#endif

#ifdef CTX_X86
/*
 * The same with vectors of 64 bytes, two at a time, so that a table is loaded
 * once for both.
 */
#define WIDE	128
#define BATCH	2048	/* bytes whose places are listed before they are
			   looked at, so that neither waits for the other */

struct wide {
	__m512i v[2];
};

CTX_AVX512 static inline struct wide
wide_load(const unsigned char *p)
{
	return (struct wide){ { _mm512_loadu_si512(p),
	    _mm512_loadu_si512(p + 64) } };
}

/* What plane b lets pass at position k of those that are left. */
CTX_AVX512 static inline struct wide
wide_pass(const struct filter *f, int b, int k, struct wide left,
    struct wide bytes)
{
	const __m512i lo = _mm512_loadu_si512(f->ascii[b][k]);
	const __m512i hi = _mm512_loadu_si512(f->ascii[b][k] + 64);

	return (struct wide){ {
	    _mm512_and_si512(left.v[0],
	    _mm512_permutex2var_epi8(lo, bytes.v[0], hi)),
	    _mm512_and_si512(left.v[1],
	    _mm512_permutex2var_epi8(lo, bytes.v[1], hi)) } };
}

/* Add what plane b lets pass of the bytes from p on. */
CTX_AVX512 static inline struct wide
wide_plane(const struct filter *f, int b, const unsigned char *p,
    struct wide any)
{
	const __m512i all = _mm512_set1_epi8(-1);
	struct wide left = { { all, all } };

	left = wide_pass(f, b, 0, left, wide_load(p));
	left = wide_pass(f, b, 1, left, wide_load(p + 1));
	left = wide_pass(f, b, 2, left, wide_load(p + 2));
	left = wide_pass(f, b, 3, left, wide_load(p + 3));
	return (struct wide){ { _mm512_or_si512(any.v[0], left.v[0]),
	    _mm512_or_si512(any.v[1], left.v[1]) } };
}

/* Append off plus each bit that is set in found.  Returns the new length. */
CTX_AVX512 static inline size_t
list_places(uint16_t *place, size_t n, size_t off, uint64_t found)
{
	size_t count = (size_t)__builtin_popcountll(found), i;
	int k;

	/* four at a time, since how many there are cannot be predicted */
	for (i = 0; i < count; i += 4)
		for (k = 0; k < 4; k++) {
			place[n + i + (size_t)k] = (uint16_t)(off +
			    _tzcnt_u64(found));
			found &= found - 1;
		}
	return n + count;
}

/* Report the literals at off plus each of the places. */
static int
report_places(const struct walk *w, size_t off, uint16_t *place, size_t n)
{
	size_t i, kept = 0;
	int rc = 0;

	for (i = 0; i < n; i++) {
		place[kept] = place[i];
		kept += (size_t)may_report(w->a, w->p, w->len, off + place[i]);
	}
	for (i = 0; i < kept && rc == 0; i++)
		rc = report(w, off + place[i]);
	return rc;
}

CTX_AVX512 static int
blocks_wide(const struct walk *w, const unsigned char *p, size_t len, size_t at,
    size_t *off)
{
	const struct filter *f = &w->a->f;
	uint16_t place[BATCH + WIDE];
	struct wide any;
	size_t i, n, from;
	int rc = 0, k;

	while (rc == 0 && len - *off >= WIDE + FRAG - 1) {
		from = *off;
		for (i = n = 0; i < BATCH && len - *off >= WIDE + FRAG - 1;
		    i += WIDE, *off += WIDE) {
			any.v[0] = any.v[1] = _mm512_setzero_si512();
			for (k = 0; k < PLANES; k++)
				any = wide_plane(f, k, p + *off, any);
			for (k = 0; k < 2; k++)
				n = list_places(place, n, i + 64 * (size_t)k,
				    _mm512_test_epi8_mask(any.v[k], any.v[k]));
		}
		rc = report_places(w, at + from, place, n);
	}
	return rc != 0 ? rc : blocks_vector(w, p, len, at, off);
}
#endif

/* The filter for this machine. */
static blocks_fn *
blocks(void)
{
#ifdef CTX_X86
	if (ctx_cpu_now() == CTX_CPU_AVX512)
		return blocks_wide;
#endif
#ifdef VEC
	if (ctx_cpu_now() != CTX_CPU_PORTABLE)
		return blocks_vector;
#endif
	return blocks_portable;
}

int
ctx_anchors_walk(const struct ctx_anchors *a, const char *text, size_t len,
    ctx_anchor_fn *fn, void *arg)
{
	struct walk w = { a, (const unsigned char *)text, len, fn, arg };
	unsigned char last[READ + BLOCK] = { 0 };
	blocks_fn *each = blocks();
	size_t off = 0, end = 0;
	int rc = each(&w, w.p, len, 0, &off);

	if (rc != 0 || off >= len)
		return rc;
	/* fewer than READ bytes are left: search a copy followed by zeros */
	memcpy(last, text + off, len - off);
	return each(&w, last, sizeof(last), off, &end);
}
