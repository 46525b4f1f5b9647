/* SPDX-License-Identifier: MIT */
/* ctx-convert - a message history in another dialect. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/num.h"
#include "cli_cost.h"
#include "cli_stream.h"
#include "cli_tools.h"
#include "job/convert_job.h"
#include "job/document.h"
#include "job/plain.h"
#include "job/response.h"

enum {
	FROM = CLI_LONG, TO, REQUEST, MAX_OUTPUT, TOOLS, STRICT, SHAPE, ROLE,
	ROUTER
};

static const struct cli_opt opts[] = {
	{ FROM, "from", "NAME", "the dialect to read, auto, text or response (auto)" },
	{ TO, "to", "NAME", "the dialect to write, text or markdown" },
	{ SHAPE, "shape", "HOW",
	    "write one line for each: messages or conversation" },
	{ STRICT, "strict", NULL,
	    "leave out what the target cannot say in full, exit 1" },
	{ REQUEST, "request", NULL, "write whole requests, as the API wants" },
	{ MAX_OUTPUT, "max-output", "N",
	    "with --request: tokens that the answer may have" },
	{ TOOLS, "tools", "FILE",
	    "with --request: definitions of tools, a JSON list" },
	{ ROLE, "role", "NAME",
	    "with --from text: one message of user, assistant or system" },
	{ ROUTER, "router", NULL,
	    "with --to text: the newest turns in a router's budget" },
	{ 'm', "model", "NAME", "the model that reads the result" },
	{ 'j', "jobs", "N", "threads, over conversations (1)" },
	{ 'b', "by", "KEY", "tell conversations apart by this member" },
	{ CLI_ON_ERROR, "on-error", "HOW",
	    "a line that is not JSON: stop, skip or keep" },
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-convert",
	"[-qv] [-b KEY] [-j N] [-m NAME] [--from NAME] [--max-output N] "
	    "[--on-error HOW] [--request] [--role NAME] [--router] "
	    "[--shape HOW] [--strict] [--to NAME] [--tools FILE] [FILE ...]",
	"Write message histories in another dialect, as requests, or as text.",
	opts, NULL
};

struct convert {
	struct cli_stream stream;
	struct ctx_convert_job_opts opts;
	struct ctx_cost cost;
	int router;
	int from_text, from_response;
	const char *role;		/* with from_text; NULL: transcripts */
	struct cli_tools tools;
};

/* "3 names of speakers, 1 images and files" */
static void
put_losses(const uint64_t *loss)
{
	const char *sep = " ";
	int i;

	for (i = 0; i < CTX_L_N; i++)
		if (loss[i] > 0) {
			fprintf(stderr, "%s%llu %s", sep, (unsigned long long)
			    loss[i], ctx_loss_texts[i]);
			sep = ", ";
		}
	if (*sep == ',')
		fputc('\n', stderr);
}

/* --strict: a conversation that stays out. */
static int
refused(struct cli_stream *s, const struct ctx_row *row, struct ctx_err *err)
{
	char file[256];

	(void)err;
	ctx_err_quote(file, sizeof(file), s->file, strlen(s->file));
	fprintf(stderr, "%s: %s:%llu: left out:", cmd.name, file,
	    (unsigned long long)row->line);
	put_losses(row->n);
	cli_raise(s->cli, CLI_NO);
	return 0;
}

/* The first line says what the input is: documents, or lines. */
static int
first_line(struct cli_stream *s, struct ctx_reader *r,
    const struct ctx_line *line, struct ctx_err *err)
{
	struct convert *k = (struct convert *)s;

	if (k->from_text)
		return ctx_plain(s->job, k->role, r, line, err);
	if (k->from_response)
		return ctx_response(s->job, r, line, err);
	return ctx_documents(s->job, r, line, err);
}

/* --- options ----------------------------------------------------------- */

static void
take_from(struct convert *k, struct cli *cli)
{
	char quoted[64];

	k->from_text = strcmp(cli->arg, "text") == 0;
	k->from_response = strcmp(cli->arg, "response") == 0;
	if (k->from_text || k->from_response ||
	    strcmp(cli->arg, "auto") == 0)
		return;
	k->stream.dialect = ctx_dialect_find(cli->arg);
	if (k->stream.dialect == NULL)
		cli_usage(cli, "unknown dialect '%s'; man 5 ctx-stream lists "
		    "them", ctx_err_quote(quoted, sizeof(quoted), cli->arg,
		    strlen(cli->arg)));
}

