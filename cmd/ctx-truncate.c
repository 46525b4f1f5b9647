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

enum {
	EDGE = CLI_LONG, WHEN_MESSAGES, WHEN_TOKENS, KEEP_FIRST, EXCLUDE_LAST,
	START_ON, PIN, NOTE, DROPPED, STEP, PRIORITY, PARTIAL
};

static const struct cli_opt opts[] = {
	{ 'n', "last", "N", "keep the last N messages (40)" },
	{ 't', "tokens", "N", "keep what fits N tokens" },
	CLI_COST_OPTS,
	CLI_BUDGET_OPTS,
	{ STEP, "step", "N",
	    "cut at multiples of N (or a share of the limit) only" },
	{ PRIORITY, "priority", "WHAT",
	    "what goes first: age, or bodies of results" },
	{ PARTIAL, "partial", NULL,
	    "keep the end of a text that does not fit whole" },
	{ EDGE, "edge", "HOW",
	    "a tool group across the edge of -n: keep or drop" },
	{ WHEN_MESSAGES, "when-messages", "N",
	    "cut only above N messages" },
	{ WHEN_TOKENS, "when-tokens", "N", "cut only above N tokens" },
	{ KEEP_FIRST, "keep-first", "N", "the first N messages stay" },
	{ EXCLUDE_LAST, "exclude-last", "N", "the last N messages go" },
	{ START_ON, "start-on", "ROLE",
	    "begin with a user's message: user, any or auto" },
	{ PIN, "pin", "KEY", "messages with this member stay" },
	{ NOTE, "note", NULL, "put a message where messages are missing" },
	{ DROPPED, "dropped", "FILE", "write what was cut to FILE" },
	{ 'j', "jobs", "N", "threads, over conversation lines (1)" },
	CLI_STREAM_OPTS,
	CLI_IN_PLACE_OPT,
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-truncate",
	"[-i[SUFFIX]] [-qv] [-b KEY] [-d NAME] [-e NAME] [-j N] [-m NAME] "
	    "[-n N] "
	    "[-t N] [--cost KEY] [--dropped FILE] [--edge HOW] "
	    "[--exclude-last N] [--keep-first N] [--note] [--on-error HOW] "
	    "[--overhead N] [--partial] [--pin KEY] [--priority WHAT] "
	    "[--ratio R] [--reserve N] [--start-on ROLE] [--step N] "
	    "[--system-estimate N] [--when-messages N] [--when-tokens N] "
	    "[FILE ...]",
	"Cut a message history to the newest messages that fit, tool calls "
	    "with their results.",
	opts, NULL
};

struct cut {
	struct cli_stream stream;
	struct ctx_cut_opts opts;
	struct ctx_cost cost;
	struct ctx_out dropped;		/* of stream.side */
};

/* The budget formula, and whether somebody asks for it. */
struct budget {
	struct cli_budget formula;
	int wanted;		/* a variable asks for it, or -m */
};

/* Arguments that are looked at when all options are known. */
struct names {
	const char *dropped, *step;
};

/* Defaults from the environment; options beat them. */
static void
from_environment(struct cut *k, struct budget *b, struct cli *c)
{
	struct ctx_err err = { 0 };

	cli_must(c, ctx_env_num("MAX_MESSAGE_HISTORY", 10, 100, &k->opts.win.last,
	    &err), &err);
	cli_budget_init(&b->formula, c);
	b->wanted = b->formula.window != 0;
}

/* Turn the formula into a budget, unless -t gave one. */
static void
settle_budget(struct cut *k, struct budget *b, struct cli *c)
{
	if (k->opts.win.has_tokens || !b->wanted)
		return;
	k->opts.win.tokens = cli_budget_tokens(&b->formula, &k->cost, c);
	k->opts.win.has_tokens = 1;
	k->opts.win.system_free = b->formula.system;
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

static void
take_option(struct cut *k, struct budget *b, struct names *names,
    struct cli *c, int ch)
{
	static const char *const edges[] = { "keep", "drop", NULL };
	static const char *const priorities[] = { "age", "results", NULL };
	static const char *const starts[] = { "auto", "user", "any", NULL };

	switch (ch) {
	case 'n':
		k->opts.win.last = cli_num(c, 1, UINT32_MAX);
		break;
	case 't':
		k->opts.win.tokens = cli_num(c, 0, UINT32_MAX);
		k->opts.win.has_tokens = 1;
		break;
	case EDGE:
		k->opts.win.edge_drop = cli_word(c, edges);
		break;
	case WHEN_MESSAGES:
		k->opts.win.when_messages = cli_num(c, 1, UINT32_MAX);
		break;
	case WHEN_TOKENS:
		k->opts.win.when_tokens = cli_num(c, 1, UINT32_MAX);
		break;
	case KEEP_FIRST:
		k->opts.win.keep_first = cli_num(c, 0, UINT32_MAX);
		break;
	case EXCLUDE_LAST:
		k->opts.win.exclude_last = cli_num(c, 0, UINT32_MAX);
		break;
	case START_ON:
		k->opts.start = (enum ctx_cut_start)cli_word(c, starts);
		break;
	case PIN:
		k->opts.pin = c->arg;
		break;
	case NOTE:
		k->opts.note = 1;
		break;
	case DROPPED:
		names->dropped = c->arg;
		break;
	case PRIORITY:
		k->opts.win.results_first = cli_word(c, priorities);
		break;
	case PARTIAL:
		k->opts.win.partial = 1;
		break;
	case 'j':
		k->stream.threads = (unsigned)cli_num(c, 1,
		    CTX_RUN_THREADS_MAX);
		break;
	case STEP:
		names->step = c->arg;
		break;
	default:
		if (!cli_stream_opt(&k->stream, c, ch) &&
		    !cli_budget_opt(&b->formula, c, ch))
			cli_cost_opt(&k->cost, c, ch);
		b->wanted |= ch == 'm';
	}
}

/* What the limits come to, when all options are known. */
static void
settle(struct cut *k, struct budget *b, const struct names *names,
    struct cli *c)
{
	settle_budget(k, b, c);
	if (k->opts.win.last == 0 && !k->opts.win.has_tokens)
		k->opts.win.last = 40;
	if (names->step != NULL)
		settle_step(k, names->step, c);
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
	struct budget b = { 0 };
	struct names names = { 0 };
	struct ctx_err err = { 0 };
	struct cut k = { 0 };
	struct cli cli;
	int ch;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k.cost);
	from_environment(&k, &b, &cli);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&k, &b, &names, &cli, ch);
	settle(&k, &b, &names, &cli);
	if (names.dropped != NULL &&
	    open_dropped(&k, names.dropped, &cli) == -1)
		return cli_end(&cli);
	if ((k.stream.job = ctx_cut_new(&k.opts, &err)) == NULL)
		cli_must(&cli, -1, &err);
	k.stream.row = put_row;
	cli_each_turn(&k.stream, &cli);
	close_dropped(&k, &cli);
	did = ctx_cut_figures(k.stream.job);
	if (cli.verbose)
		closing_line(&k, did, &cli);
	cli_figure(&cli, "messages", did->kept);
	cli_figure(&cli, "dropped", did->dropped);
	if (k.opts.counting)
		cli_figure(&cli, "dropped_tokens", did->tokens);
	ctx_job_free(k.stream.job);
	ctx_cost_done(&k.cost);
	return cli_end(&cli);
}
