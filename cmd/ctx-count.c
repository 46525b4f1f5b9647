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
#include "cmd/count/jobs.h"
#include "cmd/count/list.h"
#include "cmd/count/prefix.h"
#include "cmd/count/rows.h"
#include "cmd/count/text.h"
#include "cli_cost.h"
#include "cli_stream.h"
#include "cli_tools.h"
#include "decide/pair.h"
#include "edit/edit.h"

enum {
	ANNOTATE = CLI_LONG, BY_ROLE, BY_TOOL, PER_MESSAGE, PER_CONVERSATION,
	JSON, TEXT, MAX, STATUS, LIST_MODELS, LIST_ENCODINGS,
	ENCODE, DECODE, SHOW, SPECIAL, PREPARE, HISTOGRAM,
	COMMON_PREFIX, TOOLS
};

static const struct cli_opt opts[] = {
	CLI_COST_OPTS,
	{ TOOLS, "tools", "FILE",
	    "each conversation carries these definitions of tools" },
	{ TEXT, "text", NULL, "files are plain text, not messages" },
	{ BY_ROLE, "by-role", NULL, "a row for each role" },
	{ BY_TOOL, "by-tool", NULL, "a row for each tool: calls and results" },
	{ PER_CONVERSATION, "per-conversation", NULL,
	    "a row for each conversation" },
	{ PER_MESSAGE, "per-message", NULL, "a row for each message" },
	{ JSON, "json", NULL, "rows as JSON objects" },
	{ ANNOTATE, "annotate", "KEY",
	    "write the messages, each with its count as member KEY" },
	{ MAX, "max", "N", "exit 1 if a conversation has more than N tokens" },
	{ COMMON_PREFIX, "common-prefix", NULL,
	    "what two histories share from the start" },
	{ STATUS, "status", NULL, "messages and tokens against their limits" },
	{ HISTOGRAM, "histogram", NULL, "how many messages are of which size" },
	{ SPECIAL, "special", NULL,
	    "special tokens such as <|endoftext|> count as one" },
	{ ENCODE, "encode", NULL, "write a text's token ids, as JSON" },
	{ DECODE, "decode", NULL, "write the text of lines of token ids" },
	{ SHOW, "show", NULL, "write a text with its tokens' borders" },
	{ PREPARE, "prepare", "FILE",
	    "compile a vocabulary file into the table named behind" },
	{ 'j', "jobs", "N", "threads that count (1)" },
	{ LIST_MODELS, "list-models", NULL, "the models that are known" },
	{ LIST_ENCODINGS, "list-encodings", NULL,
	    "the tokenizers that are known" },
	CLI_STREAM_OPTS,
	CLI_COMMON
};

static const struct cli_cmd cmd = {
	"ctx-count",
	"[-qv] [-b KEY] [-d NAME] [-e NAME] [-j N] [-m NAME] "
	    "[--annotate KEY] [--by-role | --by-tool | --histogram | "
	    "--per-conversation | --per-message] [--common-prefix] "
	    "[--cost KEY] "
	    "[--encode | --decode | --show] [--json] [--list-encodings] "
	    "[--list-models] [--max N] [--on-error HOW] [--overhead N] "
	    "[--prepare FILE] [--special] [--status] [--text] "
	    "[--tools FILE] [FILE ...]",
	"Count the tokens of message histories.",
	opts, NULL
};

struct count {
	struct cli_stream stream;
	struct ctx_cost cost;
	int rows;			/* BY_ROLE ... or 0: a row a file */
	enum count_format format;
	int text, status;
	int ids, special;		/* enum count_ids or 0 */
	unsigned threads;
	struct ctx_crew *crew;
	struct count_jobs *jobs;	/* messages in threads, or NULL */
	const char *prepare;
	const char *annotate;
	uint64_t max;
	int has_max;
	uint64_t max_messages;		/* for --status */
	struct cli_tools tools;
	uint64_t tools_cost;		/* of all definitions, once */

	struct ctx_pairer pairer;
	struct ctx_edit edit;
	struct ctx_plan plan;
	struct count_rows table;	/* by role or tool */
	uint64_t size[65];		/* messages of 2^i tokens and more */
	struct count_prefix prefix;
	struct count_sum file, total;
	int nfile;
};

/* What a conversation of message lines adds up to. */
struct count_thread {
	struct count_sum sum;
};

