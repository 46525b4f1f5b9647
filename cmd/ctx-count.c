/* SPDX-License-Identifier: MIT */
/* ctx-count - count the tokens of message histories, like wc. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "cmd/count/ids.h"
#include "cmd/count/list.h"
#include "cmd/count/rows.h"
#include "cmd/count/text.h"
#include "cli_cost.h"
#include "cli_stream.h"
#include "cli_tools.h"
#include "job/tally.h"

/* What a row is of; 0: a file. */
enum {
	BY_ROLE = 1, BY_TOOL, PER_MESSAGE, PER_CONVERSATION, HISTOGRAM,
	COMMON_PREFIX
};

struct count {
	struct cli_stream stream;
	struct ctx_tally_opts opts;
	struct ctx_cost cost;
	int rows;			/* BY_ROLE ... */
	enum count_format format;
	int text, status;
	int ids, special;		/* enum count_ids or 0 */
	struct ctx_crew *crew;		/* with text */
	const char *prepare;
	uint64_t max;
	int has_max;
	uint64_t max_messages;		/* for --status */
	struct cli_tools tools;

	struct ctx_tally_sum file, total;
	int nfile;
};

static void
take_tools(struct cli *c, void *place)
{
	cli_tools_read(place, c->arg, c);
}

#define ROWS "by-role by-tool histogram per-message per-conversation " \
	"common-prefix"

#define OPT_OF struct count
static const struct cli_opt opts[] = {
	OPT_GROUP("What is printed"),
	OPT_PICK(0, "by-role", rows, BY_ROLE, "a row for each role"),
	OPT_PICK(0, "by-tool", rows, BY_TOOL,
	    "a row for each tool: calls and results"),
	OPT_PICK(0, "per-conversation", rows, PER_CONVERSATION,
	    "a row for each conversation"),
	OPT_PICK(0, "per-message", rows, PER_MESSAGE,
	    "a row for each message"),
	OPT_PICK(0, "histogram", rows, HISTOGRAM,
	    "how many messages are of which size"),
	OPT_PICK(0, "common-prefix", rows, COMMON_PREFIX,
	    "what two histories share from the start", .excludes = "max by"),
	OPT_PICK(0, "json", format, COUNT_JSON, "rows as JSON objects"),
	OPT_TEXT(0, "annotate", "KEY", opts.annotate,
	    "write the messages, each with its count as member KEY",
	    .excludes = ROWS " status json"),
	OPT_FLAG(0, "status", status,
	    "messages and tokens against their limits",
	    .excludes = ROWS " json"),
	OPT_NUM(0, "max", "N", max, 0, UINT64_MAX / 4,
	    "exit 1 if a conversation has more than N tokens"),
	OPT_GROUP("What is counted"),
	OPT_CALL(0, "tools", "FILE", tools, take_tools,
	    "each conversation carries these definitions of tools"),
	OPT_FLAG(0, "text", text, "files are plain text, not messages",
	    .excludes = ROWS " annotate tools"),
	OPT_FLAG(0, "special", special,
	    "special tokens such as <|endoftext|> count as one"),
	OPT_NUM('j', "jobs", "N", stream.threads, 1, CTX_RUN_THREADS_MAX,
	    "threads that count (1)"),
	OPT_SUB(cost, cli_cost_opts),
	OPT_GROUP("Tokenizers"),
	OPT_PICK(0, "encode", ids, COUNT_ENCODE,
	    "write a text's token ids, as JSON"),
	OPT_PICK(0, "decode", ids, COUNT_DECODE,
	    "write the text of lines of token ids"),
	OPT_PICK(0, "show", ids, COUNT_SHOW,
	    "write a text with its tokens' borders"),
	OPT_TEXT(0, "prepare", "FILE", prepare,
	    "compile a vocabulary file into the table named behind"),
	OPT_DO(0, "list-models", NULL, count_list_models,
	    "the models that are known"),
	OPT_DO(0, "list-encodings", NULL, count_list_encodings,
	    "the tokenizers that are known"),
	OPT_SUB(stream, cli_stream_opts),
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-count", "[FILE ...]", "Count the tokens of message histories.",
	opts, NULL
};

/* "file:12" */
static int
place_name(const struct count *k, uint64_t line, char *out, size_t size)
{
	char quoted[512];

	return snprintf(out, size, "%s:%" PRIu64,
	    ctx_err_quote(quoted, sizeof(quoted), k->stream.file,
	    strlen(k->stream.file)), line);
}

/* One row of the output; a word of the caller's may follow, then a newline. */
static void
put(struct count *k, const struct count_row *row)
{
	if (count_row(stdout, k->format, row) == -1)
		cli_error(k->stream.cli, CLI_SYSTEM, "out of memory");
}

/*
 * A conversation is at its end: its row, and is it too large?  is_key: the name
 * is the value of the --by member, as JSON has it.
 */
