/* SPDX-License-Identifier: MIT */
/* Digest the files that the operands name; see files.h. */
#include "cmd/digest-files/files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "cli_files.h"
#include "cli_list.h"
#include "cmd/digest-files/list.h"
#include "digest/walk.h"

static int
write_json(struct files *f, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];
	uint64_t tokens;

	ctx_buf_addc(&f->out, '{');
	ctx_digest_json(&f->digest, &f->out);
	ctx_buf_addf(&f->out, ",\"sha256\":\"%s\"",
	    ctx_sha256_hex(f->load.data, f->load.len, hash));
	if (f->digest.text) {
		if (ctx_cost_text(&f->cost, f->digest.utf8, f->digest.utf8len,
		    &tokens, err) == -1)
			return -1;
		ctx_buf_addf(&f->out, ",\"tokens\":%" PRIu64, tokens);
	}
	ctx_buf_adds(&f->out, "}\n");
	return ctx_buf_fail(&f->out, err);
}

/* --stash: store the contents under their hash, which the line contains. */
static int
keep(struct files *f, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];

	if (f->stash_dir == NULL)
		return 0;
	ctx_sha256_hex(f->load.data, f->load.len, hash);
	ctx_buf_addf(&f->out, " sha256:%s", hash);
	return cli_file_put(&(struct cli_file){ f->stash_dir, hash,
	    f->load.data, f->load.len, 0 }, err);
}

/* Write all lines as one system message in the form of the dialect. */
static void
write_message(struct files *f)
{
	const struct ctx_dialect *d = f->dialect;
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_SYSTEM };

	if (f->all_lines.len == 0)
		return;
	what.text = f->all_lines.data;
	what.textlen = f->all_lines.len - 1;	/* without the last line end */
	ctx_buf_reset(&f->out);
	(d != NULL ? d : &ctx_dialect_openai)->emit(&f->out, &what);
	ctx_buf_addc(&f->out, '\n');
	if (!f->out.failed)
		fwrite(f->out.data, 1, f->out.len, stdout);
	else
		cli_error(f->cli, CLI_SYSTEM, "out of memory");
}

/* Describe the file in f->load, which f->digest digests, in f->out. */
static int
describe(struct files *f, struct ctx_err *err)
{
	if (f->as == FILES_LIST) {
		f->count += (uint64_t)list_item(&f->out, &f->digest,
		    f->lang, f->count == 0);
		return ctx_buf_fail(&f->out, err);
	}
	f->count++;
	if (f->json) {
		if (write_json(f, err) == -1)
			return -1;
	} else {
		ctx_digest_line(&f->digest, f->lang, f->width, &f->out);
		if (keep(f, err) == -1)
			return -1;
		ctx_buf_addc(&f->out, '\n');
	}
	return ctx_buf_fail(&f->out, err);
}

/*
 * Handle one file.  Returns -1 with *err set if memory or standard output
 * fails.
 */
static int
one_file(const char *path, void *arg, struct ctx_err *err)
{
	struct files *f = arg;
	struct ctx_err why = { 0 };

	if (load_file(&f->load, path, &why) == -1) {
		cli_report(f->cli, path, &why);
		return 0;
	}
	if (f->load.len < f->min)
		return 0;
	f->bytes += f->load.len;
	ctx_buf_reset(&f->out);
	if (ctx_digest_make(&f->digest, path, f->load.data, f->load.len, NULL,
	    err) == -1 || describe(f, err) == -1)
		return -1;
	if (f->as == FILES_MESSAGE) {
		ctx_buf_add(&f->all_lines, f->out.data, f->out.len);
		return ctx_buf_fail(&f->all_lines, err);
	}
	if (f->out.len > 0 &&
	    fwrite(f->out.data, 1, f->out.len, stdout) != f->out.len)
		return ctx_fail_errno(err, errno, "standard output");
	return 0;
}

static void
trouble(const char *path, void *arg, const struct ctx_err *err)
{
	struct files *f = arg;

	cli_report(f->cli, path, err);
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

void
files_run(struct files *f, struct cli *c)
{
	struct ctx_err err = { 0 };
	int i;

	f->cli = c;
	if (f->json)
		cli_cost_open(&f->cost, c);
	if (f->stash_dir != NULL)
		cli_file_dir(f->stash_dir, 1, c);
	for (i = 0; i < c->nfile && err.code == CTX_OK; i++)
		one_operand(f, c->file[i], &err);
	if (err.code != CTX_OK)
		cli_report(c, NULL, &err);
	if (f->as == FILES_LIST && f->count > 0)
		fputs(cli_list_end(CLI_LIST_CODE, f->lang), stdout);
	if (f->as == FILES_MESSAGE)
		write_message(f);
	if (c->verbose)
		fprintf(stderr, "%s: %" PRIu64 " file%s, %" PRIu64 " byte%s\n",
		    c->cmd->name, f->count, CLI_S(f->count), f->bytes,
		    CLI_S(f->bytes));
}

void
files_done(struct files *f)
{
	ctx_cost_done(&f->cost);
	ctx_digest_done(&f->digest);
	load_done(&f->load);
	ctx_buf_done(&f->out);
	ctx_buf_done(&f->all_lines);
}
