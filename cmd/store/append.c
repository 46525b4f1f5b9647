/* SPDX-License-Identifier: MIT */
/* ctx-store append: append a stream to the log. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_kind.h"
#include "cli_prompt.h"
#include "cmd/store/cmd.h"
#include "session/intake.h"
#include "store/row.h"

#define ATOMIC_LIMIT	(1u << 30)

struct append {
	struct store *s;
	struct ctx_intake in;
	int ack, skip_bad;
	struct cli_prompt ask;		/* empty once it is in the batch */

	const char *file;	/* for messages */
	int fd;
	int reported;		/* an error that ended the input was reported */
};

static int
print_acks(struct append *a, size_t n, struct ctx_err *err)
{
	const struct ctx_entry *line;
	struct ctx_buf *b = &a->s->row;
	size_t i, len;

	for (i = 0; i < n; i++) {
		line = &a->in.line[i];
		ctx_row_begin(b);
		if (a->in.by != NULL)
			ctx_row_text(b, "thread_id",
			    ctx_strmap_at(&a->in.threads, line->log, &len));
		ctx_row_int(b, "seq", line->seq);
		ctx_row_int(b, "turn", line->turn);
		ctx_row_text(b, "id", *line->mid != '\0' ? line->mid : NULL);
		ctx_row_bool(b, "stored", line->stored);
		if (store_row(a->s, err) == -1)
			return -1;
	}
	return store_flush(err);
}

/* Store the batch.  -1 has been reported. */
static int
commit(struct append *a)
{
	struct ctx_err err = { 0 };
	size_t done;
	int rc;

	rc = ctx_intake_commit(&a->in, &done, &err);
	if (a->ack && (rc == 0 || done > 0) &&
	    print_acks(a, done, rc == -1 ? NULL : &err) == -1)
		rc = -1;
	if (rc == 0)
		return 0;
	a->reported = 1;
	return store_report(a->s, err.line > 0 ? a->file : NULL, &err);
}

/* Store the lines before one that is not accepted, then report why. */
static int
give_up(struct append *a, struct ctx_err *err)
{
	if (a->in.how.atomic)
		ctx_intake_forget(&a->in);
	else if (a->in.n > 0 && commit(a) == -1)
		return -1;
	return store_report(a->s, a->file, err);
}

/* Put the question before the first message, in the log alone. */
static int
add_question(struct append *a, struct ctx_err *err)
{
	struct ctx_line line = { 0 };

	if (store_text(a->s, "user", &a->ask.text, err) == -1)
		return -1;
	line.raw = a->s->row.data;
	line.len = a->s->row.len;
	a->in.how.seen = 1;
	return ctx_intake_line(&a->in, &line, err);
}

/* Add a line to the batch, the first one with the question before it. */
static int
add_line(struct append *a, const struct ctx_line *line, struct ctx_err *err)
{
	int first = a->ask.text.len > 0 &&
	    !ctx_line_blank(line->raw, line->len), rc = 0;

	if (first)
		rc = add_question(a, err);
	if (rc == 0)
		rc = ctx_intake_line(&a->in, line, err);
	if (first && rc == 0)
		ctx_buf_reset(&a->ask.text);
	else if (first)
		ctx_intake_forget(&a->in);
	return rc;
}

/* Say what to type if the line shows what the user meant to do. */
static void
explain(const struct append *a, const struct ctx_line *line,
    struct ctx_err *err)
{
	if (err->code != CTX_EINPUT)
		return;
	if (line->no == 1)
		cli_kind(line->raw, line->len, err->col, a->in.by != NULL ?
		    "ctx-store append --by KEY" : "ctx-store append THREAD",
		    err->text, sizeof(err->text));
	if (*line->raw == '[' && err->col == 1 && !a->in.split)
		snprintf(err->text, sizeof(err->text), "a list, not an object; "
		    "--split stores its messages one by one");
}

