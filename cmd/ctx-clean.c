/* SPDX-License-Identifier: MIT */
/* ctx-clean - make a message history valid and lean. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_stream.h"
#include "decide/links.h"
#include "decide/noise.h"

enum {
	UNANSWERED = CLI_LONG, KEEP_PENDING, MAX_RESULT, MAX_MESSAGE, CHECK,
	JSON
};

static const struct cli_opt opts[] = {
	CLI_STREAM_OPTS,
	CLI_IN_PLACE_OPT,
	{ UNANSWERED, "unanswered", "HOW",
	    "tool calls without a result: trim, drop or repair" },
	{ KEEP_PENDING, "keep-pending", NULL,
	    "leave calls that wait for an answer at the end" },
	{ MAX_RESULT, "max-result", "N",
	    "shorten tool results to N characters" },
	{ MAX_MESSAGE, "max-message", "N",
	    "shorten texts of users and assistants to N characters" },
	{ CHECK, "check", NULL, "change nothing, print every fault, exit 1" },
	{ JSON, "json", NULL, "with --check: one JSON object a fault" },
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-clean",
	"[-i[SUFFIX]] [-qv] [-b KEY] [-d NAME] [--check [--json]] "
	    "[--keep-pending] [--max-message N] [--max-result N] "
	    "[--on-error HOW] [--unanswered HOW] [FILE ...]",
	"Make a message history valid for its API, losing as little as "
	    "possible.",
	opts
};

struct clean {
	struct cli_stream stream;
	struct ctx_links_opts links;
	struct ctx_noise_opts noise;
	int check, json;
	struct ctx_linker linker;	/* these three are reused */
	struct ctx_plan plan;
	struct ctx_edit edit;
	uint64_t nrec, nfault[CTX_F_N], nchars;
};

static void
print_finding(struct clean *c, const char *rule, uint64_t line, uint64_t col,
    const char *text)
{
	char file[512];

	if (c->json) {
		struct ctx_buf b = { 0 };

		ctx_str_encode(&b, c->stream.file, strlen(c->stream.file));
		printf("{\"file\":\"%s\",\"line\":%llu,\"col\":%llu,"
		    "\"rule\":\"%s\",\"text\":\"%s\"}\n", ctx_buf_str(&b),
		    (unsigned long long)line, (unsigned long long)col, rule,
		    text);
		ctx_buf_done(&b);
		return;
	}
	ctx_err_quote(file, sizeof(file), c->stream.file,
	    strlen(c->stream.file));
	printf("%s:%llu:%llu: error[%s]: %s\n", file,
	    (unsigned long long)line, (unsigned long long)col, rule, text);
}

static void
report_finding(struct clean *c, const struct ctx_convo *convo,
    const struct ctx_finding *f)
{
	const struct ctx_msg *m = &convo->msg[f->msg];
	const struct ctx_rec *r = &convo->rec[m->rec];
	uint32_t node = m->node;

	c->nfault[f->fault]++;
	if (!c->check)
		return;
	if (f->part != CTX_NONE &&
	    convo->part[f->part].place[0].node != CTX_NONE)
		node = convo->part[f->part].place[0].node;
	print_finding(c, ctx_fault_texts[f->fault].id, r->line,
	    convo->doc.node[node].off + 1, ctx_fault_texts[f->fault].about);
}

/* --check: bad JSON is a finding like any other, and checking goes on. */
static int
bad_line(struct cli_stream *s, const struct ctx_err *err)
{
	struct clean *c = (struct clean *)s;

	c->nfault[CTX_F_NOT_JSON]++;
	print_finding(c, ctx_fault_texts[CTX_F_NOT_JSON].id, err->line,
	    err->col, err->text);
	s->cli->worst = CLI_INPUT;
	return 1;
}

/* What a conversation remembers between its turns. */
static struct ctx_links *
links_of(const struct ctx_turn *turn)
{
	if (turn->thread->state == NULL)
		turn->thread->state = calloc(1, sizeof(struct ctx_links));
	return turn->thread->state;
}

static void
free_links(void *state)
{
	ctx_links_done(state);
	free(state);
}

