/* SPDX-License-Identifier: MIT */
/* ctx-clean - make a message history valid and lean. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "clean-images.h"
#include "clean-lean.h"
#include "cli_stream.h"
#include "decide/links.h"
#include "edit/merge.h"

enum {
	UNANSWERED = CLI_LONG, KEEP_PENDING, MAX_RESULT, MAX_MESSAGE, TAIL,
	STASH, RESTORE, ANSI, SQUEEZE, BASE64, DEDUPE, CLEAR_RESULTS, EXCLUDE,
	CLEAR_INPUTS, WHEN_TOKENS, DOWN_TO, THINKING, REDACT, PATTERN, REPORT,
	IMAGES, IMAGES_ALL, EMPTY, MERGE_RUNS,
	CHECK, JSON
};

static const struct cli_opt opts[] = {
	CLI_STREAM_OPTS,
	CLI_IN_PLACE_OPT,
	{ UNANSWERED, "unanswered", "HOW",
	    "tool calls without a result: trim, drop or repair" },
	{ KEEP_PENDING, "keep-pending", NULL,
	    "leave calls that wait for an answer at the end" },
	{ MAX_RESULT, "max-result", "N",
	    "shorten tool results to N characters, or Nt tokens" },
	{ MAX_MESSAGE, "max-message", "N",
	    "shorten texts of users and assistants likewise" },
	{ TAIL, "tail", "N", "of these, keep N at the end" },
	{ STASH, "stash", "DIR", "keep what is shortened in DIR" },
	{ RESTORE, "restore", "DIR", "put back what DIR keeps" },
	{ ANSI, "ansi", NULL, "take out terminal escapes" },
	{ SQUEEZE, "squeeze", NULL,
	    "fold repeated lines, blank runs and progress bars" },
	{ BASE64, "base64", NULL, "long encoded blobs in texts become notes" },
	{ DEDUPE, "dedupe", "=N",
	    "texts of N characters (1000) are sent only once" },
	{ CLEAR_RESULTS, "clear-results", "=N",
	    "tool results but the newest N (3) become notes" },
	{ EXCLUDE, "exclude", "TOOL",
	    "with --clear-results: this tool's results stay" },
	{ CLEAR_INPUTS, "clear-inputs", NULL,
	    "with --clear-results: the calls' arguments too" },
	{ WHEN_TOKENS, "when-tokens", "N",
	    "with --clear-results: only above N tokens" },
	{ DOWN_TO, "down-to", "N",
	    "with --clear-results: no further than N tokens" },
	{ THINKING, "thinking", "HOW",
	    "reasoning: keep, drop, or only that of the last turn" },
	{ IMAGES, "images", "HOW",
	    "sent images: keep, drop, note, out=DIR or in=DIR" },
	{ IMAGES_ALL, "images-all", NULL, "those not yet answered too" },
	{ MERGE_RUNS, "merge-runs", NULL,
	    "messages of one role in a row become one" },
	{ EMPTY, "empty", NULL, "empty texts and messages go in any dialect" },
	{ REDACT, "redact", "=RULES",
	    "secrets become placeholders, or faults with --check" },
	{ PATTERN, "pattern", "NAME=RE", "with --redact: one more rule" },
	{ REPORT, "report", "FILE", "write every change to FILE, as JSONL" },
	{ 'm', "model", "NAME", "the model whose tokens are meant" },
	{ 'e', "encoding", "NAME", "tokenizer by name or file" },
	{ CHECK, "check", NULL, "change nothing, print every fault, exit 1" },
	{ JSON, "json", NULL, "with --check: one JSON object a fault" },
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-clean",
	"[-i[SUFFIX]] [-qv] [-b KEY] [-d NAME] [-e NAME] [-m NAME] [--ansi] "
	    "[--base64] [--check [--json]] [--clear-inputs] "
	    "[--clear-results[=N]] [--dedupe[=N]] [--down-to N] "
	    "[--empty] [--exclude TOOL] [--images HOW] [--images-all] "
	    "[--keep-pending] [--max-message N] "
	    "[--max-result N] [--merge-runs] [--on-error HOW] "
	    "[--pattern NAME=RE] "
	    "[--redact[=RULES]] [--report FILE] [--restore DIR] [--squeeze] "
	    "[--stash DIR] [--tail N] [--thinking HOW] [--unanswered HOW] "
	    "[--when-tokens N] [FILE ...]",
	"Make a message history valid for its API, and lean.",
	opts
};

struct clean {
	struct cli_stream stream;
	struct ctx_links_opts links;
	struct clean_lean lean;
	struct clean_images images;
	int check, json, merge;
	struct ctx_linker linker;	/* these three are reused */
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_lean work;
	uint64_t nrec, nfault[CTX_F_N], nrewrite;
};

