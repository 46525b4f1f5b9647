/* SPDX-License-Identifier: MIT */
/* ctx-clean - make a message history valid and lean. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_cost.h"
#include "cli_notes.h"
#include "cmd/clean/redact.h"
#include "cmd/clean/rows.h"
#include "cmd/clean/text.h"

struct clean {
	struct clean_rows rows;		/* and the stream */
	struct clean_text text;
	struct ctx_clean_opts opts;
	struct clean_redact redact;
	struct cli_args exclude, tool;
	const char *api_name;		/* --api, or NULL */
	uint64_t tail;			/* at the end of a shortened text */
	struct ctx_cost cost;
	struct ctx_markers notes;
	enum { LEAN_OFF, LEAN_SAFE, LEAN_STRONG } lean;
};

static void
take_length(struct cli *c, void *place)
{
	struct ctx_err err = { 0 };

	if (ctx_shorten_parse(c->arg, place, &err) == -1)
		cli_usage(c, "%s: %s", c->spelled, err.text);
}

static const char *const unanswereds[] = { "trim", "drop", "repair", NULL };
static const char *const leans[] = { "safe", "strong", NULL };
static const char *const thins[] = { "new", "dense", NULL };
static const char *const thinkings[] = { "keep", "drop", "last", NULL };

/* What alters texts. */
#define LEAN	"lean ansi minify tables squeeze fold base64 dedupe thin " \
		"clear-results max-result max-message"

/* As in enum clean_as. */
static const char *const ases[] = { "hash", "path", NULL };

static const char *const branches[] = { "keep", "drop", NULL };

/* What can be done to results, and what needs old ones. */
#define OLD	"max-result clear-results prune-calls"
#define AGED	"clear-results prune-calls keep-turns keep-tokens min-gain"
#define KEEP_DEFAULT	UINT64_MAX

