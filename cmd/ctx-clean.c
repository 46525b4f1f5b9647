/* SPDX-License-Identifier: MIT */
/* ctx-clean - make a message history valid and lean. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "clean-rows.h"
#include "cli_cost.h"
#include "cli_stream.h"

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
	{ 'j', "jobs", "N", "threads, over conversations (1)" },
	{ CHECK, "check", NULL, "change nothing, print every fault, exit 1" },
	{ JSON, "json", NULL, "with --check: one JSON object a fault" },
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-clean",
	"[-i[SUFFIX]] [-qv] [-b KEY] [-d NAME] [-e NAME] [-j N] [-m NAME] "
	    "[--ansi] "
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
	opts, NULL
};

struct clean {
	struct cli_stream stream;
	struct ctx_clean_opts opts;
	struct ctx_redact_opts redact;
	int want_redact;
	const char **pattern, **exclude;	/* grown as options come */
	size_t npattern, cappattern, nexclude, capexclude;
	struct ctx_cost cost;
	struct clean_rows rows;
	uint64_t bad;			/* with --check: lines not JSON */
};

static int
put_row(struct cli_stream *s, const struct ctx_row *row, struct ctx_err *err)
{
	return clean_rows_put(&((struct clean *)s)->rows, s, row, err);
}

/* --check: bad JSON is a fault like any other, and checking goes on. */
static void
bad_line(struct cli_stream *s, const struct ctx_err *bad)
{
	struct clean *k = (struct clean *)s;

	k->bad++;
	clean_rows_bad(&k->rows, s, bad);
}

/* What was done, and with --check whether there is any fault. */
static void
closing_line(const struct clean *k, const struct ctx_clean_sums *did,
    struct cli *cli)
{
	uint64_t n;
	int i;

	if (cli->verbose)
		fprintf(stderr, "%s: %llu records", cli->cmd->name,
		    (unsigned long long)did->records);
	for (i = 0; i < CTX_F_N; i++) {
		n = did->fault[i] + (i == CTX_F_NOT_JSON ? k->bad : 0);
		if (n > 0 && k->opts.check)
			cli_raise(cli, CLI_NO);
		if (n > 0 && cli->verbose)
			fprintf(stderr, ", %llu %s", (unsigned long long)n,
			    ctx_fault_texts[i].id);
	}
	if (did->rewritten > 0 && cli->verbose)
		fprintf(stderr, ", %llu texts made lean",
		    (unsigned long long)did->rewritten);
	if (cli->verbose)
		fputc('\n', stderr);
}

/* --- options ----------------------------------------------------------- */

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
take_lean_option(struct clean *k, struct cli *c, int ch)
{
	static const char *const hows[] = { "keep", "drop", "last", NULL };
	struct ctx_lean_opts *o = &k->opts.lean;

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
		k->rows.stash_dir = c->arg;
		break;
	case RESTORE:
		k->rows.restore_dir = c->arg;
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
		cli_strings(c, &k->exclude, &k->nexclude, &k->capexclude);
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
		k->want_redact = 1;
		k->redact.rules = c->arg;
		break;
	case PATTERN:
		cli_strings(c, &k->pattern, &k->npattern, &k->cappattern);
		break;
	case REPORT:
		k->rows.report_name = c->arg;
		break;
	default:
		return ch != CLI_COST_OPT && ch != CLI_OVERHEAD_OPT &&
		    cli_cost_opt(&k->cost, c, ch);
	}
	return 1;
}

/* "keep", "drop", "note", "out=DIR", "in=DIR" */
static void
take_images(struct clean *k, const struct cli *c)
{
	static const char *const words[] = { "keep", "drop", "note", NULL };
	struct ctx_images_opts *o = &k->opts.images;

	if (strncmp(c->arg, "out=", 4) == 0 && c->arg[4] != '\0') {
		o->how = CTX_IMAGES_OUT;
		k->rows.image_dir = c->arg + 4;
	} else if (strncmp(c->arg, "in=", 3) == 0 && c->arg[3] != '\0') {
		o->how = CTX_IMAGES_IN;
		k->rows.image_dir = c->arg + 3;
	} else
		o->how = (enum ctx_images)cli_word(c, words);
}

