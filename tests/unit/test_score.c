/* SPDX-License-Identifier: MIT */
/* Ranking a thread: by reading it and by the index, with the same result. */
#include "store/search/score.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "store/log.h"

#define LINES	300

/* Words by how often they occur; the last two are found as one and as two. */
static const char *const words[] = {
	"a", "the", "condor", "Condor", "contact", "contour", "ÉTÉ", "été",
	"上下文", "文", "load_data", "loadData",
};

/* A line of up to 20 words; small ones are frequent, and many end in digits. */
static void
make_line(struct ctx_buf *out, unsigned *seed)
{
	unsigned n, w;

	ctx_buf_reset(out);
	ctx_buf_adds(out, "{\"role\":\"user\",\"content\":\"");
	for (n = (unsigned)rand_r(seed) % 20; n > 0; n--) {
		w = (unsigned)rand_r(seed) % 12;
		w = w * ((unsigned)rand_r(seed) % 12) / 11;
		ctx_buf_addf(out, " %s", words[w]);
		if (rand_r(seed) % 3 == 0)
			ctx_buf_addf(out, "%d", rand_r(seed) % 500);
	}
	ctx_buf_adds(out, "\"}\n");
}

static void
fill(struct ctx_store *st, const char *thread, unsigned seed)
{
	struct ctx_append how = { .where = { thread, NULL },
	    .make.parent_seq = -1 };
	struct ctx_buf line = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_entry e;
	size_t i, done;

	for (i = 0; i < LINES; i++) {
		make_line(&line, &seed);
		memset(&e, 0, sizeof(e));
		CHECK(ctx_entry_scan(&e, line.data, line.len, NULL, &doc,
		    &err) == 0);
		e.raw = line.data;
		e.tokens = -1;
		CHECK(ctx_log_append(st, &how, &e, 1, &done, &err) == 0);
	}
	ctx_doc_done(&doc);
	ctx_buf_done(&line);
}

/* Returns the number of messages found. */
static size_t
compare(struct ctx_store *st, const char *text)
{
	int64_t id[] = { 1, 3 };
	struct ctx_among among = { .id = id, .n = 2 };
	struct ctx_rank r[2] = { { 0 }, { 0 } };
	struct ctx_err err = { 0 };
	struct ctx_query q;
	size_t i, n;

	CHECK_INT(ctx_query_make(&q, st, text, &err), 1);
	for (i = 0; i < 2; i++) {
		CHECK_INT(ctx_score_threads(&q, &among, (int)i, &r[i], &err), 0);
		ctx_rank_sort(&r[i]);
	}
	n = r[0].n;
	CHECK_INT(r[1].n, n);
	for (i = 0; i < n && i < r[1].n; i++) {
		CHECK_INT(r[1].hit[i].id, r[0].hit[i].id);
		CHECK(r[1].hit[i].score == r[0].hit[i].score);
	}
	ctx_query_done(&q);
	ctx_rank_done(&r[0]);
	ctx_rank_done(&r[1]);
	return n;
}

static void
both(struct ctx_store *st)
{
	static const char *const query[] = {
		"condor", "\"condor\"", "con", "con the", "c", "été a", "上",
		"上下", "文", "load", "load_data", "\"load data\"", "data con",
		"\"a the\"", "condor1 contact2", "contact contour the a",
	};
	size_t i, n = 0;

	for (i = 0; i < sizeof(query) / sizeof(query[0]); i++)
		n += compare(st, query[i]) > 0;
	CHECK(n >= 14);		/* most find something */
	CHECK_INT(compare(st, "zzz"), 0);
	CHECK_INT(compare(st, "condor zzz"), 0);
}

int
main(void)
{
	char dir[] = "/tmp/test_score.XXXXXX", path[64];
	struct ctx_store *st = NULL;
	struct ctx_err err = { 0 };

	TEST("a thread is read, or looked up in the index");
	if (!CHECK(mkdtemp(dir) != NULL))
		return CHECK_DONE("score");
	snprintf(path, sizeof(path), "%s/db", dir);
	CHECK(ctx_store_open(&st, path, CTX_STORE_CREATE, &err) == 0);
	fill(st, "S", 1);
	fill(st, "T", 2);
	fill(st, "U", 3);
	both(st);
	CHECK(ctx_store_close(st, &err) == 0);
	unlink(path);
	snprintf(path, sizeof(path), "%s/db-lock", dir);
	unlink(path);
	rmdir(dir);
	return CHECK_DONE("score");
}
