/* SPDX-License-Identifier: MIT */
/* ctx-store memory: what an agent knew at a turn. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "read/span.h"
#include "cmd/store/cmd.h"
#include "store/memory.h"
#include "store/row.h"

#define NRANGE		64

/* What put collects. */
struct put {
	struct ctx_memory m;
	struct ctx_buf insights;
	struct cli_args link;
	struct ctx_memory_part *part;
	struct ctx_buf *data;
	size_t npart;
};

static void
add_insight(struct put *p, const char *text, size_t len)
{
	ctx_buf_adds(&p->insights, p->insights.len == 0 ? "[\"" : ",\"");
	ctx_str_encode(&p->insights, text, len);
	ctx_buf_addc(&p->insights, '"');
}

static void
take_insight(struct cli *c, void *place)
{
	add_insight(place, c->arg, strlen(c->arg));
}

/* Check a list in the form that models give it; ends with exit 2 if invalid. */
static void
take_insights(struct cli *c, void *place)
{
	const struct ctx_json_text text = { .p = c->arg,
	    .len = strlen(c->arg), .flags = JSON_ALLOW_NUL };
	json_t *list = ctx_json_read(&text, NULL), *e;
	size_t i;

	if (ctx_json_starved())
		cli_nomem(c);
	if (!json_is_array(list))
		cli_usage(c, "--insights needs a JSON list of texts");
	json_array_foreach(list, i, e) {
		if (!json_is_string(e))
			cli_usage(c, "--insights needs a JSON list of texts");
		add_insight(place, json_string_value(e),
		    json_string_length(e));
	}
	json_decref(list);
}

#define OPT_OF struct put
static const struct cli_opt put_opts[] = {
	STORE_CONTEXT,
	OPT_NUM(0, "turn", "N", m.turn, 0, INT64_MAX,
	    "turn of the memory (default: the newest or the next one)"),
	OPT_TEXT(0, "name", "NAME", m.name,
	    "name of the memory (default: ctx_TURN)"),
	OPT_TEXT(0, "summary", "TEXT", m.summary, "summary of the memory"),
	OPT_DO(0, "insight", "TEXT", take_insight,
	    "insight to record; can be repeated"),
	OPT_DO(0, "insights", "JSON", take_insights,
	    "JSON list of insights to record"),
	OPT_LIST(0, "link", "NAME", link,
	    "memory that this one builds on; can be repeated"),
	OPT_FLAG(0, "replace", m.replace,
	    "replace the memory of that name or turn", .needs = "name turn"),
	STORE_COMMON
};
#undef OPT_OF

/* Read the files, or standard input if there are none. */
static int
read_parts(struct store *s, struct put *r, struct ctx_err *err)
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
		if (store_slurp(file, &r->data[i], err) == -1)
			return store_report(s, file, err);
		r->part[i].name = file;
		r->part[i].data = r->data[i].data;
		r->part[i].len = r->data[i].len;
	}
	return 0;
}

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct put p = { .m.turn = -1 };
	size_t i;
	int rc;

	store_options(s, &p);
	if (p.insights.len > 0) {
		ctx_buf_addc(&p.insights, ']');
		p.m.insights = ctx_buf_str(&p.insights);
	}
	rc = ctx_buf_fail(&p.insights, err);
	if (rc == 0)
		rc = read_parts(s, &p, err);
	if (rc == 0)
		rc = store_open(s, err);
	p.m.link = p.link.v;
	p.m.nlink = p.link.n;
	p.m.part = p.part;
	p.m.npart = p.npart;
	if (rc == 0)
		rc = ctx_memory_put(s->st, &s->where, &p.m, err);
	for (i = 0; i < p.npart && p.data != NULL; i++)
		ctx_buf_done(&p.data[i]);
	free(p.data);
	free(p.part);
	cli_args_done(&p.link);
	ctx_buf_done(&p.insights);
	return rc;
}

/* What get and list search for and print. */
struct get {
	struct store *s;
	struct range {
		int64_t from, to;
	} range[NRANGE];
	size_t nrange;
	const char *match;
	int summaries, message;		/* options of get */
	int list;			/* print rows about memories */
	int64_t found;
	struct ctx_buf text;		/* of the summaries */
};

