/* SPDX-License-Identifier: MIT */
/* ctx-convert - a message history in another dialect. */
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/num.h"
#include "cli_cost.h"
#include "cli_notes.h"
#include "cmd/convert/from.h"
#include "cmd/convert/request.h"
#include "cmd/convert/rows.h"

struct convert {
	struct convert_rows rows;
	struct ctx_convert_job_opts opts;
	struct ctx_cost cost;
	int router;
	struct convert_from from;
	struct convert_request request;
	struct ctx_markers notes;
	struct cli_args only;
};

/* The first line tells whether the input consists of documents or of lines. */
static int
first_line(struct cli_stream *s, struct ctx_reader *r,
    const struct ctx_line *line, struct ctx_err *err)
{
	return convert_from_first(&((struct convert *)s)->from, s, r, line,
	    err);
}

static int
file_end(struct cli_stream *s, struct ctx_err *err)
{
	return convert_from_end(&((struct convert *)s)->from, s, err);
}

/* --- options ------------------------------------------------------------ */

/* Words that --from accepts before the dialects. */
static const char *const inputs[] = {
	[CONVERT_HISTORY] = "auto", [CONVERT_TEXT] = "text",
	[CONVERT_RESPONSE] = "response", [CONVERT_RESULTS] = "results"
};
#define NINPUT (sizeof(inputs) / sizeof(inputs[0]))

static const char *
from_name(size_t i)
{
	if (i < NINPUT)
		return inputs[i];
	return ctx_dialects[i - NINPUT] != NULL ?
	    ctx_dialects[i - NINPUT]->name : NULL;
}

static void
take_from(struct cli *c, void *place)
{
	struct convert *k = place;
	size_t i = (size_t)cli_opt_find_word(c);

	k->from.what = i < NINPUT ? (enum convert_input)i : CONVERT_HISTORY;
	k->rows.stream.dialect = i < NINPUT ? NULL : ctx_dialects[i - NINPUT];
}

static const char *
to_name(size_t i)
{
	const struct ctx_target *t = ctx_target_at(i);

	return t != NULL ? t->name : NULL;
}

static void
take_to(struct cli *c, void *place)
{
	const struct ctx_target **to = place;

	*to = ctx_target_at((size_t)cli_opt_find_word(c));
}

static const char *const shapes[] = { "messages", "conversation", NULL };

#define OPT_OF struct convert
static const struct cli_opt opts[] = {
	OPT_GROUP("From and to"),
	OPT_DO(0, "from", "NAME", take_from,
	    "dialect to read, or auto, text, response, results (default auto)",
	    .word = from_name),
	OPT_CALL(0, "to", "NAME", opts.to, take_to,
	    "dialect to write, or text, markdown, calls or results",
	    .word = to_name),
	OPT_WORD(0, "shape", "HOW", opts.shape, shapes,
	    "what each output line holds (default: as in the input)",
	    .min = CTX_MESSAGES),
	OPT_FLAG(0, "all-branches", opts.all_branches,
	    "write each branch of a history as a conversation of its own"),
	OPT_FLAG(0, "strict", opts.strict,
	    "leave out conversations that would lose something; exit with 1"),
	OPT_TEXT(0, "report", "FILE", rows.report_name,
	    "write what became of each value to FILE, as JSON lines"),
	OPT_SUB(from, convert_from_opts),
	OPT_LIST(0, "only", "NAME", only,
	    "with --to calls: only calls of this tool; may be repeated"),
	OPT_FLAG(0, "router", router,
	    "with --to text: write only the newest turns, for a router"),
	OPT_SUB(request, convert_request_opts),
	OPT_SUB(notes, cli_notes_opts),
	OPT_SUB(rows.stream, cli_lines_opts),
	OPT_SUB(rows.stream, cli_shard_opts),
	OPT_SUB(rows.stream, cli_jobs_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-convert", "[FILE ...]",
	"Convert message histories to another dialect, to requests, or to "
	"text.",
	opts, NULL
};

/* Settle what is asked of calls that wait. */
static void
settle_calls(struct convert *k, struct cli *cli)
{
	if (k->only.n > 0 && !k->opts.to->only_waiting)
		cli_usage(cli, "--only needs --to calls");
	k->opts.only = k->only.v;
	k->opts.nonly = k->only.n;
	k->rows.stream.odd = k->opts.to->only_waiting ? NULL : "left out";
}

/* Settle what the options mean together. */
static void
settle(struct convert *k, struct cli *cli)
{
	struct ctx_err err = { 0 };

	if (k->opts.to == NULL && k->from.what == CONVERT_HISTORY)
		cli_usage(cli, "--to NAME is required: the dialect to write, "
		    "text, markdown or calls");
	if (k->opts.to == NULL)
		k->opts.to = ctx_target_find("openai");
	k->opts.goes_on = convert_from_goes_on(&k->from);
	convert_request_settle(&k->request, &k->opts, cli);
	if (k->opts.all_branches && k->opts.shape == CTX_MESSAGES)
		cli_usage(cli, "--all-branches needs --shape conversation");
	if (k->opts.all_branches && k->rows.report_name != NULL)
		cli_usage(cli, "--all-branches has no --report: a message "
		    "can be in several branches");
	if (k->opts.all_branches)
		k->opts.shape = CTX_CONVERSATION;
	if (!k->router)
		return;
	if (k->opts.to != &ctx_to_text)
		cli_usage(cli, "--router needs --to text");
	k->opts.budget = 8000;
	cli_must(cli, ctx_env_num("ROUTER_HISTORY_TOKEN_BUDGET", 0,
	    UINT32_MAX, &k->opts.budget, &err), &err);
	k->cost.model_name = k->request.model;
	cli_cost_open(&k->cost, cli);
	k->opts.cost = &k->cost;
}

int
main(int argc, char *argv[])
{
	struct convert k = { 0 };
	struct ctx_err err = { 0 };
	struct cli cli;

#ifdef __GLIBC__
	/*
	 * conversations are allocated and freed whole: keep their pages for
	 * the next one
	 */
	mallopt(M_MMAP_THRESHOLD, 1 << 28);
	mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
	cli_cost_init(&k.cost);
	cli_init(&cli, &cmd, argc, argv);
	cli_notes_init(&k.notes, &cli);
	k.opts.notes = &k.notes;
	cli_options(&cli, &k);
	settle(&k, &cli);
	settle_calls(&k, &cli);
	k.from.to = k.opts.to;
	convert_from_settle(&k.from, &k.rows.stream, &cli);
	convert_rows_open(&k.rows, &k.opts, k.from.what == CONVERT_RESPONSE,
	    &cli);
	if (k.rows.report_name != NULL)
		k.from.report = &k.rows.report;
	cli_stream_job(&k.rows.stream, ctx_convert_job_new(&k.opts, &err), &err,
	    &cli);
	k.rows.stream.first_line = first_line;
	k.rows.stream.file_end = file_end;
	k.rows.stream.piped = "ctx-convert --to NAME";
	cli_each_turn(&k.rows.stream, &cli);
	convert_closing_lines(ctx_convert_job_figures(k.rows.stream.job),
	    k.opts.to->only_waiting, &cli);
	convert_rows_close(&k.rows, &cli);
	ctx_job_free(k.rows.stream.job);
	convert_request_done(&k.request);
	cli_args_done(&k.only);
	convert_from_done(&k.from);
	ctx_cost_done(&k.cost);
	return cli_end(&cli);
}
