/* SPDX-License-Identifier: MIT */
/* ctx-count --prepare: tables for other vocabularies; see count.h. */
#include "cmd/count/count.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_files.h"
#include "token/model.h"
#include "token/prepare.h"

/* Make a table, which gets the name of its file. */
static void
make_table(struct cli *c, const struct count_prepare *p, const char *out)
{
	const char *base = strrchr(out, '/');
	struct ctx_prepare_how how = { NULL, p->split };
	struct ctx_err err = { 0 };
	char name[64];

	if (cli_file_is_one(out, p->in))
		cli_usage(c, "--prepare: %s is the vocabulary itself; name the "
		    "table that is to be made of it", out);
	base = base == NULL ? out : base + 1;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
	how.name = *name == '\0' ? NULL : name;
	if (ctx_prepare(p->in, out, &how, &err) == -1)
		cli_report(c, NULL, &err);
}

/* Create the folders that lead to the file called path. */
static int
make_folders(char *path, struct ctx_err *err)
{
	char *p;
	int rc = 0;

	for (p = path + 1; rc == 0 && (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		if (mkdir(path, 0777) == -1 && errno != EEXIST)
			rc = ctx_fail_errno(err, errno, "%s", path);
	}
	return rc;
}

/* The name of the table that p's model needs; ends the process without one. */
static const char *
table_of(struct cli *c, const struct count_prepare *p,
    const struct ctx_models *models)
{
	const struct ctx_model *m = ctx_model_find(models, p->model);
	char quoted[128];

	ctx_err_quote(quoted, sizeof(quoted), p->model, strlen(p->model));
	if (m == NULL)
		cli_usage(c, "model '%s' is not known; name the new table "
		    "instead: ctx-count --prepare FILE NAME.ctxv", quoted);
	if (ctx_model_table(m) == NULL)
		cli_usage(c, "model '%s' needs no table: it is counted with "
		    "%s", quoted, m->encoding);
	return ctx_model_table(m);
}

/* Install a table where every model of its vocabulary finds it. */
static void
install(struct cli *c, const struct count_prepare *p)
{
	struct ctx_err err = { 0 };
	struct ctx_buf path = { 0 };
	struct ctx_models *models = ctx_models_new(&err);

	cli_must(c, models == NULL ? -1 : 0, &err);
	ctx_tok_user_dir(&path);
	if (!path.failed && path.len == 0)
		cli_usage(c, "no folder for tables: set CTX_VOCAB or HOME");
	ctx_buf_addf(&path, "/%s.ctxv", table_of(c, p, models));
	if (ctx_buf_fail(&path, &err) == 0 && ctx_buf_str(&path) == NULL)
		ctx_fail_nomem(&err);
	cli_must(c, err.code == CTX_OK ? 0 : -1, &err);
	cli_must(c, make_folders(path.data, &err), &err);
	make_table(c, p, path.data);
	if (c->worst == CLI_OK)
		printf("%s\n", path.data);
	ctx_buf_done(&path);
	ctx_models_free(models);
}

void
count_prepare(struct cli *c, const struct count_prepare *p)
{
	if (c->nfile == 1)
		make_table(c, p, c->file[0]);
	else
		install(c, p);
}
