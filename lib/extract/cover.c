/* SPDX-License-Identifier: MIT */
/* Greedy weighted cover with a lazy heap; see cover.h. */
#include "extract/cover.h"

#include <stdlib.h>

#include "base/heap.h"

/* In 1/256. */
#define AGAIN 48	/* weight of a term that is already covered */
#define FACT 150	/* weight of a fact relative to a term */

#define SIZE_MORE 3	/* keeps the shortest from winning by being short */
#define MISSES_MAX 256	/* stop after this many in a row that do not fit */

/* The cube root of x, rounded down. */
static uint64_t
cube_root(uint64_t x)
{
	uint64_t r = 0, b;

	for (b = (uint64_t)1 << 20; b > 0; b >>= 1)
		if ((r | b) * (r | b) * (r | b) <= x)
			r |= b;
	return r;
}

/* size to the power of 2/3, in 1/64. */
static uint64_t
divisor(uint32_t size)
{
	uint64_t x = size < 4096 ? size + SIZE_MORE : 4096;

	return cube_root(x * x << 18);
}

static uint64_t
score(const struct ctx_cover *c, size_t i)
{
	const struct ctx_cover_item *it = &c->item[i];
	uint64_t terms = 0, facts = 0;
	size_t k, nterm = 0;
	uint32_t id;
	int news = 0;

	for (k = it->first; k < it[1].first; k++) {
		id = c->feature[k];
		news |= !c->covered[id];
		if (id < c->nterm) {
			terms += (uint64_t)c->weight[id] *
			    (c->covered[id] ? AGAIN : 256);
			nterm++;
		} else if (!c->covered[id])
			facts += c->weight[id];
	}
	if (!news || (nterm < c->min_terms && facts == 0))
		return 0;
	return ((terms * it->factor + facts * FACT * 256) << 6) /
	    divisor(it->size);
}

/* Mark the features of item i covered. */
static void
take(struct ctx_cover *c, size_t i)
{
	size_t k;

	c->item[i].out = 1;
	for (k = c->item[i].first; k < c->item[i + 1].first; k++)
		c->covered[c->feature[k]] = 1;
}

static size_t
heap_init(const struct ctx_cover *c, struct ctx_heap *h)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++)
		if (!c->item[i].out &&
		    (h[n].worth = score(c, i)) > 0)
			h[n++].i = i;
	ctx_heap_make(h, n);
	return n;
}

int
ctx_cover_run(struct ctx_cover *c,
    int (*fits)(void *arg, size_t i, struct ctx_err *err), void *arg,
    struct ctx_err *err)
{
	struct ctx_heap *h;
	uint64_t now;
	size_t n, misses = 0;
	int rc = 0;

	if ((h = calloc(c->n + 1, sizeof(*h))) == NULL)
		return ctx_fail_nomem(err);
	n = heap_init(c, h);
	while (n > 0 && misses < MISSES_MAX) {
		now = score(c, h[0].i);
		if (now == 0) {
			ctx_heap_pop(h, &n);
			continue;
		}
		if (now < h[0].worth) {
			h[0].worth = now;
			ctx_heap_sink(h, n);
			continue;
		}
		if ((rc = fits(arg, h[0].i, err)) == -1)
			break;
		if (rc == 1) {
			take(c, h[0].i);
			misses = 0;
		} else
			misses++;
		ctx_heap_pop(h, &n);
	}
	free(h);
	return rc == -1 ? -1 : 0;
}
