/* SPDX-License-Identifier: MIT */
/* ctx-store summary: store the lines of ctx-summarize --state. */
#include <string.h>

#include "cmd/store/cmd.h"
#include "store/row.h"
#include "store/summaries.h"

/* N of the operand "@N", or 0. */
static int64_t
number(const struct store *s)
{
	const char *word = store_operand(s, 1);
	char quoted[64];
	uint64_t n;

	if (word == NULL)
		return 0;
	if (*word != '@' || ctx_num_parse(word + 1, &n, NULL) == -1 ||
	    n == 0 || n > INT64_MAX)
		cli_usage(&s->cli,
		    "'%s' is not the number of a summary, such as @2",
		    ctx_err_quote(quoted, sizeof(quoted), word,
		    strlen(word)));
	return (int64_t)n;
}

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct ctx_buf in = { 0 };
	int64_t n;
	int rc;

	store_options(s, NULL);
	n = number(s);
	rc = store_open_with(s, &in, err);
	if (rc == 0)
		rc = ctx_summaries_put(s->st, &s->where, in.data, in.len, &n,
		    err);
	ctx_buf_done(&in);
	return store_report_input(s, rc, err);
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };
	int64_t n;
	int rc;

	store_options(s, NULL);
	n = number(s);
	rc = store_open(s, err);
	if (rc == 0)
		rc = ctx_summaries_get(s->st, &s->where, n, &out, err);
	if (rc == 0)
		rc = store_write_buf(&out, err);
	ctx_buf_done(&out);
	return rc;
}

static int
print_summary(const struct ctx_summary *m, void *arg, struct ctx_err *err)
{
	struct store *s = arg;

	ctx_row_begin(&s->row);
	ctx_row_int(&s->row, "n", m->n);
	ctx_row_int(&s->row, "upto_seq", m->upto_seq);
	ctx_row_when(&s->row, "created_at", m->ts);
	ctx_row_json(&s->row, "state", m->line, m->len);
	return store_list_row(s, err);
}

static int
list_run(struct store *s, struct ctx_err *err)
{
	return store_begin(s, NULL, err) == -1 ? -1 : ctx_summaries_list(s->st,
	    &s->where, print_summary, s, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	int64_t n;

	store_options(s, NULL);
	n = number(s);
	return store_open(s, err) == -1 ? -1 : ctx_summaries_remove(s->st,
	    &s->where, n, err);
}

const struct store_cmd store_summary_cmds[] = {
	STORE_CMD("summary put", WRITE, put_run, "THREAD [@N]",
	    "Store a line of ctx-summarize --state as the newest summary, or "
	    "in place of summary N.",
	    store_context_opts),
	STORE_CMD("summary get", READ, get_run, "THREAD [@N]",
	    "Write the newest summary, or summary N.", store_context_opts),
	STORE_CMD("summary list", READ, list_run, "THREAD",
	    "List summaries, oldest first.", store_context_opts),
	STORE_CMD("summary rm", WRITE, rm_run, "THREAD [@N]",
	    "Remove all summaries of a context, or summary N.",
	    store_context_opts),
	STORE_END
};