#define OPT_OF struct clean
static const struct cli_opt opts[] = {
	OPT_SUB(rows.stream, cli_stream_opts),
	OPT_SUB(rows.stream, cli_shard_opts),
	OPT_SUB(rows.stream.place, cli_in_place_opts),
	OPT_SUB(rows.stream, cli_rejected_opts),
	OPT_SUB(rows.stream, cli_jobs_opts),
	OPT_SUB(text, clean_text_opts),
	OPT_GROUP("Faults"),
	OPT_FLAG(0, "check", opts.check,
	    "change nothing; print faults, and exit with 1 if there are any",
	    .excludes = "in-place rejected"),
	OPT_SUB(rows.found, clean_findings_opts),
	OPT_TEXT(0, "api", "NAME", api_name,
	    "server for which the history is meant, if not the dialect's own",
	    .word = ctx_api_name),
	OPT_WORD(0, "unanswered", "HOW", opts.links.unanswered, unanswereds,
	    "how to treat tool calls without a result (default trim)"),
	OPT_FLAG(0, "keep-pending", opts.links.keep_pending,
	    "keep calls of the last turn that still wait for a result"),
	OPT_FLAG(0, "empty", opts.links.drop_empty,
	    "remove empty texts and messages in every dialect"),
	OPT_WORD(0, "branches", "HOW", opts.drop_branches, branches,
	    "what to do with branches of a session that are not resumed "
	    "(default keep)", .excludes = "check"),
	OPT_FLAG(0, "merge-runs", opts.merge,
	    "join adjacent messages of the same role"),
	OPT_WORD(0, "lean", "=HOW", lean, leans,
	    "make tool results smaller by the options that are recommended "
	    "(default safe)", .min = LEAN_SAFE),
	OPT_GROUP("Length"),
	OPT_CALL(0, "max-result", "N", opts.lean.result, take_length,
	    "shorten tool results to N characters (Nt: N tokens)"),
	OPT_CALL(0, "max-message", "N", opts.lean.message, take_length,
	    "shorten user and assistant texts to N characters (Nt: N tokens)"),
	OPT_FLAG(0, "choose", opts.lean.choose,
	    "with --max-result: keep the lines that matter, not the first ones",
	    .needs = "max-result lean"),
	OPT_WORD(0, "thin", "=HOW", opts.lean.thin, thins,
	    "leave out lines of tool results that say nothing new; dense: or "
	    "little (default new)", .min = CTX_THIN_NEW),
	OPT_FLAG(0, "thin-files", opts.lean.thin_files,
	    "with --thin and --choose: leave out lines of files that were "
	    "read, too", .needs = "thin choose lean"),
	OPT_NUM(0, "tail", "N", tail, 1, UINT32_MAX,
	    "take N of the kept characters or tokens from the end of the text",
	    .needs = "max-result max-message lean"),
	OPT_TEXT(0, "stash", "DIR", rows.stash_dir,
	    "save the original of each text that is altered in DIR",
	    .needs = LEAN),
	OPT_WORD(0, "as", "HOW", rows.as, ases,
	    "with --stash: what notes name, the hash or the path of the file "
	    "(default hash)", .needs = "stash"),
	OPT_TEXT(0, "restore", "WHERE", rows.restore_from,
	    "restore the texts saved in a folder, or the values in a map of "
	    "--redact-map", .excludes = "max-result max-message stash"),
	OPT_SUB(cost, cli_model_opts),
	OPT_GROUP("Noise"),
	OPT_FLAG(0, "ansi", opts.lean.ansi,
	    "remove terminal escape sequences from tool results"),
	OPT_FLAG(0, "minify", opts.lean.minify,
	    "remove white space between the tokens of JSON in tool results"),
	OPT_FLAG(0, "squeeze", opts.lean.squeeze,
	    "fold repeated lines, runs of blank lines, and progress bars"),
	OPT_FLAG(0, "tables", opts.lean.tables,
	    "write lists of uniform records in JSON in tool results as tables"),
	OPT_FLAG(0, "fold", opts.lean.fold,
	    "write lines of one pattern in tool results as rows"),
	OPT_FLAG(0, "base64", opts.lean.blobs,
	    "replace long base64 data in tool results with notes"),
	OPT_NUM(0, "dedupe", "=N", opts.lean.dedupe, CTX_DEDUPE_LEAST,
	    UINT32_MAX,
	    "replace repeats of tool results of at least N characters with "
	    "references (default 1000)",
	    .unless = CTX_DEDUPE_MIN),
	OPT_WORD(0, "thinking", "HOW", opts.lean.thinking, thinkings,
	    "how to treat reasoning (default keep)"),
	OPT_SUB(rows, clean_images_opts),
	OPT_GROUP("Old results"),
	OPT_NUM(0, "clear-results", "=N", opts.lean.clear_keep, 0, UINT32_MAX,
	    "replace all but the newest N tool results with notes (default 3)",
	    .unless = KEEP_DEFAULT, .excludes = "prune-calls"),
	OPT_NUM(0, "prune-calls", "=N", opts.lean.clear_keep, 0, UINT32_MAX,
	    "remove all but the newest N tool calls with their results "
	    "(default 3)", .unless = KEEP_DEFAULT),
	OPT_NUM(0, "keep-turns", "N", opts.lean.keep_turns, 1, UINT32_MAX,
	    "leave the results of the newest N turns", .needs = OLD),
	OPT_NUM(0, "keep-tokens", "N", opts.lean.keep_tokens, 1, UINT32_MAX,
	    "leave the newest results, up to N tokens", .needs = OLD),
	OPT_NUM(0, "min-gain", "N", opts.lean.pace.least, 1, UINT32_MAX,
	    "change old results only if that removes at least N tokens",
	    .needs = OLD),
	OPT_LIST(0, "tool", "TOOL", tool,
	    "shorten, clear or remove only the results of this tool; can be "
	    "repeated", .needs = OLD),
	OPT_LIST(0, "exclude", "TOOL", exclude,
	    "do not shorten, clear or remove the results of this tool; can be "
	    "repeated", .needs = OLD),
	OPT_FLAG(0, "clear-inputs", opts.lean.clear_inputs,
	    "with --clear-results: also clear the arguments of the calls",
	    .needs = "clear-results"),
	OPT_NUM(0, "step", "N", opts.lean.pace.step, 0, UINT32_MAX,
	    "clear only when more than N can be; 0: at once (default: when it "
	    "pays for the prompt cache)",
	    .needs = AGED " thinking"),
	OPT_NUM(0, "when-tokens", "N", opts.lean.pace.when, 1, UINT32_MAX,
	    "change old results only if there are more than N tokens",
	    .needs = AGED),
	OPT_NUM(0, "down-to", "N", opts.lean.pace.down_to, 1, UINT32_MAX,
	    "stop changing old results at N tokens",
	    .needs = AGED),
	OPT_GROUP("Secrets"),
	OPT_SUB(redact, clean_redact_opts),
	OPT_TEXT(0, "redact-map", "FILE", rows.map_name,
	    "with --redact: add to FILE what is replaced",
	    .needs = "redact", .excludes = "restore"),
	OPT_GROUP("Notes"),
	OPT_SUB(notes, cli_notes_opts),
	OPT_GROUP("Report"),
	OPT_TEXT(0, "report", "FILE", rows.report_name,
	    "write every change to FILE as JSON lines"),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-clean", "[FILE ...]",
	"Make a message history valid for its API, and smaller.", opts, NULL
};

