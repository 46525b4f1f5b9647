/* SPDX-License-Identifier: MIT */
/* ctx-summarize - fold the older part of a history into a summary. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/num.h"
#include "base/utf8.h"
#include "cli_budget.h"
#include "cli_endpoint.h"
#include "cmd/summarize/summarize.h"

#define LIST_MAX 32	/* of --set, and of --header */
#define PROMPT_MAX (1u << 20)

/* What options say until all of them are known. */
struct given {
	struct cli_budget budget;
	uint64_t tokens;
	int no_redact;
	struct ctx_ratio temperature;
	const char *dropped, *report, *prompt;
	struct ctx_ask_set set[LIST_MAX];
	const char *header[LIST_MAX + 1];
	size_t nheader;
	char *copies[LIST_MAX];		/* names of --set */
};

/* What the option table fills. */
struct options {
	struct summarize s;
	struct given g;
};

static const char *
environment(const char *name)
{
	return getenv(name);
}

static void
from_environment(struct summarize *s, struct given *g, struct cli *c)
{
	struct ctx_err err = { 0 };

	cli_budget_init(&g->budget, c);
	cli_must(c, ctx_env_ratio("SUMMARIZATION_TRIGGER_RATIO",
	    &s->fold.trigger, &err), &err);
	cli_must(c, ctx_env_ratio("SUMMARIZATION_TARGET_RATIO",
	    &s->fold.target, &err), &err);
	cli_must(c, ctx_env_num("SUMMARIZATION_MAX_TOKENS", 16, 1000000,
	    &s->max_tokens, &err), &err);
}

static void
take_set(struct cli *c, void *place)
{
	struct summarize *s = &((struct options *)place)->s;
	struct given *g = &((struct options *)place)->g;
	const char *eq = strchr(c->arg, '=');
	char *name;

	if (eq == NULL || eq == c->arg)
		cli_usage(c, "--set wants NAME=VALUE");
	if (s->ask.nset == LIST_MAX)
		cli_usage(c, "too many --set");
	if ((name = strndup(c->arg, (size_t)(eq - c->arg))) == NULL)
		cli_nomem(c);
	g->copies[s->ask.nset] = name;
	g->set[s->ask.nset++] = (struct ctx_ask_set){ name, eq + 1 };
}

