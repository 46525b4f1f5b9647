/* SPDX-License-Identifier: MIT */
/* ctx-store code: what a model made, under its id. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest/names.h"
#include "digest/title.h"
#include "cmd/store/code.h"
#include "store/row.h"
#include "store/space.h"

enum { OPT_AS = CLI_LONG, OPT_DESC, OPT_LANG, OPT_OUT, OPT_NUMBER,
    OPT_WORKSPACE };

const char *
store_code_lang(struct store *s, const char *lang)
{
	char quoted[80];

	if (ctx_file_ending(lang) != NULL)
		return lang;
	cli_warn(&s->cli, "language '%s' unknown: kept as python",
	    ctx_err_quote(quoted, sizeof(quoted), lang, strlen(lang)));
	return "python";
}

const char *
store_code_title(const struct ctx_file *f, struct ctx_buf *out)
{
	const struct ctx_lang *lang;
	char name[16];
	const char *text;
	size_t n;

	snprintf(name, sizeof(name), "a.%s", ctx_file_ending(f->lang));
	if ((lang = ctx_lang_by_name(name)) == NULL ||
	    (n = ctx_title(lang, f->data, f->len, &text)) == 0)
		return NULL;
	ctx_name_clean(out, text, n, STORE_DESCR_MAX);
	return out->len > 0 ? ctx_buf_str(out) : NULL;
}

void
store_code_saved(struct ctx_buf *b, const struct ctx_file *f,
    int64_t version)
{
	ctx_row_begin(b);
	ctx_row_text(b, "marker", "CODE_SAVED");
	ctx_row_text(b, "code_id", f->name);
	ctx_row_text(b, "language", f->lang);
	ctx_row_text(b, "description", f->descr);
	ctx_row_int(b, "version", version);
	ctx_row_end(b);
}

void
store_code_place_check(struct store *s, const struct store_code_place *place)
{
	if (place->out != NULL && place->workspace)
		cli_usage(&s->cli, "--out and --workspace are two places");
}

int
store_code_write(struct store *s, const struct store_code_place *place,
    const struct ctx_file *f, char **path, struct ctx_err *err)
{
	struct store_file file = { place->out, "data", NULL, f->data, f->len,
	    0666 };
	const char *ending = f->lang != NULL ? ctx_file_ending(f->lang) : NULL;
	struct ctx_buf name = { 0 };
	char *dir = NULL;
	int rc = 0;

	if (place->workspace) {
		rc = ctx_space_make(s->st, s->where.thread, &dir, err);
		file.dir = dir;
	}
	/* what another program stored may be of any language */
	ctx_buf_addf(&name, "%s.%s", f->name, ending != NULL ? ending : "txt");
	if ((file.name = ctx_buf_str(&name)) == NULL)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = store_file_write(&file, path, err);
	ctx_buf_done(&name);
	free(dir);
	return rc;
}

static const struct cli_opt put_opts[] = {
	{ OPT_DESC, "desc", "TEXT", "what it is" },
	{ OPT_LANG, "lang", "NAME", "its language (default: python)" },
	STORE_CODE_PLACE,
	STORE_COMMON
};

struct put {
	struct store *s;
	struct ctx_file f;
	struct store_code_place place;
	char *path;			/* of the file, NULL: none */
};

static int
write_file(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct put *p = arg;

	return store_code_write(p->s, &p->place, f, &p->path, err);
}

static int
print_saved(struct store *s, const struct put *p, int64_t version,
    struct ctx_err *err)
{
	store_code_saved(&s->row, &p->f, version);
	if (p->path != NULL) {
		s->row.len -= 2;	/* the object goes on */
		ctx_row_text(&s->row, "path", p->path);
		ctx_row_end(&s->row);
	}
	return store_row(s, err);
}

