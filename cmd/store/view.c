/* SPDX-License-Identifier: MIT */
/* ctx-store view: store what the model saw. */
#include "cmd/store/cmd.h"
#include "store/row.h"
#include "store/view.h"

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct ctx_view_version v = { 0 };
	struct ctx_buf in = { 0 };
	int rc;

	store_options(s, NULL);
	store_not_version(s, s->cli.file[1], "; give the view another name");
	rc = store_open_with(s, &in, err);
	v.name = s->cli.file[1];
	v.text = in.data;
	v.len = in.len;
	if (rc == 0)
		rc = ctx_view_put(s->st, &s->where, &v, err);
	if (rc == 0 && s->cli.verbose)
		cli_warn(&s->cli, "version %lld: %lld of %lld message%s taken "
		    "from the log", (long long)v.version, (long long)v.nref,
		    (long long)v.n, CLI_S(v.n));
	ctx_buf_done(&in);
	return store_report_input(s, rc, err);
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	struct ctx_range range = CTX_RANGE_ALL;

	store_options(s, NULL);
	range.view_n = store_version(s->cli.file[1]);
	range.view = s->cli.file[1];
	return store_open(s, err) == -1 ? -1 : ctx_log_read(s->st, &s->where,
	    &range, store_message, s, err);
}

static int
print_view(const struct ctx_view *v, void *arg, struct ctx_err *err)
{
	struct store *s = arg;
	struct ctx_buf *b = &s->row;

	ctx_row_begin(b);
	ctx_row_text(b, "view", v->name);
	ctx_row_int(b, "version", v->n);
	ctx_row_text(b, "context_id", v->context);
	ctx_row_int(b, "messages", v->messages);
	ctx_row_int(b, "texts", v->texts);
	ctx_row_int(b, "upto_seq", v->upto_seq);
	ctx_row_when(b, "created_at", v->ts);
	return store_list_row(s, err);
}

static int
list_run(struct store *s, struct ctx_err *err)
{
	return store_begin(s, NULL, err) == -1 ? -1 : ctx_view_list(s->st,
	    &s->where, store_operand(s, 1), print_view, s, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	int64_t version, removed;

	store_options(s, NULL);
	version = store_version(s->cli.file[1]);
	if (store_open(s, err) == -1 || ctx_view_remove(s->st, &s->where,
	    s->cli.file[1], version, &removed, err) == -1)
		return -1;
	cli_warn(&s->cli, "removed %lld version%s of the view",
	    (long long)removed, CLI_S(removed));
	return 0;
}

const struct store_cmd store_view_cmds[] = {
	STORE_CMD("view put", WRITE, put_run, "THREAD VIEW",
	    "Record the messages on standard input as the model's view.",
	    store_context_opts),
	STORE_CMD("view get", READ, get_run, "THREAD VIEW[@N]",
	    "Write a recorded view, byte for byte.", store_context_opts),
	STORE_CMD("view list", READ, list_run, "THREAD [VIEW]",
	    "List the versions of views.", store_context_opts),
	STORE_CMD("view rm", WRITE, rm_run, "THREAD VIEW[@N]",
	    "Remove a view or one version of it.", store_context_opts),
	STORE_END
};
