/* SPDX-License-Identifier: MIT */
/* ctx-store view: what the model saw. */
#include <stdlib.h>
#include <string.h>

#include "cmd/store/cmd.h"
#include "store/row.h"
#include "store/view.h"

#define VIEW_MAX	(1u << 30)	/* bytes of one request */

static const struct cli_opt view_opts[] = {
	STORE_CONTEXT,
	STORE_COMMON
};

static void
view_operands(struct store *s, int min, int max)
{
	while (store_getopt(s) != -1)
		continue;
	store_operands(s, min, max, "a thread and a view");
}

/* in's lines, borrowed.  NULL: *err. */
static struct ctx_entry *
cut_lines(const struct ctx_buf *in, size_t *n, struct ctx_err *err)
{
	struct ctx_entry *line = NULL, *more;
	size_t cap = 0, at = 0, len;
	const char *end;

	for (*n = 0; at < in->len || line == NULL; at += len) {
		more = ctx_grow(line, *n, &cap, sizeof(*line));
		if (more == NULL) {
			free(line);
			ctx_fail_nomem(err);
			return NULL;
		}
		line = more;
		if (in->len == 0)
			return line;
		end = memchr(in->data + at, '\n', in->len - at);
		len = end != NULL ? (size_t)(end + 1 - in->data) - at :
		    in->len - at;
		memset(&line[*n], 0, sizeof(*line));
		line[*n].raw = in->data + at;
		line[(*n)++].len = len;
	}
	return line;
}

static int
check_lines(struct ctx_entry *line, size_t n, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	size_t i;
	int rc = 0;

	for (i = 0; i < n && rc == 0; i++)
		if ((rc = ctx_doc_scan(&doc, line[i].raw, line[i].len,
		    err)) == -1)
			err->line = i + 1;
	ctx_doc_done(&doc);
	return rc;
}

static void
put_run(struct store *s)
{
	struct ctx_buf in = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_entry *line = NULL;
	struct ctx_view_version put = { 0 };

	view_operands(s, 2, 2);
	if (store_slurp(NULL, VIEW_MAX, &in, &err) == -1 ||
	    (line = cut_lines(&in, &put.n, &err)) == NULL ||
	    check_lines(line, put.n, &err) == -1)
		store_report(s, err.line > 0 ? "-" : NULL, &err);
	else if (store_open(s) == 0) {
		put.name = s->cli.file[1];
		put.line = line;
		if (ctx_view_put(s->st, &s->where, &put, &err) == -1)
			store_report(s, NULL, &err);
		else if (s->cli.verbose)
			cli_warn(&s->cli, "version %lld: %lld of %zu messages "
			    "as logged", (long long)put.version,
			    (long long)put.nref, put.n);
	}
	free(line);
	ctx_buf_done(&in);
}

/* "NAME@N" cut in place; 0: no version. */
static int64_t
cut_version(char *name)
{
	char *at = strrchr(name, '@'), *end;
	long long n;

	if (at == NULL || at == name || at[1] < '1' || at[1] > '9')
		return 0;
	n = strtoll(at + 1, &end, 10);
	if (*end != '\0')
		return 0;
	*at = '\0';
	return n;
}

struct get {
	int open_line;
};

static int
print_message(const struct ctx_message *m, void *arg, struct ctx_err *err)
{
	struct get *g = arg;

	if (g->open_line && store_write("\n", 1, err) == -1)
		return -1;
	g->open_line = m->len > 0 && m->raw[m->len - 1] != '\n';
	return store_write(m->raw, m->len, err);
}

static void
get_run(struct store *s)
{
	struct ctx_range range = CTX_RANGE_ALL;
	struct ctx_err err = { 0 };
	struct get g = { 0 };

	view_operands(s, 2, 2);
	range.view_n = cut_version(s->cli.file[1]);
	range.view = s->cli.file[1];
	if (store_open(s) == 0 && ctx_log_read(s->st, &s->where, &range,
	    print_message, &g, &err) == -1)
		store_report(s, NULL, &err);
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
	ctx_row_end(b);
	return store_row(s, err);
}

static void
list_run(struct store *s)
{
	struct ctx_err err = { 0 };

	view_operands(s, 1, 2);
	if (store_open(s) == 0 && ctx_view_list(s->st, &s->where,
	    s->cli.nfile > 1 ? s->cli.file[1] : NULL, print_view, s,
	    &err) == -1)
		store_report(s, NULL, &err);
}

static void
rm_run(struct store *s)
{
	struct ctx_err err = { 0 };
	int64_t version, removed;

	view_operands(s, 2, 2);
	version = cut_version(s->cli.file[1]);
	if (store_open(s) == -1)
		return;
	if (ctx_view_remove(s->st, &s->where, s->cli.file[1], version,
	    &removed, &err) == -1)
		store_report(s, NULL, &err);
	else
		cli_warn(&s->cli, "removed %lld versions of the view",
		    (long long)removed);
}

const struct store_cmd store_view_cmds[] = {
	{ "view put", CTX_STORE_WRITE, put_run, { "ctx-store view put",
	    "[-c NAME] THREAD VIEW",
	    "Record the messages on standard input as what the model sees.",
	    view_opts } },
	{ "view get", CTX_STORE_READ, get_run, { "ctx-store view get",
	    "[-c NAME] THREAD VIEW[@N]",
	    "Write a recorded request, byte for byte.", view_opts } },
	{ "view list", CTX_STORE_READ, list_run, { "ctx-store view list",
	    "[-c NAME] THREAD [VIEW]", "List the versions of views.",
	    view_opts } },
	{ "view rm", CTX_STORE_WRITE, rm_run, { "ctx-store view rm",
	    "[-c NAME] THREAD VIEW[@N]",
	    "Remove a view or one version of it.", view_opts } },
	{ 0 }
};
