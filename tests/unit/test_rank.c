/* SPDX-License-Identifier: MIT */
/* Combining rankings, and the similarity of two vectors. */
#include "store/search/rank.h"

#include <stdlib.h>

#include "check.h"
#include "store/search/vector.h"

/*
 * Two lists of rows of messages, the best first, and the combined list.  For
 * example, 1/61 + 1/62 exceeds 1/61.  Of equal ones, the newer is first.
 */
static const struct row {
	const char *a, *b, *want;
} rows[] = {
	{ "", "", "" },
	{ "5 3", "", "5 3" },
	{ "", "5 3", "5 3" },
	{ "1 2", "1 2", "1 2" },
	{ "1 2", "2 1", "2 1" },	/* equal */
	{ "1 2", "3 4", "3 1 4 2" },	/* equal, two by two */
	{ "1 2 3", "3", "3 1 2" },
	{ "1 2 3 4", "9 8 4", "4 9 1 8 2 3" },
	{ "7 7", "7", "7" },
};

static void
parse(struct ctx_rank *r, const char *s)
{
	struct ctx_rank_hit h = { 0 };
	struct ctx_err err = { 0 };
	char *end;

	for (; *s != '\0'; s = end + (*end == ' ')) {
		h.id = strtol(s, &end, 10);
		CHECK_INT(ctx_rank_add(r, &h, &err), 0);
	}
}

static void
fuse(const struct row *row)
{
	struct ctx_rank a = { 0 }, b = { 0 };
	struct ctx_err err = { 0 };
	char got[100] = "";
	size_t i, n = 0;

	parse(&a, row->a);
	parse(&b, row->b);
	CHECK_INT(ctx_rank_fuse(&a, &b, &err), 0);
	for (i = 0; i < a.n; i++)
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%d",
		    i > 0 ? " " : "", (int)a.hit[i].id);
	CHECK_STR(got, row->want);
	ctx_rank_done(&a);
	ctx_rank_done(&b);
}

/* All lengths, with the largest possible numbers. */
static void
dot(void)
{
	static int8_t a[70000], b[70000];
	int64_t want = 0;
	size_t i;

	for (i = 0; i < sizeof(a); i++) {
		a[i] = (int8_t)(i % 255 - 127);
		b[i] = (int8_t)(i * 7 % 255 - 127);
		if (i < 100 || i > 65530)
			CHECK(ctx_vector_dot(a, b, i) == want);
		want += (int64_t)a[i] * b[i];
	}
	memset(a, -127, sizeof(a));
	memset(b, 127, sizeof(b));
	CHECK(ctx_vector_dot(a, b, sizeof(a)) == -INT64_C(16129) * 70000);
}

int
main(void)
{
	size_t i;

	TEST("two lists are combined");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fuse(&rows[i]);
	RUN(dot());
	return CHECK_DONE("rank");
}