/* What is remembered of a conversation between its turns. */
struct clean_seen {
	struct ctx_links links;
	struct ctx_lean_seen lean;
};

/* One finding as a JSON object; file is quoted, text may hold any character. */
static void
print_json(struct clean *c, const char *file, const char *rule, uint64_t line,
    uint64_t col, const char *text)
{
	struct ctx_buf b = { 0 };

	ctx_buf_adds(&b, "{\"file\":\"");
	ctx_str_encode(&b, file, strlen(file));
	ctx_buf_addf(&b, "\",\"line\":%llu,\"col\":%llu,\"rule\":\"%s\","
	    "\"text\":\"", (unsigned long long)line,
	    (unsigned long long)col, rule);
	ctx_str_encode(&b, text, strlen(text));
	ctx_buf_adds(&b, "\"}");
	if (ctx_buf_str(&b) == NULL)
		cli_error(c->stream.cli, CLI_SYSTEM, "out of memory");
	else
		puts(b.data);
	ctx_buf_done(&b);
}

static void
print_finding(struct clean *c, const char *rule, uint64_t line, uint64_t col,
    const char *text)
{
	char file[512];

	ctx_err_quote(file, sizeof(file), c->stream.file,
	    strlen(c->stream.file));
	if (c->json)
		print_json(c, file, rule, line, col, text);
	else
		printf("%s:%llu:%llu: error[%s]: %s\n", file,
		    (unsigned long long)line, (unsigned long long)col, rule,
		    text);
}

static void
report_finding(struct clean *c, const struct ctx_convo *convo,
    const struct ctx_finding *f)
{
	uint32_t rec = f->rec != CTX_NONE ? f->rec : convo->msg[f->msg].rec;
	uint32_t node = f->node;
	char text[128];

	c->nfault[f->fault]++;
	if (!c->check)
		return;
	if (node == CTX_NONE)
		node = convo->msg[f->msg].node;
	if (f->part != CTX_NONE &&
	    convo->part[f->part].place[0].node != CTX_NONE)
		node = convo->part[f->part].place[0].node;
	snprintf(text, sizeof(text), "%s%s%s",
	    ctx_fault_texts[f->fault].about, f->detail != NULL ? ": " : "",
	    f->detail != NULL ? f->detail : "");
	print_finding(c, ctx_fault_texts[f->fault].id, convo->rec[rec].line,
	    convo->doc.node[node].off + 1, text);
}

/* --check: bad JSON is a finding like any other, and checking goes on. */
static void
bad_line(struct cli_stream *s, const struct ctx_err *err)
{
	struct clean *c = (struct clean *)s;

	c->nfault[CTX_F_NOT_JSON]++;
	print_finding(c, ctx_fault_texts[CTX_F_NOT_JSON].id, err->line,
	    err->col, err->text);
	cli_raise(s->cli, CLI_INPUT);
}

static struct clean_seen *
seen_of(const struct ctx_turn *turn)
{
	if (turn->thread->state == NULL)
		turn->thread->state = calloc(1, sizeof(struct clean_seen));
	return turn->thread->state;
}

static void
seen_done(struct clean_seen *seen)
{
	ctx_links_done(&seen->links);
	ctx_lean_seen_done(&seen->lean);
}

static void
free_seen(void *state)
{
	seen_done(state);
	free(state);
}

/* All policies on one turn: the plan, settled. */
static int
plan_turn(struct clean *c, const struct ctx_turn *turn,
    struct clean_seen *seen, struct ctx_err *err)
{
	const struct ctx_lean_opts *lean = &c->lean.opts;
	struct ctx_convo *convo = turn->convo;

	if (ctx_plan_reset(&c->plan, convo, err) == -1 ||
	    (!c->check && (ctx_lean_drop(&c->plan, convo, lean, err) == -1 ||
	    ctx_images_plan(&c->plan, convo, &c->images.opts, err) == -1)) ||
	    ctx_links_plan(&c->linker, &c->plan, convo, &seen->links,
	    &c->links, turn->last, err) == -1 ||
	    ctx_lean_plan(&c->work, &c->plan, convo, &seen->lean, lean,
	    c->check, err) == -1)
		return -1;
	ctx_plan_settle(&c->plan);
	return c->merge ? ctx_merge_runs(&c->plan, convo, err) : 0;
}

