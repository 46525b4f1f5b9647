/* SPDX-License-Identifier: MIT */
/* Which model to ask, and how; see ask.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/utf8.h"
#include "cli_endpoint.h"
#include "cmd/summarize/ask.h"
#include "decide/param.h"

/* --- options ------------------------------------------------------------ */

/* Take a header, unless it is one for a key: everybody can see arguments. */
static void
take_header(struct cli *c, void *place)
{
	static const char *const secret[] = {
		"authorization:", "x-api-key:", "api-key:", "cookie:",
		"proxy-authorization:", "x-goog-api-key:"
	};
	struct summarize_ask *a = place;
	size_t i;

	if (strchr(c->arg, ':') == NULL || strpbrk(c->arg, "\r\n") != NULL)
		cli_usage(c, "--header needs 'Name: value'");
	for (i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		if (strncasecmp(c->arg, secret[i], strlen(secret[i])) == 0)
			cli_usage(c, "--header must not hold a key, because "
			    "every process can see arguments; use --key-file");
	if (a->nheader == SUMMARIZE_LIST_MAX)
		cli_usage(c, "--header was given too often");
	a->header[a->nheader++] = c->arg;
}

static const char *const engines[] = { "offline", "model", NULL };
static const char *const apis[] = { "openai", "anthropic", "ollama", NULL };

#define OPT_OF struct summarize_ask
const struct cli_opt summarize_ask_opts[] = {
	OPT_WORD(0, "engine", "NAME", want.engine, engines,
	    "summarizer (default: model if one is named, else offline)",
	    .min = CTX_ENGINE_OFFLINE),
	OPT_SUB(want, cli_endpoint_opts),
	OPT_TEXT(0, "api", "NAME", want.api,
	    "API of the endpoint (default: from its URL)",
	    .words = apis),
	OPT_CALL(0, "prompt", "FILE", prompt, cli_prompt_read,
	    "file with instructions for the model"),
	OPT_CALL(0, "set", "NAME=VALUE", set, cli_set_take,
	    "set a member of the request; can be repeated", .utf8 = 1),
	OPT_DO(0, "header", "TEXT", take_header,
	    "add a header to the request; can be repeated"),
	OPT_FLAG(0, "stream", ask.stream, "ask for a streamed answer"),
	OPT_SUB(ask.limits, cli_limits_opts),
	OPT_AGE(0, "idle", "TIME", ask.limits.idle_s, 86400,
	    "time limit without receiving data (default 60s)"),
	OPT_DECIMAL(0, "temperature", "R", temperature, 2,
	    "sampling temperature (default 0.2)"),
	OPT_NUM(0, "ask-window", "N", window, 1024, UINT32_MAX,
	    "window of the model to ask (default: its own, else 32000)"),
	OPT_TEXT(0, "cacert", "FILE", ask.cacert,
	    "file of CA certificates to trust"),
	OPT_FLAG(0, "no-redact", no_redact,
	    "send texts without redacting secrets"),
	OPT_FLAG(0, "in-place-prompt", in_place,
	    "send the history as it is, with one more message that asks",
	    .needs = "no-redact", .excludes = "insights"),
	OPT_FLAG(0, "dry-run", dry_run,
	    "print the requests instead of sending them"),
	OPT_END
};
#undef OPT_OF

void
summarize_ask_init(struct summarize_ask *a)
{
	memset(a, 0, sizeof(*a));
	a->want.env = getenv;
	a->temperature = (struct ctx_ratio){ 2, 10 };
	a->rounds = 1;
	ctx_http_limits_init(&a->ask.limits);
}

/* --- their results -------------------------------------------------------- */

static void
on_working(void *arg)
{
	struct summarize_ask *a = arg;

	cli_progress_wait(&a->progress, a->ask.model);
}

static void
on_waiting(void *arg, unsigned try, uint64_t ms, const char *why)
{
	struct cli *c = ((struct summarize_ask *)arg)->cli;

	if (c->verbose)
		cli_warn(c, "try %u failed: %s; trying again in %.1f s", try,
		    why, (double)ms / 1000);
}

/* The window of the model, if the table of models has it. */
static uint64_t
window_of(const char *model, struct cli *c)
{
	struct ctx_err err = { 0 };
	struct ctx_models *models = ctx_models_new(&err);
	const struct ctx_model *m;
	uint64_t window = 0;

	cli_must(c, models == NULL ? -1 : 0, &err);
	if ((m = ctx_model_find(models, model)) != NULL)
		window = m->window;
	ctx_models_free(models);
	return window != 0 ? window : 32000;
}

/* Find its address and its key. */
static void
find_endpoint(struct summarize_ask *a, struct cli *c)
{
	struct ctx_err err = { 0 };

	cli_must(c, ctx_endpoint_find(&a->want, &a->endpoint, &err), &err);
	if (a->endpoint.withheld != NULL)
		cli_warn(c, "%s is not sent to %s, which is not its provider's "
		    "endpoint; use --key-file to send a key",
		    a->endpoint.withheld,
		    a->endpoint.url);
	a->ask.format = a->endpoint.format;
	a->ask.url = a->endpoint.url;
	a->ask.model = a->endpoint.model;
	a->ask.key = a->endpoint.key;
	a->ask.bearer = a->endpoint.bearer;
}

/* Leave out what the model refuses, unless the user asks for it. */
static void
fit_model(struct summarize_ask *a, struct cli *c)
{
	const char *api = ctx_ask_format_name(a->ask.format);
	struct ctx_str model = { a->ask.model, (uint32_t)strlen(
	    a->ask.model) };
	const struct ctx_param_row *row;

	row = ctx_param_refused(api, model, "max_tokens", NULL, NULL);
	if (row != NULL)
		a->ask.limit = row->instead;
	a->ask.temperature = (double)a->temperature.num /
	    (double)a->temperature.den;
	row = ctx_param_refused(api, model, "temperature", NULL, NULL);
	if (row != NULL && !cli_given(c, "temperature"))
		a->ask.temperature = -1;
	else if (row != NULL && !row->perhaps)
		cli_warn(c, "%s refuses a temperature, which --temperature "
		    "sets", a->ask.model);
	cli_set_check(&a->set, api, a->ask.model, c);
}

void
summarize_ask_redact(struct summarize_ask *a, struct ctx_fold_job_opts *opts,
    struct cli *c)
{
	struct ctx_redact_opts all = { 0 };
	struct ctx_err err = { 0 };

	if (!a->no_redact) {
		cli_must(c, ctx_redact_env(&all, &err), &err);
		a->redact = ctx_redact_new(&all, &err);
		cli_must(c, a->redact == NULL ? -1 : 0, &err);
	}
	opts->redact = a->redact;
}

void
summarize_ask_open(struct summarize_ask *a, struct ctx_fold_job_opts *opts,
    struct cli *c)
{
	a->cli = c;
	a->cost = opts->cost;
	a->max_tokens = opts->max_tokens;
	find_endpoint(a, c);
	a->ask.set = a->set.set;
	a->ask.nset = a->set.n;
	a->ask.header = a->header;
	a->ask.max_tokens = (unsigned)a->max_tokens;
	fit_model(a, c);
	if (a->in_place && strcmp(ctx_ask_format_name(a->ask.format),
	    "ollama") == 0)
		cli_usage(c, "--in-place-prompt is for APIs that bill cached "
		    "input less; use --api openai or anthropic");
	a->ask.waiting = on_waiting;
	a->ask.arg = a;
	a->ask.working = on_working;
	if (a->window == 0)
		a->window = window_of(a->ask.model, c);
	if (c->verbose)
		cli_warn(c, "asking %s at %s", a->ask.model, a->ask.url);
	opts->ask = summarize_ask;
	opts->ask_arg = a;
	if (a->dry_run)
		opts->to = CTX_FOLD_TO_QUESTION;
	else if (a->insights)
		opts->to = CTX_FOLD_TO_ANSWER;
}

void
summarize_ask_done(struct summarize_ask *a)
{
	ctx_redact_free(a->redact);
	ctx_endpoint_done(&a->endpoint);
	cli_prompt_done(&a->prompt);
	cli_set_done(&a->set);
}
