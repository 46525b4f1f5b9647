/* SPDX-License-Identifier: MIT */
/* Which elements of two sequences stay in order, and the lines that differ. */
#include "compare/align.h"

#include <stdlib.h>

#include "check.h"
#include "seeded.h"
#include "compare/udiff.h"

#define MANY	200000u
#define FEW	40u

/* Letters; the result has, for each of a, its place in b as a letter, or '.'. */
static const struct {
	const char *a, *b, *mate;
} cases[] = {
	{ "", "", "" },
	{ "abc", "", "..." },
	{ "", "abc", "" },
	{ "abc", "abc", "abc" },
	{ "abcde", "ace", "a.b.c" },
	{ "ace", "abcde", "ace" },
	{ "abc", "xyz", "..." },
	/* what moved is what is shorter: x, over bcd */
	{ "axbcd", "abcdx", "a.bcd" },
	/* of equal ones the first stay at the beginning, within it the last */
	{ "aaa", "a", "a.." },
	{ "baaac", "bac", "ab..c" },
	{ "kaaalm", "xkaly", "b..cd." },
	{ "kalm", "xkaaaly", "bcf." },
	/* anchors that occur once hold the others in place */
	{ "xaxbxc", "bxc", "...abc" },
	/* nothing occurs once */
	{ "ababcc", "bacc", ".ab.cd" },
};

static void
test_cases(void)
{
	uint32_t a[16], b[16], mate[16], i, k, na, nb;
	struct ctx_err err = { 0 };
	char got[17];

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		na = (uint32_t)strlen(cases[i].a);
		nb = (uint32_t)strlen(cases[i].b);
		for (k = 0; k < na; k++)
			a[k] = (uint32_t)cases[i].a[k] - 'a';
		for (k = 0; k < nb; k++)
			b[k] = (uint32_t)cases[i].b[k] - 'a';
		CHECK_INT(ctx_align((struct ctx_align_seq){ a, na },
		    (struct ctx_align_seq){ b, nb }, 26, mate, &err), 0);
		for (k = 0; k < na; k++)
			got[k] = mate[k] == UINT32_MAX ? '.' :
			    (char)('a' + mate[k]);
		got[na] = '\0';
		CHECK_STR(got, cases[i].mate);
	}
}

/* Is mate a row of equal elements, with nothing equal left between them? */
static int
is_row(const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb,
    const uint32_t *mate)
{
	uint32_t i, k, l, from = 0, next = 0;

	for (i = 0; i <= na; i++) {
		uint32_t end = i < na ? mate[i] : nb;

		if (end == UINT32_MAX)
			continue;
		if (end < next || end > nb || (i < na && a[i] != b[end]))
			return 0;
		for (k = from; k < i; k++)
			for (l = next; l < end; l++)
				if (a[k] == b[l])
					return 0;
		from = i + 1;
		next = end + 1;
	}
	return 1;
}

static void
test_rows(void)
{
	uint32_t a[FEW], b[FEW], mate[FEW], na, nb, i, n, kinds;
	struct ctx_err err = { 0 };

	for (n = 0; n < 5000; n++) {
		na = seeded(FEW + 1);
		nb = seeded(FEW + 1);
		kinds = 1 + seeded(12);
		for (i = 0; i < na; i++)
			a[i] = seeded(kinds);
		for (i = 0; i < nb; i++)
			b[i] = seeded(kinds);
		CHECK_INT(ctx_align((struct ctx_align_seq){ a, na },
		    (struct ctx_align_seq){ b, nb }, kinds, mate, &err), 0);
		CHECK(is_row(a, na, b, nb, mate));
	}
}

/* The length of the longest increasing row of v, by trying all. */
static uint32_t
longest(const uint32_t *v, uint32_t n)
{
	uint32_t best[FEW], i, k, most = 0;

	for (i = 0; i < n; i++) {
		best[i] = 1;
		for (k = 0; k < i; k++)
			if (v[k] < v[i] && best[k] + 1 > best[i])
				best[i] = best[k] + 1;
		if (best[i] > most)
			most = best[i];
	}
	return most;
}

