/* SPDX-License-Identifier: MIT */
/* ctx-store code: what a model made, under its id. */
#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store.h"
#include "store/file.h"
#include "store/row.h"

#define CONTENT_MAX	(900u << 20)

enum { OPT_AS = CLI_LONG, OPT_DESC, OPT_LANG, OPT_OUT, OPT_NUMBER };

static const struct cli_opt put_opts[] = {
	{ OPT_DESC, "desc", "TEXT", "what it is" },
	{ OPT_LANG, "lang", "NAME", "its language (default: python)" },
	{ OPT_OUT, "out", "DIR", "also write DIR/data/ID.ENDING" },
	STORE_COMMON
};

struct put {
	struct ctx_file f;
	const char *out;
	const char *ending;
};

/* path/data/NAME.ENDING: whole, or not at all. */
static int
write_file(const struct put *p, struct ctx_err *err)
{
	struct ctx_buf path = { 0 }, tmp = { 0 };
	FILE *file = NULL;
	int fd = -1, rc = -1;

	ctx_buf_addf(&path, "%s/data", p->out);
	if (ctx_buf_str(&path) == NULL ||
	    (mkdir(path.data, 0777) == -1 && errno != EEXIST))
		goto out;
	ctx_buf_addf(&tmp, "%s/.ctx-store.XXXXXX", path.data);
	ctx_buf_addf(&path, "/%s.%s", p->f.name, p->ending);
	if (ctx_buf_str(&path) == NULL || ctx_buf_str(&tmp) == NULL ||
	    (fd = mkstemp(tmp.data)) == -1)
		goto out;
	file = fdopen(fd, "wb");
	if (file != NULL && fwrite(p->f.data != NULL ? p->f.data : "", 1,
	    p->f.len, file) == p->f.len && fflush(file) == 0 &&
	    fchmod(fd, 0644) == 0 && fsync(fd) == 0 &&
	    rename(tmp.data, path.data) == 0)
		rc = 0;
out:
	if (rc == -1)
		ctx_fail_errno(err, errno, "%s", path.data != NULL ?
		    path.data : p->out);
	if (rc == -1 && fd != -1)
		unlink(tmp.data);
	if (file != NULL)
		fclose(file);
	ctx_buf_done(&path);
	ctx_buf_done(&tmp);
	return rc;
}

static int
print_saved(struct store *s, const struct put *p, int64_t version,
    struct ctx_err *err)
{
	ctx_row_begin(&s->row);
	ctx_row_text(&s->row, "marker", "CODE_SAVED");
	ctx_row_text(&s->row, "code_id", p->f.name);
	ctx_row_text(&s->row, "language", p->f.lang);
	ctx_row_int(&s->row, "version", version);
	ctx_row_end(&s->row);
	return store_row(s, err);
}

static void
code_put_run(struct store *s)
{
	struct put p = { .f.kind = "code", .f.lang = "python" };
	struct ctx_buf data = { 0 };
	struct ctx_err err = { 0 };
	int64_t version;
	int ch;

	while ((ch = store_getopt(s)) != -1) {
		if (ch == OPT_DESC)
			p.f.descr = s->cli.arg;
		else if (ch == OPT_LANG)
			p.f.lang = s->cli.arg;
		else
			p.out = s->cli.arg;
	}
	store_operands(s, 2, 3, "a thread and an id");
	p.f.name = s->cli.file[1];
	if (!ctx_file_name_ok(p.f.name))
		cli_usage(&s->cli, "an id is letters, digits, _ . and -, at "
		    "most 128");
	if ((p.ending = ctx_file_ending(p.f.lang)) == NULL) {
		char quoted[80];

		cli_warn(&s->cli, "language '%s' unknown: kept as python",
		    ctx_err_quote(quoted, sizeof(quoted), p.f.lang,
		    strlen(p.f.lang)));
		p.f.lang = "python";
		p.ending = "py";
	}
	if (store_slurp(s->cli.nfile > 2 ? s->cli.file[2] : NULL, CONTENT_MAX,
	    &data, &err) == -1)
		store_report(s, s->cli.nfile > 2 ? s->cli.file[2] : "-", &err);
	else if (store_open(s) == 0) {
		p.f.data = data.data;
		p.f.len = data.len;
		if (ctx_file_put(s->st, &s->where, &p.f, &version,
		    &err) == -1 || (p.out != NULL && write_file(&p,
		    &err) == -1) || print_saved(s, &p, version, &err) == -1)
			store_report(s, NULL, &err);
	}
	ctx_buf_done(&data);
}

static const struct cli_opt get_opts[] = {
	{ OPT_NUMBER, "number", "N", "not the newest but version N" },
	STORE_COMMON
};

static int
print_data(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	(void)arg;
	return store_write(f->data, f->len, err);
}

