/* SPDX-License-Identifier: MIT */
/* ctx-store load: print messages of a thread, byte for byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "cli_budget.h"
#include "cmd/store/files.h"
#include "cmd/store/follow.h"
#include "session/recent.h"

#define FOLLOW_MS	100	/* between two polls, with --follow */

struct load {
	struct store *s;
	struct ctx_range range;
	int follow;
	uint64_t idle;		/* in seconds; 0 for no limit */
	struct ctx_log_same same;	/* what is followed */
	/* what is written after the log */
	struct cli_prompt system, ask;
	int lists;
	/* what a cut can keep */
	struct ctx_recent recent;
	struct ctx_cost cost;
};

static int
print_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	const struct load *l = arg;

	return store_message(m, l->s, err);
}

static void
take_turns(struct cli *c, void *place)
{
	struct ctx_range *r = place;
	const char *end = store_range(c->arg, &r->from_turn, &r->to_turn);

	if (end == NULL || *end != '\0')
		cli_usage(c, "--turns: '%s' is not N or N-M", c->arg);
}

static void
take_view(struct cli *c, void *place)
{
	struct ctx_range *r = place;
	char *name = (char *)(uintptr_t)c->arg;

	r->view = name;
	r->view_n = store_version(name);
}

/* What says what to read of the log. */
#define ALL	"since-seq until-seq turns view at with-parent follow"

#define OPT_OF struct load
static const struct cli_opt load_opts[] = {
	STORE_CONTEXT,
	OPT_NUM('n', "last", "N", range.last, 1, INT64_MAX,
	    "write only the newest N messages"),
	OPT_NUM('t', "tokens", "N", recent.tokens, 1, UINT32_MAX,
	    "write only what a cut to N tokens can keep",
	    .excludes = ALL " last"),
	OPT_NUM(0, "messages", "N", recent.messages, 1, UINT32_MAX,
	    "write only what a cut to the newest N messages can keep",
	    .excludes = ALL " last"),
	OPT_TEXT('m', "model", "NAME", cost.model_name,
	    "write only what a cut to the window of this model can keep",
	    .live = "ctx-count --list-models", .excludes = ALL " last"),
	OPT_TEXT('e', "encoding", "NAME", cost.encoding,
	    "with -t: tokenizer to count with, a name or a file",
	    .live = "ctx-count --list-encodings", .needs = "tokens model"),
	OPT_TEXT(0, "cost", "KEY", cost.key,
	    "with -t: take the tokens of each message from member KEY",
	    .needs = "tokens model"),
	OPT_NUM(0, "since-seq", "N", range.from_seq, 1, INT64_MAX,
	    "start at message N"),
	OPT_NUM(0, "until-seq", "N", range.to_seq, 1, INT64_MAX,
	    "stop after message N"),
	OPT_CALL(0, "turns", "N[-M]", range, take_turns,
	    "write only these turns"),
	OPT_CALL(0, "view", "NAME[@N]", range, take_view,
	    "write this view instead of the log"),
	OPT_TEXT(0, "at", "CHECKPOINT", range.ckpt,
	    "write the messages up to this checkpoint"),
	OPT_FLAG(0, "with-parent", range.with_parent,
	    "also write the messages of a subagent's parent"),
	OPT_GROUP("Build"),
	OPT_CALL(0, "system", "FILE", system, cli_prompt_read,
	    "then write the text in FILE as a system message"),
	OPT_FLAG(0, "lists", lists,
	    "then write the lists of code and of uploads as messages"),
	OPT_CALL(0, "ask", "FILE", ask, cli_prompt_read,
	    "then write the text in FILE as a message of the user"),
	OPT_GROUP("Waiting"),
	OPT_FLAG(0, "follow", follow,
	    "keep running and write messages as they are appended",
	    .excludes = "view at turns until-seq system lists ask"),
	OPT_AGE(0, "idle", "AGE", idle, UINT64_MAX,
	    "exit with 1 if the thread was not written to for AGE"),
	STORE_COMMON
};