/* Of elements that occur once, as many as possible stay. */
static void
test_longest(void)
{
	uint32_t a[FEW], b[FEW], mate[FEW], i, k, n, t, got;
	struct ctx_err err = { 0 };

	for (n = 0; n < 1000; n++) {
		for (i = 0; i < FEW; i++)
			a[i] = b[i] = i;
		for (i = FEW - 1; i > 0; i--) {
			k = seeded(i + 1);
			t = b[i];
			b[i] = b[k];
			b[k] = t;
		}
		CHECK_INT(ctx_align((struct ctx_align_seq){ a, FEW },
		    (struct ctx_align_seq){ b, FEW }, FEW, mate, &err), 0);
		for (got = 0, i = 0; i < FEW; i++)
			got += mate[i] != UINT32_MAX;
		CHECK_INT(got, longest(b, FEW));
	}
}

/* Many elements of few kinds, in no order: in quadratic time it would not end. */
static void
test_many(uint32_t kinds, uint32_t shorter)
{
	uint32_t *a = calloc(MANY, sizeof(*a)), *b = calloc(MANY, sizeof(*b));
	uint32_t *mate = calloc(MANY, sizeof(*mate)), i, n = 0;
	struct ctx_err err = { 0 };

	for (i = 0; i < MANY; i++) {
		a[i] = seeded(kinds);
		b[i] = seeded(kinds);
	}
	CHECK_INT(ctx_align((struct ctx_align_seq){ a, MANY },
	    (struct ctx_align_seq){ b, MANY - shorter }, kinds, mate, &err), 0);
	for (i = 0; i < MANY; i++)
		n += mate[i] != UINT32_MAX;
	/* two of 1,000 kinds are not often the same */
	CHECK(n > (kinds == 1 ? MANY - shorter - 1 : MANY / kinds / 2));
	free(a);
	free(b);
	free(mate);
}

/* --- lines ---------------------------------------------------------------- */

static void
add_line(void *arg, char sign, struct ctx_str line)
{
	struct ctx_buf *out = arg;

	if (sign != '@')
		ctx_buf_addc(out, sign);
	ctx_buf_add(out, line.p, line.len);
	ctx_buf_addc(out, '\n');
}

/* What diff -U3 prints after its first two lines; "1" is "1,1" here. */
static const struct {
	const char *old, *new, *want;
} texts[] = {
	{ "", "", "" },
	{ "a\nb\n", "a\nb", "" },
	{ "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n" },
	{ "a\n", "", "@@ -1,1 +0,0 @@\n-a\n" },
	{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
	    "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n" },
	/* six equal lines between two changes are in one hunk, seven are not */
	{ "a\n1\n2\n3\n4\n5\n6\nb\n", "c\n1\n2\n3\n4\n5\n6\nd\n",
	    "@@ -1,8 +1,8 @@\n-a\n+c\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+d\n" },
	{ "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "c\n1\n2\n3\n4\n5\n6\n7\nd\n",
	    "@@ -1,4 +1,4 @@\n-a\n+c\n 1\n 2\n 3\n"
	    "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+d\n" },
};

static void
test_lines(void)
{
	struct ctx_buf got = { 0 };
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		ctx_buf_reset(&got);
		CHECK_INT(ctx_udiff((struct ctx_str){ texts[i].old,
		    (uint32_t)strlen(texts[i].old) },
		    (struct ctx_str){ texts[i].new,
		    (uint32_t)strlen(texts[i].new) }, add_line, &got, &err), 0);
		CHECK_MEM(got.len > 0 ? got.data : "", got.len, texts[i].want);
	}
	ctx_buf_done(&got);
}

int
main(void)
{
	RUN(test_cases());
	RUN(test_rows());
	RUN(test_longest());
	RUN(test_many(1, 0));
	RUN(test_many(1, 1000));
	RUN(test_many(5, 0));
	RUN(test_many(1000, 10));
	RUN(test_many(MANY, 0));
	RUN(test_lines());
	return CHECK_DONE("test_align");
}