static int
clean_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct ctx_links whole = { 0 }, *seen = &whole;
	struct clean *c = arg;
	uint32_t i;
	int rc = -1;

	if (turn->thread != NULL && (seen = links_of(turn)) == NULL)
		return ctx_fail_nomem(err);
	if (ctx_plan_reset(&c->plan, turn->convo, err) == -1 ||
	    ctx_links_plan(&c->linker, &c->plan, turn->convo, seen, &c->links,
	    turn->last, err) == -1 ||
	    ctx_noise_plan(&c->plan, turn->convo, &c->noise, &c->nchars,
	    err) == -1)
		goto out;
	c->nrec += turn->convo->nrec;
	ctx_plan_settle(&c->plan);
	for (i = 0; i < c->plan.nfinding; i++)
		report_finding(c, turn->convo, &c->plan.finding[i]);
	rc = 0;
	if (c->check)
		goto out;
	c->edit.by_len = 0;
	if (turn->thread != NULL) {
		c->edit.by = c->stream.turns.by;
		c->edit.by_value = turn->thread->key;
		c->edit.by_len = turn->thread->keylen;
	}
	rc = ctx_edit_turn(&c->edit, &c->plan, turn->convo, err);
	if (rc == 0)
		rc = ctx_queue_turn(&c->stream.queue, turn->convo, &c->edit,
		    err);
	c->stream.changed |= c->plan.changed;
out:
	ctx_links_done(&whole);
	return rc;
}

/* Once all calls have results, nothing later can change the turn. */
static int
complete(struct ctx_convo *open, void *arg)
{
	struct clean *c = arg;

	return ctx_pair(&c->linker.pairer, open, NULL) == 0 &&
	    ctx_pair_complete(open);
}

static void
closing_line(const struct clean *c, const struct cli *cli)
{
	int i;

	fprintf(stderr, "%s: %llu records", cli->cmd->name,
	    (unsigned long long)c->nrec);
	for (i = 0; i < CTX_F_N; i++)
		if (c->nfault[i] > 0)
			fprintf(stderr, ", %llu %s",
			    (unsigned long long)c->nfault[i],
			    ctx_fault_texts[i].id);
	if (c->nchars > 0)
		fprintf(stderr, ", %llu characters shortened away",
		    (unsigned long long)c->nchars);
	fputc('\n', stderr);
}

static void
take_option(struct clean *c, struct cli *cli, int ch)
{
	static const char *const hows[] = { "trim", "drop", "repair", NULL };

	switch (ch) {
	case UNANSWERED:
		c->links.unanswered = (enum ctx_unanswered)cli_word(cli, hows);
		break;
	case KEEP_PENDING:
		c->links.keep_pending = 1;
		break;
	case MAX_RESULT:
		c->noise.max_result = cli_num(cli, 1, UINT32_MAX);
		break;
	case MAX_MESSAGE:
		c->noise.max_message = cli_num(cli, 1, UINT32_MAX);
		break;
	case CHECK:
		c->check = 1;
		break;
	case JSON:
		c->json = 1;
		break;
	default:
		cli_stream_opt(&c->stream, cli, ch);
	}
}

int
main(int argc, char *argv[])
{
	struct clean c = { 0 };
	struct cli cli;
	int ch, i;

	cli_init(&cli, &cmd, argc, argv);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&c, &cli, ch);
	if (c.json && !c.check)
		cli_usage(&cli, "--json goes with --check");
	if (c.check && c.stream.in_place)
		cli_usage(&cli, "--check changes nothing, -i does");
	c.stream.turns.turn = clean_turn;
	c.stream.turns.complete = complete;
	c.stream.turns.free_state = free_links;
	c.stream.turns.arg = &c;
	if (c.check)
		c.stream.bad_line = bad_line;
	cli_each_turn(&c.stream, &cli);
	for (i = 0; c.check && i < CTX_F_N; i++)
		if (c.nfault[i] > 0 && cli.worst < CLI_NO)
			cli.worst = CLI_NO;
	if (cli.verbose)
		closing_line(&c, &cli);
	ctx_linker_done(&c.linker);
	ctx_plan_done(&c.plan);
	ctx_edit_done(&c.edit);
	return cli_end(&cli);
}