static int
write_turn(struct clean *c, const struct ctx_turn *turn, struct ctx_err *err)
{
	c->edit.by_len = 0;
	if (turn->thread != NULL) {
		c->edit.by = c->stream.by;
		c->edit.by_value = turn->thread->key;
		c->edit.by_len = turn->thread->keylen;
	}
	c->stream.own.changed |= c->plan.changed;
	c->nrewrite += c->plan.nrewrite;
	if (ctx_edit_turn(&c->edit, &c->plan, turn->convo, err) == -1)
		return -1;
	return ctx_queue_turn(&c->stream.own.queue, turn->convo, &c->edit, err);
}

static int
clean_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct clean_seen whole = { 0 }, *seen = &whole;
	struct clean *c = arg;
	uint32_t i;
	int rc;

	if (turn->thread != NULL && (seen = seen_of(turn)) == NULL)
		return ctx_fail_nomem(err);
	c->lean.file = c->stream.file;
	rc = plan_turn(c, turn, seen, err);
	for (i = 0; rc == 0 && i < c->plan.nfinding; i++) {
		report_finding(c, turn->convo, &c->plan.finding[i]);
		rc = clean_lean_dropped(&c->lean, turn->convo,
		    &c->plan.finding[i], err);
	}
	if (rc == 0)
		c->nrec += turn->convo->nrec;
	if (rc == 0 && !c->check)
		rc = write_turn(c, turn, err);
	seen_done(&whole);
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
	if (c->nrewrite > 0)
		fprintf(stderr, ", %llu texts made lean",
		    (unsigned long long)c->nrewrite);
	fputc('\n', stderr);
}

/* "1000" characters, or "10kt" tokens. */
static void
take_length(struct ctx_shorten *how, struct cli *c)
{
	size_t len = strlen(c->arg);
	struct ctx_err err = { 0 };
	char text[32];

	how->tokens = len > 1 && c->arg[len - 1] == 't';
	if (len >= sizeof(text))
		cli_usage(c, "--%s: '%.20s...' is not a length", c->opt->name,
		    c->arg);
	memcpy(text, c->arg, len + 1);
	if (how->tokens)
		text[len - 1] = '\0';
	cli_must(c, ctx_num_parse(text, &how->max, &err), &err);
	if (how->max == 0 || how->max > UINT32_MAX)
		cli_usage(c, "--%s: %s is out of range", c->opt->name, c->arg);
}

static uint64_t
optional_num(struct cli *c, uint64_t unless)
{
	return c->arg == NULL ? unless : cli_num(c, 0, UINT32_MAX);
}

/* Options of decide/lean; 0 if ch is none of them. */
static int
take_lean_option(struct clean_lean *l, struct cli *c, int ch)
{
	static const char *const hows[] = { "keep", "drop", "last", NULL };
	struct ctx_lean_opts *o = &l->opts;

	switch (ch) {
	case MAX_RESULT:
		take_length(&o->result, c);
		break;
	case MAX_MESSAGE:
		take_length(&o->message, c);
		break;
	case TAIL:
		o->result.tail = o->message.tail = cli_num(c, 1, UINT32_MAX);
		break;
	case STASH:
		l->stash_dir = c->arg;
		break;
	case RESTORE:
		l->restore_dir = c->arg;
		break;
	case ANSI:
		o->ansi = 1;
		break;
	case SQUEEZE:
		o->squeeze = 1;
		break;
	case BASE64:
		o->blobs = 1;
		break;
	case DEDUPE:
		o->dedupe = optional_num(c, CTX_DEDUPE_MIN);
		if (o->dedupe < CTX_DEDUPE_LEAST)
			cli_usage(c, "--dedupe: at least %d characters",
			    CTX_DEDUPE_LEAST);
		break;
	case CLEAR_RESULTS:
		o->clear = 1;
		o->clear_keep = optional_num(c, CTX_CLEAR_KEEP);
		break;
	case EXCLUDE:
		cli_strings(c, &l->exclude, &l->nexclude, &l->capexclude);
		break;
	case CLEAR_INPUTS:
		o->clear_inputs = 1;
		break;
	case WHEN_TOKENS:
		o->when_tokens = cli_num(c, 1, UINT32_MAX);
		break;
	case DOWN_TO:
		o->down_to = cli_num(c, 1, UINT32_MAX);
		break;
	case THINKING:
		o->thinking = (enum ctx_thinking)cli_word(c, hows);
		break;
	case REDACT:
		l->want_redact = 1;
		l->redact.rules = c->arg;
		break;
	case PATTERN:
		cli_strings(c, &l->pattern, &l->npattern, &l->cappattern);
		break;
	case REPORT:
		l->report_name = c->arg;
		break;
	default:
		return ch != CLI_COST_OPT && ch != CLI_OVERHEAD_OPT &&
		    cli_cost_opt(&l->cost, c, ch);
	}
	return 1;
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
	case IMAGES:
		clean_images_opt(&c->images, cli);
		break;
	case IMAGES_ALL:
		c->images.opts.all = 1;
		break;
	case EMPTY:
		c->links.drop_empty = 1;
		break;
	case MERGE_RUNS:
		c->merge = 1;
		break;
	case CHECK:
		c->check = 1;
		break;
	case JSON:
		c->json = 1;
		break;
	default:
		if (!take_lean_option(&c->lean, cli, ch))
			cli_stream_opt(&c->stream, cli, ch);
	}
}

