/* SPDX-License-Identifier: MIT */
/* ctx-store state, summary: what an agent carries beside its messages. */
#include <stdlib.h>
#include <string.h>

#include "cmd/store/cmd.h"
#include "store/row.h"
#include "store/state.h"
#include "store/summary.h"

#define STATE_MAX	(900u << 20)
#define NLIMIT		16

enum { OPT_LEVEL = CLI_LONG, OPT_USER, OPT_ADD, OPT_LIMIT, OPT_NUMBER,
    OPT_MERGED };

static const char *const levels[] = { "user", "thread", "context", "all",
	NULL };

struct state {
	struct ctx_state_at at;
	int level;		/* index in levels, -1: not given */
	const char *key;
	int add, merged;
	struct ctx_limit limit[NLIMIT];
	size_t nlimit;
};

#define STATE_OPTS \
	STORE_CONTEXT, \
	{ OPT_LEVEL, "level", "LEVEL", \
	    "user, thread, context or all (for get)" }, \
	{ OPT_USER, "user", "NAME", "this user's own, no thread" }

static const struct cli_opt get_opts[] = {
	STATE_OPTS,
	{ OPT_MERGED, "merged", NULL, "all levels, for a subagent too" },
	STORE_COMMON
};
static const struct cli_opt set_opts[] = { STATE_OPTS, STORE_COMMON };
static const struct cli_opt merge_opts[] = {
	{ OPT_ADD, "add", NULL, "add numbers to those that are there" },
	STATE_OPTS,
	{ OPT_LIMIT, "limit", "KEY=MAX",
	    "exit 1 if KEY would exceed MAX, a number or key" },
	STORE_COMMON
};

static void
add_limit(struct store *s, struct state *st)
{
	/* argv is ours to cut */
	char *text = (char *)(uintptr_t)s->cli.arg, *eq = strchr(text, '=');

	if (eq == NULL || eq == text || eq[1] == '\0')
		cli_usage(&s->cli, "--limit: '%s' is not KEY=N or KEY=KEY",
		    text);
	if (st->nlimit == NLIMIT)
		cli_usage(&s->cli, "more than %d limits", NLIMIT);
	*eq = '\0';
	st->limit[st->nlimit].key = text;
	st->limit[st->nlimit++].max = eq + 1;
}

static void
options(struct store *s, struct state *st)
{
	int ch, first;

	st->level = -1;
	while ((ch = store_getopt(s)) != -1)
		switch (ch) {
		case OPT_LEVEL:
			st->level = cli_word(&s->cli, levels);
			break;
		case OPT_USER:
			st->at.user = s->cli.arg;
			break;
		case OPT_MERGED:
			st->merged = 1;
			break;
		case OPT_ADD:
			st->add = 1;
			break;
		case OPT_LIMIT:
			add_limit(s, st);
			break;
		}
	first = st->at.user == NULL;
	if (!first && st->level > 0)
		cli_usage(&s->cli, "--user is a level of its own");
	store_operands(s, first, first + 1, "a thread, or --user");
	if (!first)
		st->level = CTX_STATE_USER;
	if (s->cli.nfile > first)
		st->key = s->cli.file[first];
	st->at.where = s->where;
}

/* The level that is written: the context's if one was named. */
static void
choose_level(struct store *s, struct state *st)
{
	const char *slash = s->where.thread == NULL ? NULL :
	    strrchr(s->where.thread, '/');

	if (st->level == 3)
		cli_usage(&s->cli, "--level all can only be read");
	if (st->level == -1)
		st->level = s->where.context != NULL || (slash != NULL &&
		    strncmp(slash, "/subagent-", 10) == 0) ?
		    CTX_STATE_CONTEXT : CTX_STATE_THREAD;
	st->at.level = (enum ctx_state_level)st->level;
}

static void
get_run(struct store *s)
{
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	struct state st = { 0 };
	enum ctx_state_read how = CTX_STATE_ONE;

	options(s, &st);
	if (st.merged && st.level != -1 && st.level != 3)
		cli_usage(&s->cli, "--merged reads all levels");
	if (st.merged || st.level == 3)
		how = CTX_STATE_ALL;
	else if (st.level == -1)
		how = CTX_STATE_SEEN;
	st.at.level = how == CTX_STATE_ONE ? (enum ctx_state_level)st.level :
	    CTX_STATE_CONTEXT;
	if (store_open(s) == 0) {
		if (ctx_state_get(s->st, &st.at, how, st.key, &out,
		    &err) == -1 || (ctx_buf_addc(&out, '\n'),
		    ctx_buf_fail(&out, &err)) == -1 ||
		    store_write(out.data, out.len, &err) == -1)
			store_report(s, NULL, &err);
	}
	ctx_buf_done(&out);
}

