/* SPDX-License-Identifier: MIT */
/* ctx-store remember, recall, memory: what an agent knew at a turn. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "read/span.h"
#include "cmd/store/cmd.h"
#include "store/memory.h"
#include "store/row.h"

#define CONTENT_MAX	(900u << 20)
#define NRANGE		64

enum { OPT_AS = CLI_LONG, OPT_INSIGHT, OPT_INSIGHTS, OPT_LINK, OPT_MATCH, OPT_NAME,
    OPT_SUMMARY, OPT_TURN, OPT_TURNS, OPT_LIST };

static const struct cli_opt remember_opts[] = {
	STORE_CONTEXT,
	{ OPT_INSIGHT, "insight", "TEXT", "something learned; may be repeated" },
	{ OPT_INSIGHTS, "insights", "JSON", "a list of them" },
	{ OPT_LINK, "link", "NAME", "a memory it builds on; may be repeated" },
	{ OPT_NAME, "name", "NAME", "its name (default: ctx_TURN)" },
	{ OPT_SUMMARY, "summary", "TEXT", "a summary" },
	{ OPT_TURN, "turn", "N", "the turn (default: the newest, or the next one)" },
	STORE_COMMON
};

/* What remember collects; lists grow by one. */
struct remember {
	struct ctx_memory m;
	struct ctx_buf insights;
	const char **link;
	size_t linkcap;
	struct ctx_memory_part *part;
	struct ctx_buf *data;
	size_t npart;
};

static void
add_insight(struct remember *r, const char *text, size_t len)
{
	ctx_buf_adds(&r->insights, r->insights.len == 0 ? "[\"" : ",\"");
	ctx_str_encode(&r->insights, text, len);
	ctx_buf_addc(&r->insights, '"');
}

/* A list as models give it; ends with exit 2 if it is none. */
static void
add_insights(struct store *s, struct remember *r)
{
	const struct ctx_json_text text = { .p = s->cli.arg,
	    .len = strlen(s->cli.arg), .flags = JSON_ALLOW_NUL };
	json_t *list = ctx_json_read(&text, NULL), *e;
	size_t i;

	if (ctx_json_starved())
		cli_nomem(&s->cli);
	if (!json_is_array(list))
		cli_usage(&s->cli, "--insights needs a JSON list of texts");
	json_array_foreach(list, i, e) {
		if (!json_is_string(e))
			cli_usage(&s->cli, "--insights needs a JSON list of "
			    "texts");
		add_insight(r, json_string_value(e), json_string_length(e));
	}
	json_decref(list);
}

static int
add_option(struct store *s, struct remember *r, int ch, struct ctx_err *err)
{
	void *more;

	switch (ch) {
	case OPT_INSIGHT:
		add_insight(r, s->cli.arg, strlen(s->cli.arg));
		break;
	case OPT_INSIGHTS:
		add_insights(s, r);
		break;
	case OPT_LINK:
		more = ctx_grow(r->link, r->m.nlink, &r->linkcap,
		    sizeof(*r->link));
		if (more == NULL)
			return ctx_fail_nomem(err);
		r->link = more;
		r->link[r->m.nlink++] = s->cli.arg;
		break;
	case OPT_NAME:
		r->m.name = s->cli.arg;
		break;
	case OPT_SUMMARY:
		r->m.summary = s->cli.arg;
		break;
	case OPT_TURN:
		r->m.turn = (int64_t)cli_num(&s->cli, 0, INT64_MAX);
		break;
	}
	return 0;
}

/* The files, or standard input without any. */
static int
read_parts(struct store *s, struct remember *r, struct ctx_err *err)
{
	size_t i, n = s->cli.nfile > 1 ? (size_t)s->cli.nfile - 1 : 1;

	r->part = calloc(n, sizeof(*r->part));
	r->data = calloc(n, sizeof(*r->data));
	if (r->part == NULL || r->data == NULL)
		return ctx_fail_nomem(err);
	for (i = 0; i < n; i++) {
		const char *file = s->cli.nfile > 1 ? s->cli.file[i + 1] :
		    NULL;

		r->npart++;
		if (store_slurp(file, CONTENT_MAX, &r->data[i], err) == -1)
			return store_report(s, file, err);
		r->part[i].name = file;
		r->part[i].data = r->data[i].data;
		r->part[i].len = r->data[i].len;
	}
	return 0;
}

