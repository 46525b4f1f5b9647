/* SPDX-License-Identifier: MIT */
/*
 * The choice of extract/cover.h, done naively: every gain is computed again for
 * each item that is taken.
 */
#ifndef CTX_TESTS_GREEDY_H
#define CTX_TESTS_GREEDY_H

#include "extract/cover.h"

/* 64 times the square of the cube root of the size, rounded down. */
static inline uint64_t
greedy_divisor(uint32_t size)
{
	uint64_t x = size < 4096 ? size + 3 : 4096, r = 0;

	while ((r + 1) * (r + 1) * (r + 1) <= x * x * 64 * 64 * 64)
		r++;
	return r;
}

/* A covered term counts 48/256; a fact counts 150/256, and only once. */
static inline uint64_t
greedy_gain(const struct ctx_cover *c, size_t i, uint64_t divisor)
{
	uint64_t terms = 0, facts = 0;
	size_t k, nterm = 0, news = 0;
	uint32_t id;

	for (k = c->item[i].first; k < c->item[i + 1].first; k++) {
		id = c->feature[k];
		news += c->covered[id] == 0;
		if (id >= c->nterm)
			facts += c->covered[id] ? 0 : c->weight[id];
		else if (++nterm > 0)
			terms += c->weight[id] * (c->covered[id] ? 48u : 256u);
	}
	if (news == 0 || (nterm < c->min_terms && facts == 0))
		return 0;
	return (terms * c->item[i].factor + facts * 150 * 256) * 64 / divisor;
}

/* As ctx_cover_run(); tried and divisor have room for c->n. */
static inline int
greedy_run(struct ctx_cover *c, uint8_t *tried, uint64_t *divisor,
    int (*fits)(void *arg, size_t i, struct ctx_err *err), void *arg)
{
	struct ctx_err err = { 0 };
	uint64_t gain, best;
	size_t i, k, at, misses;
	int rc;

	for (i = 0; i < c->n; i++) {
		tried[i] = c->item[i].out;
		divisor[i] = greedy_divisor(c->item[i].size);
	}
	for (misses = 0; misses < 256; ) {
		for (best = at = i = 0; i < c->n; i++) {
			gain = tried[i] ? 0 : greedy_gain(c, i, divisor[i]);
			if (gain > best) {
				best = gain;
				at = i;
			}
		}
		if (best == 0)
			return 0;
		if ((rc = fits(arg, at, &err)) == -1)
			return -1;
		tried[at] = 1;
		misses = rc == 1 ? 0 : misses + 1;
		if (rc == 1) {
			c->item[at].out = 1;
			for (k = c->item[at].first; k < c->item[at + 1].first;
			    k++)
				c->covered[c->feature[k]] = 1;
		}
	}
	return 0;
}

#endif
