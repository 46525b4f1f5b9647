/* SPDX-License-Identifier: MIT */
/* ctx-store new, threads, contexts, status, keep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "cli_prices.h"
#include "cmd/store/cmd.h"
#include "store/keep.h"
#include "store/log.h"
#include "store/row.h"
#include "store/space.h"

/* The row of a list, and what is needed to fill it. */
struct list {
	struct store *s;
	int64_t max;		/* messages, for status */
	int json, tree, names, off;
	int tokens;		/* asked for */
	struct ctx_tokens sum;
	const char *model;	/* whose prices count, or NULL */
	char money[CLI_DOLLARS];	/* what they cost */
};

static int
print_thread(const struct ctx_thread_row *t, void *arg, struct ctx_err *err)
{
	struct list *l = arg;
	struct ctx_buf *b = &l->s->row;

	if (l->names) {
		ctx_buf_reset(b);
		ctx_buf_addf(b, "%s\n", t->name);
		return store_write_buf(&l->s->row, err);
	}
	ctx_row_begin(b);
	ctx_row_text(b, "thread_id", t->name);
	ctx_row_text(b, "user_id", t->user);
	ctx_row_text(b, "context_id", t->head);
	ctx_row_when(b, "created_at", t->created);
	ctx_row_when(b, "updated_at", t->updated);
	ctx_row_bool(b, "pinned", t->pinned);
	ctx_row_int(b, "messages", t->messages);
	ctx_row_int(b, "contexts", t->contexts);
	ctx_row_int(b, "checkpoints", t->checkpoints);
	return store_list_row(l->s, err);
}

static const char *const thread_forms[] = { "rows", "names", NULL };

#define OPT_OF struct list
static const struct cli_opt threads_opts[] = {
	OPT_WORD(0, "as", "HOW", names, thread_forms,
	    "output format (default rows)"),
	STORE_COMMON
};
static const struct cli_opt contexts_opts[] = {
	OPT_FLAG(0, "tree", tree,
	    "write indented text instead of JSON lines"),
	STORE_COMMON
};
static const struct cli_opt status_opts[] = {
	STORE_CONTEXT,
	OPT_FLAG(0, "json", json, "write a JSON line instead of text"),
	OPT_NUM(0, "max", "N", max, 1, INT64_MAX,
	    "limit on the number of messages (default 40)"),
	OPT_FLAG(0, "tokens", tokens,
	    "include the tokens recorded by append --cost"),
	OPT_TEXT(0, "price", "MODEL", model,
	    "with --tokens: what they cost as a request to this model",
	    .needs = "tokens"),
	STORE_COMMON
};
static const struct cli_opt keep_opts[] = {
	OPT_FLAG(0, "off", off, "remove the protection"),
	STORE_COMMON
};

static int
new_run(struct store *s, struct ctx_err *err)
{
	const char *name;

	store_options(s, NULL);
	name = s->where.thread;
	cli_must(&s->cli, ctx_thread_name_check(name, strlen(name), err), err);
	return store_open(s, err) == -1 ? -1 : ctx_thread_new(s->st, name,
	    err);
}

static int
threads_run(struct store *s, struct ctx_err *err)
{
	struct list l = { .s = s };

	s->table.hidden = "created_at";
	return store_begin(s, &l, err) == -1 ? -1 : ctx_thread_list(s->st,
	    print_thread, &l, err);
}

static const char *
kind_name(enum ctx_context_kind kind)
{
	return kind == CTX_CONTEXT_FORK ? "fork" :
	    kind == CTX_CONTEXT_AGENT ? "subagent" : "root";
}

static int
print_context(const struct ctx_context *c, void *arg, struct ctx_err *err)
{
	struct list *l = arg;
	struct ctx_buf *b = &l->s->row;
	char name[200];

	if (l->tree) {
		ctx_buf_reset(b);
		ctx_buf_addf(b, "%*s%s (%s, %lld message%s)%s\n",
		    2 * c->depth, "", ctx_err_quote(name, sizeof(name),
		    c->name, strlen(c->name)), kind_name(c->kind),
		    (long long)(c->next_seq - c->first_seq),
		    CLI_S(c->next_seq - c->first_seq), c->is_head ? " *" : "");
		return store_write_buf(&l->s->row, err);
	}
	ctx_row_begin(b);
	ctx_row_text(b, "context_id", c->name);
	ctx_row_text(b, "parent_context", c->parent);
	if (c->parent != NULL)
		ctx_row_int(b, "parent_seq", c->parent_seq);
	ctx_row_text(b, "kind", kind_name(c->kind));
	ctx_row_int(b, "depth", c->depth);
	ctx_row_int(b, "first_seq", c->first_seq);
	ctx_row_int(b, "messages", c->next_seq - c->first_seq);
	ctx_row_int(b, "turn", c->turn);
	ctx_row_when(b, "created_at", c->created);
	ctx_row_bool(b, "head", c->is_head);
	ctx_row_json(b, "task", c->attrs, c->attrs != NULL ?
	    strlen(c->attrs) : 0);
	return store_list_row(l->s, err);
}