/* Take the next line.  -1 has been reported and ends the input. */
static int
take_line(struct append *a, const struct ctx_line *line)
{
	struct ctx_err err = { 0 };
	int rc = add_line(a, line, &err), bad;

	if (rc == 0 && a->in.how.atomic && a->in.text.len > ATOMIC_LIMIT) {
		err.line = line->no;
		ctx_fail(&err, CTX_EINPUT,
		    "--atomic: the input is longer than %u bytes",
		    ATOMIC_LIMIT);
		return give_up(a, &err);
	}
	if (rc == 0)
		return ctx_intake_full(&a->in) ? commit(a) : 0;
	explain(a, line, &err);
	bad = err.code == CTX_EINPUT;	/* reporting it clears it */
	give_up(a, &err);
	return a->skip_bad && !a->reported && bad ? 0 : -1;
}

/* Store what has arrived before waiting for more. */
static int
before_wait(void *arg, struct ctx_err *err)
{
	struct append *a = arg;
	struct pollfd p = { .fd = a->fd, .events = POLLIN };

	(void)err;
	if (a->in.n == 0 || a->in.how.atomic || poll(&p, 1, 0) != 0)
		return 0;
	return commit(a);
}

/* Read one file to its end; the last lines stay in the batch. */
static int
take_file(struct append *a, const char *file)
{
	struct ctx_err err = { 0 };
	struct ctx_reader in;
	struct ctx_line line;
	int rc, taken = 0;

	a->file = file;
	if ((a->fd = store_open_input(file, &err)) == -1)
		return store_report(a->s, a->file, &err);
	store_watch_file(a->s, file, a->fd);
	ctx_reader_init(&in, a->fd);
	in.documents = 1;
	in.before_read = before_wait;
	in.arg = a;
	while ((rc = ctx_reader_next(&in, &line, &err)) == 1 &&
	    (taken = take_line(a, &line)) == 0)
		cli_progress_line(&a->s->progress, line.len);
	if (rc == -1 && !a->reported)
		give_up(a, &err);
	ctx_reader_done(&in);
	if (a->fd != STDIN_FILENO)
		close(a->fd);
	return rc == -1 ? -1 : taken;
}

static void
take_all(struct append *a, char *const *file, int n)
{
	int i, rc = 0;

	/* load supplies a missing line end between two files. */
	for (i = 0; i < n && rc == 0; i++)
		rc = take_file(a, file[i]);
	if (rc == 0 && a->in.n > 0)
		commit(a);
}

/* Cut "NAME@SEQ" in place; returns -1 if there is no number. */
static int64_t
cut_seq(const struct cli *c, char *name)
{
	char *at = strrchr(name, '@'), *end;
	long long n;

	if (at == NULL || at == name)
		return -1;
	n = strtoll(at + 1, &end, 10);
	if (end == at + 1 || *end != '\0' || n < 0)
		cli_usage(c, "--parent: '%s' is not NAME@SEQ", name);
	*at = '\0';
	return n;
}

static void
take_parent(struct cli *c, void *place)
{
	struct ctx_make *make = place;

	/* argv may be modified */
	make->parent = c->arg;
	make->parent_seq = cut_seq(c, (char *)(uintptr_t)c->arg);
	make->kind = CTX_CONTEXT_FORK;
}

static const char *const conflicts[] = { "error", "new", NULL };
static const char *const on_errors[] = { "stop", "skip", NULL };

