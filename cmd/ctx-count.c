/* SPDX-License-Identifier: MIT */
/* ctx-count - count the tokens of message histories, like wc. */
#include <inttypes.h>

#include "base/num.h"
#include "cli_budget.h"
#include "cmd/count/count.h"

struct count {
	struct count_rows rows;		/* what to print, and the stream */
	int text, calibrate;
	int ids, offsets, special;		/* enum count_ids or 0 */
	uint64_t chunk, overlap;	/* tokens; chunk 0: not given */
	struct count_prepare prepare;
	struct cli_along along;
};

#define ROWS "by-role by-tool histogram per-message per-conversation " \
	"common-prefix"

static const char *const usages[] = {
	[CTX_SPENT_SESSION] = "session", [CTX_SPENT_DAY] = "day",
	[CTX_SPENT_MODEL] = "model", [CTX_SPENT_TOOL] = "tool", NULL
};

#define OPT_OF struct count
static const struct cli_opt opts[] = {
	OPT_GROUP("Output"),
	OPT_PICK(0, "by-role", rows.opts.by, CTX_TALLY_ROLE,
	    "print a row for each role"),
	OPT_PICK(0, "by-tool", rows.opts.by, CTX_TALLY_TOOL,
	    "print a row for each tool, with its calls and results"),
	OPT_PICK(0, "per-conversation", rows.opts.by, CTX_TALLY_CONVERSATION,
	    "print a row for each conversation"),
	OPT_PICK(0, "per-message", rows.opts.by, CTX_TALLY_MESSAGE,
	    "print a row for each message"),
	OPT_PICK(0, "histogram", rows.opts.by, CTX_TALLY_SIZE,
	    "print the number of messages of each size"),
	OPT_PICK(0, "common-prefix", rows.opts.by, CTX_TALLY_PREFIX,
	    "print how much two histories share at the start",
	    .excludes = "max by"),
	OPT_RATIO(0, "min", "R", rows.min,
	    "with --common-prefix: exit with 1 if less than this share of the "
	    "second history is common", .needs = "common-prefix"),
	OPT_PICK(0, "json", rows.format, COUNT_JSON,
	    "print rows as JSON objects"),
	OPT_TEXT(0, "annotate", "KEY", rows.opts.annotate,
	    "write the messages with their counts as member KEY",
	    .excludes = ROWS " status json", .utf8 = 1),
	OPT_FLAG(0, "status", rows.status,
	    "print messages and tokens with their limits",
	    .excludes = ROWS " json"),
	OPT_NUM(0, "window", "N", rows.window, 1, UINT32_MAX,
	    "with --status: limit on tokens (default the model's window)",
	    .needs = "status", .excludes = "max"),
	OPT_NUM(0, "max", "N", rows.max, 0, UINT64_MAX / 4,
	    "exit with 1 if a conversation has more than N tokens"),
	OPT_WORD(0, "format", "NAME", rows.found.form, cli_forms,
	    "print only what exceeds --max, or is below --min, in this form",
	    .needs = "max min", .excludes = "annotate by-role by-tool "
	    "histogram json per-conversation per-message price status"),
	OPT_TEXT(0, "baseline", "FILE", rows.found.base.name,
	    "with --format: print only what is not in FILE",
	    .needs = "format"),
	OPT_FLAG(0, "baseline-write", rows.found.base.write,
	    "with --baseline: put what is found into FILE",
	    .needs = "baseline"),
	OPT_GROUP("Counting"),
	OPT_SUB(along, cli_along_opts),
	OPT_NUM(0, "reserve", "N", rows.opts.reserve, 0, UINT32_MAX,
	    "add N tokens to each conversation, for the answer"),
	OPT_FLAG(0, "text", text, "read plain text instead of messages",
	    .excludes = ROWS " annotate tools system reserve"),
	OPT_FLAG(0, "special", special,
	    "count special tokens such as <|endoftext|> as one token"),
	OPT_NUM('j', "jobs", "N", rows.stream.threads, 1, CTX_RUN_THREADS_MAX,
	    "number of threads (default 1)"),
	OPT_SUB(rows.stream, cli_branch_opts),
	OPT_SUB(rows.cost, cli_cost_opts),
	OPT_GROUP("Tokenizers"),
	OPT_PICK(0, "encode", ids, COUNT_ENCODE,
	    "print the token ids of a text as JSON"),
	OPT_PICK(0, "decode", ids, COUNT_DECODE,
	    "turn lines of token ids back into text"),
	OPT_FLAG(0, "offsets", offsets,
	    "with --encode: also print where each token is", .needs = "encode"),
	OPT_PICK(0, "show", ids, COUNT_SHOW,
	    "print a text with its token boundaries"),
	OPT_NUM(0, "chunk", "N", chunk, 1, UINT32_MAX,
	    "divide a plain text into parts of at most N tokens, as JSON",
	    .excludes = ROWS " annotate calibrate cost decode encode json max "
	    "overhead prepare price reserve show status system tools usage"),
	OPT_NUM(0, "overlap", "N", overlap, 0, UINT32_MAX,
	    "with --chunk: begin a part with at most the last N tokens of the "
	    "one before", .needs = "chunk"),
	OPT_TEXT(0, "prepare", "FILE", prepare.in,
	    "compile vocabulary FILE into the table that the operand names "
	    "or, with -m, that the model needs"),
	OPT_TEXT(0, "split", "HOW", prepare.split,
	    "how a rank file splits text: a name or a pattern",
	    .needs = "prepare"),
	OPT_FLAG(0, "calibrate", calibrate,
	    "print the line of CTX_MODELS that fits logs of what requests cost",
	    .excludes = ROWS " annotate cost decode encode encoding json max "
	    "overhead prepare show status text tools"),
	OPT_TEXT(0, "price", "=FILE", rows.price_file,
	    "also print what that costs, by the prices in FILE and those that "
	    "are known", .excludes = "annotate by-role by-tool calibrate "
	    "decode encode histogram per-message prepare show status text"),
	OPT_WORD(0, "usage", "=HOW", rows.spent_by, usages,
	    "print what the answers in logs say that they cost, in tokens "
	    "(default by session)", .excludes = "annotate by by-role by-tool "
	    "calibrate common-prefix cost decode encode encoding histogram "
	    "jobs max min model overhead per-conversation per-message prepare "
	    "reserve show special status system text tools"),
	OPT_DO(0, "list-models", NULL, count_list_models,
	    "list the known models"),
	OPT_DO(0, "list-encodings", NULL, count_list_encodings,
	    "list the known tokenizers"),
	OPT_SUB(rows.stream, cli_stream_opts),
	OPT_SUB(rows.stream, cli_shard_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-count", "[FILE ...]", "Count the tokens of message histories.",
	opts, NULL
};

/* The limit on tokens that --status shows, if any is known. */
static void
settle_window(struct count_rows *r, struct cli *c)
{
	if (!r->status || r->has_max)
		return;
	if (r->window == 0)
		cli_window_init(&r->window, c);
	if (r->window != 0 || r->cost.model_name != NULL)
		r->window = cli_window(r->window, &r->cost, c);
}

/* Settle what options and variables mean together. */
static void
settle(struct count *k, struct cli *c)
{
	struct count_rows *r = &k->rows;
	struct ctx_err err = { 0 };

	r->has_max = r->opts.conversations = cli_given(c, "max");
	r->opts.apart = cli_given(c, "min");
	r->max_messages = 40;
	cli_must(c, ctx_env_num("MAX_MESSAGE_HISTORY", 10, 100,
	    &r->max_messages, &err), &err);
	if (r->opts.annotate != NULL && *r->opts.annotate == '\0')
		cli_usage(c, "--annotate needs the name of a member");
	if (r->opts.by == CTX_TALLY_PREFIX && c->nfile != 2)
		cli_usage(c, "--common-prefix needs two files to compare");
	if (r->opts.by == CTX_TALLY_PREFIX)
		r->stream.threads = 1;
	if (cli_given(c, "price") && !cli_given(c, "usage") &&
	    r->cost.model_name == NULL)
		cli_usage(c, "--price needs -m, the model whose prices count, "
		    "or --usage");
	k->prepare.model = r->cost.model_name;
	if (k->prepare.in != NULL && (c->nfile > 1 ||
	    (c->nfile == 0) != (k->prepare.model != NULL)))
		cli_usage(c, "--prepare needs the name of the new table, or the "
		    "model that it is for: ctx-count --prepare tokenizer.json "
		    "mine.ctxv");
}

static void
count(struct count *k, struct cli *c)
{
	struct count_rows *r = &k->rows;
	struct ctx_err err = { 0 };

	r->opts.cost = &r->cost;
	cli_along_open(&k->along, c);
	r->opts.along = &k->along.along;
	count_findings_open(r, c);
	cli_stream_job(&r->stream, ctx_tally_new(&r->opts, &err), &err, c);
	r->stream.row = count_rows_put;
	r->stream.file_end = count_rows_file;
	r->stream.odd = "not counted";
	r->stream.beside = "were not counted";
	r->stream.unmixed = !r->has_max &&
	    r->opts.by != CTX_TALLY_CONVERSATION;
	if (r->has_max)
		r->stream.no_message = count_no_message;
	if (k->text)
		count_text(r, c);
	else
		cli_each_turn(&r->stream, c);
	count_rows_end(r, c);
	cli_figure(c, "tokens", r->total.tokens);
	cli_figure(c, "messages", r->total.messages);
	ctx_job_free(r->stream.job);
}

int
main(int argc, char *argv[])
{
	struct count k = { 0 };
	struct ctx_cost *cost = &k.rows.cost;
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(cost);
	cli_options(&cli, &k);
	settle(&k, &cli);
	if (k.prepare.in != NULL) {
		count_prepare(&cli, &k.prepare);
		return cli_end(&cli);
	}
	k.rows.price = cli_given(&cli, "price");
	if (k.rows.price)
		cli_prices_open(&k.rows.prices, k.rows.price_file, &cli);
	if (cli_given(&cli, "usage")) {
		count_usage(&k.rows, &cli);
		ctx_prices_done(&k.rows.prices);
		return cli_end(&cli);
	}
	if (k.calibrate) {
		count_calibrate(&k.rows, &cli);
		return cli_end(&cli);
	}
	cli_cost_open(cost, &cli);
	settle_window(&k.rows, &cli);
	cost->counter.special = k.special;
	if (k.chunk != 0)
		count_chunks(cost, k.chunk, k.overlap, &cli);
	else if (k.ids != 0)
		count_ids(cost, &cli, (enum count_ids)k.ids, k.offsets);
	else
		count(&k, &cli);
	cli_along_done(&k.along);
	ctx_prices_done(&k.rows.prices);
	ctx_cost_done(cost);
	return cli_end(&cli);
}
