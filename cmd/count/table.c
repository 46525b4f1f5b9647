/* SPDX-License-Identifier: MIT */
/* The format of rows; see count.h. */
#include "cmd/count/count.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_files.h"
#include "read/span.h"

#define BAR_WIDTH 30

/* Append ,"of":{"text":{"tokens":12,"count":"exact"}, ... */
static void
add_parts(struct ctx_buf *b, const struct count_row *row)
{
	static const char *const names[] = { "framing", "tools", "format",
	    "images", "files", "system", "reserve", "text" };
	uint64_t rest = row->sum->tokens, n;
	int i, some = 0;

	ctx_buf_adds(b, ",\"of\":{");
	for (i = 0; i <= CTX_OF_N; i++) {
		n = i < CTX_OF_N ? row->of[i] : rest;
		/* a user's rule can take more off than framing costs */
		if (n > INT64_MAX)
			n = 0;
		rest -= i < CTX_OF_N && n <= rest ? n : 0;
		if (n == 0)
			continue;
		ctx_buf_addf(b, "%s\"%s\":{\"tokens\":%" PRIu64
		    ",\"count\":\"%s\"}", some++ > 0 ? "," : "", names[i], n,
		    ctx_level_name(ctx_cost_level(row->cost,
		    (enum ctx_of)i)));
	}
	ctx_buf_addc(b, '}');
}

/* On a terminal, say once above the columns what they are. */
static void
head(FILE *out, const struct count_row *row)
{
	static int done;
	const char *p;

	if (done || !isatty(fileno(out)))
		return;
	done = 1;
	fprintf(out, "%8s %8s %10s", "TOKENS", "MESSAGES", "BYTES");
	if (row->money != NULL)
		fprintf(out, " %13s", "DOLLARS");
	if (row->len > 0)
		fputc(' ', out);
	for (p = row->what; row->len > 0 && *p != '\0'; p++)
		fputc(*p == '-' ? ' ' : toupper((unsigned char)*p), out);
	fputc('\n', out);
}

int
count_row(FILE *out, enum count_format format, const struct count_row *row)
{
	const struct ctx_tally_sum *sum = row->sum;
	struct ctx_buf b = { 0 };
	char quoted[1024];
	int rc = 0;

	if (format == COUNT_PLAIN) {
		head(out, row);
		fprintf(out, "%8" PRIu64 " %8" PRIu64 " %10" PRIu64,
		    sum->tokens, sum->messages, sum->bytes);
		if (row->money != NULL)
			fprintf(out, " %13s", row->money);
		if (row->len > 0)
			fprintf(out, " %s", ctx_err_quote(quoted,
			    sizeof(quoted), row->name, row->len));
		if (row->show)
			fprintf(out, " %s", row->extra);
		return 0;
	}
	if (row->is_json) {
		ctx_buf_add(&b, row->name, row->len);
	} else {
		ctx_buf_addc(&b, '"');
		cli_file_encode(&b, row->name, row->len);
		ctx_buf_addc(&b, '"');
	}
	ctx_buf_addf(&b, ",\"tokens\":%" PRIu64 ",\"messages\":%" PRIu64
	    ",\"bytes\":%" PRIu64, sum->tokens, sum->messages, sum->bytes);
	if (row->key != NULL)
		ctx_buf_addf(&b, ",\"%s\":\"%s\"", row->key, row->extra);
	if (row->money != NULL && *row->money != '-')
		ctx_buf_addf(&b, ",\"cost\":%s", row->money);
	if (row->of != NULL)
		add_parts(&b, row);
	if (ctx_buf_str(&b) == NULL)
		rc = -1;
	else
		fprintf(out, "{\"%s\":%s}", row->what, b.data);
	ctx_buf_done(&b);
	return rc;
}

/* For qsort, which passes no argument to the comparison. */
struct sorted {
	struct ctx_tally_entry e;
	size_t i;
};

static int
larger_first(const void *a, const void *b)
{
	const struct ctx_tally_entry *x = &((const struct sorted *)a)->e;
	const struct ctx_tally_entry *y = &((const struct sorted *)b)->e;

	if (x->sum.tokens != y->sum.tokens)
		return x->sum.tokens > y->sum.tokens ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->no < y->no ? -1 : x->no > y->no;
}

static void
bar(FILE *out, uint64_t part, uint64_t largest, uint64_t all)
{
	unsigned n = largest == 0 ? 0 :
	    (unsigned)((double)part / (double)largest * BAR_WIDTH + 0.5), i;

	fprintf(out, "  %5.1f%% ", all == 0 ? 0.0 :
	    100.0 * (double)part / (double)all);
	for (i = 0; i < n; i++)
		fputs("\xe2\x96\x88", out);	/* a full block */
}

void
count_gauge(FILE *out, uint64_t n, uint64_t max)
{
	unsigned full = n >= max ? BAR_WIDTH :
	    (unsigned)((double)n / (double)max * BAR_WIDTH + 0.5), i;

	for (i = 0; i < BAR_WIDTH; i++)	/* full blocks, light shades */
		fputs(i < full ? "\xe2\x96\x88" : "\xe2\x96\x91", out);
	fputc('\n', out);
}

int
count_table(const struct ctx_tally_table *t, FILE *out,
    enum count_format format, const char *what, int bars)
{
	struct sorted *rows = calloc(t->names.n + 1, sizeof(*rows));
	uint64_t all = 0;
	struct count_row row = { .what = what };
	size_t i;
	int rc = 0;

	if (rows == NULL)
		return -1;
	for (i = 0; i < t->names.n; i++) {
		rows[i] = (struct sorted){ t->entry[i], i };
		all += t->entry[i].sum.tokens;
	}
	qsort(rows, t->names.n, sizeof(*rows), larger_first);
	for (i = 0; i < t->names.n && rc == 0; i++) {
		row.name = ctx_strmap_at(&t->names, rows[i].i, &row.len);
		row.sum = &rows[i].e.sum;
		rc = count_row(out, format, &row);
		if (rc == 0 && bars)
			bar(out, rows[i].e.sum.tokens, rows[0].e.sum.tokens,
			    all);
		if (rc == 0)
			fputc('\n', out);
	}
	free(rows);
	return rc;
}

void
count_histogram(const uint64_t size[65], FILE *out, enum count_format format)
{
	uint64_t largest = size[64], all = size[64], from, to;
	int i, first = 64, last = -1;

	for (i = 0; i < 64; i++)
		if (size[i] > 0) {
			first = i < first ? i : first;
			last = i;
			all += size[i];
			largest = size[i] > largest ? size[i] : largest;
		}
	for (i = size[64] > 0 ? -1 : first; i <= last; i++) {
		from = i < 0 ? 0 : (uint64_t)1 << i;
		to = i < 0 ? 0 : from * 2 - 1;
		if (i >= 0 && i < first)
			continue;
		if (format == COUNT_JSON) {
			fprintf(out, "{\"from\":%" PRIu64 ",\"to\":%" PRIu64
			    ",\"messages\":%" PRIu64 "}\n", from, to,
			    size[i < 0 ? 64 : i]);
			continue;
		}
		fprintf(out, "%8" PRIu64 " %8" PRIu64 " %10" PRIu64, from, to,
		    size[i < 0 ? 64 : i]);
		bar(out, size[i < 0 ? 64 : i], largest, all);
		fputc('\n', out);
	}
}
