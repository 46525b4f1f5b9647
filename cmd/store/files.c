/* SPDX-License-Identifier: MIT */
/* Files of a thread, on disk and in lists; see files.h. */
#include "cmd/store/files.h"

#include <string.h>

#include "store/row.h"

static int
print_data(const struct ctx_file *f, void *arg, struct ctx_err *err)
{
	(void)arg;
	return store_write(f->data, f->len, err);
}

int
store_file_get(struct store *s, const char *kind, struct ctx_err *err)
{
	struct ctx_file_key key = { .kind = kind };
	char *name;
	int rc;

	if (store_begin(s, NULL, err) == -1)
		return -1;
	key.name = name = s->cli.file[1];
	key.version = store_version(name);
	rc = ctx_file_get(s->st, &s->where, &key, print_data, NULL, err);
	if (rc == 0 || err->code != CTX_ENO || key.version == 0)
		return rc;
	name[strlen(name)] = '@';
	key.version = 0;
	ctx_err_clear(err);
	return ctx_file_get(s->st, &s->where, &key, print_data, NULL, err);
}

static const char *const list_forms[] = { "rows", "list", "message", NULL };

#define OPT_OF struct store_list
const struct cli_opt store_list_opts[] = {
	OPT_WORD(0, "as", "HOW", as, list_forms,
	    "output format (default rows)"),
	OPT_WORD(0, "lang", "NAME", lang, cli_langs,
	    "language of the output (default zh)"),
	STORE_COMMON
};

int
store_list_begin(struct store *s, struct store_list *l, struct ctx_err *err)
{
	l->s = s;
	l->lang = cli_lang(&s->cli, CTX_ZH);
	return store_begin(s, l, err);
}

static int
print_items(struct store_list *l, struct ctx_err *err)
{
	struct ctx_buf all = { 0 };
	int rc;

	ctx_buf_adds(&all, cli_list_head(l->of, l->lang));
	ctx_buf_add(&all, l->text.data, l->text.len);
	ctx_buf_adds(&all, cli_list_end(l->of, l->lang));
	if ((rc = ctx_buf_fail(&all, err)) == 0)
		rc = l->as == STORE_AS_LIST ?
		    store_write(all.data, all.len, err) :
		    store_text_message(l->s, "system", &all, err);
	ctx_buf_done(&all);
	return rc;
}

int
store_list_files(struct store_list *l, const char *kind, ctx_file_fn *fn,
    void *arg, struct ctx_err *err)
{
	struct ctx_file_key key = { .kind = kind };
	int rc;

	key.name = store_operand(l->s, 1);
	rc = ctx_file_list(l->s->st, &l->s->where, &key, fn, arg, err);
	if (rc == 0 && l->text.len > 0)
		rc = print_items(l, err);
	ctx_buf_done(&l->text);
	return rc;
}
