/* SPDX-License-Identifier: MIT */
/* ctx-store search, reindex: words to messages, and to what is beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "read/span.h"
#include "cmd/store/by.h"
#include "cmd/store/tool.h"
#include "cmd/store/cmd.h"
#include "store/search/around.h"
#include "store/row.h"
#include "store/search/search.h"

enum { OPT_AROUND = CLI_LONG, OPT_AS, OPT_IN, OPT_RANK, OPT_ROLE, OPT_SINCE,
    OPT_SUBSTRING, OPT_THREAD, OPT_TOOL, OPT_ALL };

static const struct cli_opt search_opts[] = {
	{ OPT_AROUND, "around", "N", "with N messages before and after" },
	{ OPT_AS, "as", "HOW", "rows, or messages: a history" },
	BY_OPTS,
	{ OPT_IN, "in", "WHAT", "messages (default), summaries, memory, code, "
	    "uploads" },
	{ 'n', "last", "N", "the newest N hits (default 20)" },
	{ OPT_RANK, "rank", NULL, "the best hits first" },
	{ OPT_ROLE, "role", "ROLE", "only messages of this role" },
	{ OPT_SINCE, "since", "TIME", "only from this date, or age, on" },
	{ OPT_SUBSTRING, "substring", NULL,
	    "find the text anywhere, inside of words too (slow)" },
	{ OPT_THREAD, "thread", "NAME", "only in this thread" },
	{ OPT_TOOL, "tool", "NAME", "only calls of this tool, and results" },
	STORE_COMMON
};

struct search {
	struct store *s;
	struct ctx_search how;
	struct by by;
	struct ctx_rank like;		/* what means the same */
	struct ctx_around around;
	struct tool *tool;		/* NULL: of any, or none */
	int64_t n;			/* messages around a hit */
	int as_messages;
	int64_t hits;
};

static int
print_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	(void)arg;
	if (store_write(m->raw, m->len, err) == -1)
		return -1;
	return m->len > 0 && m->raw[m->len - 1] == '\n' ? 0 :
	    store_write("\n", 1, err);
}

static void
add_arg(struct ctx_buf *b, const char *arg)
{
	ctx_buf_adds(b, b->data[b->len - 1] == '[' ? "\"" : ",\"");
	ctx_str_encode(b, arg, strlen(arg));
	ctx_buf_addc(b, '"');
}

static void
add_number(struct ctx_buf *b, const char *option, int64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)n);
	add_arg(b, option);
	add_arg(b, text);
}

/* The arguments of ctx-store that write the thing itself. */
static void
add_get(struct ctx_buf *b, const struct ctx_hit *h)
{
	const int file = strcmp(h->kind, "code") == 0 ||
	    strcmp(h->kind, "upload") == 0;

	ctx_row_json(b, "get", "[", 1);
	if (strcmp(h->kind, "memory") == 0) {
		add_arg(b, "recall");
		add_number(b, "--turns", h->n);
	} else if (strcmp(h->kind, "message") == 0) {
		add_arg(b, "load");
		add_number(b, "--since-seq", h->message.seq);
		add_number(b, "--until-seq", h->message.seq);
	} else {
		add_arg(b, h->kind);
		add_arg(b, "get");
		add_number(b, "--number", h->n);
	}
	if (!file && h->context != NULL) {
		add_arg(b, "-c");
		add_arg(b, h->context);
	}
	add_arg(b, "--");
	add_arg(b, h->thread);
	if (file)
		add_arg(b, h->name);
	ctx_buf_addc(b, ']');
}

static void
add_message(struct ctx_buf *b, const struct ctx_message *m)
{
	ctx_row_int(b, "seq", m->seq);
	ctx_row_int(b, "turn", m->turn);
	ctx_row_when(b, "ts", m->ts);
	ctx_row_text(b, "role", *m->role != '\0' ? m->role : NULL);
	ctx_row_text(b, "id", *m->mid != '\0' ? m->mid : NULL);
}

