/* SPDX-License-Identifier: MIT */
/*
 * ctx-store search, reindex: find messages, and what is stored besides them,
 * by words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "read/span.h"
#include "cmd/store/meaning.h"
#include "session/toolhit.h"
#include "store/row.h"
#include "store/search/around.h"
#include "store/search/near.h"

struct search {
	struct store *s;
	struct ctx_search how;
	struct meaning meaning;
	struct cli_args thread;
	struct ctx_rank like;		/* messages similar in meaning */
	struct ctx_around around;
	struct ctx_toolhit *tool;		/* NULL for any or none */
	int64_t n;			/* messages around a hit */
	const char *tool_name;
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
	ctx_buf_adds(b, b->len > 0 && b->data[b->len - 1] == '[' ? "\"" :
	    ",\"");
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

/* "NAME@N" */
static void
add_version(struct ctx_buf *b, const char *name, int64_t n)
{
	ctx_buf_adds(b, ",\"");
	ctx_str_encode(b, name, strlen(name));
	ctx_buf_addf(b, "@%lld\"", (long long)n);
}

static int
is_file(const struct ctx_hit *h)
{
	return strcmp(h->kind, "code") == 0 || strcmp(h->kind, "upload") == 0;
}

/* Append the arguments with which ctx-store prints the hit itself. */
static void
add_get(struct ctx_buf *b, const struct ctx_hit *h)
{
	const int file = is_file(h);

	ctx_row_json(b, "get", "[", 1);
	if (strcmp(h->kind, "memory") == 0) {
		add_arg(b, "memory");
		add_arg(b, "get");
		add_number(b, "--turns", h->n);
	} else if (strcmp(h->kind, "message") == 0) {
		add_arg(b, "load");
		add_number(b, "--since-seq", h->message.seq);
		add_number(b, "--until-seq", h->message.seq);
	} else {
		add_arg(b, h->kind);
		add_arg(b, "get");
	}
	if (!file && h->context != NULL) {
		add_arg(b, "-c");
		add_arg(b, h->context);
	}
	add_arg(b, "--");
	add_arg(b, h->thread);
	if (file || strcmp(h->kind, "summary") == 0)
		add_version(b, file ? h->name : "", h->n);
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
	if (is_file(h)) {
		ctx_row_text(b, strcmp(h->kind, "code") == 0 ? "code_id" :
		    "file_id", h->name);
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
	return store_list_row(f->s, err);
}

static int
take_hit(const struct ctx_hit *h, void *arg, struct ctx_err *err)
{
	const struct ctx_around_place at = { .thread = h->row.thread,
	    .context = h->row.context, .seq = h->message.seq };
	struct search *f = arg;

	f->hits++;
	return f->as_messages ? ctx_around_add(f->s->st, &f->around, &at,
	    err) : print_row(f, h, err);
}

/* Parse names separated by commas. */
static void
take_in(struct cli *c, void *place)
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
	struct search *f = place;
	const char *p = c->arg;
	const size_t all = sizeof(kinds) / sizeof(kinds[0]);
	size_t i, n;

	for (f->how.in = 0;; p += n + 1) {
		n = strcspn(p, ",");
		for (i = 0; i < all; i++)
			if (strlen(kinds[i].name) == n &&
			    strncmp(kinds[i].name, p, n) == 0)
				break;
		if (i == all)
			cli_usage(c, "--in: '%s' is not a list of messages, "
			    "summaries, memory, code, uploads or all", c->arg);
		f->how.in |= kinds[i].in;
		if (p[n] == '\0')
			return;
	}
}

static const char *const forms[] = { "rows", "messages", NULL };

#define OPT_OF struct search
static const struct cli_opt search_opts[] = {
	OPT_GROUP("Where"),
	OPT_DO(0, "in", "WHAT", take_in,
	    "what to search: messages, summaries, memory, code, uploads or all "
	    "(default messages)"),
	OPT_LIST(0, "thread", "NAME", thread,
	    "search only this thread; can be repeated"),
	OPT_TEXT(0, "role", "ROLE", how.role,
	    "find only messages of this role"),
	OPT_WHEN(0, "since", "TIME", how.since,
	    "find only items that are not older than this date or age"),
	OPT_TEXT(0, "tool", "NAME", tool_name,
	    "find only calls of this tool and their results"),
	OPT_GROUP("Method"),
	OPT_FLAG(0, "substring", how.substring,
	    "find the text anywhere, even inside words (slow)"),
	OPT_FLAG(0, "rank", how.rank, "print the best hits first"),
	OPT_NUM('n', "last", "N", how.limit, 1, INT64_MAX,
	    "print only the newest N hits (default 20)"),
	OPT_NUM(0, "around", "N", n, 1, 1000000,
	    "write each hit with N messages before and after it"),
	OPT_WORD(0, "as", "HOW", as_messages, forms,
	    "output format (default rows)"),
	OPT_SUB(meaning, meaning_method_opts),
	STORE_COMMON
};
#undef OPT_OF

static void
options(struct search *f)
{
	struct cli *c = &f->s->cli;

	store_options(f->s, f);
	f->how.thread = f->thread.v;
	f->how.nthread = f->thread.n;
	f->how.tool = f->tool_name;
	f->as_messages |= f->n > 0;
	if (f->as_messages && f->how.in != CTX_IN_MESSAGES)
		cli_usage(c, "--as messages and --around need --in messages");
	if (f->how.role != NULL || f->tool_name != NULL)
		f->how.in &= CTX_IN_MESSAGES;
	if (f->how.in == 0)
		cli_usage(c, "%s needs --in messages", f->how.role != NULL ?
		    "--role" : "--tool");
	if (f->meaning.method > METHOD_KEYWORD && (f->how.substring ||
	    f->how.in != CTX_IN_MESSAGES))
		cli_usage(c, "--method %s needs --in messages, and cannot be "
		    "used with --substring", f->meaning.method == METHOD_BOTH ?
		    "both" : "meaning");
}