static void
remember_run(struct store *s)
{
	struct remember r = { .m.turn = -1 };
	struct ctx_err err = { 0 };
	size_t i;
	int ch, rc = 0;

	while ((ch = store_getopt(s)) != -1 && rc == 0)
		rc = add_option(s, &r, ch, &err);
	store_operands(s, 1, 1 << 20, "a thread");
	if (r.insights.len > 0) {
		ctx_buf_addc(&r.insights, ']');
		r.m.insights = ctx_buf_str(&r.insights);
	}
	if (rc == 0)
		rc = ctx_buf_fail(&r.insights, &err);
	if (rc == -1)
		store_report(s, NULL, &err);
	else if (read_parts(s, &r, &err) == 0 && store_open(s) == 0) {
		r.m.link = r.link;
		r.m.part = r.part;
		r.m.npart = r.npart;
		if (ctx_memory_put(s->st, &s->where, &r.m, &err) == -1)
			store_report(s, NULL, &err);
	}
	for (i = 0; i < r.npart && r.data != NULL; i++)
		ctx_buf_done(&r.data[i]);
	free(r.data);
	free(r.part);
	free(r.link);
	ctx_buf_done(&r.insights);
}

static const struct cli_opt recall_opts[] = {
	STORE_CONTEXT,
	{ OPT_LIST, "list", NULL, "say what there is, as JSON lines" },
	{ OPT_MATCH, "match", "WORDS", "what has all these words, as a list" },
	{ OPT_TURNS, "turns", "N[,N-M]", "of these turns, in their order" },
	STORE_COMMON
};

struct recall {
	struct store *s;
	struct range {
		int64_t from, to;
	} range[NRANGE];
	size_t nrange;
	int list;
	int64_t found;
};

static void
parse_turns(struct recall *r)
{
	struct cli *c = &r->s->cli;
	const char *p = c->arg;
	struct range *range;
	char *end;

	for (;; p = end + 1) {
		if (r->nrange == NRANGE)
			cli_usage(c, "--turns: more than %d ranges", NRANGE);
		range = &r->range[r->nrange++];
		errno = 0;
		range->from = range->to = strtoll(p, &end, 10);
		if (end == p || *p == '-')
			break;
		if (*end == '-') {
			p = end + 1;
			range->to = strtoll(p, &end, 10);
			if (end == p)
				break;
		}
		if (errno != 0 || range->to < range->from)
			break;
		if (*end == '\0')
			return;
		if (*end != ',')
			break;
	}
	cli_usage(c, "--turns: '%s' is not N or N-M, with commas", c->arg);
}

static int
print_memory(const struct ctx_memory *m, void *arg, struct ctx_err *err)
{
	struct recall *r = arg;
	struct ctx_buf *b = &r->s->row;
	size_t i;

	r->found++;
	for (i = 0; i < m->npart && !r->list; i++)
		if (store_write(m->part[i].data, m->part[i].len, err) == -1)
			return -1;
	if (!r->list)
		return 0;
	ctx_row_begin(b);
	ctx_row_int(b, "turn", m->turn);
	ctx_row_text(b, "name", m->name);
	ctx_row_when(b, "created_at", m->ts);
	ctx_row_text(b, "summary", m->summary);
	ctx_row_json(b, "insights", m->insights, m->insights != NULL ?
	    strlen(m->insights) : 0);
	ctx_row_json(b, "links", "[", 1);
	for (i = 0; i < m->nlink; i++) {
		ctx_buf_adds(b, i > 0 ? ",\"" : "\"");
		ctx_str_encode(b, m->link[i], strlen(m->link[i]));
		ctx_buf_addc(b, '"');
	}
	ctx_buf_addc(b, ']');
	ctx_row_end(b);
	return store_row(r->s, err);
}