static const char *const roles[] = { "system", "user", "assistant", "tool" };

static int
out_of_memory(struct ctx_err *err)
{
	return ctx_fail_nomem(err);
}

/* "file:12" */
static int
place_name(const struct count *k, uint64_t line, char *out, size_t size)
{
	char quoted[512];

	return snprintf(out, size, "%s:%" PRIu64,
	    ctx_err_quote(quoted, sizeof(quoted), k->stream.file,
	    strlen(k->stream.file)), line);
}

static void
add_sum(struct count_sum *to, const struct count_sum *more)
{
	to->tokens += more->tokens;
	to->messages += more->messages;
	to->bytes += more->bytes;
}

/* One row of the output; a word of the caller's may follow, then a newline. */
static void
row(struct count *k, enum count_format format, const char *what,
    const char *name, size_t len, const struct count_sum *sum,
    const char *extra)
{
	if (count_row(stdout, format, what, name, len, sum, extra) == -1)
		cli_error(k->stream.cli, CLI_SYSTEM, "out of memory");
}

/*
 * A conversation is at its end: its row, and is it too large?  is_key: the name
 * is the value of the --by member, as JSON has it.
 */
static void
conversation(struct count *k, const struct count_sum *sum, const char *name,
    size_t len, int is_key)
{
	char quoted[512];

	if (k->rows == PER_CONVERSATION) {
		row(k, is_key && k->format == COUNT_JSON ?
		    COUNT_JSON_KEY : k->format, "conversation", name, len, sum,
		    NULL);
		putchar('\n');
	}
	if (k->has_max && sum->tokens > k->max)
		cli_error(k->stream.cli, CLI_NO, "%s: %" PRIu64
		    " tokens, more than %" PRIu64,
		    ctx_err_quote(quoted, sizeof(quoted), name, len),
		    sum->tokens, k->max);
}

/* Calls under their tool's name, results under that of their call. */
static int
tally_tools(struct count *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_err *err)
{
	const struct ctx_part *p, *head = NULL;
	const struct ctx_msg *msg = &c->msg[m];
	struct count_sum more;
	uint32_t i;

	for (i = msg->part; i < msg->part + msg->npart; i++) {
		p = &c->part[i];
		if (!(p->flags & CTX_INNER))
			head = p;
		if (head == NULL || p->kind == CTX_COPY ||
		    (head->kind != CTX_CALL && head->kind != CTX_RESULT))
			continue;
		more = (struct count_sum){ 0, p == head, 0 };
		more.bytes = ctx_part_text(c, i).len;
		if (ctx_cost_part(&k->cost, c, i, &more.tokens, err) == -1)
			return -1;
		if (count_rows_add(&k->table, head->name.p != NULL ?
		    head->name.p : "(unknown)", head->name.p != NULL ?
		    head->name.len : 9, &more) == -1)
			return out_of_memory(err);
	}
	return 0;
}

static int
tally(struct count *k, const struct ctx_convo *c, uint32_t m,
    const struct count_sum *sum, struct ctx_err *err)
{
	const char *role = roles[c->msg[m].role];
	char name[600], extra[64];
	int n;

	switch (k->rows) {
	case BY_ROLE:
		if (count_rows_add(&k->table, role, strlen(role), sum) == -1)
			return out_of_memory(err);
		break;
	case BY_TOOL:
		return tally_tools(k, c, m, err);
	case HISTOGRAM:
		for (n = 0; n < 63 && sum->tokens >> (n + 1) > 0; n++)
			;
		k->size[sum->tokens == 0 ? 64 : n]++;
		break;
	case PER_MESSAGE:
		n = place_name(k, c->rec[c->msg[m].rec].line, name,
		    sizeof(name));
		snprintf(extra, sizeof(extra), ",\"role\":\"%s\"", role);
		row(k, k->format, "message", name, (size_t)n, sum, extra);
		if (k->format == COUNT_PLAIN)
			printf(" %s", role);
		putchar('\n');
		break;
	}
	return 0;
}

