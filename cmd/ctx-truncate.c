/* SPDX-License-Identifier: MIT */
/* ctx-truncate - cut a message history to fit a model's window. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli_budget.h"
#include "cli_cost.h"
#include "cli_stream.h"
#include "job/cut.h"

struct cut {
	struct cli_stream stream;
	struct ctx_cut_opts opts;
	struct ctx_cost cost;
	struct ctx_out dropped;		/* of stream.side */
};

/* What the option table fills. */
struct options {
	struct cut k;
	struct cli_budget formula;
	int partial;
	const char *dropped, *step;	/* looked at when all are known */
};

static const char *const edges[] = { "keep", "drop", NULL };
static const char *const priorities[] = { "age", "results", NULL };
static const char *const starts[] = { "auto", "user", "any", NULL };

#define OPT_OF struct options
static const struct cli_opt opts[] = {
	OPT_GROUP("How much"),
	OPT_NUM('n', "last", "N", k.opts.win.last, 1, UINT32_MAX,
	    "keep the last N messages (40)"),
	OPT_NUM('t', "tokens", "N", k.opts.win.tokens, 0, UINT32_MAX,
	    "keep what fits N tokens"),
	OPT_SUB(formula, cli_budget_opts),
	OPT_NUM(0, "when-messages", "N", k.opts.win.when_messages, 1, UINT32_MAX,
	    "cut only above N messages"),
	OPT_NUM(0, "when-tokens", "N", k.opts.win.when_tokens, 1, UINT32_MAX,
	    "cut only above N tokens"),
	OPT_TEXT(0, "step", "N", step,
	    "cut at multiples of N (or a share of the limit) only"),
	OPT_SUB(k.cost, cli_cost_opts),
	OPT_GROUP("What goes, and what stays"),
	OPT_WORD(0, "priority", "WHAT", k.opts.win.results_first, priorities,
	    "what goes first; results lose their bodies"),
	OPT_FLAG(0, "partial", partial,
	    "keep the end of a text that does not fit whole"),
	OPT_WORD(0, "edge", "HOW", k.opts.win.edge_drop, edges,
	    "a tool group across the edge of -n"),
	OPT_NUM(0, "keep-first", "N", k.opts.win.keep_first, 0, UINT32_MAX,
	    "the first N messages stay"),
	OPT_NUM(0, "exclude-last", "N", k.opts.win.exclude_last, 0, UINT32_MAX,
	    "the last N messages go"),
	OPT_WORD(0, "start-on", "ROLE", k.opts.start, starts,
	    "begin with a user's message"),
	OPT_TEXT(0, "pin", "KEY", k.opts.pin, "messages with this member stay"),
	OPT_FLAG(0, "note", k.opts.note,
	    "put a message where messages are missing"),
	OPT_TEXT(0, "dropped", "FILE", dropped, "write what was cut to FILE"),
	OPT_SUB(k.stream, cli_stream_opts),
	OPT_SUB(k.stream, cli_in_place_opts),
	OPT_NUM('j', "jobs", "N", k.stream.threads, 1, CTX_RUN_THREADS_MAX,
	    "threads, over conversation lines (1)"),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-truncate", "[FILE ...]",
	"Cut a message history to the newest messages that fit, tool calls "
	    "with their results.",
	opts, NULL
};

/* Defaults from the environment; options beat them. */
static void
from_environment(struct options *o, struct cli *c)
{
	struct ctx_err err = { 0 };

	cli_must(c, ctx_env_num("MAX_MESSAGE_HISTORY", 10, 100,
	    &o->k.opts.win.last, &err), &err);
	cli_budget_init(&o->formula, c);
}

/* The formula makes a budget if a variable or -m asks for it, and not -t. */
static void
settle_budget(struct options *o, struct cli *c)
{
	struct ctx_win_opts *win = &o->k.opts.win;

	win->has_tokens = cli_given(c, "tokens");
	if (win->has_tokens || (o->formula.window == 0 &&
	    o->k.cost.model_name == NULL))
		return;
	win->tokens = cli_budget_tokens(&o->formula, &o->k.cost, c);
	win->has_tokens = 1;
	win->system_free = o->formula.system;
}

/*
 * How far apart the places are where a cut may be: a share of the limit, or a
 * number of what the limit counts.
 */
static void
settle_step(struct cut *k, const char *step, struct cli *c)
{
	const struct ctx_win_opts *w = &k->opts.win;
	uint64_t limit = w->has_tokens ? w->tokens : w->last;
	struct ctx_err err = { 0 };
	struct ctx_ratio share;

	if (ctx_ratio_parse(step, &share, &err) == 0 && share.num < share.den)
		k->opts.win.step = ctx_ratio_of(share, limit);
	else {
		ctx_err_clear(&err);
		cli_must(c, ctx_num_parse(step, &k->opts.win.step, &err), &err);
		if (k->opts.win.step >= limit)
			cli_usage(c, "--step %" PRIu64 " leaves nothing of "
			    "the limit, %" PRIu64, k->opts.win.step, limit);
	}
}

