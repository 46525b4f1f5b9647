/* SPDX-License-Identifier: MIT */
/* ctx-store append: a stream into the full track. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/line.h"
#include "cmd/store/line.h"
#include "cmd/store/split.h"
#include "cmd/store/cmd.h"
#include "store/log.h"
#include "store/row.h"

/*
 * A commit comes after so many lines or bytes, or when the input waits.  Lines
 * that are not indexed cost a tenth, so others wait no longer for more of them.
 */
#define BATCH_LINES	1000
#define BATCH_PLAIN	4000
#define BATCH_BYTES	(4u << 20)
#define ATOMIC_LIMIT	(1u << 30)

struct append {
	struct store *s;
	struct ctx_append how;
	const char *id_key;
	int ack, skip_bad, split;

	const char *file;	/* for messages */
	uint64_t lineno;
	int fd;
	int reported;		/* what ended the input */

	struct ctx_buf text;	/* the lines of the batch */
	struct ctx_entry *line;
	size_t n, cap;
	size_t *off;		/* of each in text; grows with line */
	size_t offcap;
	uint64_t *no;		/* line numbers, likewise */
	size_t nocap;
	struct ctx_doc doc;
	struct store_line as;
	struct store_split parts;
	uint64_t stored, tokens;	/* of this run */
};

/* For CTX_LOG. */
static void
sum_up(struct append *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!a->line[i].stored)
			continue;
		a->stored++;
		if (a->line[i].tokens > 0)
			a->tokens += (uint64_t)a->line[i].tokens;
	}
}

static int
print_acks(struct append *a, size_t n, struct ctx_err *err)
{
	struct ctx_buf *b = &a->s->row;
	size_t i;

	for (i = 0; a->ack && i < n; i++) {
		ctx_row_begin(b);
		ctx_row_int(b, "seq", a->line[i].seq);
		ctx_row_int(b, "turn", a->line[i].turn);
		ctx_row_text(b, "id", *a->line[i].mid != '\0' ?
		    a->line[i].mid : NULL);
		ctx_row_bool(b, "stored", a->line[i].stored);
		ctx_row_end(b);
		if (store_row(a->s, err) == -1)
			return -1;
	}
	return a->ack ? store_flush(err) : 0;
}

/* Store the batch.  -1 has been reported. */
static int
commit(struct append *a)
{
	struct ctx_err err = { 0 };
	size_t i, done;
	int rc;

	for (i = 0; i < a->n; i++)
		a->line[i].raw = a->text.data + a->off[i];
	rc = ctx_log_append(a->s->st, &a->how, a->line, a->n, &done, &err);
	if (rc == -1 && err.line > 0)
		err.line = a->no[err.line - 1];
	sum_up(a, done);
	if (rc == 0 || done > 0)
		if (print_acks(a, done, rc == -1 ? NULL : &err) == -1)
			rc = -1;
	if (a->how.expect_seq > 0 && done > 0)
		a->how.expect_seq = a->line[done - 1].seq + 1;
	a->n = 0;
	ctx_buf_reset(&a->text);
	if (rc == 0)
		return 0;
	a->reported = 1;
	return store_report(a->s, err.line > 0 ? a->file : NULL, &err);
}

static int
grow(struct append *a)
{
	void *p;

	if ((p = ctx_grow(a->line, a->n, &a->cap, sizeof(*a->line))) == NULL)
		return -1;
	a->line = p;
	if ((p = ctx_grow(a->off, a->n, &a->offcap, sizeof(*a->off))) == NULL)
		return -1;
	a->off = p;
	if ((p = ctx_grow(a->no, a->n, &a->nocap, sizeof(*a->no))) == NULL)
		return -1;
	a->no = p;
	return 0;
}