static int
print_row(struct search *f, const struct ctx_hit *h, struct ctx_err *err)
{
	struct ctx_buf *b = &f->s->row;

	ctx_row_begin(b);
	ctx_row_text(b, "kind", h->kind);
	ctx_row_text(b, "thread_id", h->thread);
	if (strcmp(h->kind, "code") == 0) {
		ctx_row_text(b, "code_id", h->name);
		ctx_row_int(b, "version", h->n);
	} else if (strcmp(h->kind, "upload") == 0) {
		ctx_row_text(b, "file_id", h->name);
		ctx_row_int(b, "version", h->n);
	} else
		ctx_row_text(b, "context_id", h->context);
	if (strcmp(h->kind, "message") == 0)
		add_message(b, &h->message);
	else if (strcmp(h->kind, "memory") == 0) {
		ctx_row_int(b, "turn", h->n);
		ctx_row_text(b, "name", h->name);
	} else if (strcmp(h->kind, "summary") == 0)
		ctx_row_int(b, "number", h->n);
	if (strcmp(h->kind, "message") != 0)
		ctx_row_when(b, "ts", h->ts);
	ctx_row_bytes(b, "snippet", h->snippet, h->snippet_len);
	add_get(b, h);
	ctx_row_end(b);
	return store_row(f->s, err);
}

static int
take_hit(const struct ctx_hit *h, void *arg, struct ctx_err *err)
{
	struct search *f = arg;

	f->hits++;
	if (!f->as_messages)
		return print_row(f, h, err);
	return ctx_around_add(&f->around, h->row.thread, h->row.context,
	    h->message.seq, err);
}

static int
take_line(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	return tool_take(arg, m->raw, m->len, err);
}

/* Is it of the tool? */
static int
accept_hit(const struct ctx_hit *h, void *arg, struct ctx_err *err)
{
	struct ctx_place at = { .thread = h->row.thread,
	    .context = h->row.context, .seq = h->message.seq };
	struct search *f = arg;

	if (ctx_around_answered(f->s->st, &at, take_line, f->tool, err) == -1)
		return -1;
	return tool_is(f->tool, err);
}

/* Names with commas between them. */
static void
parse_in(struct search *f)
{
	static const struct {
		const char *name;
		unsigned in;
	} kinds[] = {
		{ "messages", CTX_IN_MESSAGES },
		{ "summaries", CTX_IN_SUMMARIES },
		{ "memory", CTX_IN_MEMORY }, { "code", CTX_IN_CODE },
		{ "uploads", CTX_IN_UPLOADS },
		{ "all", CTX_IN_MESSAGES | CTX_IN_SUMMARIES | CTX_IN_MEMORY |
		    CTX_IN_CODE | CTX_IN_UPLOADS },
	};
	const char *p = f->s->cli.arg;
	const size_t all = sizeof(kinds) / sizeof(kinds[0]);
	size_t i, n;

	for (f->how.in = 0;; p += n + 1) {
		n = strcspn(p, ",");
		for (i = 0; i < all; i++)
			if (strlen(kinds[i].name) == n &&
			    strncmp(kinds[i].name, p, n) == 0)
				break;
		if (i == all)
			cli_usage(&f->s->cli, "--in: '%s' is not a list of "
			    "messages, summaries, memory, code, uploads, all",
			    f->s->cli.arg);
		f->how.in |= kinds[i].in;
		if (p[n] == '\0')
			return;
	}
}

static void
options(struct search *f)
{
	static const char *const as[] = { "rows", "messages", NULL };
	struct cli *c = &f->s->cli;
	struct ctx_err err = { 0 };
	int ch;

	while ((ch = store_getopt(f->s)) != -1)
		switch (ch) {
		case OPT_AROUND:
			f->n = (int64_t)cli_num(c, 1, 1000000);
			f->as_messages = 1;
			break;
		case OPT_AS:
			f->as_messages = cli_word(c, as);
			break;
		case OPT_IN:
			parse_in(f);
			break;
		case 'n':
			f->how.limit = (int64_t)cli_num(c, 1, INT64_MAX);
			break;
		case OPT_RANK:
			f->how.rank = 1;
			break;
		case OPT_ROLE:
			f->how.role = c->arg;
			break;
		case OPT_SINCE:
			f->how.since = cli_when(c);
			break;
		case OPT_SUBSTRING:
			f->how.substring = 1;
			break;
		case OPT_THREAD:
			f->how.thread = c->arg;
			break;
		case OPT_TOOL:
			tool_free(f->tool);
			if ((f->tool = tool_new(c->arg)) == NULL)
				cli_must(c, ctx_fail_nomem(&err), &err);
			f->how.accept = accept_hit;
			f->how.accept_arg = f;
			break;
		default:
			by_opt(&f->by, ch);
		}
	if (f->as_messages && f->how.in != CTX_IN_MESSAGES)
		cli_usage(c, "--as messages goes with --in messages");
	if (f->how.role != NULL || f->tool != NULL)
		f->how.in &= CTX_IN_MESSAGES;
	if (f->how.in == 0)
		cli_usage(c, "%s goes with --in messages", f->how.role != NULL ?
		    "--role" : "--tool");
	if (f->by.how > BY_KEYWORD && (f->how.substring ||
	    f->how.in != CTX_IN_MESSAGES))
		cli_usage(c, "--by %s goes with --in messages, and not with "
		    "--substring", f->by.how == BY_BOTH ? "both" : "meaning");
}

