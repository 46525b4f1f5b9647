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
	fprintf(stderr, "%s: %s:%llu: left out:",
	    k->stream.cli->cmd->name, file,
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

/* Words before the dialects that --from takes. */
static const char *const inputs[] = { "auto", "text", "response" };
#define NINPUT (sizeof(inputs) / sizeof(inputs[0]))

static const char *
from_name(size_t i)
{
	if (i < NINPUT)
		return inputs[i];
	return ctx_dialects[i - NINPUT] != NULL ?
	    ctx_dialects[i - NINPUT]->name : NULL;
}

static void
take_from(struct cli *c, void *place)
{
	struct convert *k = place;
	size_t i = (size_t)cli_opt_find_word(c);

	k->from_text = i == 1;
	k->from_response = i == 2;
	k->stream.turns.dialect = i < NINPUT ? NULL : ctx_dialects[i - NINPUT];
}

static const char *
to_name(size_t i)
{
	const struct ctx_target *t = ctx_target_at(i);

	return t != NULL ? t->name : NULL;
}

static void
take_to(struct cli *c, void *place)
{
	const struct ctx_target **to = place;

	*to = ctx_target_at((size_t)cli_opt_find_word(c));
}

static void
take_tools(struct cli *c, void *place)
{
	cli_tools_read(place, c->arg, c);
}

static const char *const shapes[] = { "messages", "conversation", NULL };

static const char *const roles[] = { "user", "assistant", "system", NULL };

#define OPT_OF struct convert
static const struct cli_opt opts[] = {
	OPT_GROUP("From and to"),
	OPT_DO(0, "from", "NAME", take_from,
	    "the dialect to read, auto, text or response (auto)",
	    .word = from_name),
	OPT_CALL(0, "to", "NAME", cv.to, take_to,
	    "the dialect to write, text or markdown", .word = to_name),
	OPT_WORD(0, "shape", "HOW", cv.shape, shapes,
	    "write one line for each", .min = CTX_MESSAGES),
	OPT_FLAG(0, "strict", strict,
	    "leave out what the target cannot say in full, exit 1"),
	OPT_TEXT(0, "role", "NAME", role, "with --from text, whose one message",
	    .words = roles),
	OPT_FLAG(0, "router", router,
	    "with --to text: the newest turns in a router's budget"),
	OPT_GROUP("Requests"),
	OPT_FLAG(0, "request", cv.request,
	    "write whole requests, as the API wants", .needs = "model"),
	OPT_TEXT('m', "model", "NAME", cost.model_name,
	    "the model that reads the result",
	    .live = "ctx-count --list-models"),
	OPT_NUM(0, "max-output", "N", cv.max_output, 1, UINT32_MAX,
	    "tokens that the answer may have", .needs = "request"),
	OPT_CALL(0, "tools", "FILE", tools, take_tools,
	    "definitions of tools, a JSON list", .needs = "request"),
	OPT_GROUP("Input"),
	OPT_TEXT('b', "by", "KEY", stream.turns.by,
	    "tell conversations apart by this member"),
	OPT_WORD(0, "on-error", "HOW", stream.on_error, cli_on_errors,
	    "a line that is not JSON"),
	OPT_NUM('j', "jobs", "N", jobs, 1, CONVERT_JOBS_MAX,
	    "threads, over conversation lines (1)"),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-convert", "[FILE ...]",
	"Write message histories in another dialect, as requests, or as text.",
	opts, NULL
};

/* What the options come to beside each other. */
static void
settle(struct convert *k, struct cli *cli)
{
	struct ctx_err err = { 0 };

	if (k->cv.to == NULL && !k->from_text && !k->from_response)
		cli_usage(cli, "--to is missing: what is to be written?");
	if (k->cv.to == NULL)
		k->cv.to = ctx_target_find("openai");
	k->cv.goes_on = k->from_response || k->role != NULL;
	k->cv.model = k->cost.model_name;
	if (cli_given(cli, "tools"))
		k->cv.tools = &k->tools.list;
	if (k->cv.request && k->cv.to->request == NULL)
		cli_usage(cli, "there is no request of that dialect");
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

#ifdef __GLIBC__
	/* whole conversations come and go: keep their pages for the next */
	mallopt(M_MMAP_THRESHOLD, 1 << 28);
	mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
	cli_cost_init(&k.cost);
	cli_init(&cli, &cmd, argc, argv);
	cli_options(&cli, &k);
	settle(&k, &cli);
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