static int
add_line(struct append *a, const char *raw, size_t len, struct ctx_err *err)
{
	if (grow(a) == -1)
		return ctx_fail_nomem(err);
	a->as.tokens = -1;
	if (store_line_wanted(&a->as)) {
		if (store_line_read(&a->as, raw, len, err) == -1)
			return -1;
		raw = a->as.raw;
		len = a->as.len;
	}
	if (ctx_entry_scan(&a->line[a->n], raw, len, a->id_key, &a->doc,
	    err) == -1 || (!ctx_entry_knows(&a->line[a->n]) &&
	    store_line_role(&a->as, &a->line[a->n], err) == -1))
		return -1;
	a->line[a->n].tokens = a->as.tokens;
	a->off[a->n] = a->text.len;
	a->no[a->n] = a->lineno;
	/* Only a line whose bytes are all there belongs to the batch. */
	if (ctx_buf_add(&a->text, raw, len) == -1)
		return ctx_fail_nomem(err);
	a->n++;
	return 0;
}

static int
add_one(const char *raw, size_t len, void *arg, struct ctx_err *err)
{
	return add_line(arg, raw, len, err);
}

static int
is_blank(const char *p, size_t n)
{
	while (n > 0 && strchr(" \t\r\n", *p) != NULL && *p != '\0') {
		p++;
		n--;
	}
	return n == 0;
}

/* The lines before one that cannot be taken, then why. */
static int
give_up(struct append *a, struct ctx_err *err)
{
	if (a->how.atomic)
		a->n = 0;
	else if (a->n > 0 && commit(a) == -1)
		return -1;
	return store_report(a->s, a->file, err);
}

/* Take the next line.  -1 has been reported and ends the input. */
static int
take_line(struct append *a, const char *raw, size_t len)
{
	struct ctx_err err = { 0 };
	int rc = 0, bad;

	if (is_blank(raw, len) || (len == 3 &&
	    memcmp(raw, "\xef\xbb\xbf", 3) == 0))
		return 0;
	if (a->split)
		rc = store_split(&a->parts, raw, len, add_one, a, &err);
	if (rc == 0 && add_line(a, raw, len, &err) == -1)
		rc = -1;
	if (rc != -1)
		return 0;
	err.line = a->lineno;
	if (err.code == CTX_EINPUT && raw[len - 1] != '\n')
		snprintf(err.text + strlen(err.text),
		    sizeof(err.text) - strlen(err.text), " (cut off)");
	bad = err.code == CTX_EINPUT;	/* once said, it is clear */
	give_up(a, &err);
	return a->skip_bad && !a->reported && bad ? 0 : -1;
}

/* What has come is stored before we wait for more. */
static int
before_wait(void *arg, struct ctx_err *err)
{
	struct append *a = arg;
	struct pollfd p = { .fd = a->fd, .events = POLLIN };

	(void)err;
	if (a->n == 0 || a->how.atomic || poll(&p, 1, 0) != 0)
		return 0;
	return commit(a);
}

static int
take_input(struct append *a, struct ctx_reader *in)
{
	struct ctx_err err = { 0 };
	struct ctx_line line;
	int rc;

	while ((rc = ctx_reader_next(in, &line, &err)) == 1) {
		a->lineno = line.no;
		if (take_line(a, line.raw, line.len) == -1)
			return -1;
		if (a->how.atomic && a->text.len > ATOMIC_LIMIT) {
			err.line = line.no;
			ctx_fail(&err, CTX_EINPUT, "--atomic: the input is "
			    "over %u bytes", ATOMIC_LIMIT);
			return give_up(a, &err);
		}
		if (!a->how.atomic && (a->n >= (a->how.no_index ?
		    BATCH_PLAIN : BATCH_LINES) ||
		    a->text.len >= BATCH_BYTES) && commit(a) == -1)
			return -1;
	}
	return rc == 0 || a->reported ? rc : give_up(a, &err);
}

/* One file to its end; lines that were taken wait in the batch. */
static int
take_file(struct append *a, const char *file)
{
	struct ctx_err err = { 0 };
	struct ctx_reader in;
	int rc;

	a->file = file;
	if ((a->fd = store_open_input(file, &err)) == -1)
		return store_report(a->s, a->file, &err);
	ctx_reader_init(&in, a->fd);
	in.before_read = before_wait;
	in.arg = a;
	rc = take_input(a, &in);
	ctx_reader_done(&in);
	if (a->fd != STDIN_FILENO)
		close(a->fd);
	return rc;
}