static void
recall_run(struct store *s)
{
	struct recall r = { .s = s };
	struct ctx_memory_want want = { 0 };
	struct ctx_err err = { 0 };
	size_t i;
	int ch, rc = 0;

	while ((ch = store_getopt(s)) != -1) {
		if (ch == OPT_TURNS)
			parse_turns(&r);
		else
			r.list = 1;
		if (ch == OPT_MATCH)
			want.match = s->cli.arg;
	}
	want.parts = !r.list;
	store_operands(s, 1, 1, "a thread");
	if (r.nrange == 0) {
		if (!r.list)
			cli_usage(&s->cli, "needs --turns, --match or --list");
		r.range[r.nrange].from = 0;
		r.range[r.nrange++].to = INT64_MAX;
	}
	if (store_open(s) == -1)
		return;
	for (i = 0; i < r.nrange && rc == 0; i++) {
		want.from = r.range[i].from;
		want.to = r.range[i].to;
		rc = ctx_memory_list(s->st, &s->where, &want, print_memory,
		    &r, &err);
	}
	if (rc == -1)
		store_report(s, NULL, &err);
	else if (r.found == 0)
		cli_error(&s->cli, CLI_NO, "no memory of that");
}

static const struct cli_opt summaries_opts[] = {
	{ OPT_AS, "as", "HOW", "text, or message: a system one" },
	STORE_CONTEXT,
	STORE_COMMON
};

static int
add_summary(const struct ctx_memory *m, void *arg, struct ctx_err *err)
{
	struct ctx_buf *out = arg;

	if (m->summary == NULL)
		return 0;
	ctx_buf_addf(out, "[Turn %lld] ", (long long)m->turn);
	ctx_buf_adds(out, m->summary);
	ctx_buf_addc(out, '\n');
	return ctx_buf_fail(out, err);
}

static void
summaries_run(struct store *s)
{
	static const char *const as[] = { "text", "message", NULL };
	struct ctx_memory_want every = { .to = INT64_MAX };
	struct ctx_buf text = { 0 };
	struct ctx_err err = { 0 };
	int message = 0, rc;

	while (store_getopt(s) != -1)
		message = cli_word(&s->cli, as);
	store_operands(s, 1, 1, "a thread");
	if (store_open(s) == -1)
		return;
	rc = ctx_memory_list(s->st, &s->where, &every, add_summary, &text,
	    &err);
	if (rc == 0 && message && text.len > 0) {
		ctx_row_begin(&s->row);
		ctx_row_text(&s->row, "role", "system");
		ctx_row_bytes(&s->row, "content", text.data, text.len - 1);
		ctx_row_end(&s->row);
		rc = store_row(s, &err);
	} else if (rc == 0 && text.len > 0)
		rc = store_write(text.data, text.len, &err);
	if (rc == -1)
		store_report(s, NULL, &err);
	ctx_buf_done(&text);
}

const struct store_cmd store_memory_cmds[] = {
	{ "remember", CTX_STORE_CREATE, remember_run, { "ctx-store remember",
	    "[OPTION ...] THREAD [FILE ...]",
	    "Keep what an agent knows at a turn: files, or standard input.",
	    remember_opts } },
	{ "recall", CTX_STORE_READ, recall_run, { "ctx-store recall",
	    "[--turns N[,N-M]] [--match WORDS] [--list] [-c NAME] THREAD",
	    "Write what was known, byte for byte, or say what there is.",
	    recall_opts } },
	{ "memory summaries", CTX_STORE_READ, summaries_run,
	    { "ctx-store memory summaries", "[--as HOW] [-c NAME] THREAD",
	    "Write the summaries of all turns.", summaries_opts } },
	{ 0 }
};
