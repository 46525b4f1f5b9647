/* SPDX-License-Identifier: MIT */
#include "extract/cover.h"

#include <stdlib.h>

#include "check.h"
#include "greedy.h"
#include "seeded.h"

enum { ITEMS = 600, IDS = 40, EACH = 8 };

/* A problem, and what fits() was asked. */
struct problem {
	struct ctx_cover c;
	struct ctx_cover_item item[ITEMS + 1];
	uint32_t feature[ITEMS * EACH], weight[IDS];
	uint8_t covered[IDS];
	uint64_t left;
	size_t fail_at;		/* the call that fails, from 1 on; 0: none */
	size_t asked[ITEMS], nasked;
};

static int
fits(void *arg, size_t i, struct ctx_err *err)
{
	struct problem *p = arg;

	p->asked[p->nasked++] = i;
	if (p->nasked == p->fail_at)
		return ctx_fail_nomem(err);
	if (p->item[i].size > p->left)
		return 0;
	p->left -= p->item[i].size;
	return 1;
}

/* Items of `most` sizes, with few different weights so that gains are equal. */
static void
make(struct problem *p, size_t n, uint32_t most, uint32_t weights)
{
	size_t i, k, f = 0;
	uint32_t id, j;

	memset(p, 0, sizeof(*p));
	for (i = 0; i < n; i++) {
		p->item[i] = (struct ctx_cover_item){ f,
		    most > 4000 ? 4090 + seeded(most - 4090) : seeded(most),
		    seeded(5) == 0 ? 1 : 200 + seeded(2) * 56,
		    seeded(20) == 0 };
		k = seeded(EACH);
		for (id = seeded(5); k > 0 && id < IDS; k--) {
			p->feature[f++] = id;
			id += 1 + seeded(8);
		}
	}
	p->item[n].first = f;
	for (j = 0; j < IDS; j++) {
		p->weight[j] = seeded(weights);
		p->covered[j] = seeded(9) == 0;
	}
	p->c = (struct ctx_cover){ NULL, n, NULL, NULL, NULL, seeded(IDS + 1),
	    seeded(4) };
}

/* Point c, whose arrays are in p itself, to the arrays of p. */
static struct ctx_cover *
cover_of(struct problem *p)
{
	p->c.item = p->item;
	p->c.feature = p->feature;
	p->c.weight = p->weight;
	p->c.covered = p->covered;
	return &p->c;
}

/* Both take the same items and ask about them in the same order. */
static int
same(struct problem *p)
{
	static struct problem naive;
	uint8_t tried[ITEMS];
	uint64_t divisor[ITEMS];
	struct ctx_err err = { 0 };
	int rc, want;

	naive = *p;
	want = greedy_run(cover_of(&naive), tried, divisor, fits, &naive);
	rc = ctx_cover_run(cover_of(p), fits, p, &err);
	return rc == want && p->nasked == naive.nasked &&
	    memcmp(p->asked, naive.asked, sizeof(p->asked)) == 0 &&
	    memcmp(p->item, naive.item, sizeof(p->item)) == 0 &&
	    memcmp(p->covered, naive.covered, sizeof(p->covered)) == 0;
}

static void
test_random(uint32_t most, uint32_t weights)
{
	static struct problem p;
	size_t i;

	for (i = 0; i < 300; i++) {
		make(&p, seeded(40), most, weights);
		p.left = seeded(most * 12);
		if (i % 10 == 0)
			p.fail_at = 1 + seeded(5);
		if (!CHECK(same(&p)))
			break;
	}
}

/*
 * After 256 items in a row that do not fit, the rest is not looked at; one that
 * fits begins a new row.
 */
static void
test_misses(size_t before, size_t after, int taken)
{
	static struct problem p;
	size_t i, n = before + 1 + after + 1;

	memset(&p, 0, sizeof(p));
	for (i = 0; i < n; i++) {
		p.item[i] = (struct ctx_cover_item){ i, 9, 256, 0 };
		p.feature[i] = i < before ? 0 : 2;
	}
	p.item[before].size = p.item[n - 1].size = 2;
	p.feature[before] = 1;
	p.feature[n - 1] = 3;
	p.item[n].first = n;
	memcpy(p.weight, (uint32_t [4]){ 500, 3, 2, 1 }, 4 * sizeof(uint32_t));
	p.c = (struct ctx_cover){ NULL, n, NULL, NULL, NULL, IDS, 0 };
	p.left = 4;
	CHECK(same(&p));
	CHECK_INT(p.item[before].out, taken > 0);
	CHECK_INT(p.item[n - 1].out, taken > 1);
}

int
main(void)
{
	struct ctx_cover none = { 0 };
	struct ctx_cover_item end = { 0 };
	struct ctx_err err = { 0 };

	TEST("no items");
	none.item = &end;
	CHECK_INT(ctx_cover_run(&none, fits, NULL, &err), 0);
	RUN(test_random(6, 3));
	RUN(test_random(300, 4096));
	RUN(test_random(4100, 3));
	RUN(test_misses(255, 255, 2));
	RUN(test_misses(255, 256, 1));
	RUN(test_misses(256, 0, 0));
	return CHECK_DONE("cover");
}
