/* SPDX-License-Identifier: MIT */
/* ctx-store upload: files that a user gave, and what they are. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "digest/digest_mime.h"
#include "cmd/store/files.h"
#include "store/row.h"
#include "store/space.h"

#define FOLDER		"uploads"	/* in the thread's workspace */
#define FILE_NAME_MAX	255		/* bytes: what file systems take */

struct put {
	struct store *s;
	const char *name;		/* NULL: the file's own */
	int store_only;
	struct ctx_digest digest;
	struct ctx_buf data, descr;
	char *path;			/* of the copy, NULL: none */
};

#define OPT_OF struct put
static const struct cli_opt put_opts[] = {
	OPT_TEXT(0, "name", "NAME", name,
	    "its name (default: the file's own)"),
	OPT_FLAG(0, "store-only", store_only, "no copy in the workspace"),
	STORE_COMMON
};

/* Can it be the name of a file in a folder, and a text? */
static int
name_ok(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= FILE_NAME_MAX && strchr(name, '/') == NULL &&
	    strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	    ctx_utf8_check(name, n) == n;
}

/* "NAME@DIGITS" would be a version of NAME to get: it ends with exit 2. */
static void
refuse_version(const struct store *s, const char *name)
{
	const char *at = strrchr(name, '@');
	char quoted[2][80];

	if (at == NULL || at == name || at[1] == '\0' ||
	    at[1 + strspn(at + 1, "0123456789")] != '\0')
		return;
	cli_usage(&s->cli, "'%s' would be version %.20s of '%s'; --name gives "
	    "it another name", ctx_err_quote(quoted[0], sizeof(quoted[0]),
	    name, strlen(name)), at + 1, ctx_err_quote(quoted[1],
	    sizeof(quoted[1]), name, (size_t)(at - name)));
}

/* What the file goes by; ends with exit 2 before anything is stored. */
static const char *
name_of(struct store *s, const char *file, const char *given)
{
	const char *slash = strrchr(file, '/'), *name = given;
	char quoted[80];

	if (name == NULL)
		name = slash != NULL ? slash + 1 : file;
	if (given == NULL && strcmp(file, "-") == 0)
		cli_usage(&s->cli, "standard input needs --name");
	if (!name_ok(name))
		cli_usage(&s->cli, "'%s' cannot be a file's name",
		    ctx_err_quote(quoted, sizeof(quoted), name,
		    strlen(name)));
	refuse_version(s, name);
	return name;
}

/* The digest in each language, without the mark of a file that was read. */
static void
describe(struct put *p)
{
	struct ctx_buf line = { 0 };
	const char *text;
	int lang;

	ctx_buf_reset(&p->descr);
	for (lang = CTX_EN; lang <= CTX_ZH; lang++) {
		ctx_buf_reset(&line);
		ctx_digest_line(&p->digest, (enum ctx_digest_lang)lang,
		    CTX_LINE_WIDTH, &line);
		if (ctx_buf_str(&line) == NULL) {
			p->descr.failed = 1;
			break;
		}
		text = strstr(line.data, "] ");
		if (lang != CTX_EN)
			ctx_buf_addc(&p->descr, '\n');
		ctx_buf_adds(&p->descr, text != NULL ? text + 2 : line.data);
	}
	ctx_buf_done(&line);
}

/* The digest in one language; NULL if there is none. */
static const char *
digest_in(const struct ctx_file *f, enum ctx_digest_lang lang, size_t *len)
{
	const char *text = f->descr;

	if (text == NULL)
		return NULL;
	if (lang == CTX_ZH && strchr(text, '\n') != NULL)
		text = strchr(text, '\n') + 1;
	*len = strcspn(text, "\n");
	return text;
}

/* Members that put and list print alike. */
static void
add_members(struct ctx_buf *b, const struct ctx_file *f, const char *path,
    enum ctx_digest_lang lang)
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
	if ((digest = digest_in(f, lang, &len)) != NULL)
		ctx_row_bytes(b, "digest", digest, len);
	else
		ctx_row_text(b, "digest", NULL);
	ctx_row_text(b, "path", path);
}

static int
write_copy(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct store_file file = { NULL, FOLDER, f->name, f->data, f->len,
	    0600 };
	struct put *p = arg;
	char *dir = NULL;
	int rc = ctx_space_make(p->s->st, p->s->where.thread, &dir, err);

	file.dir = dir;
	if (rc == 0)
		rc = store_file_write(&file, &p->path, err);
	free(dir);
	return rc;
}

static int
print_saved(struct put *p, struct ctx_file *f, struct ctx_err *err)
{
	struct store *s = p->s;
	int rc = p->store_only ? 0 : store_file_newest(s, "upload", f->name,
	    write_copy, p, err);

	if (rc == 0) {
		ctx_row_begin(&s->row);
		ctx_row_text(&s->row, "marker", "FILE_SAVED");
		add_members(&s->row, f, p->path, cli_lang(&s->cli, CTX_ZH));
		ctx_row_end(&s->row);
		rc = store_row(s, err);
	}
	free(p->path);
	p->path = NULL;
	return rc;
}