static void
take_turns(struct cli *c, void *place)
{
	const char *p = c->arg;
	struct get *r = place;
	struct range *range;

	for (;; p++) {
		if (r->nrange == NRANGE)
			cli_usage(c, "--turns: more than %d ranges", NRANGE);
		range = &r->range[r->nrange++];
		p = store_range(p, &range->from, &range->to);
		if (p == NULL || (*p != '\0' && *p != ','))
			cli_usage(c,
			    "--turns: '%s' is not a list such as 3,5-7",
			    c->arg);
		if (*p == '\0')
			return;
	}
}

static int
print_row(struct get *g, const struct ctx_memory *m, struct ctx_err *err)
{
	struct ctx_buf *b = &g->s->row;
	size_t i;

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
	return store_list_row(g->s, err);
}

static int
print_memory(const struct ctx_memory *m, void *arg, struct ctx_err *err)
{
	struct get *g = arg;
	size_t i;

	g->found++;
	if (g->list)
		return print_row(g, m, err);
	if (g->summaries && m->summary != NULL) {
		ctx_buf_addf(&g->text, "[Turn %lld] ", (long long)m->turn);
		ctx_buf_adds(&g->text, m->summary);
		ctx_buf_addc(&g->text, '\n');
	}
	for (i = 0; i < m->npart; i++)
		if (store_write(m->part[i].data, m->part[i].len, err) == -1)
			return -1;
	return ctx_buf_fail(&g->text, err);
}

/* Print the summaries, as lines or as a message that contains them. */
static int
print_summaries(struct get *g, struct ctx_err *err)
{
	if (g->text.len == 0)
		return 0;
	return g->message ? store_text_message(g->s, "system", &g->text,
	    err) :
	    store_write_buf(&g->text, err);
}

static const char *const forms[] = { "text", "message", NULL };

#define OPT_OF struct get
static const struct cli_opt which_opts[] = {
	STORE_CONTEXT,
	OPT_DO(0, "turns", "N[,N-M]", take_turns,
	    "select memories of these turns"),
	OPT_TEXT(0, "match", "WORDS", match,
	    "select memories that contain all these words"),
	OPT_END
};
static const struct cli_opt get_opts[] = {
	OPT_ROWS(which_opts),
	OPT_FLAG(0, "summaries", summaries,
	    "write summaries instead of contents"),
	OPT_WORD(0, "as", "HOW", message, forms,
	    "with --summaries: output format (default text)",
	    .needs = "summaries"),
	STORE_COMMON
};
static const struct cli_opt list_opts[] = {
	OPT_ROWS(which_opts), STORE_COMMON
};

static int
read_run(struct get *g, struct ctx_err *err)
{
	struct ctx_memory_want want = { .match = g->match,
	    .parts = !g->list && !g->summaries };
	/* a thread may have no memories yet */
	int may_lack = g->summaries && g->nrange == 0 && g->match == NULL;
	struct store *s = g->s;
	size_t i;
	int rc;

	if (g->nrange == 0)
		g->range[g->nrange++] = (struct range){ 0, INT64_MAX };
	rc = store_open(s, err);
	for (i = 0; i < g->nrange && rc == 0; i++) {
		want.from = g->range[i].from;
		want.to = g->range[i].to;
		rc = ctx_memory_list(s->st, &s->where, &want, print_memory, g,
		    err);
	}
	if (rc == 0 && g->found == 0 && !may_lack)
		rc = ctx_fail(err, CTX_ENO, "no memory matches");
	if (rc == 0)
		rc = print_summaries(g, err);
	ctx_buf_done(&g->text);
	return rc;
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	struct get g = { .s = s };

	store_options(s, &g);
	if (g.nrange == 0 && g.match == NULL && !g.summaries)
		cli_usage(&s->cli, "--turns, --match or --summaries is "
		    "required; 'ctx-store memory list' lists the memories");
	return read_run(&g, err);
}

static int
list_run(struct store *s, struct ctx_err *err)
{
	struct get g = { .s = s, .list = 1 };

	store_options(s, &g);
	return read_run(&g, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	return store_each_name(s, ctx_memory_remove, err);
}

const struct store_cmd store_memory_cmds[] = {
	STORE_CMD("memory put", CREATE, put_run, "THREAD [FILE ...]",
	    "Store files, or standard input, as a memory of a turn.",
	    put_opts),
	STORE_CMD("memory get", READ, get_run, "THREAD",
	    "Write the contents of memories, byte for byte.", get_opts),
	STORE_CMD("memory list", READ, list_run, "THREAD",
	    "List memories as JSON lines.", list_opts),
	STORE_CMD("memory rm", WRITE, rm_run, "THREAD NAME ...",
	    "Remove memories by their names.", store_context_opts),
	STORE_END
};
