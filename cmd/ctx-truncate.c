/* SPDX-License-Identifier: MIT */
/* ctx-truncate - cut a message history to fit a model's window. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "cli_budget.h"
#include "cli_cost.h"
#include "cli_notes.h"
#include "cli_tools.h"
#include "truncate-rows.h"
#include "truncate-text.h"

struct truncate {
	struct cli_stream stream;
	struct ctx_cut_opts opts;
	struct ctx_cost cost;
	struct ctx_budget formula;
	struct cli_along along;
	struct ctx_markers notes;
	const char *step;
	int part;			/* --text: enum truncate_part */
	uint64_t cut;			/* conversations cut before this file */
};

static const char *const edges[] = { "keep", "drop", NULL };
static const char *const priorities[] = { "age", "results", NULL };
static const char *const starts[] = { "auto", "user", "any", NULL };
static const char *const parts[] = { "head", "tail", "ends", NULL };
static const char *const ends[] = { "any", "user", "assistant", NULL };

#define OPT_OF struct truncate
static const struct cli_opt opts[] = {
	OPT_GROUP("Limits"),
	OPT_NUM('n', "last", "N", opts.win.last, 1, UINT32_MAX,
	    "keep the last N messages (default 40)"),
	OPT_NUM('t', "tokens", "N", opts.win.tokens, 0, UINT32_MAX,
	    "keep the newest messages that fit in N tokens"),
	OPT_SUB(formula, cli_budget_opts),
	OPT_NUM(0, "when-messages", "N", opts.win.when_messages, 1,
	    UINT32_MAX, "cut only if there are more than N messages"),
	OPT_NUM(0, "when-tokens", "N", opts.win.when_tokens, 1, UINT32_MAX,
	    "cut only if there are more than N tokens"),
	OPT_TEXT(0, "step", "N", step,
	    "cut only at multiples of N, or of a share of the limit"),
	OPT_SUB(cost, cli_cost_opts),
	OPT_SUB(along, cli_along_opts),
	OPT_WORD(0, "text", "=PART", part, parts,
	    "cut plain texts to the part that fits in -t tokens: head, tail "
	    "or ends (default head)", .needs = "tokens",
	    .excludes = "all-branches by dialect dropped edge end-on "
	    "exclude-last first in-place jobs keep-first last note on-error "
	    "overhead partial pin priority rejected start-on step system tools "
	    "when-messages when-tokens cost"),
	OPT_GROUP("Selection"),
	OPT_WORD(0, "priority", "WHAT", opts.win.results_first, priorities,
	    "drop the oldest messages first, or result bodies (default age)"),
	OPT_FLAG(0, "partial", opts.partial,
	    "keep the end of the oldest message that does not fit whole"),
	OPT_WORD(0, "edge", "HOW", opts.win.edge_drop, edges,
	    "how to treat tool calls and results that -n would split (default "
	    "keep)"),
	OPT_FLAG(0, "first", opts.win.first,
	    "keep the oldest messages instead of the newest",
	    .excludes = "exclude-last keep-first note partial priority "
	    "start-on step"),
	OPT_NUM(0, "keep-first", "N", opts.win.keep_first, 0, UINT32_MAX,
	    "keep the first N messages"),
	OPT_NUM(0, "exclude-last", "N", opts.win.exclude_last, 0, UINT32_MAX,
	    "drop the last N messages"),
	OPT_WORD(0, "start-on", "ROLE", opts.start, starts,
	    "role to begin with (default auto)"),
	OPT_WORD(0, "end-on", "ROLE", opts.win.end_on, ends,
	    "role to end with (default any)"),
	OPT_TEXT(0, "pin", "KEY", opts.pin,
	    "keep messages that have member KEY"),
	OPT_FLAG(0, "note", opts.note,
	    "insert a message that says how many are missing"),
	OPT_SUB(notes, cli_notes_opts),
	OPT_SUB(stream, cli_branch_opts),
	OPT_SUB(stream, cli_dropped_opts),
	OPT_SUB(stream, cli_stream_opts),
	OPT_SUB(stream, cli_shard_opts),
	OPT_SUB(stream.place, cli_in_place_opts),
	OPT_SUB(stream, cli_rejected_opts),
	OPT_SUB(stream, cli_jobs_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-truncate", "[FILE ...]",
	"Cut a message history to the newest messages that fit; keep tool "
	"calls with their results.",
	opts, NULL
};

/*
 * The formula sets the budget if a variable or -m asks for it and -t was not
 * given.
 */
static void
settle_budget(struct truncate *k, struct cli *c)
{
	struct ctx_win_opts *win = &k->opts.win;

	win->has_tokens = cli_given(c, "tokens");
	if (!win->has_tokens && (k->formula.window != 0 ||
	    k->cost.model_name != NULL)) {
		win->tokens = cli_budget_tokens(&k->formula, &k->along,
		    &k->cost, c);
		win->has_tokens = 1;
		win->system_free = k->formula.system;
	}
	if (win->last == 0 && !win->has_tokens)
		win->last = CTX_CUT_LAST;
}

/*
 * The distance between possible cuts: a share of the limit, or a number in its
 * unit.
 */
static void
settle_step(struct truncate *k, struct cli *c)
{
	struct ctx_win_opts *win = &k->opts.win;
	uint64_t limit = win->has_tokens ? win->tokens : win->last;
	struct ctx_err err = { 0 };
	struct ctx_ratio share;

	if (ctx_ratio_parse(k->step, &share, &err) == 0 &&
	    share.num < share.den) {
		win->step = ctx_ratio_of(share, limit);
		return;
	}
	ctx_err_clear(&err);
	if (ctx_num_parse(k->step, &win->step, &err) == -1)
		cli_usage(c, "--step: '%s' is not a number such as 10 or 2k, "
		    "or a share such as 20%%", k->step);
	if (win->step >= limit)
		cli_usage(c,
		    "--step %" PRIu64 " must be less than the limit, %" PRIu64,
		    win->step, limit);
}

/* Options that rewrite messages need a token budget to count against. */
static void
check_rewrites(const struct truncate *k, struct cli *c)
{
	const char *what = k->opts.partial ? "--partial" :
	    "--priority results";

	if (!k->opts.partial && !k->opts.win.results_first)
		return;
	if (!k->opts.win.has_tokens)
		cli_usage(c, "%s needs a token budget (-t or -m)", what);
	if (k->opts.partial && k->opts.win.step > 0)
		cli_usage(c, "--partial and --step cannot be used together");
}

/* Without counting, a note cannot say how many tokens are missing. */
static void
check_note(const struct truncate *k, struct cli *c)
{
	const char *own = k->notes.own[CTX_MARKER_MISSING];

	if (k->opts.note && !k->opts.counting && own != NULL &&
	    strstr(own, "{tokens}") != NULL)
		cli_usage(c, "{tokens} in --note-text needs a token budget (-t "
		    "or -m)");
}

/* Settle the limits, now that all options are known. */
static void
settle(struct truncate *k, struct cli *c)
{
	cli_along_open(&k->along, c);
	settle_budget(k, c);
	if (k->step != NULL)
		settle_step(k, c);
	check_rewrites(k, c);
	k->opts.cost = &k->cost;
	k->opts.along = &k->along.along;
	k->opts.notes = &k->notes;
	k->opts.put_aside = k->stream.dropped != NULL;
	k->opts.counting = k->opts.win.has_tokens ||
	    k->opts.win.when_tokens != 0;
	check_note(k, c);
	if (k->opts.counting)
		cli_cost_open(&k->cost, c);
}

/*
 * Records that are not messages were not counted; if nothing is, they matter
 * only where something was dropped.
 */
static int
file_end(struct cli_stream *s, struct ctx_err *err)
{
	struct truncate *k = (struct truncate *)s;
	uint64_t cut = ctx_cut_figures(s->job)->cut;

	(void)err;
	s->beside = cut > k->cut ? "went or stayed with what is before them" :
	    NULL;
	s->odd = k->opts.counting ? "not counted" : cut > k->cut ?
	    "kept or dropped with the message before them" : NULL;
	k->cut = cut;
	return 0;
}

int
main(int argc, char *argv[])
{
	const struct ctx_cut_sums *did;
	struct truncate k = { 0 };
	struct ctx_err err = { 0 };
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k.cost);
	/* defaults from the environment, which options override */
	cli_must(&cli, ctx_env_num("MAX_MESSAGE_HISTORY", 10, 100,
	    &k.opts.win.last, &err), &err);
	cli_budget_init(&k.formula, &cli);
	cli_notes_init(&k.notes, &cli);
	cli_options(&cli, &k);
	if (cli_given(&cli, "text")) {
		cli_cost_open(&k.cost, &cli);
		truncate_text(&k.cost, (enum truncate_part)k.part,
		    k.opts.win.tokens, &k.notes, &cli);
		ctx_cost_done(&k.cost);
		return cli_end(&cli);
	}
	settle(&k, &cli);
	cli_stream_job(&k.stream, ctx_cut_new(&k.opts, &err), &err, &cli);
	k.stream.row = truncate_row;
	k.stream.file_end = file_end;
	cli.spills = 1;
	cli_each_turn(&k.stream, &cli);
	did = ctx_cut_figures(k.stream.job);
	if (cli.verbose)
		truncate_closing_line(&k.opts, did, &cli);
	cli_figure(&cli, "messages", did->kept);
	cli_figure(&cli, "dropped", did->dropped);
	if (k.opts.counting)
		cli_figure(&cli, "dropped_tokens", did->tokens);
	ctx_job_free(k.stream.job);
	ctx_cost_done(&k.cost);
	cli_along_done(&k.along);
	return cli_end(&cli);
}
