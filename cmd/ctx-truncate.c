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
#include "cmd/truncate/cut.h"

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
	OPT_NUM('n', "last", "N", k.win.last, 1, UINT32_MAX,
	    "keep the last N messages (40)"),
	OPT_NUM('t', "tokens", "N", k.win.tokens, 0, UINT32_MAX,
	    "keep what fits N tokens"),
	OPT_SUB(formula, cli_budget_opts),
	OPT_NUM(0, "when-messages", "N", k.win.when_messages, 1, UINT32_MAX,
	    "cut only above N messages"),
	OPT_NUM(0, "when-tokens", "N", k.win.when_tokens, 1, UINT32_MAX,
	    "cut only above N tokens"),
	OPT_TEXT(0, "step", "N", step,
	    "cut at multiples of N (or a share of the limit) only"),
	OPT_SUB(k.cost, cli_cost_opts),
	OPT_GROUP("What goes, and what stays"),
	OPT_WORD(0, "priority", "WHAT", k.win.results_first, priorities,
	    "what goes first; results lose their bodies"),
	OPT_FLAG(0, "partial", partial,
	    "keep the end of a text that does not fit whole"),
	OPT_WORD(0, "edge", "HOW", k.win.edge_drop, edges,
	    "a tool group across the edge of -n"),
	OPT_NUM(0, "keep-first", "N", k.win.keep_first, 0, UINT32_MAX,
	    "the first N messages stay"),
	OPT_NUM(0, "exclude-last", "N", k.win.exclude_last, 0, UINT32_MAX,
	    "the last N messages go"),
	OPT_WORD(0, "start-on", "ROLE", k.start, starts,
	    "begin with a user's message"),
	OPT_TEXT(0, "pin", "KEY", k.pin, "messages with this member stay"),
	OPT_FLAG(0, "note", k.note,
	    "put a message where messages are missing"),
	OPT_TEXT(0, "dropped", "FILE", dropped, "write what was cut to FILE"),
	OPT_SUB(k.stream, cli_stream_opts),
	OPT_SUB(k.stream, cli_in_place_opts),
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
	    &o->k.win.last, &err), &err);
	cli_budget_init(&o->formula, c);
}

/* The formula makes a budget if a variable or -m asks for it, and not -t. */
static void
settle_budget(struct options *o, struct cli *c)
{
	struct ctx_win_opts *win = &o->k.win;

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
	uint64_t limit = k->win.has_tokens ? k->win.tokens : k->win.last;
	struct ctx_err err = { 0 };
	struct ctx_ratio share;

	if (ctx_ratio_parse(step, &share, &err) == 0 && share.num < share.den)
		k->win.step = ctx_ratio_of(share, limit);
	else {
		ctx_err_clear(&err);
		cli_must(c, ctx_num_parse(step, &k->win.step, &err), &err);
		if (k->win.step >= limit)
			cli_usage(c, "--step %" PRIu64 " leaves nothing of "
			    "the limit, %" PRIu64, k->win.step, limit);
	}
}

/* Options that write messages otherwise need to weigh what they write. */
static void
settle_rewrites(struct cut *k, struct cli *c)
{
	const char *what = k->win.partial ? "--partial" :
	    "--priority results";

	if (!k->win.partial && !k->win.results_first)
		return;
	if (!k->win.has_tokens)
		cli_usage(c, "%s needs a token budget", what);
	if (k->cost.key != NULL)
		cli_usage(c, "%s does not go with --cost: what it writes "
		    "must be counted", what);
	if (k->win.partial && k->win.step > 0)
		cli_usage(c, "--partial cuts anywhere, --step does not");
	/* a part is worth its marker and some words */
	if (k->win.partial)
		k->win.partial = k->cost.overhead + 32;
}

static struct ctx_out *
open_dropped(struct ctx_out *out, const char *name, struct cli *c)
{
	struct ctx_err err = { 0 };
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd == -1) {
		ctx_fail_errno(&err, errno, "cannot write");
		cli_report(c, name, &err);
		return NULL;
	}
	ctx_out_init(out, fd, name);
	return out;
}

static void
close_dropped(struct cut *k, struct cli *c)
{
	struct ctx_err err = { 0 };

	if (k->dropped == NULL)
		return;
	if (ctx_out_flush(k->dropped, &err) == -1)
		cli_report(c, NULL, &err);
	else if (close(k->dropped->fd) == -1) {
		ctx_fail_errno(&err, errno, "%s", k->dropped->name);
		cli_report(c, NULL, &err);
	}
	ctx_out_done(k->dropped);
}

/* What the limits come to, when all options are known. */
static void
settle(struct options *o, struct cli *c)
{
	struct cut *k = &o->k;

	k->win.partial = (uint64_t)o->partial;
	settle_budget(o, c);
	if (k->win.last == 0 && !k->win.has_tokens)
		k->win.last = 40;
	if (o->step != NULL)
		settle_step(k, o->step, c);
	settle_rewrites(k, c);
	k->counting = k->win.has_tokens || k->win.when_tokens != 0;
	if (k->win.has_tokens)
		k->win.edge_drop = 1;
	if (k->note && k->win.has_tokens)
		k->win.reserve = 24 + k->cost.overhead;
	if (k->counting)
		cli_cost_open(&k->cost, c);
}

static void
closing_line(const struct cut *k, const struct cli *c)
{
	char level[64];

	fprintf(stderr, "%s: %" PRIu64 " conversations, %" PRIu64
	    " of them cut; %" PRIu64 " messages kept, %" PRIu64 " dropped",
	    c->cmd->name, k->nconvo, k->ncut, k->messages,
	    k->dropped_messages);
	if (k->counting)
		fprintf(stderr, " (%" PRIu64 " tokens, %s)",
		    k->dropped_tokens, cli_cost_level(&k->cost, level,
		    sizeof(level)));
	if (k->lean > 0)
		fprintf(stderr, "; %" PRIu64 " without the bodies of results",
		    k->lean);
	if (k->win.has_tokens)
		fprintf(stderr, "; budget %" PRIu64 " tokens", k->win.tokens);
	fputc('\n', stderr);
}

int
main(int argc, char *argv[])
{
	struct options o = { 0 };
	struct cut *k = &o.k;
	struct ctx_out dropped_out;
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k->cost);
	from_environment(&o, &cli);
	cli_options(&cli, &o);
	settle(&o, &cli);
	if (o.dropped != NULL && (k->dropped = open_dropped(&dropped_out,
	    o.dropped, &cli)) == NULL)
		return cli_end(&cli);
	k->stream.turns.turn = cut_turn;
	k->stream.turns.end = cut_end;
	k->stream.turns.free_state = cut_free;
	k->stream.turns.arg = k;
	k->stream.file_end = cut_file_end;
	k->stream.give_up = cut_give_up;
	cli_each_turn(&k->stream, &cli);
	close_dropped(k, &cli);
	if (cli.verbose)
		closing_line(k, &cli);
	cli_figure(&cli, "messages", k->messages);
	cli_figure(&cli, "dropped", k->dropped_messages);
	if (k->counting)
		cli_figure(&cli, "dropped_tokens", k->dropped_tokens);
	cut_done(k);
	return cli_end(&cli);
}
