/* SPDX-License-Identifier: MIT */
/* ctx-store code: store code that a model wrote, under its id. */
#include "cmd/store/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/ending.h"
#include "digest/names.h"
#include "store/row.h"

void
store_code_unknown(struct store *s, const char *lang, size_t len)
{
	char quoted[80];

	cli_warn(&s->cli, "language '%s' is not known; stored as python",
	    ctx_err_quote(quoted, sizeof(quoted), lang, len));
}

#define OPT_OF struct ctx_coderef_place
const struct cli_opt store_code_place_opts[] = {
	OPT_TEXT(0, "out", "DIR", out,
	    "also write the code to DIR/data/ID.ENDING",
	    .excludes = "workspace"),
	OPT_FLAG(0, "workspace", workspace,
	    "also write the code to data/ID.ENDING in the workspace"),
	OPT_END
};
#undef OPT_OF

struct put {
	struct ctx_file f;
	struct ctx_coderef_place place;
};

#define OPT_OF struct put
static const struct cli_opt put_opts[] = {
	OPT_TEXT(0, "desc", "TEXT", f.descr,
	    "description of the code (default: its first comment)"),
	OPT_TEXT(0, "syntax", "NAME", f.lang,
	    "language of the code (default python)"),
	OPT_SUB(place, store_code_place_opts),
	STORE_COMMON
};

/*
 * Store the code that was read, write it to files, and print a line about it.
 */
static int
put_code(struct store *s, struct put *p, struct ctx_err *err)
{
	struct ctx_coderef_opts to = { .st = s->st, .where = s->where,
	    .place = p->place };
	struct ctx_buf descr = { 0 };
	char *path = NULL;
	int64_t version;
	int rc;

	if (p->f.descr == NULL)
		ctx_coderef_describe(&p->f, &descr);
	rc = ctx_buf_fail(&descr, err);
	if (rc == 0)
		rc = ctx_file_put(s->st, &s->where, &p->f, &version, err);
	if (rc == 0)
		rc = ctx_coderef_write(&to, p->f.name, &path, err);
	if (rc == 0) {
		ctx_coderef_saved(&s->row, &p->f, version, path);
		rc = store_write_buf(&s->row, err);
	}
	free(path);
	ctx_buf_done(&descr);
	return rc;
}

static int
put_run(struct store *s, struct ctx_err *err)
{
	struct put p = { .f.kind = "code", .f.lang = "python" };
	struct ctx_buf data = { 0 };
	const char *file;
	int rc;

	store_options(s, &p);
	p.f.name = s->cli.file[1];
	if (!ctx_file_name_ok(p.f.name))
		cli_usage(&s->cli, "an id has at most 128 characters: letters, "
		    "digits, '_', '.' and '-'");
	if (ctx_ending_of(p.f.lang) == NULL) {
		store_code_unknown(s, p.f.lang, strlen(p.f.lang));
		p.f.lang = "python";
	}
	file = store_operand(s, 2);
	if (store_slurp(file, &data, err) == -1)
		rc = store_report(s, file != NULL ? file : "-", err);
	else if ((rc = store_open(s, err)) == 0) {
		p.f.data = data.data != NULL ? data.data : "";
		p.f.len = data.len;
		rc = put_code(s, &p, err);
	}
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
			/* each item of a list is one line */
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
	return store_list_row(l->s, err);
}

static int
list_run(struct store *s, struct ctx_err *err)
{
	struct store_list l = { .of = CLI_LIST_CODE };

	return store_list_begin(s, &l, err) == -1 ? -1 :
	    store_list_files(&l, "code", print_file, &l, err);
}

int
store_code_message(struct store *s, struct ctx_err *err)
{
	struct store_list l = { .s = s, .of = CLI_LIST_CODE,
	    .as = STORE_AS_MESSAGE, .lang = cli_lang(&s->cli, CTX_ZH) };

	return store_list_files(&l, "code", print_file, &l, err);
}

static int
remove_one(struct ctx_store *st, const struct ctx_where *w, const char *name,
    struct ctx_err *err)
{
	return ctx_file_remove(st, w, "code", name, err);
}

static int
rm_run(struct store *s, struct ctx_err *err)
{
	return store_each_name(s, remove_one, err);
}

const struct store_cmd store_code_cmds[] = {
	STORE_CMD("code put", CREATE, put_run, "THREAD ID [FILE]",
	    "Store code as the next version of an id.", put_opts),
	STORE_CMD("code get", READ, get_run, "THREAD ID[@N]",
	    "Write code as it was stored.", store_plain_opts),
	STORE_CMD("code list", READ, list_run, "THREAD [ID]",
	    "List a thread's code, or all versions of one id.",
	    store_list_opts),
	STORE_CMD("code rm", WRITE, rm_run, "THREAD ID ...",
	    "Remove code with all of its versions.", store_plain_opts),
	STORE_END
};
