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
#include "digest/line.h"
#include "digest/walk.h"

enum {
	AS = CLI_LONG, JSON, LANG, MIN, WIDTH, ALL, TOOL, ID_PREFIX,
	KEEP_RECENT, KEEP_LATEST, SUPERSEDED, WRITES, STASH
};

enum { AS_LINE, AS_LIST, AS_MESSAGE };

static const struct cli_opt opts[] = {
	{ 'r', "recursive", NULL, "digest the files of folders" },
	{ ALL, "all", NULL, "with -r: also what .gitignore leaves out" },
	{ AS, "as", "HOW", "what to write: line, list or message" },
	{ JSON, "json", NULL, "write an object for each file" },
	{ LANG, "lang", "NAME", "language of the words: en or zh" },
	{ MIN, "min", "N", "leave files of fewer than N bytes alone" },
	{ WIDTH, "width", "N", "characters a line should have (240)" },
	{ STASH, "stash", "DIR", "keep the contents in DIR" },
	{ TOOL, "tool", "NAME", "in a stream: one more tool that reads" },
	{ ID_PREFIX, "id-prefix", "TEXT",
	    "in a stream: calls whose id begins so read" },
	{ KEEP_RECENT, "keep-recent", "N",
	    "in a stream: the newest N files stay whole" },
	{ KEEP_LATEST, "keep-latest", NULL,
	    "in a stream: the latest read of each file stays" },
	{ SUPERSEDED, "superseded", NULL,
	    "in a stream: only what was read or written again" },
	{ WRITES, "writes", NULL,
	    "in a stream: contents that tools wrote too" },
	{ 'm', "model", "NAME", "with --json: count tokens for this model" },
	{ 'e', "encoding", "NAME", "with --json: count with this tokenizer" },
	CLI_STREAM_OPTS,
	CLI_IN_PLACE_OPT,
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-digest-files",
	"[-i[SUFFIX]] [-qv] [-r] [-b KEY] [-d NAME] [-e NAME] [-m NAME] "
	    "[--all] [--as HOW] [--id-prefix TEXT] [--json] [--keep-latest] "
	    "[--keep-recent N] [--lang NAME] [--min N] [--on-error HOW] "
	    "[--stash DIR] [--superseded] [--tool NAME] [--width N] "
	    "[--writes] [PATH ...]",
	"Say in one line what a file is; in a stream, instead of its contents.",
	opts
};

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
	(d != NULL ? d : &ctx_openai)->emit(&f->out, &what);
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

/* Options of a stream; 0 if ch is none of them. */
static int
take_stream_option(struct digests *d, struct cli *c, int ch)
{
	switch (ch) {
	case TOOL:
		cli_strings(c, &d->tool, &d->ntool, &d->captool);
		return 1;
	case ID_PREFIX:
		d->opts.id_prefix = c->arg;
		return 1;
	case KEEP_RECENT:
		d->opts.keep_recent = cli_num(c, 0, UINT32_MAX);
		return 1;
	case KEEP_LATEST:
		d->opts.keep_latest = 1;
		return 1;
	case SUPERSEDED:
		d->opts.superseded = 1;
		return 1;
	case WRITES:
		d->opts.writes = 1;
		return 1;
	case STASH:
		d->stash_dir = c->arg;
		return 1;
	}
	return cli_stream_opt(&d->stream, c, ch);
}

static void
take_option(struct files *f, struct cli *c, int ch)
{
	static const char *const forms[] = { "line", "list",
	    "message", NULL };

	switch (ch) {
	case 'r':
		f->recursive = 1;
		break;
	case ALL:
		f->all = 1;
		break;
	case AS:
		f->as = cli_word(c, forms);
		break;
	case JSON:
		f->json = 1;
		break;
	case LANG:
		f->lang = cli_lang_word(c);
		break;
	case MIN:
		f->min = cli_num(c, 0, UINT64_MAX);
		break;
	case WIDTH:
		f->width = cli_num(c, 20, UINT32_MAX);
		break;
	default:
		if (!take_stream_option(&f->stream, c, ch))
			cli_cost_opt(&f->cost, c, ch);
	}
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
	int ch;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&f.cost);
	f.cli = &cli;
	f.lang = cli_lang(&cli, CTX_EN);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&f, &cli, ch);
	if (f.json && f.as != AS_LINE)
		cli_usage(&cli, "--json and --as are two things");
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
