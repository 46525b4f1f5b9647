/* SPDX-License-Identifier: MIT */
/* ctx-summarize - fold the older part of a history into a summary. */
#include "base/num.h"
#include "cli_budget.h"
#include "cli_cost.h"
#include "cli_files.h"
#include "cmd/summarize/ask.h"
#include "cmd/summarize/report.h"
#include "cmd/summarize/state.h"

struct summarize {
	struct cli_stream stream;	/* first: the job's rows receive it */
	struct ctx_fold_job_opts opts;
	struct ctx_cost cost;
	struct ctx_budget budget;
	struct cli_along along;
	uint64_t tokens;		/* 0 for the budget's */
	struct summarize_ask ask;
	struct summarize_state state;
	struct summarize_report report;
};

static const char *const forms[] = { "own", "pair", "user", "system", NULL };
static const char *const keeps[] = { "none", "user", NULL };
static const char *const targets[] = { "stream", "text", NULL };
static const char *const fallbacks[] = { "none", "offline", NULL };
static const char *const agains[] = { "never", "lost", "missing", NULL };
static const char *const failures[] = { "fail", "pass", NULL };

#define OPT_OF struct summarize
static const struct cli_opt opts[] = {
	OPT_GROUP("Limits"),
	OPT_NUM('t', "tokens", "N", tokens, 1, UINT32_MAX,
	    "token budget of the history"),
	OPT_SUB(budget, cli_budget_opts),
	OPT_RATIO(0, "trigger", "R", opts.fold.trigger,
	    "fold if this share of the budget is used (default 0.80)"),
	OPT_RATIO(0, "target", "R", opts.fold.target,
	    "share of the budget to keep unchanged (default 0.40)"),
	OPT_NUM(0, "min-turns", "N", opts.fold.min_turns, 0, UINT32_MAX,
	    "leave conversations of fewer than N turns alone (default 6)"),
	OPT_NUM(0, "min-fold", "N", opts.fold.min_fold, 1, UINT32_MAX,
	    "do not fold fewer than N turns (default 2)"),
	OPT_NUM(0, "when-messages", "N", opts.fold.when_messages, 1, UINT32_MAX,
	    "fold only if there are more than N messages"),
	OPT_NUM(0, "when-tokens", "N", opts.fold.when_tokens, 1, UINT32_MAX,
	    "fold only if there are more than N tokens"),
	OPT_NUM('n', "last", "N", opts.fold.last, 1, UINT32_MAX,
	    "keep the last N messages", .excludes = "half"),
	OPT_FLAG(0, "half", opts.fold.half,
	    "keep the newer half of the messages"),
	OPT_WORD(0, "keep", "WHAT", opts.keep_user, keeps,
	    "what to keep of older messages (default none)"),
	OPT_FLAG(0, "all", opts.fold.all,
	    "fold everything, regardless of the limits"),
	OPT_SUB(stream, cli_branch_opts),
	OPT_SUB(cost, cli_cost_opts),
	OPT_SUB(along, cli_along_opts),
	OPT_GROUP("Output"),
	OPT_NUM(0, "max-tokens", "N", opts.max_tokens, 16, 1000000,
	    "maximum length of a summary, in tokens (default 1024)"),
	OPT_WORD(0, "as", "HOW", opts.as, forms,
	    "form of the summary (default own, the session's)"),
	OPT_WORD(0, "to", "HOW", opts.to, targets,
	    "output format (default stream)"),
	OPT_TEXT(0, "state", "FILE", state.name,
	    "keep the summary in FILE for the next run",
	    .excludes = "insights"),
	OPT_SUB(stream, cli_dropped_opts),
	OPT_RATIO(0, "min-facts", "R", opts.min_facts,
	    "leave unchanged what would lose more of its facts"),
	OPT_TEXT(0, "report", "FILE", report.name,
	    "write a JSON line for each conversation to FILE"),
	OPT_CALL(0, "prices", "LIST", report.prices, summarize_prices_take,
	    "prices of a million tokens, for the report: IN,OUT[,CACHED]",
	    .needs = "report"),
	OPT_FLAG(0, "insights", ask.insights,
	    "print a summary and insights as JSON instead of the stream"),
	OPT_NUM(0, "rounds", "N", ask.rounds, 1, 5,
	    "with --insights: number of passes (default 1)"),
	OPT_GROUP("Summarizer"),
	OPT_SUB(ask, summarize_ask_opts),
	OPT_WORD(0, "ask-again", "WHEN", opts.ask_again, agains,
	    "whether to ask once more for missing facts (default lost)"),
	OPT_WORD(0, "fallback", "HOW", opts.fallback, fallbacks,
	    "summarizer to use if the model fails (default none)",
	    .excludes = "insights"),
	OPT_WORD(0, "on-failure", "HOW", report.pass_failure, failures,
	    "whether to exit with 5 or 0 if the model fails (default fail)"),
	OPT_SUB(stream, cli_stream_opts),
	OPT_SUB(stream, cli_shard_opts),
	OPT_SUB(stream, cli_jobs_opts),
	OPT_SUB(stream.place, cli_in_place_opts),
	OPT_SUB(stream, cli_rejected_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-summarize", "[FILE ...]",
	"Fold the older part of a message history into a summary.",
	opts, NULL
};

/* Set defaults and the values of variables. */
static void
begin(struct summarize *s, struct cli *c)
{
	struct ctx_err err = { 0 };

	s->opts.fold = (struct ctx_fold){ .trigger = { 80, 100 },
	    .target = { 40, 100 }, .min_turns = 6, .min_fold = 2 };
	s->opts.max_tokens = 1024;
	s->opts.ask_again = CTX_FOLD_AGAIN_LOST;
	cli_cost_init(&s->cost);
	summarize_ask_init(&s->ask);
	cli_budget_init(&s->budget, c);
	cli_must(c, ctx_env_ratio("SUMMARIZATION_TRIGGER_RATIO",
	    &s->opts.fold.trigger, &err), &err);
	cli_must(c, ctx_env_ratio("SUMMARIZATION_TARGET_RATIO",
	    &s->opts.fold.target, &err), &err);
	cli_must(c, ctx_env_num("SUMMARIZATION_MAX_TOKENS", 16, 1000000,
	    &s->opts.max_tokens, &err), &err);
}

/*
 * --window was that of the model that is asked, and still is if that is asked
 * and has no other.
 */
static void
settle_window(struct summarize *s, struct cli *c)
{
	if (!ctx_endpoint_wanted(&s->ask.want) || !cli_given(c, "window") ||
	    cli_given(c, "ask-window"))
		return;
	cli_warn(c, "--window is taken as that of the model that is asked, "
	    "which is --ask-window now; with that, --window is that of the "
	    "model that reads the result");
	s->ask.window = s->budget.window;
	s->budget.window = 0;
	cli_window_init(&s->budget.window, c);
}

/* The budget, and what it leaves out. */
static void
settle_budget(struct summarize *s, struct cli *c)
{
	cli_cost_open(&s->cost, c);
	cli_along_open(&s->along, c);
	s->opts.cost = &s->cost;
	s->opts.along = &s->along.along;
	s->opts.fold.budget = s->tokens;
	s->opts.fold.both = s->tokens != 0;
	if (s->tokens != 0)
		return;
	s->opts.fold.budget = cli_budget_tokens(&s->budget, &s->along,
	    &s->cost, c);
	s->opts.system_free = s->budget.system;
}

/* Settle what the options mean together. */
static void
settle(struct summarize *s, struct cli *c)
{
	const struct summarize_ask *a = &s->ask;
	int used = ctx_endpoint_wanted(&a->want);

	if ((a->insights || a->dry_run) && !used)
		cli_usage(c,
		    "--%s needs a model; name one with --url or --ask-model",
		    a->insights ? "insights" : "dry-run");
	if (a->insights)
		s->opts.fold.all = 1;
	if ((a->insights || a->dry_run || s->opts.to == CTX_FOLD_TO_TEXT) &&
	    s->stream.place.on)
		cli_usage(c, "-i cannot be used with --insights, --dry-run or "
		    "--to text");
	settle_window(s, c);
	settle_budget(s, c);
	/* libcurl opens files and connections; the state is a new file */
	c->lifted = used || s->state.name != NULL;
	s->cost.to_cut = CTX_COST_CUT_FRONT;
	s->ask.along = &s->along;
	s->opts.facts = s->report.name != NULL;
	if (used || s->opts.facts || s->opts.min_facts.num > 0)
		summarize_ask_redact(&s->ask, &s->opts, c);
	if (used)
		summarize_ask_open(&s->ask, &s->opts, c);
	summarize_state_open(&s->state, &s->opts, c);
	s->report.model = used ? a->ask.model : NULL;
	s->report.state = s->state.name;
}

static int
put_row(struct cli_stream *stream, const struct ctx_row *row,
    struct ctx_err *err)
{
	return summarize_report_put(&((struct summarize *)stream)->report,
	    stream, row, err);
}

/* Open the job and the files that it writes. */
static void
open_all(struct summarize *s, struct cli *c)
{
	struct ctx_err err = { 0 };

	s->opts.put_aside = s->stream.dropped != NULL;
	if (s->report.name != NULL)
		cli_file_out(&s->report.out, "report", c);
	cli_stream_job(&s->stream, ctx_fold_job_new(&s->opts, &err), &err, c);
	s->stream.row = put_row;
	s->stream.odd = "not counted";
}

static void
close_all(struct summarize *s, struct cli *c)
{
	struct ctx_err err = { 0 };

	summarize_report_close(&s->report, c);
	/* if the output was not written, the state must not advance */
	if (c->failures == 0 &&
	    summarize_state_write(&s->state, c, &err) == -1)
		cli_report(c, NULL, &err);
	summarize_state_done(&s->state);
}

int
main(int argc, char *argv[])
{
	const struct ctx_fold_job_sums *did;
	struct summarize s = { 0 };
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	begin(&s, &cli);
	cli_options(&cli, &s);
	settle(&s, &cli);
	open_all(&s, &cli);
	cli_each_turn(&s.stream, &cli);
	close_all(&s, &cli);
	did = ctx_fold_job_figures(s.stream.job);
	if (cli.verbose)
		summarize_report_sums(&s.report, did, &s.cost, &cli);
	cli_figure(&cli, "folded_turns", did->turns);
	cli_figure(&cli, "folded_tokens", did->tokens);
	cli_figure(&cli, "summary_tokens", did->summary_tokens);
	ctx_job_free(s.stream.job);
	summarize_ask_done(&s.ask);
	cli_along_done(&s.along);
	ctx_cost_done(&s.cost);
	return cli_end(&cli);
}