/* Options that write messages otherwise need to weigh what they write. */
static void
settle_rewrites(struct cut *k, struct cli *c)
{
	const char *what = k->opts.win.partial ? "--partial" :
	    "--priority results";

	if (!k->opts.win.partial && !k->opts.win.results_first)
		return;
	if (!k->opts.win.has_tokens)
		cli_usage(c, "%s needs a token budget", what);
	if (k->cost.key != NULL)
		cli_usage(c, "%s does not go with --cost: what it writes "
		    "must be counted", what);
	if (k->opts.win.partial && k->opts.win.step > 0)
		cli_usage(c, "--partial cuts anywhere, --step does not");
	/* a part is worth its marker and some words */
	if (k->opts.win.partial)
		k->opts.win.partial = k->cost.overhead + 32;
}

static int
open_dropped(struct cut *k, const char *name, struct cli *c)
{
	struct ctx_err err = { 0 };
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd == -1) {
		ctx_fail_errno(&err, errno, "cannot write");
		cli_report(c, name, &err);
		return -1;
	}
	ctx_out_init(&k->dropped, fd, name);
	k->stream.side = &k->dropped;
	k->opts.put_aside = 1;
	return 0;
}

static void
close_dropped(struct cut *k, struct cli *c)
{
	struct ctx_err err = { 0 };

	if (k->stream.side == NULL)
		return;
	if (ctx_out_flush(&k->dropped, &err) == -1)
		cli_report(c, NULL, &err);
	else if (close(k->dropped.fd) == -1) {
		ctx_fail_errno(&err, errno, "%s", k->dropped.name);
		cli_report(c, NULL, &err);
	}
	ctx_out_done(&k->dropped);
}

/* A conversation that cannot be made to fit, by its name. */
static void
left_out(struct cli_stream *s, const struct ctx_row *row)
{
	struct ctx_err named = { .code = CTX_ENO, .line = row->line };
	char quoted[64];

	if (row->name != NULL)
		snprintf(named.text, sizeof(named.text), "%s: %.*s",
		    ctx_err_quote(quoted, sizeof(quoted), row->name,
		    row->namelen), row->textlen > 180 ? 180 :
		    (int)row->textlen, row->text);
	else
		snprintf(named.text, sizeof(named.text), "%.*s",
		    (int)row->textlen, row->text);
	cli_report(s->cli, s->file, &named);
	if (s->in_place)
		s->hold_back = 1;
}

static int
put_row(struct cli_stream *s, const struct ctx_row *row, struct ctx_err *err)
{
	(void)err;
	if (row->what == CTX_CUT_LEFT_OUT)
		left_out(s, row);
	else if (s->cli->verbose)
		cli_warn(s->cli, "%s:%" PRIu64 ": the text that it refers to "
		    "is gone", s->file, row->line);
	return 0;
}

/* What the limits come to, when all options are known. */
static void
settle(struct options *o, struct cli *c)
{
	struct cut *k = &o->k;

	k->opts.win.partial = (uint64_t)o->partial;
	settle_budget(o, c);
	if (k->opts.win.last == 0 && !k->opts.win.has_tokens)
		k->opts.win.last = 40;
	if (o->step != NULL)
		settle_step(k, o->step, c);
	settle_rewrites(k, c);
	k->opts.counting = k->opts.win.has_tokens || k->opts.win.when_tokens != 0;
	if (k->opts.win.has_tokens)
		k->opts.win.edge_drop = 1;
	if (k->opts.note && k->opts.win.has_tokens)
		k->opts.win.reserve = 24 + k->cost.overhead;
	if (k->opts.counting)
		cli_cost_open(&k->cost, c);
	k->opts.cost = &k->cost;
}

static void
closing_line(const struct cut *k, const struct ctx_cut_sums *did,
    const struct cli *c)
{
	char level[64];

	fprintf(stderr, "%s: %" PRIu64 " conversations, %" PRIu64
	    " of them cut; %" PRIu64 " messages kept, %" PRIu64 " dropped",
	    c->cmd->name, did->conversations, did->cut, did->kept,
	    did->dropped);
	if (k->opts.counting)
		fprintf(stderr, " (%" PRIu64 " tokens, %s)", did->tokens,
		    cli_cost_level(&k->cost, level, sizeof(level)));
	if (did->lean > 0)
		fprintf(stderr, "; %" PRIu64 " without the bodies of results",
		    did->lean);
	if (k->opts.win.has_tokens)
		fprintf(stderr, "; budget %" PRIu64 " tokens",
		    k->opts.win.tokens);
	fputc('\n', stderr);
}

int
main(int argc, char *argv[])
{
	const struct ctx_cut_sums *did;
	struct options o = { 0 };
	struct cut *k = &o.k;
	struct ctx_err err = { 0 };
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k->cost);
	from_environment(&o, &cli);
	cli_options(&cli, &o);
	settle(&o, &cli);
	if (o.dropped != NULL && open_dropped(k, o.dropped, &cli) == -1)
		return cli_end(&cli);
	if ((k->stream.job = ctx_cut_new(&k->opts, &err)) == NULL)
		cli_must(&cli, -1, &err);
	k->stream.row = put_row;
	cli_each_turn(&k->stream, &cli);
	close_dropped(k, &cli);
	did = ctx_cut_figures(k->stream.job);
	if (cli.verbose)
		closing_line(k, did, &cli);
	cli_figure(&cli, "messages", did->kept);
	cli_figure(&cli, "dropped", did->dropped);
	if (k->opts.counting)
		cli_figure(&cli, "dropped_tokens", did->tokens);
	ctx_job_free(k->stream.job);
	ctx_cost_done(&k->cost);
	return cli_end(&cli);
}