static void
take_all(struct append *a, char *const *file, int n)
{
	int i, rc = 0;

	/* load supplies a line end that is missing between two files. */
	for (i = 0; i < n && rc == 0; i++)
		rc = take_file(a, file[i]);
	if (rc == 0 && a->n > 0)
		commit(a);
}

/* "NAME@SEQ" in place; -1 when there is no number. */
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

	/* argv is ours to cut */
	make->parent = c->arg;
	make->parent_seq = cut_seq(c, (char *)(uintptr_t)c->arg);
	make->kind = CTX_CONTEXT_FORK;
}

static const char *const conflicts[] = { "error", "new", NULL };
static const char *const on_errors[] = { "stop", "skip", NULL };

#define OPT_OF struct append
static const struct cli_opt append_opts[] = {
	OPT_GROUP("Where to"),
	STORE_CONTEXT,
	OPT_TEXT(0, "user", "NAME", how.user, "whose the thread is"),
	OPT_CALL(0, "parent", "NAME[@SEQ]", how.make, take_parent,
	    "fork a new context from this one"),
	OPT_NUM(0, "turn", "N", how.turn, 1, INT64_MAX,
	    "they belong to turn N"),
	OPT_TEXT(0, "view", "NAME", how.view, "extend this view too"),
	OPT_GROUP("What is stored"),
	OPT_FLAG(0, "atomic", how.atomic,
	    "store all of the input or nothing"),
	OPT_FLAG(0, "split", split,
	    "a conversation line: store its messages"),
	OPT_TEXT(0, "id-key", "KEY", id_key,
	    "the id where there is neither id nor uuid"),
	OPT_WORD(0, "on-conflict", "HOW", how.conflict_new, conflicts,
	    "a known id with other bytes"),
	OPT_WORD(0, "on-error", "HOW", skip_bad, on_errors, "a bad line"),
	OPT_NUM(0, "expect-seq", "N", how.expect_seq, 1, INT64_MAX,
	    "exit 1 unless the first one will be number N"),
	OPT_TEXT(0, "cost", "KEY", as.cost,
	    "this member of a message is its tokens"),
	OPT_NUM(0, "max-chars", "N", as.max_chars, 1, UINT32_MAX,
	    "shorten each text to N characters; the rest is lost"),
	OPT_FLAG(0, "no-index", how.no_index,
	    "leave search for a later reindex"),
	OPT_FLAG(0, "ack", ack, "print a line for each message on disk"),
	STORE_COMMON
};

static void
append_done(struct append *a)
{
	store_line_done(&a->as);
	store_split_done(&a->parts);
	ctx_buf_done(&a->text);
	ctx_doc_done(&a->doc);
	free(a->line);
	free(a->off);
	free(a->no);
}

static int
append_run(struct store *s, struct ctx_err *err)
{
	static char dash[] = "-";
	char *standard_input[] = { dash };
	struct append a = { .s = s, .how.make.parent_seq = -1 };
	uint64_t age;
	int rc;

	store_options(s, &a);
	if (a.how.atomic && a.skip_bad)
		cli_usage(&s->cli, "--atomic stores no part of a bad input");
	age = store_prune_age(s);
	a.how.where = s->where;
	if ((rc = store_open(s, err)) == 0) {
		if (s->cli.nfile > 1)
			take_all(&a, s->cli.file + 1, s->cli.nfile - 1);
		else
			take_all(&a, standard_input, 1);
		if (s->cli.worst == CLI_OK)
			store_prune_after(s, age);
	}
	cli_figure(&s->cli, "messages", a.stored);
	if (a.as.cost != NULL)
		cli_figure(&s->cli, "tokens", a.tokens);
	append_done(&a);
	return rc;
}

const struct store_cmd store_append_cmds[] = {
	STORE_CMD("append", CREATE, append_run, "THREAD [FILE ...]",
	    "Append messages, a JSON line each, to a thread's log.",
	    append_opts),
	STORE_END
};
