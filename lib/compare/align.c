/* SPDX-License-Identifier: MIT */
/* Two sequences, in order; see align.h. */
#include "compare/align.h"

#include <stdlib.h>

#include "base/buf.h"

#define NONE	UINT32_MAX
#define DEEPEST	24	/* gaps within gaps */

/* A part of both sequences in which nothing is paired yet. */
struct gap {
	uint32_t a, aend, b, bend;
	uint32_t depth;
};

/* What is known of a kind of elements within a gap. */
struct kind {
	uint32_t na, nb;	/* occurrences */
	uint32_t last;		/* in b, or NONE */
};

/* An element of a and of b that may be paired. */
struct pair {
	uint32_t i, j;
	uint32_t before;	/* index of the pair before it in an increasing
				   row, or NONE */
};

struct align {
	const uint32_t *a, *b;
	uint32_t *mate;
	struct kind *kind;
	uint32_t *same;		/* of b: the place before with the same kind */
	struct pair *pair;
	uint32_t npair;
	uint32_t *row;		/* the pairs that end the best row of each
				   length */
	struct gap *gap;	/* to be done */
	size_t ngap, capgap;
};

static void
trim_start(struct align *x, struct gap *g)
{
	while (g->a < g->aend && g->b < g->bend && x->a[g->a] == x->b[g->b])
		x->mate[g->a++] = g->b++;
}

static void
trim_end(struct align *x, struct gap *g)
{
	while (g->a < g->aend && g->b < g->bend &&
	    x->a[g->aend - 1] == x->b[g->bend - 1])
		x->mate[--g->aend] = --g->bend;
}

/*
 * Pair what is equal at both ends.  What is missing within a history is rather
 * the earlier one of two equal messages.
 */
static void
trim(struct align *x, struct gap *g)
{
	if (g->depth > 0 && g->aend - g->a > g->bend - g->b)
		trim_end(x, g);
	trim_start(x, g);
	trim_end(x, g);
}

/* Count the kinds in the gap, or with clear, forget them. */
static void
count(struct align *x, const struct gap *g, int clear)
{
	uint32_t k;

	for (k = g->a; k < g->aend; k++) {
		struct kind *kind = &x->kind[x->a[k]];

		kind->na = clear ? 0 : kind->na + 1;
	}
	for (k = g->b; k < g->bend; k++) {
		struct kind *kind = &x->kind[x->b[k]];

		kind->nb = clear ? 0 : kind->nb + 1;
		x->same[k] = kind->last;
		kind->last = clear ? NONE : k;
	}
}

/*
 * Collect the pairs that may be made, from the end of a to its beginning: of
 * elements that occur once, or of all.
 */
static void
propose(struct align *x, const struct gap *g, int all)
{
	uint32_t i;

	x->npair = 0;
	for (i = g->aend; i-- > g->a;) {
		struct kind *kind = &x->kind[x->a[i]];

		if (kind->last == NONE ||
		    (!all && (kind->na != 1 || kind->nb != 1)))
			continue;
		x->pair[x->npair++] = (struct pair){ i, kind->last, NONE };
		if (all)
			kind->last = x->same[kind->last];
	}
}

/*
 * Find the longest row of pairs in which j decreases, as i does.  Returns its
 * last pair, or NONE.
 */
static uint32_t
longest(struct align *x)
{
	uint32_t len = 0, lo, hi, mid, k;

	for (k = 0; k < x->npair; k++) {
		for (lo = 0, hi = len; lo < hi;) {
			mid = lo + (hi - lo) / 2;
			if (x->pair[x->row[mid]].j > x->pair[k].j)
				lo = mid + 1;
			else
				hi = mid;
		}
		x->pair[k].before = lo > 0 ? x->row[lo - 1] : NONE;
		x->row[lo] = k;
		if (lo == len)
			len++;
	}
	return len > 0 ? x->row[len - 1] : NONE;
}

static int
push(struct align *x, const struct gap *g, uint32_t aend, uint32_t bend)
{
	if (g->a == aend || g->b == bend)
		return 0;
	if (CTX_ROOM(x->gap, x->ngap, &x->capgap) == -1)
		return -1;
	x->gap[x->ngap++] = (struct gap){ g->a, aend, g->b, bend,
	    g->depth + 1 };
	return 0;
}

/* Pair a row, and leave the gaps between to be done. */
static int
divide(struct align *x, struct gap g, uint32_t pair)
{
	for (; pair != NONE; pair = x->pair[pair].before) {
		const struct pair *p = &x->pair[pair];

		x->mate[p->i] = p->j;
		if (push(x, &g, p->i, p->j) == -1)
			return -1;
		g.a = p->i + 1;
		g.b = p->j + 1;
	}
	return push(x, &g, g.aend, g.bend);
}

static int
fill(struct align *x, struct gap g)
{
	uint32_t last;

	trim(x, &g);
	if (g.a == g.aend || g.b == g.bend || g.depth > DEEPEST)
		return 0;
	count(x, &g, 0);
	propose(x, &g, g.depth == DEEPEST);
	if (x->npair == 0)
		propose(x, &g, 1);
	count(x, &g, 1);
	last = longest(x);
	return last == NONE ? 0 : divide(x, g, last);
}

static int
fill_all(struct align *x, uint32_t na, uint32_t nb)
{
	struct gap whole = { 0, na, 0, nb, 0 };

	if (fill(x, whole) == -1)
		return -1;
	while (x->ngap > 0)
		if (fill(x, x->gap[--x->ngap]) == -1)
			return -1;
	return 0;
}

int
ctx_align(struct ctx_align_seq a, struct ctx_align_seq b, uint32_t kinds,
    uint32_t *mate, struct ctx_err *err)
{
	struct align x = { .a = a.v, .b = b.v, .mate = mate };
	uint32_t k;
	int rc = -1;

	x.kind = malloc(((size_t)kinds + 1) * sizeof(*x.kind));
	x.same = malloc(((size_t)b.n + 1) * sizeof(*x.same));
	x.pair = malloc(((size_t)a.n + 1) * sizeof(*x.pair));
	x.row = malloc(((size_t)a.n + 1) * sizeof(*x.row));
	if (x.kind != NULL && x.same != NULL && x.pair != NULL &&
	    x.row != NULL) {
		for (k = 0; k < kinds; k++)
			x.kind[k] = (struct kind){ 0, 0, NONE };
		for (k = 0; k < a.n; k++)
			mate[k] = NONE;
		rc = fill_all(&x, a.n, b.n);
	}
	free(x.kind);
	free(x.same);
	free(x.pair);
	free(x.row);
	free(x.gap);
	return rc == 0 ? 0 : ctx_fail_nomem(err);
}
