/* SPDX-License-Identifier: MIT */
/* ctx-count --usage: what the answers in logs say that they cost; see count.h. */
#include "cmd/count/count.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli_files.h"

static const char *const names[] = {
	[CTX_SPENT_SESSION] = "session", [CTX_SPENT_DAY] = "day",
	[CTX_SPENT_MODEL] = "model", [CTX_SPENT_TOOL] = "tool"
};

/* A row: the sum of a name, which is escaped as in JSON if quoted is set. */
struct sum_row {
	const char *what, *name;
	size_t len;
	int quoted;
	struct ctx_spent sum;
};

#define UNPRICED 5		/* models that are named */

static void
put_json(struct count_rows *r, const struct sum_row *row)
{
	const struct ctx_spent *s = &row->sum;
	struct ctx_buf b = { 0 };
	char money[CLI_DOLLARS];

	ctx_buf_addf(&b, "{\"%s\":\"", row->what);
	if (row->quoted)
		ctx_buf_add(&b, row->name, row->len);
	else
		cli_file_encode(&b, row->name, row->len);
	ctx_buf_addf(&b, "\",\"requests\":%" PRIu64 ",\"input_tokens\":%"
	    PRIu64 ",\"cached_tokens\":%" PRIu64 ",\"written_tokens\":%"
	    PRIu64 ",\"output_tokens\":%" PRIu64, s->requests, s->sum.input,
	    s->sum.cached, s->sum.written, s->sum.output);
	if (r->price && s->unpriced < s->requests)
		ctx_buf_addf(&b, ",\"cost\":%s", cli_dollars(s->nano, money));
	if (r->price)
		ctx_buf_addf(&b, ",\"unpriced\":%" PRIu64, s->unpriced);
	ctx_buf_addc(&b, '}');
	if (ctx_buf_str(&b) == NULL)
		cli_error(r->stream.cli, CLI_SYSTEM, "out of memory");
	else
		puts(b.data);
	ctx_buf_done(&b);
}

static void
put(struct count_rows *r, const struct sum_row *row)
{
	const struct ctx_spent *s = &row->sum;
	char name[1024], money[CLI_DOLLARS];

	if (r->format == COUNT_JSON) {
		put_json(r, row);
		return;
	}
	printf("%8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %10" PRIu64 " %10"
	    PRIu64, s->requests, s->sum.input, s->sum.cached, s->sum.written,
	    s->sum.output);
	/* a sum of some of the requests ends with a + */
	if (r->price)
		printf(" %13s", s->unpriced == s->requests ? "-" :
		    strcat(cli_dollars(s->nano, money), s->unpriced > 0 ? "+" : ""));
	if (row->len > 0)
		printf(" %s", ctx_err_quote(name, sizeof(name), row->name,
		    row->len));
	putchar('\n');
}

/* At the end of a file. */
static int
file_end(struct cli_stream *s, struct ctx_err *err)
{
	struct count_rows *r = (struct count_rows *)s;
	struct ctx_spent sum = ctx_spent_take(s->job);
	size_t len = s->file == cli_stdin_name && r->format == COUNT_PLAIN ?
	    0 : strlen(s->file);
	char quoted[512];

	(void)err;
	if (sum.requests == 0) {
		cli_warn(s->cli, "%s: no answer says what its request cost",
		    ctx_err_quote(quoted, sizeof(quoted), s->file,
		    strlen(s->file)));
		return 0;
	}
	r->nfile++;
	ctx_spent_add(r->spent, &sum);
	if (r->spent_by == CTX_SPENT_SESSION)
		put(r, &(struct sum_row){ "session", s->file, len, 0, sum });
	return 0;
}

static int
by_name(const void *a, const void *b)
{
	const struct sum_row *x = a, *y = b;
	size_t n = x->len < y->len ? x->len : y->len;
	int c = memcmp(x->name, y->name, n);

	return c != 0 ? c : x->len < y->len ? -1 : x->len > y->len;
}

static int
larger_first(const void *a, const void *b)
{
	const struct ctx_usage *x = &((const struct sum_row *)a)->sum.sum;
	const struct ctx_usage *y = &((const struct sum_row *)b)->sum.sum;
	uint64_t m = x->input + x->output, n = y->input + y->output;

	return m != n ? (m < n ? 1 : -1) : by_name(a, b);
}

/* The table: days in their order, others by their tokens. */
static void
put_table(struct count_rows *r)
{
	const struct ctx_spent_table *t = ctx_spent_table(r->stream.job);
	struct sum_row *row = calloc(t->names.n + 1, sizeof(*row));
	size_t i;

	if (row == NULL) {
		cli_error(r->stream.cli, CLI_SYSTEM, "out of memory");
		return;
	}
	for (i = 0; i < t->names.n; i++) {
		row[i] = (struct sum_row){ names[r->spent_by], NULL, 0,
		    r->spent_by != CTX_SPENT_DAY, t->spent[i] };
		row[i].name = ctx_strmap_at(&t->names, i, &row[i].len);
	}
	qsort(row, t->names.n, sizeof(*row), r->spent_by == CTX_SPENT_DAY ?
	    by_name : larger_first);
	for (i = 0; i < t->names.n; i++)
		put(r, &row[i]);
	free(row);
}

/* Name the models that have no price. */
static void
warn_unpriced(struct count_rows *r)
{
	const struct ctx_strmap *m = ctx_spent_unpriced(r->stream.job);
	struct ctx_buf b = { 0 };
	const char *name;
	char quoted[256];
	size_t i, len;

	for (i = 0; i < m->n && i < UNPRICED; i++) {
		name = ctx_strmap_at(m, i, &len);
		ctx_buf_addf(&b, "%s%s", i > 0 ? ", " : "",
		    ctx_err_quote(quoted, sizeof(quoted), name, len));
	}
	if (m->n > UNPRICED)
		ctx_buf_adds(&b, " and others");
	if (m->n > 0 && ctx_buf_str(&b) != NULL)
		cli_warn(r->stream.cli, "no price is known for %s; add it to a "
		    "table for --price", b.data);
	ctx_buf_done(&b);
}

void
count_usage(struct count_rows *r, struct cli *c)
{
	struct cli_stream *s = &r->stream;
	struct ctx_err err = { 0 };
	struct ctx_spent all = { 0 };

	cli_stream_job(s, ctx_spent_new((enum ctx_spent_by)r->spent_by,
	    r->price ? &r->prices : NULL, &err), &err, c);
	r->spent = &all;
	tzset();	/* days are local; the sandbox can open no file of zones */
	s->file_end = file_end;
	cli_each_turn(s, c);
	/* a part of a file would be another sum; a bad line is said to be one */
	if (r->spent_by != CTX_SPENT_SESSION &&
	    !(ctx_spent_in_part(s->job) && c->worst == CLI_SYSTEM))
		put_table(r);
	else if (r->nfile > 1 && r->format == COUNT_PLAIN)
		put(r, &(struct sum_row){ "session", "total", 5, 0, all });
	if (all.requests == 0 && c->worst == CLI_OK)
		cli_error(c, CLI_NO, "no answer says what its request cost");
	warn_unpriced(r);
	ctx_job_free(s->job);
}