/* Options that make no sense together, or not alone. */
static void
check_options(const struct clean *c, const struct cli *cli)
{
	const struct clean_lean *l = &c->lean;
	const struct ctx_lean_opts *o = &l->opts;

	if (c->json && !c->check)
		cli_usage(cli, "--json goes with --check");
	if (c->check && c->stream.in_place)
		cli_usage(cli, "--check changes nothing, -i does");
	if (l->npattern > 0 && !l->want_redact)
		cli_usage(cli, "--pattern goes with --redact");
	if (!o->clear && (o->clear_inputs || o->when_tokens > 0 ||
	    o->down_to > 0 || l->nexclude > 0))
		cli_usage(cli, "--clear-inputs, --when-tokens, --down-to and "
		    "--exclude go with --clear-results");
	if (o->result.tail > 0 && o->result.max == 0 && o->message.max == 0)
		cli_usage(cli, "--tail goes with --max-result or "
		    "--max-message");
	if ((o->result.max > 0 && o->result.tail >= o->result.max) ||
	    (o->message.max > 0 && o->message.tail >= o->message.max))
		cli_usage(cli, "--tail must be less than what is kept");
	if (l->restore_dir != NULL && (o->result.max > 0 ||
	    o->message.max > 0 || l->stash_dir != NULL))
		cli_usage(cli, "--restore puts back, it cannot shorten too");
	if (l->stash_dir != NULL && o->result.max == 0 && o->message.max == 0)
		cli_usage(cli, "--stash goes with --max-result or "
		    "--max-message");
}

int
main(int argc, char *argv[])
{
	struct clean c = { 0 };
	struct cli cli;
	int ch, i;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&c.lean.cost);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&c, &cli, ch);
	check_options(&c, &cli);
	clean_lean_open(&c.lean, &cli);
	clean_images_open(&c.images, &cli);
	c.images.opts.changed = c.lean.opts.changed;
	c.images.opts.changed_arg = &c.lean;
	c.stream.own.turns.turn = clean_turn;
	c.stream.own.turns.complete = complete;
	c.stream.own.turns.free_state = free_seen;
	c.stream.own.turns.whole = ctx_lean_needs_all(&c.lean.opts) ||
	    c.images.opts.how != CTX_IMAGES_KEEP || c.merge;
	c.stream.own.turns.arg = &c;
	if (c.check) {
		c.stream.bad_line = bad_line;
		c.stream.on_error = CTX_BAD_TELL;
	}
	cli_each_turn(&c.stream, &cli);
	for (i = 0; c.check && i < CTX_F_N; i++)
		if (c.nfault[i] > 0)
			cli_raise(&cli, CLI_NO);
	if (cli.verbose)
		closing_line(&c, &cli);
	cli_figure(&cli, "records", c.nrec);
	cli_figure(&cli, "rewritten", c.nrewrite);
	clean_lean_close(&c.lean, &cli);
	clean_images_done(&c.images);
	ctx_lean_done(&c.work);
	ctx_linker_done(&c.linker);
	ctx_plan_done(&c.plan);
	ctx_edit_done(&c.edit);
	return cli_end(&cli);
}
