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
#include "cli_document.h"
#include "cli_tools.h"
#include "cmd/convert/jobs.h"
#include "cmd/convert/response.h"
#include "cmd/convert/text.h"
#include "edit/convert.h"

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
	{ 'j', "jobs", "N", "threads, over conversation lines (1)" },
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
	struct ctx_convert cv;
	struct cli_cost cost;
	int router, strict;
	unsigned jobs;
	int from_text, from_response;
	const char *role;		/* with from_text; NULL: transcripts */
	struct cli_tools tools;
	uint64_t nconvo, nleft;
};

static int
cost_of(void *arg, const char *text, size_t len, uint64_t *n,
    struct ctx_err *err)
{
	struct convert *k = arg;

	return ctx_counter_text(&k->cost.counter, text, len, n, err);
}

static uint64_t
sum(const uint64_t *loss)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < CTX_L_N; i++)
		n += loss[i];
	return n;
}

static void
put_losses(const uint64_t *before, const uint64_t *loss)
{
	const char *sep = " ";
	int i;

	for (i = 0; i < CTX_L_N; i++)
		if (loss[i] > before[i]) {
			fprintf(stderr, "%s%llu %s", sep, (unsigned long long)
			    (loss[i] - before[i]), ctx_loss_texts[i]);
			sep = ", ";
		}
	fputc('\n', stderr);
}

/* --strict: this conversation stays out, and the user learns why. */
static void
refuse(struct convert *k, const struct ctx_convo *c, const uint64_t *before)
{
	char file[256];

	ctx_err_quote(file, sizeof(file), k->stream.file,
	    strlen(k->stream.file));
	fprintf(stderr, "%s: %s:%llu: left out:", cmd.name, file,
	    (unsigned long long)c->rec[0].line);
	put_losses(before, k->cv.script.loss);
	cli_raise(k->stream.cli, CLI_NO);
	memcpy(k->cv.script.loss, before, sizeof(k->cv.script.loss));
}

static int
convert_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	const struct ctx_strand *th = turn->strand;
	uint64_t before[CTX_L_N];
	struct convert *k = arg;

	/* an empty conversation line stays one, other records have nothing */
	if (turn->convo->nmsg == 0 && (turn->convo->nrec == 0 ||
	    turn->convo->rec[0].shape != CTX_REC_CONVERSATION))
		return 0;
	memcpy(before, k->cv.script.loss, sizeof(before));
	if (th != NULL && th->sublen > 0) {
		k->cv.script.loss[CTX_L_BRANCH] += turn->convo->nmsg;
		return 0;
	}
	if (ctx_convert(&k->cv, turn->convo, th == NULL,
	    k->stream.turns.by, th != NULL ? th->key : NULL,
	    th != NULL ? th->keylen : 0, err) == -1)
		return -1;
	k->nconvo++;
	if (k->strict && sum(k->cv.script.loss) > sum(before)) {
		refuse(k, turn->convo, before);
		return 0;
	}
	/* texts of several conversations are told apart by a blank line */
	if (k->cv.to->only_text && k->nconvo > 1 &&
	    ctx_out_line(&k->stream.out, "\n", 1, NULL, err) == -1)
		return -1;
	return ctx_out_line(&k->stream.out, k->cv.out.data, k->cv.out.len,
	    NULL, err);
}

/*
 * The first line says what the input is: documents, or lines, which go to
 * several threads if each can be told without the others.
 */
static int
first_line(struct cli_stream *s, struct ctx_reader *r,
    const struct ctx_line *line, struct ctx_err *err)
{
	struct convert *k = (struct convert *)s;
	int rc = cli_documents(s, r, line, err);

	if (rc != 0 || k->jobs < 2 || k->strict || k->cv.to->only_text)
		return rc;
	return convert_jobs(s, &k->cv, k->jobs, r, line, err);
}

/* --- options ------------------------------------------------------------ */