static int
find(struct search *f, struct ctx_err *err)
{
	struct store *s = f->s;
	int64_t missing = 0;
	int rc;

	if (f->tool_name != NULL) {
		f->tool = ctx_toolhit_new(s->st, f->tool_name);
		if (f->tool == NULL)
			return ctx_fail_nomem(err);
		f->how.accept = ctx_toolhit_accept;
		f->how.accept_arg = f->tool;
	}
	rc = ctx_search_find(s->st, &f->how, take_hit, f, &missing, err);
	if (rc == 0)
		rc = ctx_around_read(s->st, &f->around, f->n, print_message,
		    NULL, err);
	if (rc == -1)
		store_report(s, NULL, err);
	else if (f->hits == 0)
		s->cli.worst = CLI_NO;
	if (missing > 0)
		cli_warn(&s->cli, "%s%lld %s%s not indexed; run 'ctx-store "
		    "reindex'", missing >= 10000 ? "more than " : "",
		    (long long)missing, f->how.in == CTX_IN_MESSAGES ?
		    "message" : "item", missing == 1 ? " is" : "s are");
	return rc;
}

/*
 * Find what is similar in meaning, if --method asks for it.  -1 has been
 * reported.
 */
static int
find_like(struct search *f)
{
	struct ctx_vector_like of = { .thread = f->how.thread,
	    .nthread = f->how.nthread, .max = ctx_search_most(&f->how) };
	int rc;

	if (f->how.substring || f->how.in != CTX_IN_MESSAGES)
		return 0;
	rc = meaning_rank(&f->meaning, f->how.words, &of, &f->like);
	if (rc == 1) {
		f->how.like = &f->like;
		f->how.only_like = f->meaning.method == METHOD_MEANING;
	}
	return rc;
}

static int
search_run(struct store *s, struct ctx_err *err)
{
	struct search f = { .s = s, .meaning.s = s,
	    .how = { .since = INT64_MIN, .limit = 20,
	    .in = CTX_IN_MESSAGES } };
	struct ctx_buf words = { 0 };
	int i, rc;

	options(&f);
	for (i = 0; i < s->cli.nfile; i++) {
		ctx_buf_adds(&words, i > 0 ? " " : "");
		ctx_buf_adds(&words, s->cli.file[i]);
	}
	if ((f.how.words = ctx_buf_str(&words)) == NULL)
		cli_nomem(&s->cli);
	s->table.hidden = "get id context_id turn";
	s->table.mark = f.how.words;
	rc = store_open(s, err);
	if (rc == 0 && (rc = find_like(&f)) != -1)
		rc = find(&f, err);
	if (rc == 0)
		rc = store_list_end(s, err);
	s->table.mark = NULL;
	ctx_embedder_done(&f.meaning.embedder);
	ctx_rank_done(&f.like);
	ctx_around_done(&f.around);
	ctx_toolhit_free(f.tool);
	cli_args_done(&f.thread);
	ctx_buf_done(&words);
	return rc;
}

struct reindex {
	int all;
	int trigrams;			/* an index of trigrams */
	int vectors;			/* an index of vectors */
};

/* What these ask for; 0 is to leave it as it is. */
enum { KEPT_ON = 1, KEPT_OFF };
static const char *const kept[] = { "keep", "on", "off", NULL };

#define OPT_OF struct reindex
static const struct cli_opt reindex_opts[] = {
	OPT_FLAG(0, "all", all, "rebuild the whole index"),
	OPT_WORD(0, "trigrams", "HOW", trigrams, kept,
	    "an index of texts for --substring (default keep)"),
	OPT_WORD(0, "vectors", "HOW", vectors, kept,
	    "an approximate index of vectors (default keep)"),
	STORE_COMMON
};

/* Make or remove the index of trigrams. */
static int
change_trigrams(struct store *s, const struct reindex *how, struct ctx_err *err)
{
	int64_t n;

	if (how->trigrams == KEPT_OFF)
		return ctx_search_trigrams(s->st, 0, &n, err);
	if (how->trigrams != KEPT_ON)
		return 0;
	if (ctx_search_trigrams(s->st, 1, &n, err) == -1)
		return -1;
	cli_warn(&s->cli, "indexed the texts of %lld message%s", (long long)n,
	    CLI_S(n));
	return 0;
}

static int
reindex_run(struct store *s, struct ctx_err *err)
{
	struct reindex how = { 0 };
	int64_t notes;

	s->unit = "message";
	if (store_begin(s, &how, err) == -1 ||
	    ctx_search_reindex(s->st, how.all, &s->done, &notes, err) == -1)
		return -1;
	if (notes > 0)
		cli_warn(&s->cli, "indexed %lld message%s, %lld other item%s",
		    (long long)s->done, CLI_S(s->done), (long long)notes,
		    CLI_S(notes));
	else
		cli_warn(&s->cli, "indexed %lld message%s", (long long)s->done,
		    CLI_S(s->done));
	if (change_trigrams(s, &how, err) == -1)
		return -1;
	return how.vectors == 0 ? 0 :
	    ctx_near_index(s->st, how.vectors == KEPT_ON, err);
}

const struct store_cmd store_search_cmds[] = {
	STORE_CMD("search", READ, search_run, "WORD ...",
	    "Find messages that contain words.",
	    search_opts),
	STORE_CMD_WHOLE("reindex", WRITE, reindex_run, "",
	    "Index messages that are not in the search index yet.",
	    reindex_opts),
	STORE_END
};
