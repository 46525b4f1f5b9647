/* SPDX-License-Identifier: MIT */
/* Which job has a conversation: always the same, and not all the same. */
#include "job/owners.h"

#include <stdlib.h>

#include "check.h"
#include "seeded.h"

/* A slot is read as lines of conversations, "aab" three lines of two. */
static size_t
parts(const char *lines, struct ctx_owned *out)
{
	size_t n = 0, i;

	for (i = 0; lines[i] != '\0'; i++) {
		if (n == 0 || out[n - 1].hash != (uint64_t)lines[i])
			out[n++] = (struct ctx_owned){ .from = i,
			    .hash = (uint64_t)lines[i] };
		out[n - 1].n++;
	}
	return n;
}

/* The jobs of the parts as digits, as found for the thread of job own. */
static void
found(struct ctx_owners *o, const char *lines, unsigned own, char *jobs)
{
	struct ctx_owned part[64];
	size_t n = parts(lines, part), i;
	struct ctx_err err = { 0 };

	CHECK_INT(ctx_owners_find(o, part, n, 2, own, &err), 0);
	for (i = 0; i < n; i++)
		jobs[i] = (char)('0' + part[i].job);
	jobs[n] = '\0';
}

static void
table(void)
{
	/* the hash is the letter: odd for a, c, e */
	static const struct {
		const char *lines;
		unsigned own;
		const char *jobs;
		const char *what;
	} rows[] = {
		{ "aaabbbbcc", 0, "000", "what follows one another" },
		{ "ccdddee", 1, "011", "a conversation stays" },
		{ "abcdef", 0, "000110", "it stays if it is scattered" },
		{ "ghijkl", 1, "101010", "what is new and scattered" },
		{ "mmnnmmnn", 0, "1010", "what comes back" },
		{ "ooppqqrrssttuuvvoo", 1, "111111111", "one comes back" },
		{ "", 0, "", "nothing" }
	};
	struct ctx_owners o = { 0 };
	char jobs[65];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		TEST("owners, %s", rows[i].what);
		found(&o, rows[i].lines, rows[i].own, jobs);
		CHECK_STR(jobs, rows[i].jobs);
	}
	TEST("owners, another file");
	ctx_owners_reset(&o);
	found(&o, "aabb", 1, jobs);
	CHECK_STR(jobs, "11");
	ctx_owners_done(&o);
}

/* Of many conversations, each has one job, whoever reads it. */
static void
random_order(void)
{
	enum { MANY = 20000 };
	unsigned *job = calloc(MANY, sizeof(*job));
	struct ctx_owners o = { 0 };
	struct ctx_owned part[50];
	struct ctx_err err = { 0 };
	unsigned round;
	size_t i, n;

	for (round = 0; round < 4000; round++) {
		n = seeded(50);
		for (i = 0; i < n; i++)
			part[i] = (struct ctx_owned){ .n = seeded(5) + 1,
			    .hash = seeded(MANY) };
		CHECK_INT(ctx_owners_find(&o, part, n, 7, round % 7, &err), 0);
		for (i = 0; i < n; i++) {
			CHECK(part[i].job < 7);
			if (job[part[i].hash] == 0)
				job[part[i].hash] = part[i].job + 1;
			CHECK_INT(part[i].job + 1, job[part[i].hash]);
		}
	}
	ctx_owners_done(&o);
	free(job);
}

/* What is new goes to the other job while one has had too much. */
static void
even(void)
{
	struct ctx_owners o = { 0 };
	struct ctx_owned much = { .n = 9, .hash = 1, .bytes = 600 * 1024 };
	struct ctx_owned part[2] = {
		{ .n = 9, .hash = 1, .bytes = 10 },
		{ .n = 9, .hash = 2, .bytes = 90 * 1024 },
	};
	struct ctx_owned last = { .n = 9, .hash = 3, .bytes = 10 };
	struct ctx_err err = { 0 };

	TEST("owners, a job that has had much more gets nothing new");
	CHECK_INT(ctx_owners_find(&o, &much, 1, 2, 0, &err), 0);
	CHECK_INT(much.job, 0);
	CHECK_INT(ctx_owners_find(&o, part, 2, 2, 0, &err), 0);
	CHECK_INT(part[0].job, 0);
	CHECK_INT(part[1].job, 1);
	CHECK_INT(ctx_owners_find(&o, &last, 1, 2, 0, &err), 0);
	CHECK_INT(last.job, 0);
	ctx_owners_done(&o);
}

int
main(void)
{
	table();
	RUN(random_order());
	even();
	return CHECK_DONE("owners");
}