static void
set_run(struct store *s)
{
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct state st = { 0 };

	options(s, &st);
	choose_level(s, &st);
	if (store_slurp(NULL, STATE_MAX, &in, &err) == -1)
		store_report(s, NULL, &err);
	else if (store_open(s) == 0 && ctx_state_set(s->st, &st.at, st.key,
	    in.data, in.len, &err) == -1)
		store_report(s, "-", &err);
	ctx_buf_done(&in);
}

static int
merge(struct store *s, const struct state *st, const struct ctx_buf *patch,
    struct ctx_err *err)
{
	struct ctx_state_change change = { patch->data, patch->len, st->add,
	    st->limit, st->nlimit };

	return ctx_state_merge(s->st, &st->at, &change, err);
}

static void
merge_run(struct store *s)
{
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct state st = { 0 };

	options(s, &st);
	choose_level(s, &st);
	if (st.key != NULL)
		cli_usage(&s->cli, "too many operands");
	if (store_slurp(NULL, STATE_MAX, &in, &err) == -1)
		store_report(s, NULL, &err);
	else if (store_open(s) == 0 && merge(s, &st, &in, &err) == -1)
		store_report(s, err.code == CTX_EINPUT ? "-" : NULL, &err);
	ctx_buf_done(&in);
}

static const struct cli_opt summary_opts[] = { STORE_CONTEXT, STORE_COMMON };
static const struct cli_opt number_opts[] = {
	STORE_CONTEXT,
	{ OPT_NUMBER, "number", "N", "not the newest but number N" },
	STORE_COMMON
};

static void
summary_put_run(struct store *s)
{
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	int64_t n;

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 1, 1, "a thread");
	if (store_slurp(NULL, STATE_MAX, &in, &err) == -1)
		store_report(s, NULL, &err);
	else if (store_open(s) == 0 && ctx_summary_put(s->st, &s->where,
	    in.data, in.len, &n, &err) == -1)
		store_report(s, err.code == CTX_EINPUT ? "-" :
		    NULL, &err);
	ctx_buf_done(&in);
}

static void
summary_get_run(struct store *s)
{
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	int64_t n = 0;

	while (store_getopt(s) != -1)
		n = (int64_t)cli_num(&s->cli, 1, INT64_MAX);
	store_operands(s, 1, 1, "a thread");
	if (store_open(s) == 0 && (ctx_summary_get(s->st, &s->where, n, &out,
	    &err) == -1 || store_write(out.data, out.len, &err) == -1))
		store_report(s, NULL, &err);
	ctx_buf_done(&out);
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
	ctx_row_end(&s->row);
	return store_row(s, err);
}

static void
summary_list_run(struct store *s)
{
	struct ctx_err err = { 0 };

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 1, 1, "a thread");
	if (store_open(s) == 0 && ctx_summary_list(s->st, &s->where,
	    print_summary, s, &err) == -1)
		store_report(s, NULL, &err);
}

const struct store_cmd store_state_cmds[] = {
	{ "state get", CTX_STORE_READ, get_run, { "ctx-store state get",
	    "[--level LEVEL] [--merged] [-c NAME] THREAD|--user NAME [KEY]",
	    "Write the state that counts, or one of its members.",
	    get_opts } },
	{ "state set", CTX_STORE_CREATE, set_run, { "ctx-store state set",
	    "[--level LEVEL] [-c NAME] THREAD|--user NAME [KEY]",
	    "Replace a state, or one of its members, by standard input.",
	    set_opts } },
	{ "state merge", CTX_STORE_CREATE, merge_run,
	    { "ctx-store state merge",
	    "[--add] [--limit KEY=MAX] [--level LEVEL] [-c NAME] "
	    "THREAD|--user NAME",
	    "Apply a JSON merge patch to a state.", merge_opts } },
	{ "summary put", CTX_STORE_WRITE, summary_put_run,
	    { "ctx-store summary put", "[-c NAME] THREAD",
	    "Keep a line of ctx-summarize --state.", summary_opts } },
	{ "summary get", CTX_STORE_READ, summary_get_run,
	    { "ctx-store summary get", "[--number N] [-c NAME] THREAD",
	    "Write the newest such line.", number_opts } },
	{ "summary list", CTX_STORE_READ, summary_list_run,
	    { "ctx-store summary list", "[-c NAME] THREAD",
	    "List them, the oldest first.", summary_opts } },
	{ 0 }
};