static void
put_file(struct put *p, const char *file, const char *name)
{
	struct ctx_file f = { .kind = "upload", .name = name };
	struct ctx_err err = { 0 };
	int rc;

	ctx_buf_reset(&p->data);
	if (store_slurp(file, STORE_FILE_MAX, &p->data, &err) == -1) {
		store_report(p->s, file, &err);
		return;
	}
	f.data = p->data.data != NULL ? p->data.data : "";
	f.len = p->data.len;
	rc = ctx_digest_make(&p->digest, name, f.data, f.len, NULL, &err);
	if (rc == 0) {
		describe(p);
		f.descr = ctx_buf_str(&p->descr);
		f.lang = p->digest.type;
		f.mime = ctx_digest_mime(&p->digest);
		f.lines = p->digest.text ? 0 : -1;
		rc = ctx_buf_fail(&p->descr, &err);
	}
	if (rc == 0)
		rc = ctx_file_put(p->s->st, &p->s->where, &f, &f.version,
		    &err);
	if (f.lines != -1)
		f.lines = (int64_t)p->digest.lines;
	if (rc == -1 || print_saved(p, &f, &err) == -1)
		store_report(p->s, file, &err);
}

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct put p = { .s = s };
	int i;

	store_options(s, &p);
	if (p.name != NULL && s->cli.nfile > 2)
		cli_usage(&s->cli, "--name is for one file");
	for (i = 1; i < s->cli.nfile; i++)
		name_of(s, s->cli.file[i], p.name);
	if (store_open(s, err) == -1)
		return -1;
	for (i = 1; i < s->cli.nfile; i++)
		put_file(&p, s->cli.file[i],
		    name_of(s, s->cli.file[i], p.name));
	ctx_digest_done(&p.digest);
	ctx_buf_done(&p.data);
	ctx_buf_done(&p.descr);
	return 0;
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	return store_file_get(s, "upload", err);
}

struct list {
	struct store_list list;
	char *dir;			/* the workspace, NULL: none */
};

static int
print_file(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct list *l = arg;
	struct ctx_buf *b = &l->list.s->row;
	const char *digest;
	char *path = NULL;
	size_t len;

	if (l->list.as != STORE_AS_ROWS) {
		ctx_buf_adds(&l->list.text, "- ");
		if ((digest = digest_in(f, l->list.lang, &len)) != NULL)
			ctx_buf_add(&l->list.text, digest, len);
		else
			ctx_name_clean(&l->list.text, f->name,
			    strlen(f->name), FILE_NAME_MAX);
		ctx_buf_addc(&l->list.text, '\n');
		return ctx_buf_fail(&l->list.text, err);
	}
	/* an import may have any name, also one that leads out of there */
	if (l->dir != NULL && name_ok(f->name))
		path = store_file_find(l->dir, FOLDER, f->name);
	ctx_row_begin(b);
	add_members(b, f, path, l->list.lang);
	ctx_row_when(b, "created_at", f->ts);
	ctx_row_end(b);
	free(path);
	return store_row(l->list.s, err);
}

static int
list_run(struct store *s, struct ctx_err *err)
{
	struct list l = { .list = { .s = s, .of = CLI_LIST_UPLOADS } };
	struct ctx_file_key key = { .kind = "upload" };
	int rc;

	l.list.lang = cli_lang(&s->cli, CTX_ZH);
	store_options(s, &l);
	key.name = store_operand(s, 1);
	rc = store_open(s, err);
	if (rc == 0)
		rc = ctx_space_find(s->st, s->where.thread, &l.dir, err);
	if (rc == 0)
		rc = ctx_file_list(s->st, &s->where, &key, print_file, &l,
		    err);
	if (rc == 0 && l.list.as != STORE_AS_ROWS)
		rc = store_list_print(&l.list, err);
	free(l.dir);
	ctx_buf_done(&l.list.text);
	return rc;
}

/* The copy goes before another process can put that file again. */
static int
remove_file(struct store *s, char *name, void *arg, struct ctx_err *err)
{
	char *dir = NULL;
	int ok;

	(void)arg;
	if (ctx_space_find(s->st, s->where.thread, &dir, err) == -1 ||
	    ctx_file_begin(s->st, err) == -1) {
		free(dir);
		return -1;
	}
	/* What is no name of ours is not in the store either. */
	ok = ctx_file_remove(s->st, &s->where, "upload", name, err) == 0 &&
	    (dir == NULL || !name_ok(name) ||
	    store_file_unlink(dir, FOLDER, name, err) == 0);
	free(dir);
	return ctx_file_end(s->st, ok, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	store_options(s, NULL);
	return store_each_name(s, remove_file, NULL, err);
}

const struct store_cmd store_upload_cmds[] = {
	STORE_CMD("upload put", CREATE, put_run, "THREAD FILE ...",
	    "Keep files that a thread was given.", put_opts),
	STORE_CMD("upload get", READ, get_run, "THREAD NAME[@N]",
	    "Write a file as it was kept.", store_plain_opts),
	STORE_CMD("upload list", READ, list_run, "THREAD [NAME]",
	    "List a thread's files, or all versions of one.",
	    store_list_opts),
	STORE_CMD("upload rm", WRITE, rm_run, "THREAD NAME ...",
	    "Remove files with all of their versions.", store_plain_opts),
	STORE_END
};
