/* SPDX-License-Identifier: MIT */
/*
 * The ranks of small graphs, computed by hand.  With a damping of 0.85, the rank
 * of a file is 0.15 times its part of the prior, and 0.85 times what the words of
 * other files bring to it; what has no words gives its rank to all.
 */
#include "digest/refrank.h"

#include <stdlib.h>

#include "check.h"

static struct ctx_refrank r;
static struct ctx_err err;

/* Is a rank this part of all, to a millionth? */
static void
near(uint64_t got, double want)
{
	double have = (double)got / (double)CTX_REFRANK_ONE;

	CHECK(have > want - 1e-6 && have < want + 1e-6);
	if (!(have > want - 1e-6 && have < want + 1e-6))
		fprintf(stderr, "%.9f instead of %.9f\n", have, want);
}

static void
file(void)
{
	CHECK_INT(ctx_refrank_file(&r, &err), 0);
}

static void
define(uint64_t name, uint32_t weight)
{
	CHECK_INT(ctx_refrank_define(&r, name, weight, 0, &err), 0);
}

static void
use(uint64_t name, uint32_t n)
{
	CHECK_INT(ctx_refrank_use(&r, name, n, &err), 0);
}

/*
 * a defines 1, b uses it.  a = 0.075 + 0.85 (b + a / 2), b = 0.075 + 0.85 a / 2,
 * so b = 0.5 / 1.425; all that b has comes to the definition.
 */
static void
test_two_files(void)
{
	file();
	define(1, 10);
	file();
	use(1, 3);
	ctx_refrank_run(&r);
	near(r.file[1].rank, 0.5 / 1.425);
	near(r.file[0].rank, 1 - 0.5 / 1.425);
	near(ctx_refrank_of(&r, 0), 0.5 / 1.425);
	ctx_refrank_done(&r);
}

/*
 * c uses 1 of a four times and 2 of b once: the roots are 2 and 1, so two thirds
 * of its rank come to 1.  Without definitions it gets 0.05 and a third of 0.85 of
 * what a and b have: c = 0.05 + 0.85 (1 - c) / 3, c = 1 / 3.85.
 */
static void
test_roots(void)
{
	file();
	define(1, 10);
	file();
	define(2, 10);
	file();
	use(1, 4);
	use(2, 1);
	use(3, 100);		/* is not defined */
	ctx_refrank_run(&r);
	near(r.file[2].rank, 1 / 3.85);
	near(ctx_refrank_of(&r, 0), 2 / 3.85 / 3);
	near(ctx_refrank_of(&r, 1), 1 / 3.85 / 3);
	ctx_refrank_done(&r);
}

/* A name of ten times the weight takes ten parts of eleven. */
static void
test_weights(void)
{
	file();
	define(1, 100);
	define(2, 10);
	file();
	use(1, 1);
	use(2, 1);
	ctx_refrank_run(&r);
	near(ctx_refrank_of(&r, 0), 0.5 / 1.425 * 10 / 11);
	near(ctx_refrank_of(&r, 1), 0.5 / 1.425 / 11);
	ctx_refrank_done(&r);
}

/* Two definitions of a name have a half each; declarations beside them nothing. */
static void
test_several(void)
{
	file();
	define(1, 10);
	define(1, 10);
	CHECK_INT(ctx_refrank_define(&r, 1, 10, 1, &err), 0);
	file();
	use(1, 1);
	ctx_refrank_run(&r);
	near(ctx_refrank_of(&r, 0), 0.25 / 1.425);
	near(ctx_refrank_of(&r, 1), 0.25 / 1.425);
	CHECK_INT(ctx_refrank_of(&r, 2), 0);
	ctx_refrank_done(&r);
}

/* A declaration without a definition is as good as one. */
static void
test_declared(void)
{
	file();
	CHECK_INT(ctx_refrank_define(&r, 1, 10, 1, &err), 0);
	file();
	use(1, 1);
	ctx_refrank_run(&r);
	near(ctx_refrank_of(&r, 0), 0.5 / 1.425);
	ctx_refrank_done(&r);
}

/* What more than five define has a tenth of the weight. */
static void
test_common(void)
{
	int i;

	file();
	define(2, 10);
	for (i = 0; i < 6; i++)
		define(1, 10);
	file();
	use(1, 1);
	use(2, 1);
	ctx_refrank_run(&r);
	near(ctx_refrank_of(&r, 0), 0.5 / 1.425 * 10 / 11);
	near(ctx_refrank_of(&r, 1), 0.5 / 1.425 / 11 / 6);
	ctx_refrank_done(&r);
}

/*
 * Three parts of the prior for b: a = 0.0375 + 0.85 (b + a / 4),
 * b = 0.1125 + 0.85 a 3 / 4, so b = 0.75 / 1.6375.
 */
static void
test_prior(void)
{
	file();
	define(1, 10);
	file();
	use(1, 1);
	ctx_refrank_prefer(&r, 1, 3);
	ctx_refrank_run(&r);
	near(r.file[1].rank, 0.75 / 1.6375);
	ctx_refrank_done(&r);
}

/* Files that use each other, and nothing else, keep all. */
static void
test_circle(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		file();
		define((uint64_t)i + 1, 10);
		use((uint64_t)(i + 1) % 4 + 1, 9);
	}
	ctx_refrank_run(&r);
	for (i = 0; i < 4; i++) {
		near(r.file[i].rank, 0.25);
		near(ctx_refrank_of(&r, (size_t)i), 0.25);
	}
	ctx_refrank_done(&r);
}

/* Thousands of names: the table grows, and nothing is lost. */
static void
test_many(void)
{
	uint64_t i, sum = 0;

	file();
	for (i = 1; i <= 5000; i++)
		define(i * 0x9e3779b97f4a7c15u, 10);
	file();
	for (i = 1; i <= 5000; i++)
		use(i * 0x9e3779b97f4a7c15u, 1);
	ctx_refrank_run(&r);
	for (i = 0; i < 5000; i++)
		sum += ctx_refrank_of(&r, i);
	near(sum, 0.5 / 1.425);
	ctx_refrank_done(&r);
}

static void
test_empty(void)
{
	ctx_refrank_run(&r);
	CHECK_INT(r.nfile, 0);
	file();
	ctx_refrank_run(&r);
	near(r.file[0].rank, 1);
	ctx_refrank_done(&r);
}

int
main(void)
{
	RUN(test_two_files());
	RUN(test_roots());
	RUN(test_weights());
	RUN(test_several());
	RUN(test_declared());
	RUN(test_common());
	RUN(test_prior());
	RUN(test_circle());
	RUN(test_many());
	RUN(test_empty());
	return CHECK_DONE("refrank");
}