static void
conversation(struct count *k, const struct ctx_tally_sum *sum,
    const char *name, size_t len, int is_key)
{
	struct count_row row = { "conversation", name, len, sum, is_key, NULL };
	char quoted[512];

	if (k->rows == PER_CONVERSATION) {
		put(k, &row);
		putchar('\n');
	}
	if (k->has_max && sum->tokens > k->max)
		cli_error(k->stream.cli, CLI_NO, "%s: %" PRIu64
		    " tokens, more than %" PRIu64,
		    ctx_err_quote(quoted, sizeof(quoted), name, len),
		    sum->tokens, k->max);
}

static void
message(struct count *k, const struct ctx_row *r,
    const struct ctx_tally_sum *sum)
{
	char name[600], extra[64];
	int n = place_name(k, r->line, name, sizeof(name));
	struct count_row row = { "message", name, (size_t)n, sum, 0, extra };

	snprintf(extra, sizeof(extra), ",\"role\":\"%s\"", r->rule);
	put(k, &row);
	if (k->format == COUNT_PLAIN)
		printf(" %s", r->rule);
	putchar('\n');
}

static int
put_row(struct cli_stream *s, const struct ctx_row *r, struct ctx_err *err)
{
	const struct ctx_tally_sum sum = { r->n[0], r->n[1], r->n[2] };
	struct count *k = (struct count *)s;
	char name[600];
	int n;

	(void)err;
	if (r->what == CTX_TALLY_A_MESSAGE)
		message(k, r, &sum);
	else if (r->name != NULL)
		conversation(k, &sum, r->name, r->namelen, 1);
	else if (r->line == 0)
		conversation(k, &sum, s->file, strlen(s->file), 0);
	else {
		n = place_name(k, r->line, name, sizeof(name));
		conversation(k, &sum, name, (size_t)n, 0);
	}
	return 0;
}

/* --- what is printed for a file ------------------------------------------ */

/* A limit, and how near it is. */
static const char *
nearness(uint64_t n, uint64_t max)
{
	if (max == 0)
		return "";
	return n > max ? " (over the limit)" :
	    n * 10 >= max * 9 ? " (near the limit)" : "";
}

static void
print_status(const struct count *k)
{
	const struct ctx_model *m = k->cost.choice.model;
	uint64_t window = m != NULL ? m->window : 0;
	char quoted[512];

	printf("Session: %s\n", ctx_err_quote(quoted, sizeof(quoted),
	    k->stream.file, strlen(k->stream.file)));
	printf("Messages: %" PRIu64 " / %" PRIu64 " (max)%s\n",
	    k->file.messages, k->max_messages,
	    nearness(k->file.messages, k->max_messages));
	if (k->has_max)
		window = k->max;
	if (window == 0)
		printf("Tokens: %" PRIu64 "\n", k->file.tokens);
	else
		printf("Tokens: %" PRIu64 " / %" PRIu64 " (%.0f %%)%s\n",
		    k->file.tokens, window, 100.0 * (double)k->file.tokens /
		    (double)window, nearness(k->file.tokens, window));
	if (window > 0 && isatty(STDOUT_FILENO))
		count_gauge(stdout, k->file.tokens, window);
}

static int
file_end(struct cli_stream *s, struct ctx_err *err)
{
	struct count *k = (struct count *)s;
	const char *name = k->stream.file;
	char level[64], extra[128];
	int nameless = k->format == COUNT_PLAIN &&
	    strcmp(name, "(standard input)") == 0;
	struct count_row row = { "file", name, nameless ? 0 : strlen(name),
	    &k->file, 0, extra };

	(void)err;
	k->nfile++;
	if (!k->text)
		k->file = ctx_tally_take(s->job);
	if (k->status && k->opts.annotate == NULL)
		print_status(k);
	else if (k->rows == 0 && k->opts.annotate == NULL) {
		snprintf(extra, sizeof(extra), ",\"count\":\"%s\"",
		    cli_cost_level(&k->cost, level, sizeof(level)));
		put(k, &row);
		putchar('\n');
	}
	ctx_tally_sum_add(&k->total, &k->file);
	memset(&k->file, 0, sizeof(k->file));
	return 0;
}

/* --- plain text ------------------------------------------------------------ */

static void
count_text_file(struct count *k, struct cli *c, const char *name)
{
	int fd = STDIN_FILENO, std = strcmp(name, "-") == 0, rc;
	struct ctx_err err = { 0 };

	k->stream.file = std ? "(standard input)" : name;
	if (!std && (fd = open(name, O_RDONLY)) == -1)
		rc = ctx_fail_errno(&err, errno, "cannot open");
	else
		rc = count_text_fd(k->crew, fd, &k->file, &err);
	if (rc == -1) {
		cli_report(c, k->stream.file, &err);
		memset(&k->file, 0, sizeof(k->file));
	} else {
		conversation(k, &k->file, k->stream.file,
		    strlen(k->stream.file), 0);
		file_end(&k->stream, &err);
	}
	if (!std && fd != -1 && fd != STDIN_FILENO)
		close(fd);
}

