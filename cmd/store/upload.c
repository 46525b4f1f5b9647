/* SPDX-License-Identifier: MIT */
/*
 * ctx-store upload: store files that a user provided, with their descriptions.
 */
#include "session/upload.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/store/files.h"
#include "digest/names.h"
#include "store/row.h"
#include "store/space.h"

struct put {
	struct ctx_upload to;
	const char *name;		/* NULL for the file's own */
	struct ctx_buf data;
};

#define OPT_OF struct put
static const struct cli_opt put_opts[] = {
	OPT_TEXT(0, "name", "NAME", name,
	    "name to store the file under (default: its own)"),
	OPT_FLAG(0, "store-only", to.store_only,
	    "do not write a copy to the workspace"),
	STORE_COMMON
};

/*
 * The name to store the file under; an invalid one ends with exit 2 before
 * anything is stored.
 */
static const char *
name_of(struct store *s, const char *file, const char *given)
{
	const char *slash = strrchr(file, '/'), *name = given;
	char quoted[80];

	if (name == NULL)
		name = slash != NULL ? slash + 1 : file;
	if (given == NULL && strcmp(file, "-") == 0)
		cli_usage(&s->cli,
		    "standard input has no name; give one with --name");
	if (!ctx_upload_name_ok(name))
		cli_usage(&s->cli, "'%s' cannot be used as a file name",
		    ctx_err_quote(quoted, sizeof(quoted), name,
		    strlen(name)));
	store_not_version(s, name, "; give it another name with --name");
	return name;
}

/* Members that put and list both print. */
static void
add_members(struct ctx_buf *b, const struct ctx_file *f, const char *path,
    enum ctx_wording lang)
{
	const char *digest;
	size_t len;

	ctx_row_text(b, "file_id", f->name);
	ctx_row_text(b, "kind", f->lang);
	ctx_row_text(b, "mime", f->mime);
	ctx_row_int(b, "version", f->version);
	ctx_row_int(b, "size", (int64_t)f->len);
	if (f->lines == -1)
		ctx_row_text(b, "line_count", NULL);
	else
		ctx_row_int(b, "line_count", f->lines);
	if ((digest = ctx_upload_digest(f, lang, &len)) != NULL)
		ctx_row_bytes(b, "digest", digest, len);
	else
		ctx_row_text(b, "digest", NULL);
	ctx_row_text(b, "path", path);
}

/* Read and store one file.  Returns -1 with *err set. */
static int
put_file(struct store *s, struct put *p, const char *file, struct ctx_err *err)
{
	struct ctx_buf *b = &s->row;

	ctx_buf_reset(&p->data);
	if (store_slurp(file, &p->data, err) == -1 ||
	    ctx_upload_put(&p->to, name_of(s, file, p->name), p->data.data,
	    p->data.len, err) == -1)
		return -1;
	ctx_row_begin(b);
	ctx_row_text(b, "marker", "FILE_SAVED");
	add_members(b, &p->to.file, p->to.path, cli_lang(&s->cli, CTX_ZH));
	return store_row(s, err);
}

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct put p = { 0 };
	int i;

	store_options(s, &p);
	if (p.name != NULL && s->cli.nfile > 2)
		cli_usage(&s->cli, "--name can be used with only one FILE");
	for (i = 1; i < s->cli.nfile; i++)
		name_of(s, s->cli.file[i], p.name);
	if (store_open(s, err) == -1)
		return -1;
	p.to.st = s->st;
	p.to.where = s->where;
	for (i = 1; i < s->cli.nfile; i++)
		if (put_file(s, &p, s->cli.file[i], err) == -1)
			store_report(s, s->cli.file[i], err);
	ctx_upload_done(&p.to);
	ctx_buf_done(&p.data);
	return 0;
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	return store_file_get(s, "upload", err);
}

struct list {
	struct store_list list;
	char *dir;			/* the workspace, or NULL */
};

static int
print_file(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct list *l = arg;
	struct ctx_buf *b = &l->list.s->row, *text = &l->list.text;
	const char *digest;
	char *path;
	size_t len;

	if (l->list.as != STORE_AS_ROWS) {
		ctx_buf_adds(text, "- ");
		if ((digest = ctx_upload_digest(f, l->list.lang, &len)) != NULL)
			ctx_buf_add(text, digest, len);
		else
			ctx_name_clean(text, f->name, strlen(f->name),
			    CTX_UPLOAD_NAME_MAX);
		ctx_buf_addc(text, '\n');
		return ctx_buf_fail(text, err);
	}
	path = ctx_upload_path(l->dir, f->name);
	ctx_row_begin(b);
	add_members(b, f, path, l->list.lang);
	ctx_row_when(b, "created_at", f->ts);
	free(path);
	return store_list_row(l->list.s, err);
}

static int
list_run(struct store *s, struct ctx_err *err)
{
	struct list l = { .list = { .of = CLI_LIST_UPLOADS } };
	int rc;

	rc = store_list_begin(s, &l.list, err);
	if (rc == 0)
		rc = ctx_space_find(s->st, s->where.thread, &l.dir, err);
	if (rc == 0)
		rc = store_list_files(&l.list, "upload", print_file, &l, err);
	free(l.dir);
	return rc;
}

int
store_upload_message(struct store *s, struct ctx_err *err)
{
	struct list l = { .list = { .s = s, .of = CLI_LIST_UPLOADS,
	    .as = STORE_AS_MESSAGE, .lang = cli_lang(&s->cli, CTX_ZH) } };

	return store_list_files(&l.list, "upload", print_file, &l, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	return store_each_name(s, ctx_upload_remove, err);
}

const struct store_cmd store_upload_cmds[] = {
	STORE_CMD("upload put", CREATE, put_run, "THREAD FILE ...",
	    "Store files that a thread was given.", put_opts),
	STORE_CMD("upload get", READ, get_run, "THREAD NAME[@N]",
	    "Write a file as it was stored.", store_plain_opts),
	STORE_CMD("upload list", READ, list_run, "THREAD [NAME]",
	    "List a thread's files, or all versions of one.",
	    store_list_opts),
	STORE_CMD("upload rm", WRITE, rm_run, "THREAD NAME ...",
	    "Remove files with all of their versions.", store_plain_opts),
	STORE_END
};