static int
contexts_run(struct store *s, struct ctx_err *err)
{
	struct list l = { .s = s };

	return store_begin(s, &l, err) == -1 ? -1 : ctx_context_list(s->st,
	    s->where.thread, print_context, &l, err);
}

static int
print_status(struct store *s, struct list *l, const struct ctx_ref *ref,
    const char *place, struct ctx_err *err)
{
	const char *money = l->model == NULL ? NULL : l->money;
	struct ctx_buf *b = &s->row;
	long long n = ref->next_seq - 1;
	char name[400], path[400];

	if (l->json) {
		ctx_row_begin(b);
		ctx_row_text(b, "thread_id", s->where.thread);
		ctx_row_int(b, "messages", n);
		ctx_row_int(b, "max", l->max);
		ctx_row_int(b, "turns", ref->turn);
		ctx_row_text(b, "workspace_path", place);
		if (l->tokens) {
			ctx_row_int(b, "tokens", l->sum.tokens);
			ctx_row_int(b, "counted", l->sum.counted);
		}
		if (money != NULL && *money != '-')
			ctx_row_json(b, "cost", money, strlen(money));
		return store_row(s, err);
	}
	ctx_buf_reset(b);
	ctx_buf_addf(b, "Session: %s\nMessages: %lld / %lld (max)\n"
	    "Workspace: %s\n", ctx_err_quote(name, sizeof(name),
	    s->where.thread, strlen(s->where.thread)), n, (long long)l->max,
	    place == NULL ? "none" : ctx_err_quote(path, sizeof(path), place,
	    strlen(place)));
	if (l->tokens)
		ctx_buf_addf(b, "Tokens: %lld in %lld of %lld messages\n",
		    (long long)l->sum.tokens, (long long)l->sum.counted,
		    (long long)l->sum.messages);
	if (money != NULL)
		ctx_buf_addf(b, "Price: %s\n", money);
	/* Warn from 90% on. */
	if (n * 10 >= l->max * 9)
		cli_warn(&s->cli, "%lld of %lld messages; older ones will be "
		    "cut from requests", n, (long long)l->max);
	return store_write_buf(&s->row, err);
}

/* What the tokens cost as input of one request, or "-" if that is unknown. */
static void
set_money(struct list *l)
{
	const uint64_t tokens[CTX_PRICE_N] = {
		[CTX_PRICE_INPUT] = (uint64_t)l->sum.tokens };
	struct ctx_prices prices = { 0 };
	uint64_t nano;

	cli_prices_open(&prices, NULL, &l->s->cli);
	if (ctx_prices_cost(&prices, l->model, "", tokens, &nano))
		cli_dollars(nano, l->money);
	else
		strcpy(l->money, "-");
	ctx_prices_done(&prices);
}

static int
status_run(struct store *s, struct ctx_err *err)
{
	struct list l = { .s = s };
	struct ctx_ref ref;
	uint64_t max = 40;
	char *place = NULL;
	int rc;

	cli_must(&s->cli, ctx_env_num("MAX_MESSAGE_HISTORY", 10, 100, &max,
	    err), err);
	l.max = (int64_t)max;
	rc = store_begin(s, &l, err);
	if (rc == 0)
		rc = ctx_thread_find(s->st, &s->where, &ref, err);
	if (rc == 0)
		rc = ctx_space_find(s->st, s->where.thread, &place, err);
	if (rc == 0 && l.tokens)
		rc = ctx_log_tokens(s->st, &s->where, &l.sum, err);
	if (rc == 0 && l.model != NULL)
		set_money(&l);
	if (rc == 0)
		rc = print_status(s, &l, &ref, place, err);
	if (l.tokens)
		cli_figure(&s->cli, "tokens", (uint64_t)l.sum.tokens);
	free(place);
	return rc;
}

static int
keep_run(struct store *s, struct ctx_err *err)
{
	struct list l = { .s = s };

	return store_begin(s, &l, err) == -1 ? -1 : ctx_thread_pin(s->st,
	    s->where.thread, !l.off, err);
}

const struct store_cmd store_list_cmds[] = {
	STORE_CMD("new", CREATE, new_run, "THREAD",
	    "Create a thread without messages.", store_plain_opts),
	STORE_CMD("threads", READ, threads_run, "",
	    "List the threads, newest first.", threads_opts),
	STORE_CMD("contexts", READ, contexts_run, "THREAD",
	    "List a thread's contexts as a tree.", contexts_opts),
	STORE_CMD("status", READ, status_run, "THREAD",
	    "Show a thread's size and workspace.", status_opts),
	STORE_CMD("keep", WRITE, keep_run, "THREAD",
	    "Protect a thread from being pruned.", keep_opts),
	STORE_END
};