static void
code_put_run(struct store *s)
{
	struct put p = { .s = s, .f.kind = "code", .f.lang = "python" };
	struct ctx_buf data = { 0 }, descr = { 0 };
	struct ctx_err err = { 0 };
	int64_t version;
	int ch;

	while ((ch = store_getopt(s)) != -1) {
		if (ch == OPT_DESC)
			p.f.descr = s->cli.arg;
		else if (ch == OPT_LANG)
			p.f.lang = s->cli.arg;
		else if (ch == OPT_OUT)
			p.place.out = s->cli.arg;
		else
			p.place.workspace = 1;
	}
	store_code_place_check(s, &p.place);
	store_operands(s, 2, 3, "a thread and an id");
	p.f.name = s->cli.file[1];
	if (!ctx_file_name_ok(p.f.name))
		cli_usage(&s->cli, "an id is letters, digits, _ . and -, at "
		    "most 128");
	p.f.lang = store_code_lang(s, p.f.lang);
	if (store_slurp(s->cli.nfile > 2 ? s->cli.file[2] : NULL, STORE_FILE_MAX,
	    &data, &err) == -1)
		store_report(s, s->cli.nfile > 2 ? s->cli.file[2] : "-", &err);
	else if (store_open(s) == 0) {
		p.f.data = data.data != NULL ? data.data : "";
		p.f.len = data.len;
		if (p.f.descr == NULL)
			p.f.descr = store_code_title(&p.f, &descr);
		if (ctx_buf_fail(&descr, &err) == -1 ||
		    ctx_file_put(s->st, &s->where, &p.f, &version,
		    &err) == -1 || ((p.place.out != NULL ||
		    p.place.workspace) && store_file_newest(s, "code",
		    p.f.name, write_file, &p, &err) == -1) ||
		    print_saved(s, &p, version, &err) == -1)
			store_report(s, NULL, &err);
	}
	free(p.path);
	ctx_buf_done(&data);
	ctx_buf_done(&descr);
}

static const struct cli_opt get_opts[] = {
	{ OPT_NUMBER, "number", "N", "not the newest but version N" },
	STORE_COMMON
};

static void
code_get_run(struct store *s)
{
	int64_t version = 0;

	while (store_getopt(s) != -1)
		version = (int64_t)cli_num(&s->cli, 1, INT64_MAX);
	store_operands(s, 2, 2, "a thread and an id");
	store_file_get(s, "code", version);
}

static int
print_file(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	struct store_list *l = arg;
	struct ctx_buf *b = &l->s->row;

	if (l->as != STORE_AS_ROWS) {
		ctx_buf_addf(&l->text, "- %s (%s)", f->name, f->lang != NULL ?
		    f->lang : "");
		if (f->descr != NULL && *f->descr != '\0') {
			ctx_buf_adds(&l->text, " - ");
			/* a list has a line for each */
			ctx_name_clean(&l->text, f->descr, strlen(f->descr),
			    SIZE_MAX);
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
	{ OPT_AS, "as", "HOW", "what to write: rows, list or message" },
	{ OPT_LANG, "lang", "NAME", "language of the words: en or zh" },
	STORE_COMMON
};

static void
code_list_run(struct store *s)
{
	struct store_list l = { .s = s, .of = CLI_LIST_CODE };
	struct ctx_file_key key = { .kind = "code" };
	struct ctx_err err = { 0 };
	int ch;

	l.lang = cli_lang(&s->cli, CTX_ZH);
	while ((ch = store_getopt(s)) != -1) {
		if (ch == OPT_AS)
			l.as = store_list_as(s);
		else
			l.lang = cli_lang_word(&s->cli);
	}
	store_operands(s, 1, 2, "a thread");
	if (s->cli.nfile > 1)
		key.name = s->cli.file[1];
	if (store_open(s) == 0 && (ctx_file_list(s->st, &s->where, &key,
	    print_file, &l, &err) == -1 || (l.as != STORE_AS_ROWS &&
	    store_list_print(&l, &err) == -1)))
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
	    "[OPTION ...] THREAD ID [FILE]",
	    "Keep code under an id, each version.", put_opts } },
	{ "code get", CTX_STORE_READ, code_get_run, { "ctx-store code get",
	    "[--number N] THREAD ID", "Write code as it was kept.",
	    get_opts } },
	{ "code list", CTX_STORE_READ, code_list_run, { "ctx-store code list",
	    "[--as HOW] [--lang NAME] THREAD [ID]",
	    "List a thread's code, or all versions of one.", list_opts } },
	{ "code rm", CTX_STORE_WRITE, code_rm_run, { "ctx-store code rm",
	    "THREAD ID ...", "Remove code with all of its versions.",
	    plain_opts } },
	{ 0 }
};