static void
find(struct search *f)
{
	struct store *s = f->s;
	struct ctx_err err = { 0 };
	int64_t missing = 0;
	int rc;

	rc = ctx_search_find(s->st, &f->how, take_hit, f, &missing, &err);
	if (rc == 0)
		rc = ctx_around_read(s->st, &f->around, f->n, print_message,
		    NULL, &err);
	if (rc == -1)
		store_report(s, NULL, &err);
	else if (f->hits == 0)
		s->cli.worst = CLI_NO;
	if (missing > 0)
		cli_warn(&s->cli, "%s%lld %s are not indexed: run "
		    "ctx-store reindex", missing >= 10000 ? "more than " : "",
		    (long long)missing, f->how.in == CTX_IN_MESSAGES ?
		    "messages" : "messages or other things");
}

/* What means the same, where --by wants it.  -1 has been reported. */
static int
find_like(struct search *f)
{
	struct ctx_where w = { f->how.thread, NULL };
	int rc;

	if (f->how.substring || f->how.in != CTX_IN_MESSAGES)
		return 0;
	rc = by_meaning(&f->by, f->how.words, w.thread != NULL ? &w : NULL, 0,
	    &f->like);
	if (rc == 1) {
		f->how.like = &f->like;
		f->how.only_like = f->by.how == BY_MEANING;
	}
	return rc;
}

static void
search_run(struct store *s)
{
	struct search f = { .s = s, .by.helper.s = s,
	    .how = { .since = INT64_MIN, .limit = 20,
	    .in = CTX_IN_MESSAGES } };
	struct ctx_buf words = { 0 };
	int i;

	options(&f);
	store_operands(s, 1, 1 << 20, "words to look for");
	for (i = 0; i < s->cli.nfile; i++) {
		ctx_buf_adds(&words, i > 0 ? " " : "");
		ctx_buf_adds(&words, s->cli.file[i]);
	}
	if ((f.how.words = ctx_buf_str(&words)) == NULL)
		cli_nomem(&s->cli);
	if (store_open(s) == 0 && find_like(&f) != -1)
		find(&f);
	helper_done(&f.by.helper);
	ctx_rank_done(&f.like);
	ctx_around_done(&f.around);
	tool_free(f.tool);
	ctx_buf_done(&words);
}

static const struct cli_opt reindex_opts[] = {
	{ OPT_ALL, "all", NULL, "everything anew" },
	STORE_COMMON
};

static void
reindex_run(struct store *s)
{
	struct ctx_err err = { 0 };
	int64_t n, notes;
	int all = 0;

	while (store_getopt(s) != -1)
		all = 1;
	store_operands(s, 0, 0, "");
	if (store_open(s) == -1)
		return;
	if (ctx_search_reindex(s->st, all, &n, &notes, &err) == -1)
		store_report(s, NULL, &err);
	else if (notes > 0)
		cli_warn(&s->cli, "indexed %lld messages, %lld summaries, "
		    "memories and files", (long long)n, (long long)notes);
	else
		cli_warn(&s->cli, "indexed %lld messages", (long long)n);
}

const struct store_cmd store_search_cmds[] = {
	{ "search", CTX_STORE_READ, search_run, { "ctx-store search",
	    "[OPTION ...] WORD ...",
	    "Find messages by words, Chinese and English alike.",
	    search_opts } },
	{ "reindex", CTX_STORE_WRITE, reindex_run, { "ctx-store reindex",
	    "[--all]", "Index messages that search does not find yet.",
	    reindex_opts } },
	{ 0 }
};
