/* SPDX-License-Identifier: MIT */
/* ctx-digest-files - one line for a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "cli_cost.h"
#include "cli_files.h"
#include "cli_list.h"
#include "cmd/digest-files/list.h"
#include "cmd/digest-files/load.h"
#include "cmd/digest-files/stream.h"
#include "digest/digest_line.h"
#include "digest/walk.h"

enum { AS_LINE, AS_LIST, AS_MESSAGE };
static const char *const forms[] = { "line", "list", "message", NULL };

struct files {
	struct cli *cli;
	struct ctx_digest digest;
	struct load load;
	struct ctx_buf out;
	struct ctx_cost cost;
	enum ctx_digest_lang lang;
	uint64_t min, width, count, bytes;
	int recursive, all, json, as;
	struct ctx_buf all_lines;	/* --as message */
	struct digests stream;		/* without operands, or with -i */
};

#define OPT_OF struct files
static const struct cli_opt opts[] = {
	OPT_GROUP("Files"),
	OPT_FLAG('r', "recursive", recursive, "digest the files of folders"),
	OPT_FLAG(0, "all", all, "also what .gitignore leaves out",
	    .needs = "recursive"),
	OPT_WORD(0, "as", "HOW", as, forms, "what to write"),
	OPT_FLAG(0, "json", json, "write an object for each file",
	    .excludes = "as"),
	OPT_SUB(cost, cli_model_opts),
	OPT_GROUP("Lines"),
	OPT_WORD(0, "lang", "NAME", lang, cli_langs, "language of the words"),
	OPT_NUM(0, "min", "N", min, 0, UINT64_MAX,
	    "leave files of fewer than N bytes alone"),
	OPT_NUM(0, "width", "N", width, 20, UINT32_MAX,
	    "characters a line should have (240)"),
	OPT_TEXT(0, "stash", "DIR", stream.stash_dir,
	    "keep the contents in DIR"),
	OPT_GROUP("What is digested in a stream"),
	OPT_LIST(0, "tool", "NAME", stream.tool, "one more tool that reads"),
	OPT_TEXT(0, "id-prefix", "TEXT", stream.opts.id_prefix,
	    "calls whose id begins so read"),
	OPT_NUM(0, "keep-recent", "N", stream.opts.keep_recent, 0, UINT32_MAX,
	    "the newest N files stay whole"),
	OPT_FLAG(0, "keep-latest", stream.opts.keep_latest,
	    "the latest read of each file stays"),
	OPT_FLAG(0, "superseded", stream.opts.superseded,
	    "only what was read or written again"),
	OPT_FLAG(0, "writes", stream.opts.writes,
	    "contents that tools wrote too"),
	OPT_SUB(stream.stream, cli_stream_opts),
	OPT_SUB(stream.stream, cli_in_place_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-digest-files", "[PATH ...]",
	"Say in one line what a file is; in a stream, instead of its contents.",
	opts, NULL
};

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
		if (ctx_counter_text(&f->cost.counter, f->load.data,
		    f->load.len, &tokens, err) == -1)
			return -1;
		ctx_buf_addf(&f->out, ",\"tokens\":%" PRIu64, tokens);
	}
	return ctx_buf_adds(&f->out, "}\n");
}

/* --stash: the contents under their hash, which the line names. */
static int
keep(struct files *f, struct ctx_err *err)
{
	char hash[CTX_SHA256_HEX];

	if (f->stream.stash_dir == NULL)
		return 0;
	ctx_sha256_hex(f->load.data, f->load.len, hash);
	ctx_buf_addf(&f->out, " sha256:%s", hash);
	return cli_file_put(f->stream.stash_dir, hash, "", f->load.data,
	    f->load.len, err);
}

/* All lines as one message of the system, in the dialect's form. */
static void
write_message(struct files *f)
{
	const struct ctx_dialect *d = f->stream.stream.dialect;
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_SYSTEM };

	if (f->all_lines.len == 0)
		return;
	what.text = f->all_lines.data;
	what.textlen = f->all_lines.len - 1;	/* no last line end */
	ctx_buf_reset(&f->out);
	(d != NULL ? d : &ctx_dialect_openai)->emit(&f->out, &what);
	ctx_buf_addc(&f->out, '\n');
	if (!f->out.failed)
		fwrite(f->out.data, 1, f->out.len, stdout);
	else
		cli_error(f->cli, CLI_SYSTEM, "out of memory");
}

/* One file.  -1 with *err: memory, or standard output. */
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
	    err) == -1)
		return -1;
	if (f->as == AS_LIST)
		f->count += (uint64_t)list_item(&f->out, &f->digest,
		    f->load.data, f->load.len, f->lang, f->count == 0);
	else {
		f->count++;
		if (f->json)
			write_json(f, err);
		else {
			ctx_digest_line(&f->digest, f->lang, f->width,
			    &f->out);
			if (keep(f, err) == -1)
				return -1;
			ctx_buf_addc(&f->out, '\n');
		}
	}
	if (err->code != CTX_OK || ctx_buf_fail(&f->out, err) == -1)
		return -1;
	if (f->as == AS_MESSAGE) {
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

/* Files on the command line, or a stream on standard input. */
static void
run(struct files *f, struct cli *c)
{
	struct ctx_err err = { 0 };
	int i;

	if (f->json)
		cli_cost_open(&f->cost, c);
	if (f->stream.stash_dir != NULL)
		cli_file_dir(f->stream.stash_dir, 1, c);
	for (i = 0; i < c->nfile && err.code == CTX_OK; i++)
		one_operand(f, c->file[i], &err);
	if (err.code != CTX_OK)
		cli_report(c, NULL, &err);
	if (f->as == AS_LIST && f->count > 0)
		fputs(cli_list_end(CLI_LIST_CODE, f->lang), stdout);
	if (f->as == AS_MESSAGE)
		write_message(f);
	if (c->verbose)
		fprintf(stderr, "%s: %" PRIu64 " files, %" PRIu64 " bytes\n",
		    cmd.name, f->count, f->bytes);
}

int
main(int argc, char *argv[])
{
	struct files f = { .width = CTX_LINE_WIDTH };
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&f.cost);
	f.cli = &cli;
	f.lang = cli_lang(&cli, CTX_EN);
	cli_options(&cli, &f);
	if (cli.nfile > 0 && !f.stream.stream.in_place)
		run(&f, &cli);
	else {
		if (f.json || f.as != AS_LINE || f.recursive || f.all)
			cli_usage(&cli, "a stream has no files to list");
		f.stream.lang = f.lang;
		f.stream.min = f.min;
		f.stream.width = f.width;
		digests_run(&f.stream, &cli);
	}
	cli_figure(&cli, "files", f.count + f.stream.count);
	digests_done(&f.stream);
	ctx_cost_done(&f.cost);
	ctx_digest_done(&f.digest);
	load_done(&f.load);
	ctx_buf_done(&f.out);
	ctx_buf_done(&f.all_lines);
	return cli_end(&cli);
}