static int
check_idle(struct store *s, const struct load *l, struct ctx_err *err)
{
	char when[CTX_WHEN_SIZE];
	int64_t updated;

	if (ctx_thread_updated(s->st, &s->where, &updated, err) == -1)
		return -1;
	if (l->idle > INT64_MAX / CTX_SECOND ||
	    ctx_when_now() - updated <= (int64_t)l->idle * CTX_SECOND)
		return 0;
	return ctx_fail(err, CTX_ENO, "expired: idle since %s",
	    ctx_when_text(updated, when));
}

/* Follow until a signal; close the store properly, then let the signal act. */
static int
follow(struct store *s, struct load *l, struct ctx_err *err)
{
	store_catch_signals();
	store_watch_end(s);
	l->range.last = 0;
	l->range.with_parent = 0;
	while (!store_stopped) {
		if (store_flush(err) == -1 || store_wait(FOLLOW_MS, err) == -1)
			return -1;
		if (l->range.from_seq <= l->same.end)
			l->range.from_seq = l->same.end + 1;
		if (ctx_log_read(s->st, &s->where, &l->range, print_message,
		    l, err) == -1)
			return -1;
	}
	return 0;
}

static int
write_text(struct store *s, const char *role, const struct cli_prompt *p,
    struct ctx_err *err)
{
	return p->str.p == NULL ? 0 : store_text_message(s, role, &p->text,
	    err);
}

/* Write what a request has besides the log, in the order of a build. */
static int
write_rest(struct store *s, const struct load *l, struct ctx_err *err)
{
	if (write_text(s, "system", &l->system, err) == -1 ||
	    (l->lists && (store_code_message(s, err) == -1 ||
	    store_upload_message(s, err) == -1)))
		return -1;
	return write_text(s, "user", &l->ask, err);
}

/* Settle the limits of the cut: with a model alone, its budget. */
static void
settle(struct store *s, struct load *l)
{
	struct ctx_budget budget;
	struct ctx_recent *r = &l->recent;

	cli_cost_init(&l->cost);
	store_options(s, l);
	if (l->cost.model_name != NULL && r->tokens == 0 && r->messages == 0) {
		cli_budget_init(&budget, &s->cli);
		r->tokens = cli_budget_tokens(&budget, NULL, &l->cost, &s->cli);
	}
	if (r->tokens > 0)
		cli_cost_open(&l->cost, &s->cli);
	r->cost = &l->cost;
	r->where = s->where;
}

/* Write the messages. */
static int
write_log(struct store *s, struct load *l, struct ctx_err *err)
{
	struct ctx_recent *r = &l->recent;

	if (r->tokens == 0 && r->messages == 0)
		return ctx_log_read(s->st, &s->where, &l->range, print_message,
		    l, err);
	r->st = s->st;
	return ctx_recent_find(r, err) == -1 ? -1 :
	    ctx_recent_read(r, print_message, l, err);
}

static int
load_run(struct store *s, struct ctx_err *err)
{
	struct load l = { .s = s, .range = CTX_RANGE_ALL };
	int rc;

	settle(s, &l);
	if (l.follow)
		l.range.same = &l.same;
	rc = store_open(s, err);
	if (rc == 0 && l.idle != 0)
		rc = check_idle(s, &l, err);
	if (rc == 0)
		rc = write_log(s, &l, err);
	if (rc == 0)
		rc = write_rest(s, &l, err);
	if (rc == 0 && l.follow)
		rc = follow(s, &l, err);
	cli_prompt_done(&l.system);
	cli_prompt_done(&l.ask);
	ctx_cost_done(&l.cost);
	store_end_by_signal(s, rc, err);
	return rc;
}

const struct store_cmd store_load_cmds[] = {
	STORE_CMD("load", READ, load_run, "THREAD",
	    "Write a thread's messages, byte for byte.", load_opts),
	STORE_END
};
