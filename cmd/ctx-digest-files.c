/* SPDX-License-Identifier: MIT */
/* ctx-digest-files - describe each file in one line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "cli_files.h"
#include "cli_list.h"
#include "cli_stream.h"
#include "cmd/digest-files/files.h"
#include "job/digest_job.h"

struct digest {
	struct cli_stream stream;	/* without operands, or with -i */
	struct ctx_digest_job_opts opts;
	struct cli_args tool, refs;
	struct ctx_catalog catalog;	/* of the refs */
	struct files files;
};

static const char *const forms[] = { "line", "list", "message", NULL };

#define OPT_OF struct digest
static const struct cli_opt opts[] = {
	OPT_GROUP("Files"),
	OPT_FLAG('r', "recursive", files.recursive,
	    "digest the files in directories"),
	OPT_FLAG(0, "all", files.all,
	    "with -r: include files that .gitignore excludes",
	    .needs = "recursive"),
	OPT_WORD(0, "as", "HOW", files.each.as, forms,
	    "output format (default line)"),
	OPT_FLAG(0, "json", files.each.json, "write a JSON object for each file",
	    .excludes = "as"),
	OPT_GROUP("Map"),
	OPT_FLAG(0, "map", files.as_map,
	    "write the signatures that matter most, within a budget",
	    .excludes = "json stash"),
	OPT_NUM('t', "tokens", "N", files.map.tokens, 1, UINT32_MAX,
	    "budget of the map (default 4000)", .needs = "map"),
	OPT_LIST(0, "focus", "PATH|WORD", files.focus,
	    "what matters most in the map; can be repeated", .needs = "map"),
	OPT_SUB(files.cost, cli_model_opts),
	OPT_GROUP("Lines"),
	OPT_WORD(0, "lang", "NAME", files.each.lang, cli_langs,
	    "language of the output (default en)"),
	OPT_NUM(0, "min", "N", files.each.min, 0, UINT64_MAX,
	    "leave out files smaller than N bytes"),
	OPT_NUM(0, "width", "N", files.each.width, 20, UINT32_MAX,
	    "maximum length of a line, in characters (default 240)"),
	OPT_TEXT(0, "stash", "DIR", files.each.stash_dir,
	    "save the contents of each file in DIR"),
	OPT_GROUP("Streams"),
	OPT_LIST(0, "tool", "NAME", tool,
	    "treat this tool as one that reads files; can be repeated"),
	OPT_TEXT(0, "id-prefix", "TEXT", opts.reads.id_prefix,
	    "treat calls whose id begins with TEXT as reads"),
	OPT_LIST(0, "refs", "FILE", refs,
	    "know ids by what ctx-store lists of code or uploads in FILE; can "
	    "be repeated"),
	OPT_NUM(0, "keep-recent", "N", opts.reads.keep_recent, 0, UINT32_MAX,
	    "keep the N most recent files whole"),
	OPT_FLAG(0, "keep-latest", opts.reads.keep_latest,
	    "keep the latest contents of each file whole"),
	OPT_FLAG(0, "superseded", opts.reads.superseded,
	    "digest only files that were read or written again later"),
	OPT_NUM(0, "step", "N", opts.reads.step, 0, UINT32_MAX,
	    "replace only when more than N contents can be; 0: at once (default "
	    "if nothing is kept; else: when it pays for the prompt cache)"),
	OPT_FLAG(0, "listings", opts.reads.listings,
	    "also digest what searches, lists, comparisons and logs printed"),
	OPT_FLAG(0, "writes", opts.reads.writes,
	    "also digest contents that tools wrote"),
	OPT_SUB(stream, cli_stream_opts),
	OPT_SUB(stream, cli_shard_opts),
	OPT_SUB(stream, cli_jobs_opts),
	OPT_SUB(stream.place, cli_in_place_opts),
	OPT_SUB(stream, cli_rejected_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-digest-files", "[PATH ...]",
	"Describe files in one line each; in a message stream, put the line in "
	"place of the contents.",
	opts, NULL
};

/* Stash contents under their hash. */
static int
put_row(struct cli_stream *s, const struct ctx_row *row, struct ctx_err *err)
{
	char name[CTX_SHA256_HEX];

	snprintf(name, sizeof(name), "%.*s", (int)row->namelen, row->name);
	return cli_file_put(&(struct cli_file){
	    ((struct digest *)s)->files.each.stash_dir, name, row->text,
	    row->textlen, s->place.on }, err);
}

/* Read --refs, a row a line. */
static void
read_refs(struct digest *d, struct cli *c)
{
	struct ctx_err err = { 0 };
	struct ctx_buf b = { 0 };
	const char *p, *nl;
	size_t i;

	for (i = 0; i < d->refs.n && err.code == CTX_OK; i++) {
		ctx_buf_reset(&b);
		if (cli_file_get(d->refs.v[i], &b, &err) == 0)
			ctx_fail(&err, CTX_ESYSTEM, "no such file");
		for (p = b.data; err.code == CTX_OK && p < b.data + b.len;
		    p = nl + 1) {
			nl = memchr(p, '\n', (size_t)(b.data + b.len - p));
			if (nl == NULL)
				nl = b.data + b.len;
			err.line++;
			if (nl > p && ctx_catalog_add(&d->catalog, p,
			    (size_t)(nl - p), &err) == -1)
				break;
		}
		if (err.code != CTX_OK)
			cli_report(c, d->refs.v[i], &err);
		else
			err.line = 0;
	}
	ctx_buf_done(&b);
	if (err.code != CTX_OK)
		exit(cli_end(c));
	d->opts.reads.catalog = d->refs.n > 0 ? &d->catalog : NULL;
}

/* Handle the options that files and streams share, and refuse the others. */
static void
begin(struct digest *d, struct cli *c)
{
	const struct files *f = &d->files;
	struct ctx_err err = { 0 };

	if (f->each.json || f->each.as != FILES_LINE || f->recursive ||
	    f->all || f->as_map)
		cli_usage(c, "--all, --as, --json, --map and -r need a PATH");
	if (f->each.stash_dir != NULL) {
		cli_file_dir(f->each.stash_dir, 1, c);
		c->lifted = 1;
	}
	/* without them, what goes is near the end, and little is sent again */
	if (!cli_given(c, "step") && !d->opts.reads.superseded &&
	    !d->opts.reads.keep_latest && d->opts.reads.keep_recent == 0)
		d->opts.reads.step = 0;
	d->opts.keep = f->each.stash_dir != NULL;
	d->opts.lang = f->each.lang;
	d->opts.min = f->each.min;
	d->opts.width = f->each.width;
	read_refs(d, c);
	d->opts.reads.tool = d->tool.v;
	d->opts.reads.ntool = d->tool.n;
	d->stream.row = put_row;
	cli_stream_job(&d->stream, ctx_digest_job_new(&d->opts, &err), &err,
	    c);
}

/* Digest the files in a stream.  Returns their number. */
static uint64_t
run_stream(struct digest *d, struct cli *c)
{
	struct ctx_digest_job_sums did;

	begin(d, c);
	cli_each_turn(&d->stream, c);
	did = *ctx_digest_job_figures(d->stream.job);
	ctx_job_free(d->stream.job);
	if (c->verbose)
		fprintf(stderr, "%s: contents of %" PRIu64 " file%s replaced; %"
		    PRIu64 " byte%s became %" PRIu64 "\n", c->cmd->name,
		    did.contents, CLI_S(did.contents), did.before,
		    CLI_S(did.before), did.after);
	return did.contents;
}

/* Are the operands files to digest, and not a stream? */
static int
has_paths(const struct digest *d, const struct cli *c)
{
	int i, n = 0;

	for (i = 0; i < c->nfile; i++)
		n += strcmp(c->file[i], "-") == 0;
	if (!d->stream.place.on && n > 0 && c->nfile > 1)
		cli_usage(c, "'-' is a history on standard input, so it goes "
		    "with no PATH; ./- is a file");
	return !d->stream.place.on && c->nfile > n;
}

int
main(int argc, char *argv[])
{
	struct digest d = { .files.each.width = CTX_LINE_WIDTH,
	    .opts.reads.step = CTX_PACE_PAYS };
	uint64_t n;
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&d.files.cost);
	d.files.each.lang = cli_lang(&cli, CTX_EN);
	cli_options(&cli, &d);
	if (has_paths(&d, &cli)) {
		if (d.stream.shard.n > 0)
			cli_usage(&cli, "--shard divides a stream, so it takes "
			    "no PATH");
		d.files.dialect = d.stream.dialect;
		d.files.threads = d.stream.threads;
		files_run(&d.files, &cli);
		n = d.files.count;
	} else
		n = run_stream(&d, &cli);
	cli_figure(&cli, "files", n);
	cli_args_done(&d.tool);
	cli_args_done(&d.refs);
	ctx_catalog_done(&d.catalog);
	files_done(&d.files);
	return cli_end(&cli);
}