static void
take_option(struct convert *k, struct cli *cli, int ch)
{
	static const char *const shapes[] = { "messages", "conversation",
	    NULL };
	static const char *const roles[] = { "user", "assistant", "system",
	    NULL };
	char quoted[64];

	switch (ch) {
	case FROM:
		take_from(k, cli);
		break;
	case TO:
		k->opts.to = ctx_target_find(cli->arg);
		if (k->opts.to == NULL)
			cli_usage(cli, "cannot write '%s'",
			    ctx_err_quote(quoted, sizeof(quoted), cli->arg,
			    strlen(cli->arg)));
		break;
	case SHAPE:
		k->opts.shape = cli_word(cli, shapes) == 0 ? CTX_MESSAGES :
		    CTX_CONVERSATION;
		break;
	case STRICT:
		k->opts.strict = 1;
		break;
	case REQUEST:
		k->opts.request = 1;
		break;
	case MAX_OUTPUT:
		k->opts.max_output = cli_num(cli, 1, UINT32_MAX);
		break;
	case TOOLS:
		cli_tools_read(&k->tools, cli->arg, cli);
		k->opts.tools = &k->tools.list;
		break;
	case ROLE:
		k->role = roles[cli_word(cli, roles)];
		break;
	case ROUTER:
		k->router = 1;
		break;
	case 'j':
		k->stream.threads = (unsigned)cli_num(cli, 1,
		    CTX_RUN_THREADS_MAX);
		break;
	case 'm':
		k->opts.model = cli->arg;
		k->cost.model_name = cli->arg;
		break;
	default:
		cli_stream_opt(&k->stream, cli, ch);
	}
}

/* Options that want each other. */
static void
check_options(struct convert *k, struct cli *cli)
{
	struct ctx_err err = { 0 };

	if (k->opts.to == NULL && !k->from_text && !k->from_response)
		cli_usage(cli, "--to is missing: what is to be written?");
	if (k->opts.to == NULL)
		k->opts.to = ctx_target_find("openai");
	k->opts.goes_on = k->from_response || k->role != NULL;
	if (k->opts.request && (k->opts.model == NULL ||
	    k->opts.to->request == NULL))
		cli_usage(cli, k->opts.model == NULL ?
		    "--request needs the model: -m NAME" :
		    "there is no request of that dialect");
	if (!k->opts.request && (k->opts.max_output > 0 || k->opts.tools != NULL))
		cli_usage(cli, "--max-output and --tools go with --request");
	if (k->role != NULL && !k->from_text)
		cli_usage(cli, "--role goes with --from text");
	if (!k->router)
		return;
	if (k->opts.to != &ctx_to_text)
		cli_usage(cli, "--router goes with --to text");
	k->opts.budget = 8000;
	cli_must(cli, ctx_env_num("ROUTER_HISTORY_TOKEN_BUDGET", 0,
	    UINT32_MAX, &k->opts.budget, &err), &err);
	cli_cost_open(&k->cost, cli);
	k->opts.cost = &k->cost;
}

/* What was not said, and how much was. */
static void
closing_lines(const struct cli *cli, const struct ctx_convert_job_sums *did)
{
	static const uint64_t none[CTX_L_N];

	if (cli->verbose)
		fprintf(stderr, "%s: %llu conversations\n", cmd.name,
		    (unsigned long long)did->conversations);
	if (!cli->quiet && memcmp(did->loss, none, sizeof(none)) != 0) {
		fprintf(stderr, "%s: not in the result:", cmd.name);
		put_losses(did->loss);
	}
}

int
main(int argc, char *argv[])
{
	struct convert k = { 0 };
	struct ctx_err err = { 0 };
	struct cli cli;
	int ch;

#ifdef __GLIBC__
	/* whole conversations come and go: keep their pages for the next */
	mallopt(M_MMAP_THRESHOLD, 1 << 28);
	mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
	cli_cost_init(&k.cost);
	cli_init(&cli, &cmd, argc, argv);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&k, &cli, ch);
	check_options(&k, &cli);
	if ((k.stream.job = ctx_convert_job_new(&k.opts, &err)) == NULL)
		cli_must(&cli, -1, &err);
	k.stream.first_line = first_line;
	k.stream.row = refused;
	cli_each_turn(&k.stream, &cli);
	closing_lines(&cli, ctx_convert_job_figures(k.stream.job));
	ctx_job_free(k.stream.job);
	cli_tools_done(&k.tools);
	ctx_cost_done(&k.cost);
	return cli_end(&cli);
}