#define OPT_OF struct append
static const struct cli_opt append_opts[] = {
	OPT_GROUP("Destination"),
	STORE_CONTEXT,
	OPT_TEXT('b', "by", "KEY", in.by,
	    "append each line to the thread that its member KEY names",
	    .excludes = "checked expect-seq parent turn ask"),
	OPT_TEXT(0, "thread", "NAME", in.rest,
	    "with --by, append lines without the member to this thread",
	    .needs = "by"),
	OPT_CALL(0, "parent", "NAME[@SEQ]", in.how.make, take_parent,
	    "create the context of -c as a fork of NAME"),
	OPT_NUM(0, "turn", "N", in.how.turn, 1, INT64_MAX,
	    "assign the messages to turn N"),
	OPT_TEXT(0, "view", "NAME", in.how.view,
	    "also add the messages to this view"),
	OPT_CALL(0, "ask", "FILE", ask, cli_prompt_read,
	    "before the messages, append the text in FILE as a user's"),
	OPT_GROUP("Storing"),
	OPT_FLAG(0, "atomic", in.how.atomic,
	    "store all of the input or none of it"),
	OPT_FLAG(0, "checked", in.checked,
	    "refuse results that answer no waiting call; exit with 1",
	    .excludes = "parent"),
	OPT_FLAG(0, "split", in.split,
	    "store the messages of a conversation line one by one"),
	OPT_TEXT(0, "id-key", "KEY", in.id_key,
	    "use member KEY as the id of messages without id or uuid"),
	OPT_WORD(0, "on-conflict", "HOW", in.how.conflict_new, conflicts,
	    "how to treat a known id with other bytes (default error)"),
	OPT_WORD(0, "on-error", "HOW", skip_bad, on_errors,
	    "how to treat lines that are not JSON objects (default stop)"),
	OPT_NUM(0, "expect-seq", "N", in.how.expect_seq, 1, INT64_MAX,
	    "exit with 1 unless the first message will be number N"),
	OPT_TEXT(0, "cost", "KEY", in.cost,
	    "take the tokens of each message from member KEY"),
	OPT_NUM(0, "max-chars", "N", in.max_chars, 1, UINT32_MAX,
	    "shorten each text to N characters; the rest is lost"),
	OPT_FLAG(0, "no-index", in.how.no_index,
	    "do not index the messages yet (reindex does so later)"),
	OPT_FLAG(0, "ack", ack,
	    "print a JSON line for each message once it is on disk"),
	STORE_COMMON
};

static void
options(struct append *a)
{
	struct store *s = a->s;

	store_options(s, a);	/* with --by, all operands are files */
	if (a->in.by == NULL && s->cli.nfile == 0)
		cli_usage(&s->cli, "THREAD is required, or --by");
	if (a->in.how.view != NULL)
		store_not_version(s, a->in.how.view,
		    "; give the view another name");
	if (a->in.how.atomic && a->skip_bad)
		cli_usage(&s->cli,
		    "--atomic and --on-error skip cannot be used together");
	a->in.how.where = s->where;
}

/* Were these several conversations, or is the name that of a file? */
static void
doubt(struct append *a)
{
	struct cli *c = &a->s->cli;

	if (a->in.by != NULL)
		return;
	cli_kind_apart(c, a->file, &a->in.apart);
	if (c->nfile == 1 && a->in.stored == 0 && c->worst == CLI_OK &&
	    access(c->file[0], F_OK) == 0)
		cli_warn(c, "nothing was stored in the thread '%s'; a file comes "
		    "after the name of a thread", c->file[0]);
}

static int
append_run(struct store *s, struct ctx_err *err)
{
	static char dash[] = "-";
	char *standard_input[] = { dash };
	struct append a = { .s = s, .in.how.make.parent_seq = -1 };
	uint64_t age;
	int rc, first;

	options(&a);
	first = a.in.by == NULL;
	age = store_prune_age(s);
	if ((rc = store_open(s, err)) == 0) {
		a.in.st = s->st;
		if (s->cli.nfile > first)
			take_all(&a, s->cli.file + first,
			    s->cli.nfile - first);
		else
			take_all(&a, standard_input, 1);
		if (s->cli.worst == CLI_OK)
			store_prune_after(s, age);
		doubt(&a);
	}
	cli_figure(&s->cli, "messages", a.in.stored);
	if (a.in.cost != NULL)
		cli_figure(&s->cli, "tokens", a.in.tokens);
	ctx_intake_done(&a.in);
	cli_prompt_done(&a.ask);
	return rc;
}

const struct store_cmd store_append_cmds[] = {
	STORE_CMD("append", CREATE, append_run, "[THREAD] [FILE ...]",
	    "Append messages, one JSON line each, to a thread's log.",
	    append_opts),
	STORE_END
};
