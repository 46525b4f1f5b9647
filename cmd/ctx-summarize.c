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
#include "cmd/summarize/summarize.h"

enum {
	TRIGGER = CLI_LONG, TARGET, MIN_TURNS, MIN_FOLD, MAX_TOKENS, HALF,
	WHEN_MESSAGES, WHEN_TOKENS, ALL, AS, TO, STATE, DROPPED, REPORT,
	ENGINE, URL, ASK_MODEL, API, KEY_FILE, PROMPT, SET, HEADER, STREAM,
	TIMEOUT, IDLE, TRIES, TEMPERATURE, WINDOW, CACERT, INSECURE_HTTP,
	NO_REDACT, DRY_RUN, FALLBACK, ON_FAILURE, INSIGHTS, ROUNDS
};

static const struct cli_opt opts[] = {
	{ 't', "tokens", "N", "the budget of the history, in tokens" },
	CLI_COST_OPTS,
	CLI_BUDGET_OPTS,
	{ TRIGGER, "trigger", "R",
	    "fold from this share of the budget on (0.80)" },
	{ TARGET, "target", "R",
	    "share of the budget that stays as it is (0.40)" },
	{ MIN_TURNS, "min-turns", "N", "do not fold fewer turns (6)" },
	{ MIN_FOLD, "min-fold", "N", "do not fold so little (2)" },
	{ MAX_TOKENS, "max-tokens", "N", "the longest summary (1024)" },
	{ WHEN_MESSAGES, "when-messages", "N", "fold only above N messages" },
	{ WHEN_TOKENS, "when-tokens", "N", "fold only above N tokens" },
	{ 'n', "last", "N", "the last N messages stay" },
	{ HALF, "half", NULL, "the newer half of the messages stays" },
	{ ALL, "all", NULL, "fold everything" },
	{ AS, "as", "HOW", "the summary's form: pair, user or system" },
	{ TO, "to", "HOW", "what to write: stream or text" },
	{ STATE, "state", "FILE", "keep the summary in FILE" },
	{ DROPPED, "dropped", "FILE", "write what was folded to FILE" },
	{ REPORT, "report", "FILE", "write what was done as JSON lines" },
	{ ENGINE, "engine", "NAME", "who summarizes: offline or model" },
	{ URL, "url", "URL", "ask the model at this endpoint" },
	{ ASK_MODEL, "ask-model", "NAME", "ask this model" },
	{ API, "api", "NAME",
	    "what the endpoint speaks: openai, anthropic or ollama" },
	{ KEY_FILE, "key-file", "FILE", "the endpoint's key" },
	{ PROMPT, "prompt", "FILE", "the summarizer's instructions" },
	{ SET, "set", "NAME=VALUE", "a member of the request" },
	{ HEADER, "header", "TEXT", "a header of the request" },
	{ STREAM, "stream", NULL, "let the answer come as a stream" },
	{ TIMEOUT, "timeout", "TIME", "for all tries (120s)" },
	{ IDLE, "idle", "TIME", "without a byte of an answer (60s)" },
	{ TRIES, "tries", "N", "requests at most (3)" },
	{ TEMPERATURE, "temperature", "R", "of the model's answer (0.2)" },
	{ WINDOW, "window", "N", "tokens that the asked model reads" },
	{ CACERT, "cacert", "FILE", "certificates to trust" },
	{ INSECURE_HTTP, "insecure-http", NULL,
	    "a key may go over http: to another machine" },
	{ NO_REDACT, "no-redact", NULL, "send secrets, too" },
	{ DRY_RUN, "dry-run", NULL, "print the request, send nothing" },
	{ FALLBACK, "fallback", "HOW",
	    "who summarizes if the model fails: none or offline" },
	{ ON_FAILURE, "on-failure", "HOW",
	    "when the model fails, exit 5 or 0: fail or pass" },
	{ INSIGHTS, "insights", NULL,
	    "write summary and insights of everything as JSON" },
	{ ROUNDS, "rounds", "N", "with --insights: look N times (1)" },
	CLI_STREAM_OPTS,
	CLI_IN_PLACE_OPT,
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-summarize",
	"[-i[SUFFIX]] [-qv] [-b KEY] [-d NAME] [-e NAME] [-m NAME] [-n N] "
	    "[-t N] [--all] [--api NAME] [--as HOW] [--ask-model NAME] "
	    "[--cacert FILE] [--cost KEY] [--dropped FILE] [--dry-run] "
	    "[--engine NAME] [--fallback HOW] [--half] [--header TEXT] "
	    "[--idle TIME] [--insecure-http] [--insights] [--key-file FILE] "
	    "[--max-tokens N] [--min-fold N] [--min-turns N] [--no-redact] "
	    "[--on-error HOW] [--on-failure HOW] [--overhead N] "
	    "[--prompt FILE] [--ratio R] [--report FILE] [--reserve N] "
	    "[--rounds N] [--set NAME=VALUE] [--state FILE] [--stream] "
	    "[--system-estimate N] [--target R] [--temperature R] "
	    "[--timeout TIME] [--to HOW] [--tries N] [--trigger R] "
	    "[--url URL] [--when-messages N] [--when-tokens N] [--window N] "
	    "[FILE ...]",
	"Fold the older part of a message history into a summary.",
	opts
};