static void
code_get_run(struct store *s)
{
	struct ctx_err err = { 0 };
	int64_t version = 0;

	while (store_getopt(s) != -1)
		version = (int64_t)cli_num(&s->cli, 1, INT64_MAX);
	store_operands(s, 2, 2, "a thread and an id");
	if (store_open(s) == 0 && ctx_file_get(s->st, &s->where, "code",
	    s->cli.file[1], version, print_data, NULL, &err) == -1)
		store_report(s, NULL, &err);
}

enum how { AS_ROWS, AS_LIST, AS_MESSAGE };

struct list {
	struct store *s;
	enum how how;
	struct ctx_buf text;
};

static int
print_file(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct list *l = arg;
	struct ctx_buf *b = &l->s->row;

	if (l->how != AS_ROWS) {
		ctx_buf_addf(&l->text, "- %s (%s)", f->name, f->lang != NULL ?
		    f->lang : "");
		if (f->descr != NULL && *f->descr != '\0') {
			ctx_buf_adds(&l->text, " - ");
			ctx_buf_adds(&l->text, f->descr);
		}
		ctx_buf_addc(&l->text, '\n');
		return ctx_buf_fail(&l->text, err);
	}
	ctx_row_begin(b);
	ctx_row_text(b, "code_id", f->name);
	ctx_row_text(b, "language", f->lang);
	ctx_row_text(b, "description", f->descr);
	ctx_row_int(b, "version", f->version);
	ctx_row_int(b, "line_count", f->lines);
	ctx_row_int(b, "char_count", f->chars);
	ctx_row_when(b, "created_at", f->ts);
	ctx_row_end(b);
	return store_row(l->s, err);
}

static const struct cli_opt list_opts[] = {
	{ OPT_AS, "as", "HOW", "rows, list, or message: a system one" },
	STORE_COMMON
};

/* The list as a prompt has it; nothing if there is no code. */
static int
print_list(struct list *l, struct ctx_err *err)
{
	static const char head[] = "可用代码文件列表：\n";
	static const char hint[] = "\n你可以通过 <code_ref>{code_id}</code_ref>"
	    " 标签在最终报告中引用这些代码。";
	struct ctx_buf all = { 0 };
	int rc = 0;

	if (l->text.len == 0)
		return 0;
	ctx_buf_adds(&all, head);
	ctx_buf_add(&all, l->text.data, l->text.len);
	ctx_buf_adds(&all, hint);
	if (l->how == AS_LIST)
		ctx_buf_addc(&all, '\n');
	if ((rc = ctx_buf_fail(&all, err)) == 0 && l->how == AS_LIST)
		rc = store_write(all.data, all.len, err);
	else if (rc == 0) {
		ctx_row_begin(&l->s->row);
		ctx_row_text(&l->s->row, "role", "system");
		ctx_row_bytes(&l->s->row, "content", all.data, all.len);
		ctx_row_end(&l->s->row);
		rc = store_row(l->s, err);
	}
	ctx_buf_done(&all);
	return rc;
}

static void
code_list_run(struct store *s)
{
	static const char *const as[] = { "rows", "list", "message", NULL };
	struct list l = { .s = s };
	struct ctx_err err = { 0 };

	while (store_getopt(s) != -1)
		l.how = (enum how)cli_word(&s->cli, as);
	store_operands(s, 1, 2, "a thread");
	if (store_open(s) == 0 && (ctx_file_list(s->st, &s->where, "code",
	    s->cli.nfile > 1 ? s->cli.file[1] : NULL, print_file, &l,
	    &err) == -1 || (l.how != AS_ROWS && print_list(&l, &err) == -1)))
		store_report(s, NULL, &err);
	ctx_buf_done(&l.text);
}

static const struct cli_opt plain_opts[] = { STORE_COMMON };

static void
code_rm_run(struct store *s)
{
	struct ctx_err err = { 0 };
	int i;

	while (store_getopt(s) != -1)
		continue;
	store_operands(s, 2, 1 << 20, "a thread and an id");
	if (store_open(s) == -1)
		return;
	for (i = 1; i < s->cli.nfile; i++) {
		if (ctx_file_remove(s->st, &s->where, "code", s->cli.file[i],
		    &err) == -1)
			store_report(s, NULL, &err);
		ctx_err_clear(&err);
	}
}

const struct store_cmd store_code_cmds[] = {
	{ "code put", CTX_STORE_CREATE, code_put_run, { "ctx-store code put",
	    "[--lang NAME] [--desc TEXT] [--out DIR] THREAD ID [FILE]",
	    "Keep code under an id, each version.", put_opts } },
	{ "code get", CTX_STORE_READ, code_get_run, { "ctx-store code get",
	    "[--number N] THREAD ID", "Write code as it was kept.",
	    get_opts } },
	{ "code list", CTX_STORE_READ, code_list_run, { "ctx-store code list",
	    "[--as HOW] THREAD [ID]",
	    "List a thread's code, or all versions of one.", list_opts } },
	{ "code rm", CTX_STORE_WRITE, code_rm_run, { "ctx-store code rm",
	    "THREAD ID ...", "Remove code with all of its versions.",
	    plain_opts } },
	{ 0 }
};
