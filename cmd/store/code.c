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

#define OPT_OF struct store_code_place
const struct cli_opt store_code_place_opts[] = {
	OPT_TEXT(0, "out", "DIR", out, "also write DIR/data/ID.ENDING",
	    .excludes = "workspace"),
	OPT_FLAG(0, "workspace", workspace,
	    "also write data/ID.ENDING in the workspace"),
	OPT_END
};
#undef OPT_OF

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

struct put {
	struct store *s;
	struct ctx_file f;
	struct store_code_place place;
	char *path;			/* of the file, NULL: none */
};

#define OPT_OF struct put
static const struct cli_opt put_opts[] = {
	OPT_TEXT(0, "desc", "TEXT", f.descr, "what it is"),
	OPT_TEXT(0, "syntax", "NAME", f.lang,
	    "its language (default: python)"),
	OPT_SUB(place, store_code_place_opts),
	STORE_COMMON
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

/* The code is read: keep it, write it, say so. */
static int
put_code(struct put *p, struct ctx_buf *data, struct ctx_err *err)
{
	struct ctx_buf descr = { 0 };
	struct store *s = p->s;
	int64_t version;
	int rc;

	p->f.data = data->data != NULL ? data->data : "";
	p->f.len = data->len;
	if (p->f.descr == NULL)
		p->f.descr = store_code_title(&p->f, &descr);
	rc = ctx_buf_fail(&descr, err);
	if (rc == 0)
		rc = ctx_file_put(s->st, &s->where, &p->f, &version, err);
	if (rc == 0 && (p->place.out != NULL || p->place.workspace))
		rc = store_file_newest(s, "code", p->f.name, write_file, p,
		    err);
	if (rc == 0)
		rc = print_saved(s, p, version, err);
	free(p->path);
	ctx_buf_done(&descr);
	return rc;
}

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct put p = { .s = s, .f.kind = "code", .f.lang = "python" };
	struct ctx_buf data = { 0 };
	const char *file;
	int rc;

	store_options(s, &p);
	p.f.name = s->cli.file[1];
	if (!ctx_file_name_ok(p.f.name))
		cli_usage(&s->cli, "an id is letters, digits, _ . and -, at "
		    "most 128");
	p.f.lang = store_code_lang(s, p.f.lang);
	file = store_operand(s, 2);
	if (store_slurp(file, STORE_FILE_MAX, &data, err) == -1)
		rc = store_report(s, file != NULL ? file : "-", err);
	else if ((rc = store_open(s, err)) == 0)
		rc = put_code(&p, &data, err);
	ctx_buf_done(&data);
	return rc;
}

static int
get_run(struct store *s, struct ctx_err *err)
{
	return store_file_get(s, "code", err);
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

static int
list_run(struct store *s, struct ctx_err *err)
{
	struct store_list l = { .s = s, .of = CLI_LIST_CODE };
	struct ctx_file_key key = { .kind = "code" };
	int rc;

	l.lang = cli_lang(&s->cli, CTX_ZH);
	store_options(s, &l);
	key.name = store_operand(s, 1);
	rc = store_open(s, err);
	if (rc == 0)
		rc = ctx_file_list(s->st, &s->where, &key, print_file, &l,
		    err);
	if (rc == 0 && l.as != STORE_AS_ROWS)
		rc = store_list_print(&l, err);
	ctx_buf_done(&l.text);
	return rc;
}

static int
remove_one(struct store *s, char *name, void *arg, struct ctx_err *err)
{
	(void)arg;
	return ctx_file_remove(s->st, &s->where, "code", name, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	store_options(s, NULL);
	return store_each_name(s, remove_one, NULL, err);
}

const struct store_cmd store_code_cmds[] = {
	STORE_CMD("code put", CREATE, put_run, "THREAD ID [FILE]",
	    "Keep code under an id, each version.", put_opts),
	STORE_CMD("code get", READ, get_run, "THREAD ID[@N]",
	    "Write code as it was kept.", store_plain_opts),
	STORE_CMD("code list", READ, list_run, "THREAD [ID]",
	    "List a thread's code, or all versions of one.",
	    store_list_opts),
	STORE_CMD("code rm", WRITE, rm_run, "THREAD ID ...",
	    "Remove code with all of its versions.", store_plain_opts),
	STORE_END
};
