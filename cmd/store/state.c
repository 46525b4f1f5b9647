/* SPDX-License-Identifier: MIT */
/* ctx-store state: what an agent keeps besides its messages. */
#include <stdlib.h>
#include <string.h>

#include "cmd/store/cmd.h"
#include "store/state.h"

#define NLIMIT		16

static const char *const levels[] = { "user", "thread", "context", "all",
	NULL };

struct state {
	struct ctx_state_at at;
	int level;		/* index in levels; -1 if not given */
	const char *key;
	int add, merged;
	struct ctx_limit limit[NLIMIT];
	size_t nlimit;
};

static void
take_limit(struct cli *c, void *place)
{
	struct state *st = place;
	/* argv may be modified */
	char *text = (char *)(uintptr_t)c->arg, *eq = strchr(text, '=');

	if (eq == NULL || eq == text || eq[1] == '\0')
		cli_usage(c, "--limit: '%s' is not KEY=NUMBER or KEY=KEY",
		    text);
	if (st->nlimit == NLIMIT)
		cli_usage(c, "--limit can be given at most %d times", NLIMIT);
	*eq = '\0';
	st->limit[st->nlimit].key = text;
	st->limit[st->nlimit++].max = eq + 1;
}

#define OPT_OF struct state
static const struct cli_opt at_opts[] = {
	STORE_CONTEXT,
	OPT_WORD(0, "level", "LEVEL", level, levels,
	    "level of the state (all is for get only)"),
	OPT_END
};
static const struct cli_opt get_opts[] = {
	OPT_ROWS(at_opts),
	OPT_FLAG(0, "merged", merged, "merge all levels for a subagent, too"),
	STORE_COMMON
};
static const struct cli_opt put_opts[] = { OPT_ROWS(at_opts), STORE_COMMON };
static const struct cli_opt merge_opts[] = {
	OPT_ROWS(at_opts),
	OPT_FLAG(0, "add", add, "add numbers to the stored ones"),
	OPT_DO(0, "limit", "KEY=MAX", take_limit,
	    "exit with 1 if KEY would exceed MAX, a number or another key; "
	    "can be repeated"),
	STORE_COMMON
};

/*
 * The user's own state needs no thread: neither without operands, nor with
 * --user and --level user, where a single operand is the key.  A variable does
 * not change what an operand means.
 */
static int
is_own(const struct store *s, const struct state *st)
{
	const struct cli *c = &s->cli;

	if (s->user == NULL || c->nfile > 1)
		return 0;
	return c->nfile == 0 || (s->user_given &&
	    st->level == CTX_STATE_USER &&
	    strstr(s->cmd->cli.operands, "KEY") != NULL);
}

static void
options(struct store *s, struct state *st)
{
	const struct cli *c = &s->cli;
	int own;

	st->level = -1;
	store_options(s, st);
	own = is_own(s, st);
	if (c->nfile == 0 && !own)
		cli_usage(c, "needs a THREAD, or --user NAME");
	if (own && (st->level > CTX_STATE_USER || s->where.context != NULL))
		cli_usage(c, "needs a THREAD; without one, the state is the "
		    "user's own");
	st->key = store_operand(s, !own);
	st->at.where = s->where;
	if (own) {
		st->level = CTX_STATE_USER;
		st->at.user = s->user;
	}
}

/* The level to write: the context's if a context was named. */
static void
choose_level(struct store *s, struct state *st)
{
	size_t len;

	if (st->level == 3)
		cli_usage(&s->cli,
		    "--level all can be used only with 'state get'");
	if (st->level == -1)
		st->level = s->where.context != NULL ||
		    (s->where.thread != NULL &&
		    ctx_thread_is_agent(s->where.thread, &len)) ?
		    CTX_STATE_CONTEXT : CTX_STATE_THREAD;
	st->at.level = (enum ctx_state_level)st->level;
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	enum ctx_state_read how = CTX_STATE_ONE;
	struct ctx_buf out = { 0 };
	struct state st = { 0 };
	int rc;

	options(s, &st);
	if (st.merged && st.level != -1 && st.level != 3)
		cli_usage(&s->cli,
		    "--merged reads all levels and cannot be used with one");
	if (st.merged || st.level == 3)
		how = CTX_STATE_ALL;
	else if (st.level == -1)
		how = CTX_STATE_SEEN;
	st.at.level = how == CTX_STATE_ONE ? (enum ctx_state_level)st.level :
	    CTX_STATE_CONTEXT;
	rc = store_open(s, err);
	if (rc == 0)
		rc = ctx_state_get(s->st, &st.at, how, st.key, &out, err);
	ctx_buf_addc(&out, '\n');
	if (rc == 0)
		rc = store_write_buf(&out, err);
	ctx_buf_done(&out);
	return rc;
}

/* put and merge: write standard input to the level. */
static int
write_state(struct store *s, struct state *st, int merge,
    struct ctx_err *err)
{
	struct ctx_state_change change = { .add = st->add,
	    .limit = st->limit, .nlimit = st->nlimit };
	struct ctx_buf in = { 0 };
	int rc;

	choose_level(s, st);
	rc = store_open_with(s, &in, err);
	change.json = in.data;
	change.len = in.len;
	if (rc == 0 && merge)
		rc = ctx_state_merge(s->st, &st->at, &change, err);
	else if (rc == 0)
		rc = ctx_state_set(s->st, &st->at, st->key, in.data, in.len,
		    err);
	ctx_buf_done(&in);
	return store_report_input(s, rc, err);
}

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct state st = { 0 };

	options(s, &st);
	return write_state(s, &st, 0, err);
}

static int
merge_run(struct store *s, struct ctx_err *err)
{
	struct state st = { 0 };

	options(s, &st);
	if (st.key != NULL)
		cli_usage(&s->cli, "too many arguments");
	return write_state(s, &st, 1, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	struct state st = { 0 };

	options(s, &st);
	choose_level(s, &st);
	return store_open(s, err) == -1 ? -1 : ctx_state_remove(s->st,
	    &st.at, st.key, err);
}

const struct store_cmd store_state_cmds[] = {
	STORE_CMD("state get", READ, get_run, "[THREAD] [KEY]",
	    "Write the merged state, or one of its members.", get_opts),
	STORE_CMD("state put", CREATE, put_run, "[THREAD] [KEY]",
	    "Replace a state, or one of its members, with standard input.",
	    put_opts),
	STORE_CMD("state merge", CREATE, merge_run, "[THREAD]",
	    "Apply a JSON merge patch to a state.", merge_opts),
	STORE_CMD("state rm", WRITE, rm_run, "[THREAD] [KEY]",
	    "Remove a state, or one of its members.", put_opts),
	STORE_END
};
