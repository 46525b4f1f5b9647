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

/* "1000" characters, or "10kt" tokens. */
static void
take_length(struct cli *c, void *place)
{
	struct ctx_shorten *how = place;
	size_t len = strlen(c->arg);
	struct ctx_err err = { 0 };
	char text[32];

	how->tokens = len > 1 && c->arg[len - 1] == 't';
	snprintf(text, sizeof(text), "%.*s", (int)len - how->tokens, c->arg);
	if (ctx_num_parse(text, &how->max, &err) == -1)
		cli_usage(c, "%s: %s", c->spelled, err.text);
	if (how->max == 0 || how->max > UINT32_MAX)
		cli_usage(c, "%s: %s is outside 1 to %u", c->spelled, text,
		    UINT32_MAX);
}

static const char *const unanswereds[] = { "trim", "drop", "repair", NULL };
static const char *const thinkings[] = { "keep", "drop", "last", NULL };

#define OPT_OF struct clean
static const struct cli_opt opts[] = {
	OPT_SUB(stream, cli_stream_opts),
	OPT_SUB(stream, cli_in_place_opts),
	OPT_GROUP("Faults"),
	OPT_FLAG(0, "check", check, "change nothing, print every fault, exit 1",
	    .excludes = "in-place"),
	OPT_FLAG(0, "json", json, "with --check: one JSON object a fault",
	    .needs = "check"),
	OPT_WORD(0, "unanswered", "HOW", links.unanswered, unanswereds,
	    "tool calls without a result"),
	OPT_FLAG(0, "keep-pending", links.keep_pending,
	    "leave calls that wait for an answer at the end"),
	OPT_FLAG(0, "empty", links.drop_empty,
	    "empty texts and messages go in any dialect"),
	OPT_FLAG(0, "merge-runs", merge,
	    "messages of one role in a row become one"),
	OPT_GROUP("Length"),
	OPT_CALL(0, "max-result", "N", lean.opts.result, take_length,
	    "shorten tool results to N characters, or Nt tokens"),
	OPT_CALL(0, "max-message", "N", lean.opts.message, take_length,
	    "shorten texts of users and assistants likewise"),
	OPT_NUM(0, "tail", "N", lean.tail, 1, UINT32_MAX,
	    "of these, keep N at the end", .needs = "max-result max-message"),
	OPT_TEXT(0, "stash", "DIR", lean.stash_dir,
	    "keep what is shortened in DIR",
	    .needs = "max-result max-message"),
	OPT_TEXT(0, "restore", "DIR", lean.restore_dir,
	    "put back what DIR keeps",
	    .excludes = "max-result max-message stash"),
	OPT_SUB(lean.cost, cli_model_opts),
	OPT_GROUP("Noise"),
	OPT_FLAG(0, "ansi", lean.opts.ansi, "take out terminal escapes"),
	OPT_FLAG(0, "squeeze", lean.opts.squeeze,
	    "fold repeated lines, blank runs and progress bars"),
	OPT_FLAG(0, "base64", lean.opts.blobs,
	    "long encoded blobs in texts become notes"),
	OPT_NUM(0, "dedupe", "=N", lean.opts.dedupe, CTX_DEDUPE_LEAST,
	    UINT32_MAX, "texts of N characters (1000) are sent only once",
	    .unless = CTX_DEDUPE_MIN),
	OPT_WORD(0, "thinking", "HOW", lean.opts.thinking, thinkings,
	    "reasoning; last is only that of the last turn"),
	OPT_SUB(images, clean_images_opts),
	OPT_GROUP("Old results"),
	OPT_NUM(0, "clear-results", "=N", lean.opts.clear_keep, 0, UINT32_MAX,
	    "tool results but the newest N (3) become notes",
	    .unless = CTX_CLEAR_KEEP),
	OPT_LIST(0, "exclude", "TOOL", lean.exclude,
	    "this tool's results stay", .needs = "clear-results"),
	OPT_FLAG(0, "clear-inputs", lean.opts.clear_inputs,
	    "the calls' arguments too", .needs = "clear-results"),
	OPT_NUM(0, "when-tokens", "N", lean.opts.when_tokens, 1, UINT32_MAX,
	    "only above N tokens", .needs = "clear-results"),
	OPT_NUM(0, "down-to", "N", lean.opts.down_to, 1, UINT32_MAX,
	    "no further than N tokens", .needs = "clear-results"),
	OPT_GROUP("Secrets"),
	OPT_TEXT(0, "redact", "=RULES", lean.redact.rules,
	    "secrets become placeholders, or faults with --check"),
	OPT_LIST(0, "pattern", "NAME=RE", lean.pattern, "one more rule",
	    .needs = "redact"),
	OPT_GROUP("Report"),
	OPT_TEXT(0, "report", "FILE", lean.report_name,
	    "write every change to FILE, as JSONL"),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-clean", "[FILE ...]",
	"Make a message history valid for its API, and lean.", opts, NULL
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
static int
bad_line(struct cli_stream *s, const struct ctx_err *err)
{
	struct clean *c = (struct clean *)s;

	c->nfault[CTX_F_NOT_JSON]++;
	print_finding(c, ctx_fault_texts[CTX_F_NOT_JSON].id, err->line,
	    err->col, err->text);
	cli_raise(s->cli, CLI_INPUT);
	return 1;
}

static struct clean_seen *
seen_of(const struct ctx_turn *turn)
{
	if (turn->strand->state == NULL)
		turn->strand->state = calloc(1, sizeof(struct clean_seen));
	return turn->strand->state;
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

	c->links.last = turn->last;
	if (ctx_plan_reset(&c->plan, convo, err) == -1 ||
	    (!c->check && (ctx_lean_drop(&c->plan, convo, lean, err) == -1 ||
	    ctx_images_plan(&c->plan, convo, &c->images.opts, err) == -1)) ||
	    ctx_links_plan(&c->linker, &c->plan, convo, &seen->links,
	    &c->links, err) == -1 ||
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
	if (turn->strand != NULL) {
		c->edit.by = c->stream.turns.by;
		c->edit.by_value = turn->strand->key;
		c->edit.by_len = turn->strand->keylen;
	}
	c->stream.changed |= c->plan.changed;
	c->nrewrite += c->plan.nrewrite;
	if (ctx_edit_turn(&c->edit, &c->plan, turn->convo, err) == -1)
		return -1;
	return ctx_queue_turn(&c->stream.queue, turn->convo, &c->edit, err);
}

static int
clean_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct clean_seen whole = { 0 }, *seen = &whole;
	struct clean *c = arg;
	uint32_t i;
	int rc;

	if (turn->strand != NULL && (seen = seen_of(turn)) == NULL)
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

/* What options come to beside each other. */
static void
settle(struct clean *c, const struct cli *cli)
{
	struct ctx_lean_opts *o = &c->lean.opts;

	o->clear = cli_given(cli, "clear-results");
	o->result.tail = o->message.tail = c->lean.tail;
	if ((o->result.max > 0 && o->result.tail >= o->result.max) ||
	    (o->message.max > 0 && o->message.tail >= o->message.max))
		cli_usage(cli, "--tail must be less than what is kept");
}

int
main(int argc, char *argv[])
{
	struct clean c = { 0 };
	struct cli cli;
	int i;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&c.lean.cost);
	cli_options(&cli, &c);
	settle(&c, &cli);
	clean_lean_open(&c.lean, &cli);
	clean_images_open(&c.images, &cli);
	c.images.opts.changed = c.lean.opts.changed;
	c.images.opts.changed_arg = &c.lean;
	c.stream.turns.turn = clean_turn;
	c.stream.turns.complete = complete;
	c.stream.turns.free_state = free_seen;
	c.stream.turns.whole = ctx_lean_needs_all(&c.lean.opts) ||
	    c.images.opts.how != CTX_IMAGES_KEEP || c.merge;
	c.stream.turns.arg = &c;
	if (c.check)
		c.stream.bad_line = bad_line;
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