static void
count_text(struct count *k, struct cli *c)
{
	int i;

	k->stream.cli = c;
	if (c->nfile == 0)
		count_text_file(k, c, "-");
	for (i = 0; i < c->nfile; i++)
		count_text_file(k, c, c->file[i]);
}

/* --- options ----------------------------------------------------------------- */

static void
settle(struct count *k, struct cli *c)
{
	struct ctx_err err = { 0 };

	k->has_max = cli_given(c, "max");
	k->max_messages = 40;
	cli_must(c, ctx_env_num("MAX_MESSAGE_HISTORY", 10, 100,
	    &k->max_messages, &err), &err);
	if (k->opts.annotate != NULL && *k->opts.annotate == '\0')
		cli_usage(c, "--annotate needs a name");
	if (k->rows == COMMON_PREFIX && c->nfile != 2)
		cli_usage(c, "--common-prefix compares two files");
	if (k->prepare != NULL && c->nfile != 1)
		cli_usage(c, "--prepare needs the name of the new table: "
		    "ctx-count --prepare tokenizer.json mine.ctxv");
}

static void
closing_lines(struct count *k, struct cli *c)
{
	char level[64];

	if ((k->rows == BY_ROLE || k->rows == BY_TOOL) &&
	    count_rows_print(ctx_tally_table(k->stream.job), stdout, k->format,
	    k->rows == BY_ROLE ? "role" : "tool",
	    isatty(STDOUT_FILENO) && k->format == COUNT_PLAIN) == -1)
		cli_error(c, CLI_SYSTEM, "out of memory");
	if (k->rows == HISTOGRAM)
		count_histogram(ctx_tally_sizes(k->stream.job), stdout, k->format);
	if (k->rows == COMMON_PREFIX && c->worst == CLI_OK) {
		put(k, &(struct count_row){ "common-prefix", "common", 6,
		    &k->total, 0, NULL });
		putchar('\n');
	}
	if (k->rows == 0 && !k->status && k->opts.annotate == NULL &&
	    k->nfile > 1 && k->format == COUNT_PLAIN) {
		put(k, &(struct count_row){ "file", "total", 5, &k->total, 0,
		    NULL });
		putchar('\n');
	}
	cli_cost_level(&k->cost, level, sizeof(level));
	if (c->verbose || k->cost.choice.level != CTX_EXACT)
		cli_warn(c, "counted with %s", level);
}

/* The job, by the kind of rows. */
static void
begin(struct count *k, struct cli *c)
{
	static const struct {
		int rows;
		enum ctx_tally_by by;
	} of[] = {
		{ BY_ROLE, CTX_TALLY_ROLE }, { BY_TOOL, CTX_TALLY_TOOL },
		{ HISTOGRAM, CTX_TALLY_SIZE },
		{ PER_MESSAGE, CTX_TALLY_MESSAGE },
		{ PER_CONVERSATION, CTX_TALLY_CONVERSATION },
		{ COMMON_PREFIX, CTX_TALLY_PREFIX }
	};
	struct ctx_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (k->rows == of[i].rows)
			k->opts.by = of[i].by;
	k->opts.conversations = k->has_max;
	k->opts.cost = &k->cost;
	k->opts.tools = &k->tools.list;
	if (k->rows == COMMON_PREFIX)
		k->stream.threads = 1;
	if ((k->stream.job = ctx_tally_new(&k->opts, &err)) == NULL)
		cli_must(c, -1, &err);
	k->stream.row = put_row;
	k->stream.file_end = file_end;
}

/* Who counts plain text.  An estimate is made faster than handed around. */
static void
begin_text(struct count *k, struct cli *c)
{
	unsigned threads = k->stream.threads;
	struct ctx_err err = { 0 };

	if (threads == 0 || ctx_tok_is_estimate(k->cost.choice.tok))
		threads = 1;
	k->crew = ctx_crew_new(&k->cost.counter, threads, &err);
	if (k->crew == NULL)
		cli_must(c, -1, &err);
}

int
main(int argc, char *argv[])
{
	struct count k = { 0 };
	struct cli cli;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k.cost);
	cli_options(&cli, &k);
	settle(&k, &cli);
	if (k.prepare != NULL) {
		count_prepare(&cli, k.prepare, cli.file[0]);
		return cli_end(&cli);
	}
	cli_cost_open(&k.cost, &cli);
	k.cost.counter.special = k.special;
	if (k.ids != 0) {
		count_ids(&k.cost, &cli, (enum count_ids)k.ids);
		ctx_cost_done(&k.cost);
		return cli_end(&cli);
	}
	begin(&k, &cli);
	if (k.text) {
		begin_text(&k, &cli);
		count_text(&k, &cli);
	} else
		cli_each_turn(&k.stream, &cli);
	closing_lines(&k, &cli);
	cli_figure(&cli, "tokens", k.total.tokens);
	cli_figure(&cli, "messages", k.total.messages);
	ctx_job_free(k.stream.job);
	ctx_crew_free(k.crew);
	cli_tools_done(&k.tools);
	ctx_cost_done(&k.cost);
	return cli_end(&cli);
}