/* --text */
static int
first_line(struct cli_stream *s, struct ctx_reader *r,
    const struct ctx_line *line, struct ctx_err *err)
{
	return clean_text_first(&((struct clean *)s)->text, r, line, err);
}

/* Settle what the options mean together. */
static void
settle(struct clean *k, const struct cli *cli)
{
	struct ctx_lean_opts *o = &k->opts.lean;
	struct ctx_err err = { 0 };

	if (k->lean != LEAN_OFF)
		ctx_lean_recommend(o, k->lean == LEAN_STRONG);
	o->clear = cli_given(cli, "clear-results");
	o->prune = cli_given(cli, "prune-calls");
	if (o->clear_keep == KEEP_DEFAULT)
		o->clear_keep = o->keep_turns > 0 || o->keep_tokens > 0 ? 0 :
		    CTX_CLEAR_KEEP;
	o->result.tail = o->message.tail = k->tail;
	if ((o->result.max > 0 && o->result.tail >= o->result.max) ||
	    (o->message.max > 0 && o->message.tail >= o->message.max))
		cli_usage(cli,
		    "--tail must be less than --max-result and --max-message");
	if (k->rows.as == CLEAN_AS_PATH) {
		if (ctx_marker_dir(k->rows.stash_dir, &err) == -1)
			cli_usage(cli, "--as path: %s", err.text);
		k->notes.dir = k->rows.stash_dir;
	} else if (ctx_marker_has(&k->notes, CTX_MARKER_CLEARED, "{path}"))
		cli_usage(cli, "--note-text: {path} needs --as path");
	k->opts.notes = &k->notes;
	k->opts.model = k->cost.model_name;
	if (k->api_name != NULL)
		k->opts.api = ctx_api_find(k->api_name);
}

/*
 * Open what the options name: rules, files, and a tokenizer if tokens are
 * counted.
 */
static void
open_all(struct clean *k, struct cli *cli)
{
	struct ctx_lean_opts *o = &k->opts.lean;
	struct ctx_err err = { 0 };

	o->exclude = k->exclude.v;
	o->nexclude = k->exclude.n;
	o->tool = k->tool.v;
	o->ntool = k->tool.n;
	k->redact.opts.unique = k->rows.map_name != NULL;
	o->redact = clean_redact_open(&k->redact, cli);
	if (o->result.tokens || o->message.tokens || ctx_lean_counts(o) ||
	    k->rows.report_name != NULL)
		cli_cost_open(&k->cost, cli);
	k->opts.cost = &k->cost;
	clean_rows_open(&k->rows, &k->opts, cli);
	cli_stream_job(&k->rows.stream, ctx_clean_new(&k->opts, &err), &err,
	    cli);
	if (k->text.on) {
		k->text.secret = o->redact != NULL;
		clean_text_open(&k->text, &k->rows.stream);
		k->rows.stream.first_line = first_line;
	}
}

int
main(int argc, char *argv[])
{
	const struct ctx_clean_sums *did;
	struct clean k = { .opts.lean.pace.step = CTX_PACE_PAYS };
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k.cost);
	cli_notes_init(&k.notes, &cli);
	cli_options(&cli, &k);
	settle(&k, &cli);
	open_all(&k, &cli);
	cli_each_turn(&k.rows.stream, &cli);
	did = ctx_clean_figures(k.rows.stream.job);
	clean_rows_sum(&k.rows, did, &cli);
	clean_remedy_print(&k.rows.found.remedy, k.rows.found.out.errors +
	    k.rows.found.out.warnings, &k.redact.pattern, &cli);
	cli_figure(&cli, "records", did->records);
	cli_figure(&cli, "rewritten", did->rewritten);
	ctx_job_free(k.rows.stream.job);
	clean_rows_close(&k.rows, &cli);
	ctx_redact_free(k.opts.lean.redact);
	ctx_cost_done(&k.cost);
	clean_redact_done(&k.redact);
	cli_args_done(&k.exclude);
	cli_args_done(&k.tool);
	return cli_end(&cli);
}