/* The count as a member of the message, in front or in the old one's place. */
static int
annotate(struct count *k, const struct ctx_convo *c, uint32_t m,
    uint64_t tokens, struct ctx_patch *patch, struct ctx_err *err)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t node = c->msg[m].node, v;
	struct ctx_buf b = { 0 };
	size_t off, len = 0;
	int rc;

	if (ctx_node_type(&doc, node) != '{')
		return 0;
	v = ctx_doc_get(&doc, node, k->annotate, strlen(k->annotate));
	if (v != CTX_NONE) {
		off = doc.node[v].off;
		len = doc.node[v].len;
		ctx_buf_addf(&b, "%" PRIu64, tokens);
	} else {
		off = (size_t)doc.node[node].off + 1;
		ctx_buf_addc(&b, '"');
		ctx_str_encode(&b, k->annotate, strlen(k->annotate));
		ctx_buf_addf(&b, "\":%" PRIu64 "%s", tokens,
		    doc.node[node].next > node + 1 ? "," : "");
	}
	rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = ctx_patch_add(patch, off, len, b.data, b.len, err);
	ctx_buf_done(&b);
	return rc;
}

/* One record: counted, and with --annotate written. */
static int
count_rec(struct count *k, const struct ctx_convo *c, uint32_t r,
    struct count_sum *sum, struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[r];
	struct ctx_patch *patch = &k->edit.patch;
	struct count_sum one;
	int shared;
	uint32_t m;

	if (k->rows != COMMON_PREFIX)
		sum->bytes += rec->len;
	ctx_patch_reset(patch);
	for (m = rec->msg; m < rec->msg + rec->nmsg; m++) {
		if (k->rows == COMMON_PREFIX && (shared =
		    count_prefix_msg(&k->prefix, c, m, err)) != 1) {
			if (shared == -1)
				return -1;
			continue;
		}
		one.messages = !(c->msg[m].flags & CTX_JOINED);
		one.bytes = c->msg[m].node == rec->root ? rec->len :
		    c->doc.node[c->msg[m].node].len;
		if (ctx_cost_msg(&k->cost, c, m, &one.tokens, err) == -1 ||
		    tally(k, c, m, &one, err) == -1)
			return -1;
		sum->tokens += one.tokens;
		sum->messages += one.messages;
		if (k->rows == COMMON_PREFIX)
			sum->bytes += one.bytes;
		if (k->annotate != NULL &&
		    annotate(k, c, m, one.tokens, patch, err) == -1)
			return -1;
	}
	if (k->annotate == NULL)
		return 0;
	return ctx_edit_rec(&k->edit, c, r, err);
}

/* The definitions of tools that a conversation carries, added to its sum. */
static int
add_tools(struct count *k, struct count_sum *sum, struct ctx_err *err)
{
	struct count_sum one = { k->tools_cost, 0, 0 };
	const struct ctx_tool *tool;
	size_t i;

	sum->tokens += k->tools_cost;
	if (k->rows == BY_ROLE && k->tools_cost > 0 &&
	    count_rows_add(&k->table, "definitions", 11, &one) == -1)
		return out_of_memory(err);
	for (i = 0; k->rows == BY_TOOL && i < k->tools.list.n; i++) {
		tool = &k->tools.list.tool[i];
		one.tokens = 0;
		if (cli_tools_one(&k->cost, tool, &one.tokens, err) == -1)
			return -1;
		if (count_rows_add(&k->table, tool->name.p, tool->name.len,
		    &one) == -1)
			return out_of_memory(err);
	}
	return 0;
}

static int
count_tools(struct count *k, struct ctx_err *err)
{
	size_t i;

	if (k->tools.list.n > 0)
		cli_tools_frame(&k->cost, &k->tools_cost);
	for (i = 0; i < k->tools.list.n; i++)
		if (cli_tools_one(&k->cost, &k->tools.list.tool[i],
		    &k->tools_cost, err) == -1)
			return -1;
	return 0;
}

static int
count_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct count_sum sum = { 0, 0, 0 };
	struct count_thread *t;
	struct count *k = arg;
	char name[600];
	uint32_t r;
	int n;

	if (k->rows == BY_TOOL && ctx_pair(&k->pairer, turn->convo, err) == -1)
		return -1;
	ctx_edit_begin(&k->edit);
	for (r = 0; r < turn->convo->nrec; r++)
		if (count_rec(k, turn->convo, r, &sum, err) == -1)
			return -1;
	if (k->annotate != NULL && ctx_queue_turn(&k->stream.own.queue,
	    turn->convo, &k->edit, err) == -1)
		return -1;
	if ((turn->strand == NULL || turn->strand->state == NULL) &&
	    add_tools(k, &sum, err) == -1)
		return -1;
	add_sum(&k->file, &sum);
	if (turn->strand == NULL) {
		n = place_name(k, turn->convo->rec[0].line, name,
		    sizeof(name));
		conversation(k, &sum, name, (size_t)n, 0);
		return 0;
	}
	if (turn->strand->state == NULL &&
	    (turn->strand->state = calloc(1, sizeof(*t))) == NULL)
		return out_of_memory(err);
	t = turn->strand->state;
	add_sum(&t->sum, &sum);
	return 0;
}

