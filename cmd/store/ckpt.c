/* SPDX-License-Identifier: MIT */
/* ctx-store ckpt: places to come back to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/store/cmd.h"
#include "store/ckpt.h"
#include "store/row.h"
#include "store/state.h"

#define STATE_MAX	(900u << 20)

enum { OPT_ID = CLI_LONG, OPT_JSON, OPT_META, OPT_NS, OPT_PARENT, OPT_UPTO,
    OPT_AS };

static const struct cli_opt put_opts[] = {
	STORE_CONTEXT,
	{ OPT_ID, "id", "ID", "its name (default: a new UUID)" },
	{ OPT_META, "meta", "JSON", "metadata" },
	{ OPT_NS, "ns", "NAME", "LangGraph's checkpoint_ns" },
	{ OPT_PARENT, "parent", "ID", "its parent ('': none; default: the newest)" },
	{ OPT_UPTO, "upto", "SEQ",
	    "the last message in it (default: the last of all)" },
	STORE_COMMON
};

static void
put_options(struct store *s, struct ctx_ckpt *c)
{
	int ch;

	while ((ch = store_getopt(s)) != -1)
		switch (ch) {
		case OPT_ID:
			c->name = s->cli.arg;
			break;
		case OPT_META:
			c->meta = s->cli.arg;
			c->meta_len = strlen(c->meta);
			break;
		case OPT_NS:
			c->ns = s->cli.arg;
			break;
		case OPT_PARENT:
			c->parent = s->cli.arg;
			break;
		case OPT_UPTO:
			c->upto_seq = (int64_t)cli_num(&s->cli, 0, INT64_MAX);
			break;
		}
	store_operands(s, 1, 1, "a thread");
}

static void
put_run(struct store *s)
{
	struct ctx_ckpt c = { .upto_seq = -1 };
	struct ctx_buf state = { 0 };
	struct ctx_err err = { 0 };
	char *name = NULL;

	put_options(s, &c);
	/* No state is a state too: the place in the log alone. */
	if (!isatty(STDIN_FILENO) &&
	    store_slurp(NULL, STATE_MAX, &state, &err) == -1)
		store_report(s, NULL, &err);
	else if (store_open(s) == 0) {
		c.state = state.len > 0 ? state.data : NULL;
		c.state_len = state.len;
		if (ctx_ckpt_put(s->st, &s->where, &c, &name, &err) == -1)
			store_report(s, NULL, &err);
		else {
			ctx_row_begin(&s->row);
			ctx_row_text(&s->row, "checkpoint_id", name);
			ctx_row_end(&s->row);
			if (store_row(s, &err) == -1)
				store_report(s, NULL, &err);
		}
	}
	free(name);
	ctx_buf_done(&state);
}

static void
fill_row(struct ctx_buf *b, const struct ctx_ckpt *c)
{
	ctx_row_begin(b);
	ctx_row_text(b, "thread_id", c->thread);
	ctx_row_text(b, "context_id", c->context);
	ctx_row_text(b, "checkpoint_ns", c->ns);
	ctx_row_text(b, "checkpoint_id", c->name);
	ctx_row_text(b, "parent_checkpoint_id", c->parent);
	ctx_row_int(b, "n", c->n);
	ctx_row_int(b, "upto_seq", c->upto_seq);
	ctx_row_when(b, "created_at", c->ts);
	ctx_row_json(b, "metadata", c->meta, c->meta_len);
}

struct get {
	struct store *s;
	int json;
};

static int
print_state(const struct ctx_ckpt *c, void *arg, struct ctx_err *err)
{
	struct get *g = arg;

	if (!g->json)
		return c->state == NULL ? 0 :
		    store_write(c->state, c->state_len, err);
	fill_row(&g->s->row, c);
	ctx_row_json(&g->s->row, "checkpoint", c->state, c->state_len);
	ctx_row_end(&g->s->row);
	return store_row(g->s, err);
}

static const struct cli_opt get_opts[] = {
	STORE_CONTEXT,
	{ OPT_JSON, "json", NULL, "all of it, on one line" },
	STORE_COMMON
};

static void
get_run(struct store *s)
{
	struct get g = { s, 0 };
	struct ctx_err err = { 0 };

	while (store_getopt(s) != -1)
		g.json = 1;
	store_operands(s, 1, 2, "a thread");
	if (store_open(s) == 0 && ctx_ckpt_get(s->st, &s->where,
	    s->cli.nfile > 1 ? s->cli.file[1] : NULL, print_state, &g,
	    &err) == -1)
		store_report(s, NULL, &err);
}

static const struct cli_opt rm_opts[] = {
	STORE_CONTEXT,
	STORE_COMMON
};

/* Both ends of a diff. */
struct end {
	struct ctx_buf state, name;
	int64_t upto_seq;
};

static int
take_end(const struct ctx_ckpt *c, void *arg, struct ctx_err *err)
{
	struct end *e = arg;

	if (c->state != NULL)
		ctx_buf_add(&e->state, c->state, c->state_len);
	else
		ctx_buf_adds(&e->state, "null");
	ctx_buf_adds(&e->name, c->name);
	e->upto_seq = c->upto_seq;
	if (ctx_buf_str(&e->name) == NULL)
		return ctx_fail_nomem(err);
	return ctx_buf_fail(&e->state, err);
}

static int
print_diff(struct store *s, struct end *a, struct end *b,
    struct ctx_err *err)
{
	struct ctx_buf patch = { 0 };
	int rc;