static void
take_from(struct convert *k, struct cli *cli)
{
	char quoted[64];

	k->from_text = strcmp(cli->arg, "text") == 0;
	k->from_response = strcmp(cli->arg, "response") == 0;
	if (k->from_text || k->from_response ||
	    strcmp(cli->arg, "auto") == 0)
		return;
	k->stream.turns.dialect = ctx_dialect_find(cli->arg);
	if (k->stream.turns.dialect == NULL)
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
		k->cv.to = ctx_target_find(cli->arg);
		if (k->cv.to == NULL)
			cli_usage(cli, "cannot write '%s'",
			    ctx_err_quote(quoted, sizeof(quoted), cli->arg,
			    strlen(cli->arg)));
		break;
	case SHAPE:
		k->cv.shape = cli_word(cli, shapes) == 0 ? CTX_MESSAGES :
		    CTX_CONVERSATION;
		break;
	case STRICT:
		k->strict = 1;
		break;
	case REQUEST:
		k->cv.request = 1;
		break;
	case MAX_OUTPUT:
		k->cv.max_output = cli_num(cli, 1, UINT32_MAX);
		break;
	case TOOLS:
		cli_tools_read(&k->tools, cli->arg, cli);
		k->cv.tools = &k->tools.list;
		break;
	case ROLE:
		k->role = roles[cli_word(cli, roles)];
		break;
	case ROUTER:
		k->router = 1;
		break;
	case 'j':
		k->jobs = (unsigned)cli_num(cli, 1, CONVERT_JOBS_MAX);
		break;
	case 'm':
		k->cv.model = cli->arg;
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

	if (k->cv.to == NULL && !k->from_text && !k->from_response)
		cli_usage(cli, "--to is missing: what is to be written?");
	if (k->cv.to == NULL)
		k->cv.to = ctx_target_find("openai");
	k->cv.goes_on = k->from_response || k->role != NULL;
	if (k->cv.request && (k->cv.model == NULL ||
	    k->cv.to->request == NULL))
		cli_usage(cli, k->cv.model == NULL ?
		    "--request needs the model: -m NAME" :
		    "there is no request of that dialect");
	if (!k->cv.request && (k->cv.max_output > 0 || k->cv.tools != NULL))
		cli_usage(cli, "--max-output and --tools go with --request");
	if (k->role != NULL && !k->from_text)
		cli_usage(cli, "--role goes with --from text");
	if (!k->router)
		return;
	if (k->cv.to != &ctx_to_text)
		cli_usage(cli, "--router goes with --to text");
	k->cv.budget = 8000;
	cli_must(cli, ctx_env_num("ROUTER_HISTORY_TOKEN_BUDGET", 0,
	    UINT32_MAX, &k->cv.budget, &err), &err);
	cli_cost_open(&k->cost, cli);
	k->cv.cost = cost_of;
	k->cv.arg = k;
}

int
main(int argc, char *argv[])
{
	static const uint64_t none[CTX_L_N];
	struct convert k = { 0 };
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
	k.stream.turns.turn = convert_turn;
	k.stream.turns.whole = 1;
	k.stream.turns.arg = &k;
	k.stream.first_line = first_line;
	if (k.from_text) {
		convert_text_role = k.role;
		k.stream.first_line = convert_text;
	} else if (k.from_response)
		k.stream.first_line = convert_response;
	cli_each_turn(&k.stream, &cli);
	if (cli.verbose)
		fprintf(stderr, "%s: %llu conversations\n", cmd.name,
		    (unsigned long long)k.nconvo);
	if (!cli.quiet && sum(k.cv.script.loss) > 0) {
		fprintf(stderr, "%s: not in the result:", cmd.name);
		put_losses(none, k.cv.script.loss);
	}
	ctx_convert_done(&k.cv);
	cli_tools_done(&k.tools);
	cli_cost_done(&k.cost);
	return cli_end(&cli);
}
