/* SPDX-License-Identifier: MIT */
/* ctx-store checkpoint, fork: store states and return to them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/store/cmd.h"
#include "store/ckpt.h"
#include "store/row.h"
#include "store/state.h"

static void
take_meta(struct cli *c, void *place)
{
	struct ctx_ckpt *k = place;

	k->meta = c->arg;
	k->meta_len = strlen(c->arg);
}

#define OPT_OF struct ctx_ckpt
static const struct cli_opt put_opts[] = {
	STORE_CONTEXT,
	OPT_TEXT(0, "id", "ID", name,
	    "name of the checkpoint (default: a new UUID)"),
	OPT_DO(0, "meta", "JSON", take_meta,
	    "metadata to attach, a JSON value"),
	OPT_TEXT(0, "ns", "NAME", ns, "namespace (LangGraph's checkpoint_ns)"),
	OPT_TEXT(0, "parent", "ID", parent,
	    "parent checkpoint, or '' for none (default: the newest)"),
	OPT_FLAG(0, "state", merged,
	    "record what state get writes, not standard input"),
	OPT_NUM(0, "upto", "SEQ", upto_seq, 0, INT64_MAX,
	    "last message that it covers (default: the newest)"),
	STORE_COMMON
};
#undef OPT_OF

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct ctx_ckpt c = { .upto_seq = -1 };
	struct ctx_buf state = { 0 };
	char *name = NULL;
	int rc = 0;

	store_options(s, &c);
	/* Without a state, a checkpoint is just a position in the log. */
	if (!c.merged && !isatty(STDIN_FILENO))
		rc = store_slurp(NULL, &state, err);
	if (rc == 0)
		rc = store_open(s, err);
	c.state = state.len > 0 ? state.data : NULL;
	c.state_len = state.len;
	if (rc == 0)
		rc = ctx_ckpt_put(s->st, &s->where, &c, &name, err);
	if (rc == 0)
		rc = store_put_text(s, "checkpoint_id", name, err);
	free(name);
	ctx_buf_done(&state);
	return rc;
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

/* The options of get, list and fork. */
struct options {
	struct store *s;
	int json, head, state;
	int64_t last;
	const char *at, *name;
};

static int
print_state(const struct ctx_ckpt *c, void *arg, struct ctx_err *err)
{
	struct options *g = arg;

	if (!g->json)
		return c->state == NULL ? 0 :
		    store_write(c->state, c->state_len, err);
	fill_row(&g->s->row, c);
	ctx_row_json(&g->s->row, "checkpoint", c->state, c->state_len);
	return store_row(g->s, err);
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	struct options o = { .s = s };

	return store_begin(s, &o, err) == -1 ? -1 : ctx_ckpt_get(s->st,
	    &s->where, store_operand(s, 1), print_state, &o, err);
}

/* One of the two states to compare. */
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
		rc = store_row(s, err);
	}
	ctx_buf_done(&patch);
	return rc;
}

static int
diff_run(struct store *s, struct ctx_err *err)
{
	struct end a = { 0 }, b = { 0 };
	int rc;

	rc = store_begin(s, NULL, err);
	if (rc == 0)
		rc = ctx_ckpt_get(s->st, &s->where, s->cli.file[1], take_end,
		    &a, err);
	if (rc == 0)
		rc = ctx_ckpt_get(s->st, &s->where, s->cli.file[2], take_end,
		    &b, err);
	if (rc == 0)
		rc = print_diff(s, &a, &b, err);
	ctx_buf_done(&a.state);
	ctx_buf_done(&a.name);
	ctx_buf_done(&b.state);
	ctx_buf_done(&b.name);
	return rc;
}

static int
print_ckpt(const struct ctx_ckpt *c, void *arg, struct ctx_err *err)
{
	struct store *s = arg;

	fill_row(&s->row, c);
	return store_list_row(s, err);
}

static int
list_run(struct store *s, struct ctx_err *err)
{
	struct options o = { .s = s };

	return store_begin(s, &o, err) == -1 ? -1 : ctx_ckpt_list(s->st,
	    &s->where, o.last, print_ckpt, s, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	return store_each_name(s, ctx_ckpt_remove, err);
}

static int
fork_run(struct store *s, struct ctx_err *err)
{
	struct options o = { .s = s };
	struct ctx_ckpt_branch how;
	char *name = NULL;
	int rc;

	store_options(s, &o);
	how = (struct ctx_ckpt_branch){ o.at, o.name, o.head, o.state };
	rc = store_open(s, err);
	if (rc == 0)
		rc = ctx_ckpt_fork(s->st, &s->where, &how, &name, err);
	if (rc == 0)
		rc = store_put_text(s, "context_id", name, err);
	free(name);
	return rc;
}

#define OPT_OF struct options
static const struct cli_opt get_opts[] = {
	STORE_CONTEXT,
	OPT_FLAG(0, "json", json, "write the whole checkpoint as a JSON line"),
	STORE_COMMON
};
static const struct cli_opt list_opts[] = {
	STORE_CONTEXT,
	OPT_NUM('n', "last", "N", last, 1, INT64_MAX, "list only the newest N"),
	STORE_COMMON
};
static const struct cli_opt fork_opts[] = {
	OPT_TEXT(0, "at", "ID", at, "checkpoint to start from", .must = 1),
	STORE_CONTEXT,
	OPT_TEXT(0, "name", "NAME", name,
	    "name of the new context (default: its parent's, with ~2 ...)"),
	OPT_FLAG(0, "head", head,
	    "make the new context the thread's head"),
	OPT_FLAG(0, "state", state,
	    "go back to the state of the checkpoint, too"),
	STORE_COMMON
};

const struct store_cmd store_checkpoint_cmds[] = {
	STORE_CMD("checkpoint put", CREATE, put_run, "THREAD",
	    "Record a checkpoint with the state on standard input.", put_opts),
	STORE_CMD("checkpoint get", READ, get_run, "THREAD [ID]",
	    "Write the state of a checkpoint, by default of the newest.",
	    get_opts),
	STORE_CMD("checkpoint list", READ, list_run, "THREAD",
	    "List checkpoints, the newest first.", list_opts),
	STORE_CMD("checkpoint diff", READ, diff_run, "THREAD ID ID",
	    "Write the difference between two states as a merge patch.",
	    store_context_opts),
	STORE_CMD("checkpoint rm", WRITE, rm_run, "THREAD ID ...",
	    "Remove checkpoints.", store_context_opts),
	STORE_CMD("fork", WRITE, fork_run, "THREAD",
	    "Create a context that continues from a checkpoint.", fork_opts),
	STORE_END
};