static int
count_end(struct ctx_strand *thread, void *arg, struct ctx_err *err)
{
	struct count_thread *t = thread->state;
	struct count *k = arg;

	(void)err;
	if (t == NULL || t->sum.messages == 0)
		return 0;
	if (thread->keylen > 0)
		conversation(k, &t->sum, thread->key, thread->keylen, 1);
	else
		conversation(k, &t->sum, k->stream.file,
		    strlen(k->stream.file), 0);
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

	(void)err;
	k->nfile++;
	if (k->status && k->annotate == NULL)
		print_status(k);
	else if (k->rows == 0 && k->annotate == NULL) {
		snprintf(extra, sizeof(extra), ",\"count\":\"%s\"",
		    cli_cost_level(&k->cost, level, sizeof(level)));
		row(k, k->format, "file", name, k->format ==
		    COUNT_PLAIN && strcmp(name, "(standard input)") == 0 ? 0 :
		    strlen(name), &k->file, extra);
		putchar('\n');
	}
	add_sum(&k->total, &k->file);
	memset(&k->file, 0, sizeof(k->file));
	k->prefix.in_new = 1;
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
take_option(struct count *k, struct cli *c, int ch)
{
	switch (ch) {
	case BY_ROLE:
	case BY_TOOL:
	case HISTOGRAM:
	case PER_MESSAGE:
	case PER_CONVERSATION:
	case COMMON_PREFIX:
		if (k->rows != 0 && k->rows != ch)
			cli_usage(c, "one kind of rows at a time");
		k->rows = ch;
		break;
	case JSON:
		k->format = COUNT_JSON;
		break;
	case TEXT:
		k->text = 1;
		break;
	case STATUS:
		k->status = 1;
		break;
	case ANNOTATE:
		k->annotate = c->arg;
		break;
	case MAX:
		k->max = cli_num(c, 0, UINT64_MAX / 4);
		k->has_max = 1;
		break;
	case TOOLS:
		cli_tools_read(&k->tools, c->arg, c);
		break;
	case ENCODE:
	case DECODE:
	case SHOW:
		if (k->ids != 0)
			cli_usage(c, "one of --encode, --decode and --show");
		k->ids = ch == ENCODE ? COUNT_ENCODE : ch == DECODE ?
		    COUNT_DECODE : COUNT_SHOW;
		break;
	case SPECIAL:
		k->special = 1;
		break;
	case PREPARE:
		k->prepare = c->arg;
		break;
	case 'j':
		k->threads = (unsigned)cli_num(c, 1, CTX_THREADS_MAX);
		break;
	case LIST_MODELS:
		count_list_models(c);
	case LIST_ENCODINGS:
		count_list_encodings(c);
	default:
		if (!cli_stream_opt(&k->stream, c, ch))
			cli_cost_opt(&k->cost, c, ch);
	}
}

static void
check_options(struct count *k, struct cli *c)
{
	struct ctx_err err = { 0 };

	k->max_messages = 40;
	cli_must(c, ctx_env_num("MAX_MESSAGE_HISTORY", 10, 100,
	    &k->max_messages, &err), &err);
	if (k->text && (k->rows != 0 || k->annotate != NULL ||
	    k->tools.list.n > 0))
		cli_usage(c, "--text has no messages");
	if (k->annotate != NULL && (k->rows != 0 || k->status ||
	    k->format == COUNT_JSON))
		cli_usage(c, "--annotate writes messages, not rows");
	if (k->annotate != NULL && *k->annotate == '\0')
		cli_usage(c, "--annotate needs a name");
	if (k->rows == COMMON_PREFIX && c->nfile != 2)
		cli_usage(c, "--common-prefix compares two files");
	if (k->rows == COMMON_PREFIX && (k->has_max ||
	    k->stream.by != NULL))
		cli_usage(c, "--common-prefix takes each file as one history");
	if (k->status && (k->rows != 0 || k->format == COUNT_JSON))
		cli_usage(c, "--status has no rows");
	if (k->prepare != NULL && c->nfile != 1)
		cli_usage(c, "--prepare needs the name of the new table: "
		    "ctx-count --prepare tokenizer.json mine.ctxv");
}

static void
closing_lines(struct count *k, struct cli *c)
{
	char level[64];

	if ((k->rows == BY_ROLE || k->rows == BY_TOOL) &&
	    count_rows_print(&k->table, stdout, k->format,
	    k->rows == BY_ROLE ? "role" : "tool",
	    isatty(STDOUT_FILENO) && k->format == COUNT_PLAIN) == -1)
		cli_error(c, CLI_SYSTEM, "out of memory");
	if (k->rows == HISTOGRAM)
		count_histogram(k->size, stdout, k->format);
	if (k->rows == COMMON_PREFIX && c->worst == CLI_OK) {
		row(k, k->format, "common-prefix", "common", 6, &k->total,
		    NULL);
		putchar('\n');
	}
	if (k->rows == 0 && !k->status && k->annotate == NULL &&
	    k->nfile > 1 && k->format == COUNT_PLAIN) {
		row(k, k->format, "file", "total", 5, &k->total, NULL);
		putchar('\n');
	}
	cli_cost_level(&k->cost, level, sizeof(level));
	if (c->verbose || k->cost.choice.level != CTX_EXACT)
		cli_warn(c, "counted with %s", level);
}

static int
first_line(struct cli_stream *s, struct ctx_reader *r,
    const struct ctx_line *line, struct ctx_err *err)
{
	return count_jobs_lines(((struct count *)s)->jobs, s, r, line, err);
}

/* Whoever counts.  An estimate is made faster than it is handed around. */
static void
begin_threads(struct count *k, struct cli *c)
{
	struct ctx_err err = { 0 };

	if (ctx_tok_is_estimate(k->cost.choice.tok))
		k->threads = 1;
	if ((k->crew = ctx_crew_new(&k->cost.counter, k->threads, &err)) ==
	    NULL)
		cli_must(c, -1, &err);
	if (k->threads == 1 || k->text)
		return;
	if ((k->jobs = count_jobs_new(&k->cost, k->crew)) == NULL)
		cli_must(c, ctx_fail_nomem(&err), &err);
	k->stream.first_line = first_line;
}

int
main(int argc, char *argv[])
{
	struct count k = { .threads = 1 };
	struct ctx_err err = { 0 };
	struct cli cli;
	int ch;

	cli_init(&cli, &cmd, argc, argv);
	cli_cost_init(&k.cost);
	while ((ch = cli_getopt(&cli)) != -1)
		take_option(&k, &cli, ch);
	check_options(&k, &cli);
	if (k.prepare != NULL) {
		count_prepare(&cli, k.prepare, cli.file[0]);
		return cli_end(&cli);
	}
	cli_cost_open(&k.cost, &cli);
	k.cost.counter.special = k.special;
	cli_must(&cli, count_tools(&k, &err), &err);
	if (k.ids != 0) {
		count_ids(&k.cost, &cli, (enum count_ids)k.ids);
		ctx_cost_done(&k.cost);
		return cli_end(&cli);
	}
	k.stream.own.turns.turn = count_turn;
	k.stream.own.turns.end = count_end;
	k.stream.own.turns.free_state = free;
	k.stream.own.turns.arg = &k;
	k.stream.file_end = file_end;
	begin_threads(&k, &cli);
	if (k.text)
		count_text(&k, &cli);
	else
		cli_each_turn(&k.stream, &cli);
	closing_lines(&k, &cli);
	cli_figure(&cli, "tokens", k.total.tokens);
	cli_figure(&cli, "messages", k.total.messages);
	count_rows_done(&k.table);
	count_prefix_done(&k.prefix);
	cli_tools_done(&k.tools);
	ctx_pairer_done(&k.pairer);
	ctx_edit_done(&k.edit);
	count_jobs_free(k.jobs);
	ctx_crew_free(k.crew);
	ctx_cost_done(&k.cost);
	return cli_end(&cli);
}