/* A header, unless it is one that bears a key: arguments are seen by all. */
static void
take_header(struct cli *c, void *place)
{
	static const char *const secret[] = {
		"authorization:", "x-api-key:", "api-key:", "cookie:",
		"proxy-authorization:", "x-goog-api-key:"
	};
	struct given *g = place;
	size_t i;

	if (strchr(c->arg, ':') == NULL || strpbrk(c->arg, "\r\n") != NULL)
		cli_usage(c, "--header wants 'Name: value'");
	for (i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		if (strncasecmp(c->arg, secret[i], strlen(secret[i])) == 0)
			cli_usage(c, "a key does not belong into an argument, "
			    "which every process can see: --key-file");
	if (g->nheader == LIST_MAX)
		cli_usage(c, "too many --header");
	g->header[g->nheader++] = c->arg;
}

static const char *const forms[] = { "pair", "user", "system", NULL };
static const char *const targets[] = { "stream", "text", NULL };
static const char *const engines[] = { "offline", "model", NULL };
static const char *const apis[] = { "openai", "anthropic", "ollama", NULL };
static const char *const fallbacks[] = { "none", "offline", NULL };
static const char *const failures[] = { "fail", "pass", NULL };

#define OPT_OF struct options
static const struct cli_opt opts[] = {
	OPT_GROUP("When, and how much"),
	OPT_NUM('t', "tokens", "N", g.tokens, 1, UINT32_MAX,
	    "the budget of the history, in tokens"),
	OPT_SUB(g.budget, cli_budget_opts),
	OPT_RATIO(0, "trigger", "R", s.fold.trigger,
	    "fold from this share of the budget on (0.80)"),
	OPT_RATIO(0, "target", "R", s.fold.target,
	    "share of the budget that stays as it is (0.40)"),
	OPT_NUM(0, "min-turns", "N", s.fold.min_turns, 0, UINT32_MAX,
	    "do not fold fewer turns (6)"),
	OPT_NUM(0, "min-fold", "N", s.fold.min_fold, 1, UINT32_MAX,
	    "do not fold so little (2)"),
	OPT_NUM(0, "when-messages", "N", s.fold.when_messages, 1, UINT32_MAX,
	    "fold only above N messages"),
	OPT_NUM(0, "when-tokens", "N", s.fold.when_tokens, 1, UINT32_MAX,
	    "fold only above N tokens"),
	OPT_NUM('n', "last", "N", s.fold.last, 1, UINT32_MAX,
	    "the last N messages stay", .excludes = "half"),
	OPT_FLAG(0, "half", s.fold.half,
	    "the newer half of the messages stays"),
	OPT_FLAG(0, "all", s.fold.all, "fold everything"),
	OPT_SUB(s.cost, cli_cost_opts),
	OPT_GROUP("What comes of it"),
	OPT_NUM(0, "max-tokens", "N", s.max_tokens, 16, 1000000,
	    "the longest summary (1024)"),
	OPT_WORD(0, "as", "HOW", s.as, forms, "the summary's form"),
	OPT_WORD(0, "to", "HOW", s.to, targets, "what to write"),
	OPT_TEXT(0, "state", "FILE", s.state_name, "keep the summary in FILE"),
	OPT_TEXT(0, "dropped", "FILE", g.dropped,
	    "write what was folded to FILE"),
	OPT_TEXT(0, "report", "FILE", g.report,
	    "write what was done as JSON lines"),
	OPT_FLAG(0, "insights", s.insights,
	    "write summary and insights of everything as JSON"),
	OPT_NUM(0, "rounds", "N", s.rounds, 1, 5,
	    "with --insights: look N times (1)"),
	OPT_GROUP("Who summarizes"),
	OPT_WORD(0, "engine", "NAME", s.want.engine, engines, "who summarizes",
	    .min = CTX_ENGINE_OFFLINE),
	OPT_SUB(s.want, cli_endpoint_opts),
	OPT_TEXT(0, "api", "NAME", s.want.api, "what the endpoint speaks",
	    .words = apis),
	OPT_TEXT(0, "prompt", "FILE", g.prompt,
	    "the summarizer's instructions"),
	OPT_DO(0, "set", "NAME=VALUE", take_set, "a member of the request"),
	OPT_CALL(0, "header", "TEXT", g, take_header,
	    "a header of the request"),
	OPT_FLAG(0, "stream", s.ask.stream, "let the answer come as a stream"),
	OPT_SUB(s.ask.limits, cli_limits_opts),
	OPT_AGE(0, "idle", "TIME", s.ask.limits.idle_s, 86400,
	    "without a byte of an answer (60s)"),
	OPT_DECIMAL(0, "temperature", "R", g.temperature, 2,
	    "of the model's answer (0.2)"),
	OPT_NUM(0, "window", "N", s.window, 1024, UINT32_MAX,
	    "tokens that the asked model reads"),
	OPT_TEXT(0, "cacert", "FILE", s.ask.cacert, "certificates to trust"),
	OPT_FLAG(0, "no-redact", g.no_redact, "send secrets, too"),
	OPT_FLAG(0, "dry-run", s.dry_run, "print the request, send nothing"),
	OPT_WORD(0, "fallback", "HOW", s.fallback, fallbacks,
	    "who summarizes if the model fails"),
	OPT_WORD(0, "on-failure", "HOW", s.pass_failure, failures,
	    "when the model fails, exit 5 or 0"),
	OPT_SUB(s.stream, cli_stream_opts),
	OPT_SUB(s.stream, cli_in_place_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-summarize", "[FILE ...]",
	"Fold the older part of a message history into a summary.",
	opts, NULL
};

/* An error before the first line was read ends the process. */
static void
must(struct cli *c, int rc, const struct ctx_err *err)
{
	if (rc == 0)
		return;
	if (err->code == CTX_EUSAGE)
		cli_usage(c, "%s", err->text);
	cli_report(c, NULL, err);
	exit(c->worst);
}

static int
read_prompt(struct summarize *s, const char *name, struct ctx_err *err)
{
	FILE *f = fopen(name, "r");
	size_t n;
	int bad;

	if (f == NULL)
		return ctx_fail_errno(err, errno, "%s", name);
	if ((s->prompt = malloc(PROMPT_MAX)) == NULL) {
		fclose(f);
		return ctx_fail_nomem(err);
	}
	n = fread(s->prompt, 1, PROMPT_MAX, f);
	bad = ferror(f);
	fclose(f);
	if (bad)
		return ctx_fail(err, CTX_ESYSTEM, "%s: cannot be read", name);
	if (n == PROMPT_MAX || n == 0 || memchr(s->prompt, '\0', n) != NULL ||
	    ctx_utf8_check(s->prompt, n) != n)
		return ctx_fail(err, CTX_EUSAGE, "%s: %s", name,
		    n == PROMPT_MAX ? "too long for a prompt" :
		    n == 0 ? "is empty" : "not UTF-8 text");
	s->prompt[n] = '\0';
	return 0;
}

static void
on_waiting(void *arg, unsigned try, uint64_t ms, const char *why)
{
	const struct cli *c = arg;

	if (c->verbose)
		fprintf(stderr, "%s: try %u: %s; again in %.1f s\n",
		    c->cmd->name, try, why, (double)ms / 1000);
}

/* What the asked model reads, if the table of models knows it. */
static uint64_t
window_of(const char *model, struct cli *c)
{
	struct ctx_err err = { 0 };
	struct ctx_models *models = ctx_models_new(&err);
	const struct ctx_model *m;
	uint64_t window = 0;

	must(c, models == NULL ? -1 : 0, &err);
	if ((m = ctx_model_find(models, model)) != NULL)
		window = m->window;
	ctx_models_free(models);
	return window != 0 ? window : 32000;
}

static void
settle_model(struct summarize *s, struct given *g, struct cli *c)
{
	struct ctx_redact_opts all = { 0 };
	struct ctx_err err = { 0 };

	must(c, ctx_endpoint_find(&s->want, &s->endpoint, &err), &err);
	if (s->endpoint.withheld != NULL)
		cli_warn(c, "%s is not sent to %s, which is not its own "
		    "endpoint; --key-file sends a key", s->endpoint.withheld,
		    s->endpoint.url);
	if (g->prompt != NULL)
		must(c, read_prompt(s, g->prompt, &err), &err);
	if (!g->no_redact && (s->redact = ctx_redact_new(&all, &err)) == NULL)
		must(c, -1, &err);
	s->ask.format = s->endpoint.format;
	s->ask.url = s->endpoint.url;
	s->ask.model = s->endpoint.model;
	s->ask.key = s->endpoint.key;
	s->ask.bearer = s->endpoint.bearer;
	s->ask.set = g->set;
	s->ask.header = g->header;
	s->ask.max_tokens = (unsigned)s->max_tokens;
	s->ask.waiting = on_waiting;
	s->ask.arg = c;
	if (s->window == 0)
		s->window = window_of(s->ask.model, c);
	if (c->verbose)
		fprintf(stderr, "%s: asking %s at %s\n", c->cmd->name,
		    s->ask.model, s->ask.url);
}

/* What the options come to, when all are known. */
static void
settle(struct summarize *s, struct given *g, struct cli *c)
{
	struct ctx_err err = { 0 };

	s->use_model = ctx_endpoint_wanted(&s->want);
	if ((s->insights || s->dry_run) && !s->use_model)
		cli_usage(c, "--%s needs a model: --url or --ask-model",
		    s->insights ? "insights" : "dry-run");
	if (s->insights)
		s->fold.all = 1;
	if ((s->insights || s->dry_run || s->to == TO_TEXT) &&
	    s->stream.in_place)
		cli_usage(c, "-i wants the stream as output");
	s->ask.temperature = (double)g->temperature.num /
	    (double)g->temperature.den;
	cli_cost_open(&s->cost, c);
	s->fold.budget = g->tokens != 0 ? g->tokens :
	    cli_budget_tokens(&g->budget, &s->cost, c);
	if (s->use_model)
		settle_model(s, g, c);
	if (s->state_name != NULL)
		must(c, state_read(s, &err), &err);
}

static void
open_outputs(struct summarize *s, const struct given *g,
    struct ctx_out *dropped, struct cli *c)
{
	struct ctx_err err = { 0 };
	int fd;

	if (g->dropped != NULL) {
		fd = open(g->dropped, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		if (fd == -1)
			must(c, ctx_fail_errno(&err, errno, "%s", g->dropped),
			    &err);
		ctx_out_init(dropped, fd, g->dropped);
		s->dropped = dropped;
	}
	if (g->report != NULL &&
	    (s->report = fopen(g->report, "w")) == NULL)
		must(c, ctx_fail_errno(&err, errno, "%s", g->report), &err);
}

static void
close_outputs(struct summarize *s, const struct given *g, struct cli *c)
{
	struct ctx_err err = { 0 };

	if (s->dropped != NULL) {
		if (ctx_out_flush(s->dropped, &err) == -1 ||
		    (close(s->dropped->fd) == -1 &&
		    ctx_fail_errno(&err, errno, "%s", g->dropped)))
			cli_report(c, NULL, &err);
		ctx_out_done(s->dropped);
	}
	if (s->report != NULL && fclose(s->report) == EOF) {
		ctx_fail_errno(&err, errno, "%s", g->report);
		cli_report(c, NULL, &err);
	}
	ctx_err_clear(&err);
	/* what could not be written was not summarized either */
	if (c->worst != CLI_SYSTEM && state_write(s, &err) == -1)
		cli_report(c, NULL, &err);
}

static void
closing_line(const struct summarize *s, const struct cli *c)
{
	char level[64];

	fprintf(stderr, "%s: %" PRIu64 " conversations, %" PRIu64
	    " of them folded, %" PRIu64 " failed; %" PRIu64
	    " turns (%" PRIu64 " tokens) became %" PRIu64
	    " tokens (%s); %s\n", c->cmd->name, s->nconvo, s->nfolded,
	    s->nfailed, s->turns, s->tokens, s->summary_tokens,
	    cli_cost_level(&s->cost, level, sizeof(level)),
	    s->use_model ? s->ask.model : "offline");
}

static void
done(struct summarize *s, struct given *g)
{
	size_t i;

	fold_done(s);
	state_done(s);
	ctx_redact_free(s->redact);
	ctx_endpoint_done(&s->endpoint);
	free(s->prompt);
	for (i = 0; i < s->ask.nset; i++)
		free(g->copies[i]);
}

int
main(int argc, char *argv[])
{
	struct options o = {
		.s.fold = { .trigger = { 80, 100 }, .target = { 40, 100 },
		    .min_turns = 6, .min_fold = 2 },
		.s.max_tokens = 1024, .s.rounds = 1,
		.s.want = { .env = environment },
		.g.temperature = { 2, 10 }
	};
	struct summarize *s = &o.s;
	struct ctx_out dropped;
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&s->cost);
	ctx_http_limits_init(&s->ask.limits);
	from_environment(s, &o.g, &cli);
	cli_options(&cli, &o);
	settle(s, &o.g, &cli);
	open_outputs(s, &o.g, &dropped, &cli);
	s->stream.own.turns.turn = fold_turn;
	s->stream.own.turns.whole = 1;
	s->stream.own.turns.arg = s;
	s->stream.file_end = fold_file_end;
	s->stream.give_up = fold_drop_lines;
	cli_each_turn(&s->stream, &cli);
	close_outputs(s, &o.g, &cli);
	if (cli.verbose)
		closing_line(s, &cli);
	cli_figure(&cli, "folded_turns", s->turns);
	cli_figure(&cli, "folded_tokens", s->tokens);
	cli_figure(&cli, "summary_tokens", s->summary_tokens);
	done(s, &o.g);
	return cli_end(&cli);
}