static void
take_option(struct clean *k, struct cli *cli, int ch)
{
	static const char *const hows[] = { "trim", "drop", "repair", NULL };

	switch (ch) {
	case UNANSWERED:
		k->opts.links.unanswered = (enum ctx_unanswered)cli_word(cli, hows);
		break;
	case KEEP_PENDING:
		k->opts.links.keep_pending = 1;
		break;
	case IMAGES:
		take_images(k, cli);
		break;
	case IMAGES_ALL:
		k->opts.images.all = 1;
		break;
	case EMPTY:
		k->opts.links.drop_empty = 1;
		break;
	case MERGE_RUNS:
		k->opts.merge = 1;
		break;
	case CHECK:
		k->opts.check = 1;
		break;
	case 'j':
		k->stream.threads = (unsigned)cli_num(cli, 1,
		    CTX_RUN_THREADS_MAX);
		break;
	case JSON:
		k->rows.json = 1;
		break;
	default:
		if (!take_lean_option(k, cli, ch))
			cli_stream_opt(&k->stream, cli, ch);
	}
}

/* Options that make no sense together, or not alone. */
static void
check_options(const struct clean *k, const struct cli *cli)
{
	const struct ctx_lean_opts *o = &k->opts.lean;

	if (k->rows.json && !k->opts.check)
		cli_usage(cli, "--json goes with --check");
	if (k->opts.check && k->stream.in_place)
		cli_usage(cli, "--check changes nothing, -i does");
	if (k->npattern > 0 && !k->want_redact)
		cli_usage(cli, "--pattern goes with --redact");
	if (!o->clear && (o->clear_inputs || o->when_tokens > 0 ||
	    o->down_to > 0 || k->nexclude > 0))
		cli_usage(cli, "--clear-inputs, --when-tokens, --down-to and "
		    "--exclude go with --clear-results");
	if (o->result.tail > 0 && o->result.max == 0 && o->message.max == 0)
		cli_usage(cli, "--tail goes with --max-result or "
		    "--max-message");
	if ((o->result.max > 0 && o->result.tail >= o->result.max) ||
	    (o->message.max > 0 && o->message.tail >= o->message.max))
		cli_usage(cli, "--tail must be less than what is kept");
	if (k->rows.restore_dir != NULL && (o->result.max > 0 ||
	    o->message.max > 0 || k->rows.stash_dir != NULL))
		cli_usage(cli, "--restore puts back, it cannot shorten too");
	if (k->rows.stash_dir != NULL && o->result.max == 0 && o->message.max == 0)
		cli_usage(cli, "--stash goes with --max-result or "
		    "--max-message");
}

/* What the options name: rules, files, a tokenizer if somebody counts. */
static void
open_all(struct clean *k, struct cli *cli)
{
	struct ctx_lean_opts *o = &k->opts.lean;
	const char *key = getenv("CTX_REDACT_KEY");
	struct ctx_err err = { 0 };

	o->exclude = k->exclude;
	o->nexclude = k->nexclude;
	k->redact.patterns = k->pattern;
	k->redact.npatterns = k->npattern;
	if (key != NULL) {
		k->redact.key = key;
		k->redact.keylen = strlen(key);
	}
	if (k->want_redact &&
	    (o->redact = ctx_redact_new(&k->redact, &err)) == NULL)
		cli_must(cli, -1, &err);
	if (o->result.tokens || o->message.tokens || o->when_tokens > 0 ||
	    o->down_to > 0 || k->rows.report_name != NULL)
		cli_cost_open(&k->cost, cli);
	k->opts.cost = &k->cost;
	clean_rows_open(&k->rows, &k->opts, cli);
	if ((k->stream.job = ctx_clean_new(&k->opts, &err)) == NULL)
		cli_must(cli, -1, &err);
	k->stream.row = put_row;
	if (k->opts.check) {
		k->stream.bad_line = bad_line;
		k->stream.on_error = CTX_BAD_TELL;
	}
}

int
main(int argc, char *argv[])
{
	const struct ctx_clean_sums *did;
	struct clean k = { 0 };
	struct cli cli;
	int ch;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k.cost);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&k, &cli, ch);
	check_options(&k, &cli);
	open_all(&k, &cli);
	cli_each_turn(&k.stream, &cli);
	did = ctx_clean_figures(k.stream.job);
	closing_line(&k, did, &cli);
	cli_figure(&cli, "records", did->records);
	cli_figure(&cli, "rewritten", did->rewritten);
	ctx_job_free(k.stream.job);
	clean_rows_close(&k.rows, &cli);
	ctx_redact_free(k.opts.lean.redact);
	ctx_cost_done(&k.cost);
	free(k.pattern);
	free(k.exclude);
	return cli_end(&cli);
}
