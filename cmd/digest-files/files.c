/* SPDX-License-Identifier: MIT */
/* Digest the files that the operands name; see files.h. */
#include "cmd/digest-files/files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli_files.h"
#include "cli_list.h"
#include "cmd/digest-files/crew.h"
#include "cmd/digest-files/map.h"
#include "digest/walk.h"

/* Write all lines as one system message in the form of the dialect. */
static void
write_message(struct files *f)
{
	const struct ctx_dialect *d = f->dialect;
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_SYSTEM };
	struct ctx_buf *out = &f->one.out;

	if (f->all_lines.len == 0)
		return;
	what.text = f->all_lines.data;
	what.textlen = f->all_lines.len - 1;	/* without the last line end */
	ctx_buf_reset(out);
	(d != NULL ? d : &ctx_dialect_openai)->emit(out, &what);
	ctx_buf_addc(out, '\n');
	if (!out->failed)
		fwrite(out->data, 1, out->len, stdout);
	else
		cli_error(f->cli, CLI_SYSTEM, "out of memory");
}

/* Write what there is to say, or add it to the message. */
static int
put(struct files *f, const struct ctx_buf *out, struct ctx_err *err)
{
	if (f->each.as == FILES_MESSAGE) {
		ctx_buf_add(&f->all_lines, out->data, out->len);
		return ctx_buf_fail(&f->all_lines, err);
	}
	if (out->len > 0 && fwrite(out->data, 1, out->len, stdout) != out->len)
		return ctx_fail_errno(err, errno, "standard output");
	return 0;
}

/*
 * Handle what became of one file.  Returns -1 with *err set if memory or
 * standard output fails.
 */
static int
take(struct digested *d, void *arg, struct ctx_err *err)
{
	struct files *f = arg;

	if (d->why.code != CTX_OK)
		cli_report(f->cli, d->path.data, &d->why);
	if (d->err.code != CTX_OK) {
		*err = d->err;
		return -1;
	}
	f->bytes += d->bytes;
	f->count += f->as_map;
	cli_progress_files(&f->progress, f->count, f->bytes);
	if (!d->listed)
		return 0;
	if (f->count++ == 0 && f->each.as == FILES_LIST)
		fputs(cli_list_head(CLI_LIST_CODE, f->each.lang), stdout);
	return put(f, &d->out, err);
}

static int
one_file(const char *path, void *arg, struct ctx_err *err)
{
	struct files *f = arg;
	struct ctx_buf *name = &f->one.path;

	if (f->failed) {
		*err = f->err;
		return -1;
	}
	if (f->crew != NULL)
		return crew_give(f->crew, path, NULL, err);
	ctx_buf_reset(name);
	ctx_buf_adds(name, path);
	if (ctx_buf_str(name) == NULL)
		return ctx_fail_nomem(err);
	desk_digest(&f->desk, &f->one);
	return take(&f->one, f, err);
}

/* With threads, this too is reported in its place. */
static void
trouble(const char *path, void *arg, const struct ctx_err *why)
{
	struct files *f = arg;

	if (f->crew == NULL)
		cli_report(f->cli, path, why);
	else if (!f->failed)
		/* if that fails, the next file ends the walk */
		f->failed = crew_give(f->crew, path, why, &f->err) == -1;
}

static int
one_operand(struct files *f, const char *path, struct ctx_err *err)
{
	struct ctx_walk walk = { one_file, trouble, f, f->all };
	struct stat st;

	if (f->recursive && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return ctx_walk_tree(&walk, path, err);
	return one_file(path, f, err);
}

/* Digest the files of all operands. */
static void
all_operands(struct files *f, struct cli *c, struct ctx_err *err)
{
	pthread_mutex_t stash = PTHREAD_MUTEX_INITIALIZER;
	int i;

	f->desk.opts = &f->each;
	f->desk.cost = &f->cost;
	f->desk.stash = &stash;
	if (f->threads > 1 && !f->as_map && (f->recursive || c->nfile > 1))
		f->crew = crew_new(&f->desk, f->threads, take, f, err);
	for (i = 0; i < c->nfile && err->code == CTX_OK; i++)
		one_operand(f, c->file[i], err);
	if (err->code == CTX_OK && f->failed)
		*err = f->err;
	if (f->crew != NULL)
		crew_end(f->crew, err);
	pthread_mutex_destroy(&stash);
}

void
files_run(struct files *f, struct cli *c)
{
	struct ctx_err err = { 0 };

	f->cli = c;
	if (f->each.json)
		cli_cost_open(&f->cost, c);
	if (f->each.stash_dir != NULL)
		cli_file_dir(f->each.stash_dir, 1, c);
	if (f->as_map)
		map_begin(f);
	cli_progress_begin_files(&f->progress, c);
	all_operands(f, c, &err);
	cli_progress_end(&f->progress);
	if (f->as_map && map_end(f, &f->one.out, &err) == 0)
		put(f, &f->one.out, &err);
	if (err.code != CTX_OK)
		cli_report(c, NULL, &err);
	if (f->each.as == FILES_LIST && f->count > 0)
		fputs(cli_list_end(CLI_LIST_CODE, f->each.lang), stdout);
	if (f->each.as == FILES_MESSAGE)
		write_message(f);
	if (c->verbose && !f->as_map)
		fprintf(stderr, "%s: %" PRIu64 " file%s, %" PRIu64 " byte%s\n",
		    c->cmd->name, f->count, CLI_S(f->count), f->bytes,
		    CLI_S(f->bytes));
}

void
files_done(struct files *f)
{
	ctx_map_free(f->desk.map);
	cli_args_done(&f->focus);
	ctx_cost_done(&f->cost);
	desk_done(&f->desk);
	digested_done(&f->one);
	ctx_buf_done(&f->all_lines);
}