#define LIST_MAX 32	/* of --set, and of --header */
#define PROMPT_MAX (1u << 20)

/* What options say until all of them are known. */
struct given {
	struct cli_budget budget;
	uint64_t tokens;
	int has_tokens, no_redact;
	const char *dropped, *report, *prompt;
	struct ctx_ask_set set[LIST_MAX];
	const char *header[LIST_MAX + 1];
	size_t nheader;
	char *copies[LIST_MAX];		/* names of --set */
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

static uint64_t
take_time(const struct cli *c)
{
	uint64_t s = cli_age(c);

	if (s < 1 || s > 86400)
		cli_usage(c, "--%s must be from 1s to 1d", c->opt->name);
	return s;
}

static void
take_set(struct summarize *s, struct given *g, const struct cli *c)
{
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
take_header(struct given *g, const struct cli *c)
{
	static const char *const secret[] = {
		"authorization:", "x-api-key:", "api-key:", "cookie:",
		"proxy-authorization:", "x-goog-api-key:"
	};
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

/* Options about what is folded; 0 if it is another. */
static int
take_fold(struct summarize *s, struct given *g, struct cli *c, int ch)
{
	static const char *const as[] = { "pair", "user", "system", NULL };
	static const char *const to[] = { "stream", "text", NULL };

	switch (ch) {
	case 't':
		g->tokens = cli_num(c, 1, UINT32_MAX);
		g->has_tokens = 1;
		return 1;
	case TRIGGER:
		s->fold.trigger = cli_ratio(c);
		return 1;
	case TARGET:
		s->fold.target = cli_ratio(c);
		return 1;
	case MIN_TURNS:
		s->fold.min_turns = cli_num(c, 0, UINT32_MAX);
		return 1;
	case MIN_FOLD:
		s->fold.min_fold = cli_num(c, 1, UINT32_MAX);
		return 1;
	case MAX_TOKENS:
		s->max_tokens = cli_num(c, 16, 1000000);
		return 1;
	case WHEN_MESSAGES:
		s->fold.when_messages = cli_num(c, 1, UINT32_MAX);
		return 1;
	case WHEN_TOKENS:
		s->fold.when_tokens = cli_num(c, 1, UINT32_MAX);
		return 1;
	case 'n':
		s->fold.last = cli_num(c, 1, UINT32_MAX);
		return 1;
	case HALF:
		s->fold.half = 1;
		return 1;
	case ALL:
		s->fold.all = 1;
		return 1;
	case AS:
		s->as = (enum summarize_as)cli_word(c, as);
		return 1;
	case TO:
		s->to = (enum summarize_to)cli_word(c, to);
		return 1;
	case STATE:
		s->state_name = c->arg;
		return 1;
	case DROPPED:
		g->dropped = c->arg;
		return 1;
	case REPORT:
		g->report = c->arg;
		return 1;
	}
	return 0;
}

/* Options about the model; 0 if it is another. */
static int
take_model(struct summarize *s, struct given *g, struct cli *c, int ch)
{
	static const char *const engines[] = { "offline", "model", NULL };
	static const char *const fallbacks[] = { "none", "offline", NULL };
	static const char *const failures[] = { "fail", "pass", NULL };
	char *end;

	switch (ch) {
	case ENGINE:
		s->want.engine = cli_word(c, engines) == 0 ?
		    CTX_ENGINE_OFFLINE : CTX_ENGINE_MODEL;
		return 1;
	case URL:
		s->want.url = c->arg;
		return 1;
	case ASK_MODEL:
		s->want.model = c->arg;
		return 1;
	case API:
		s->want.api = c->arg;
		return 1;
	case KEY_FILE:
		s->want.key_file = c->arg;
		return 1;
	case PROMPT:
		g->prompt = c->arg;
		return 1;
	case SET:
		take_set(s, g, c);
		return 1;
	case HEADER:
		take_header(g, c);
		return 1;
	case STREAM:
		s->ask.stream = 1;
		return 1;
	case TIMEOUT:
		s->ask.limits.total_ms = take_time(c) * 1000;
		return 1;
	case IDLE:
		s->ask.limits.idle_s = take_time(c);
		return 1;
	case TRIES:
		s->ask.limits.tries = (unsigned)cli_num(c, 1, 10);
		return 1;
	case TEMPERATURE:
		s->ask.temperature = strtod(c->arg, &end);
		if (*c->arg == '\0' || *end != '\0' ||
		    !(s->ask.temperature >= 0 && s->ask.temperature <= 2))
			cli_usage(c, "--temperature must be from 0 to 2");
		return 1;
	case WINDOW:
		s->window = cli_num(c, 1024, UINT32_MAX);
		return 1;
	case CACERT:
		s->ask.cacert = c->arg;
		return 1;
	case INSECURE_HTTP:
		s->want.insecure_http = 1;
		return 1;
	case NO_REDACT:
		g->no_redact = 1;
		return 1;
	case DRY_RUN:
		s->dry_run = 1;
		return 1;
	case FALLBACK:
		s->fallback = cli_word(c, fallbacks);
		return 1;
	case ON_FAILURE:
		s->pass_failure = cli_word(c, failures);
		return 1;
	case INSIGHTS:
		s->insights = 1;
		return 1;
	case ROUNDS:
		s->rounds = (unsigned)cli_num(c, 1, 5);
		return 1;
	}
	return 0;
}

static void
take_option(struct summarize *s, struct given *g, struct cli *c, int ch)
{
	if (!take_fold(s, g, c, ch) && !take_model(s, g, c, ch) &&
	    !cli_stream_opt(&s->stream, c, ch) &&
	    !cli_budget_opt(&g->budget, c, ch))
		cli_cost_opt(&s->cost, c, ch);
}

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
	if (s->fold.last != 0 && s->fold.half)
		cli_usage(c, "-n and --half exclude each other");
	cli_cost_open(&s->cost, c);
	s->fold.budget = g->has_tokens ? g->tokens :
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
	struct summarize s = {
		.fold = { .trigger = { 80, 100 }, .target = { 40, 100 },
		    .min_turns = 6, .min_fold = 2 },
		.max_tokens = 1024, .rounds = 1,
		.want = { .env = environment },
		.ask = { .temperature = 0.2 }
	};
	struct given g = { 0 };
	struct ctx_out dropped;
	struct cli cli;
	int ch;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&s.cost);
	ctx_http_limits_init(&s.ask.limits);
	from_environment(&s, &g, &cli);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&s, &g, &cli, ch);
	settle(&s, &g, &cli);
	open_outputs(&s, &g, &dropped, &cli);
	s.stream.own.turns.turn = fold_turn;
	s.stream.own.turns.whole = 1;
	s.stream.own.turns.arg = &s;
	s.stream.file_end = fold_file_end;
	s.stream.give_up = fold_drop_lines;
	cli_each_turn(&s.stream, &cli);
	close_outputs(&s, &g, &cli);
	if (cli.verbose)
		closing_line(&s, &cli);
	cli_figure(&cli, "folded_turns", s.turns);
	cli_figure(&cli, "folded_tokens", s.tokens);
	cli_figure(&cli, "summary_tokens", s.summary_tokens);
	done(&s, &g);
	return cli_end(&cli);
}