	rc = ctx_state_diff(&patch, a->state.data, a->state.len,
	    b->state.data, b->state.len, err);
	if (rc == 0) {
		ctx_row_begin(&s->row);
		ctx_row_text(&s->row, "from", a->name.data);
		ctx_row_text(&s->row, "to", b->name.data);
		ctx_row_int(&s->row, "from_seq", a->upto_seq);
		ctx_row_int(&s->row, "to_seq", b->upto_seq);
		ctx_row_json(&s->row, "patch", patch.data, patch.len);
		ctx_row_end(&s->row);
		rc = store_row(s, err);
	}
	ctx_buf_done(&patch);
	return rc;
}

static void
diff_run(struct store *s)
{
	struct end a = { 0 }, b = { 0 };
	struct ctx_err err = { 0 };

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 3, 3, "a thread and two checkpoints");
	if (store_open(s) == -1)
		return;
	if (ctx_ckpt_get(s->st, &s->where, s->cli.file[1], take_end, &a,
	    &err) == -1 || ctx_ckpt_get(s->st, &s->where, s->cli.file[2],
	    take_end, &b, &err) == -1 || print_diff(s, &a, &b, &err) == -1)
		store_report(s, NULL, &err);
	ctx_buf_done(&a.state);
	ctx_buf_done(&a.name);
	ctx_buf_done(&b.state);
	ctx_buf_done(&b.name);
}

static int
print_ckpt(const struct ctx_ckpt *c, void *arg, struct ctx_err *err)
{
	struct store *s = arg;

	fill_row(&s->row, c);
	ctx_row_end(&s->row);
	return store_row(s, err);
}

static const struct cli_opt list_opts[] = {
	STORE_CONTEXT,
	{ 'n', "last", "N", "only the newest N" },
	STORE_COMMON
};

static void
list_run(struct store *s)
{
	struct ctx_err err = { 0 };
	int64_t limit = 0;

	while (store_getopt(s) != -1)
		limit = (int64_t)cli_num(&s->cli, 1, INT64_MAX);
	store_operands(s, 1, 1, "a thread");
	if (store_open(s) == 0 && ctx_ckpt_list(s->st, &s->where, limit,
	    print_ckpt, s, &err) == -1)
		store_report(s, NULL, &err);
}

static void
rm_run(struct store *s)
{
	struct ctx_err err = { 0 };
	int i;

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 2, 1 << 20, "a thread and a checkpoint");
	if (store_open(s) == -1)
		return;
	for (i = 1; i < s->cli.nfile; i++) {
		if (ctx_ckpt_remove(s->st, &s->where, s->cli.file[i],
		    &err) == -1)
			store_report(s, NULL, &err);
		ctx_err_clear(&err);
	}
}

static const struct cli_opt fork_opts[] = {
	{ OPT_AS, "as", "NAME", "the new context (default: NAME~2, ~3 ...)" },
	STORE_CONTEXT,
	STORE_COMMON
};

static void
fork_to(struct store *s, int head)
{
	struct ctx_ckpt_branch how = { .head = head };
	struct ctx_err err = { 0 };
	char *name = NULL;

	while (store_getopt(s) != -1)
		how.context = s->cli.arg;
	store_operands(s, 2, 2, "a thread and a checkpoint");
	how.ckpt = s->cli.file[1];
	if (store_open(s) == -1)
		return;
	if (ctx_ckpt_fork(s->st, &s->where, &how, &name, &err) == -1)
		store_report(s, NULL, &err);
	else {
		ctx_row_begin(&s->row);
		ctx_row_text(&s->row, "context_id", name);
		ctx_row_end(&s->row);
		if (store_row(s, &err) == -1)
			store_report(s, NULL, &err);
	}
	free(name);
}

static void
fork_run(struct store *s)
{
	fork_to(s, 0);
}

static void
rollback_run(struct store *s)
{
	fork_to(s, 1);
}

const struct store_cmd store_ckpt_cmds[] = {
	{ "ckpt put", CTX_STORE_CREATE, put_run, { "ctx-store ckpt put",
	    "[OPTION ...] THREAD",
	    "Record a checkpoint, its state on standard input.", put_opts } },
	{ "ckpt get", CTX_STORE_READ, get_run, { "ctx-store ckpt get",
	    "[--json] [-c NAME] THREAD [ID]",
	    "Write the state of a checkpoint, the newest by default.",
	    get_opts } },
	{ "ckpt list", CTX_STORE_READ, list_run, { "ctx-store ckpt list",
	    "[-n N] [-c NAME] THREAD", "List checkpoints, the newest first.",
	    list_opts } },
	{ "ckpt diff", CTX_STORE_READ, diff_run, { "ctx-store ckpt diff",
	    "[-c NAME] THREAD ID ID",
	    "Write what leads from one state to another, a merge patch.",
	    rm_opts } },
	{ "ckpt rm", CTX_STORE_WRITE, rm_run, { "ctx-store ckpt rm",
	    "[-c NAME] THREAD ID ...", "Remove checkpoints.", rm_opts } },
	{ "ckpt fork", CTX_STORE_WRITE, fork_run, { "ctx-store ckpt fork",
	    "[--as NAME] [-c NAME] THREAD ID",
	    "Make a context that goes on from a checkpoint.", fork_opts } },
	{ "ckpt rollback", CTX_STORE_WRITE, rollback_run,
	    { "ctx-store ckpt rollback", "[--as NAME] [-c NAME] THREAD ID",
	    "Go on from a checkpoint; what came after it stays in its context.",
	    fork_opts } },
	{ 0 }
};
