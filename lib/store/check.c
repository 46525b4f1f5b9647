/* SPDX-License-Identifier: MIT */
/* Check that everything is as it was written; see keep.h. */
#include "store/keep.h"

#include "store/log.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "store/body.h"
#include "store/check_db.h"
#include "store/entry.h"
#include "store/search/check_index.h"
#include "store/search/index.h"
#include "store/sound.h"

struct check {
	struct ctx_store *st;
	ctx_check_fn *fn;
	void *arg;
	struct ctx_checked *sum;
	struct ctx_err *err;
	struct ctx_doc doc;
	struct ctx_buf text;
};

static int
finding(struct check *c, const char *text)
{
	c->sum->findings++;
	return c->fn(text, c->arg, c->err);
}

/* A finding of the database. */
static int
found(const char *text, void *arg, struct ctx_err *err)
{
	(void)err;
	return finding(arg, text);
}

/*
 * Check that each context's log is complete, from its first message to its
 * last.
 */
static int
run_logs(struct check *c)
{
	char name[120], text[400];
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_many(c->st, c->err, "SELECT t.name, c.name, c.next_seq,"
	    " CASE c.kind WHEN 1 THEN c.parent_seq + 1 ELSE 1 END AS first,"
	    " m.n, m.low, m.high, t.id FROM context c LEFT JOIN thread t"
	    " ON t.id = c.thread LEFT JOIN (SELECT thread, context,"
	    " count(*) AS n, min(seq) AS low, max(seq) AS high FROM message"
	    " GROUP BY thread, context) m"
	    " ON m.thread = c.thread AND m.context = c.id", "");
	while ((rc = ctx_db_next(c->st, q, rc, c->err)) == 1) {
		int64_t next = sqlite3_column_int64(q, 2);
		int64_t first = sqlite3_column_int64(q, 3);
		int64_t n = sqlite3_column_int64(q, 4);

		c->sum->contexts++;
		c->sum->messages += n;
		if (n == next - first && (n == 0 ||
		    (sqlite3_column_int64(q, 5) == first &&
		    sqlite3_column_int64(q, 6) == next - 1)))
			continue;
		ctx_err_quote(name, sizeof(name),
		    (const char *)sqlite3_column_text(q, 0),
		    (size_t)sqlite3_column_bytes(q, 0));
		snprintf(text, sizeof(text), "thread '%s': a context has "
		    "%lld message%s instead of %lld", name, (long long)n,
		    n == 1 ? "" : "s", (long long)(next - first));
		rc = finding(c, text);
	}
	return rc;
}

/*
 * Check that the rows of the thread in q have owners and that lists have no
 * gaps.
 */
static int
run_thread(struct check *c, sqlite3_stmt *q)
{
	char what[CTX_SOUND_SIZE], name[120], text[300];
	size_t at = CTX_SOUND_LOGS;
	int rc;

	ctx_err_quote(name, sizeof(name),
	    (const char *)sqlite3_column_text(q, 1),
	    (size_t)sqlite3_column_bytes(q, 1));
	while ((rc = ctx_sound_thread(c->st, sqlite3_column_int64(q, 0), &at,
	    what, c->err)) == 0) {
		snprintf(text, sizeof(text), "thread '%s': %s", name, what);
		if (finding(c, text) == -1)
			return -1;
	}
	return rc == 1 ? 0 : -1;
}

static int
run_threads(struct check *c)
{
	char what[CTX_SOUND_SIZE];
	sqlite3_stmt *q;
	int rc = ctx_sound_threads(c->st, what, c->err);

	if (rc == -1 || (rc == 0 && finding(c, what) == -1))
		return -1;
	rc = 0;
	q = ctx_db_many(c->st, c->err, "SELECT id, name FROM thread", "");
	while ((rc = ctx_db_next(c->st, q, rc, c->err)) == 1) {
		c->sum->threads++;
		rc = run_thread(c, q);
	}
	return rc;
}

static int
has_nul(sqlite3_stmt *q, int column)
{
	const char *s = (const char *)sqlite3_column_text(q, column);

	return s != NULL &&
	    strlen(s) != (size_t)sqlite3_column_bytes(q, column);
}

/* Is it the line's id, or that of a line that was written again with it? */
static int
is_mid(const struct ctx_entry *line, const char *mid)
{
	char again[CTX_ENTRY_ID];

	if (strcmp(mid, line->mid) == 0)
		return 1;
	ctx_entry_again(line, again);
	return strcmp(mid, again) == 0;
}

/* Check that the columns copied from a message agree with its line. */
static const char *
compare_line(struct check *c, sqlite3_stmt *q)
{
	struct ctx_err why = { 0 };
	struct ctx_entry line, kept;
	const char *mid, *role;

	if (ctx_entry_scan(&line, c->text.data, c->text.len, NULL, &c->doc,
	    &why) == -1)
		return why.text[0] != '\0' ? "is not JSON" : "out of memory";
	role = (const char *)sqlite3_column_text(q, 9);
	snprintf(kept.role, sizeof(kept.role), "%s", role != NULL ? role : "");
	/* What the store does not recognize may have been set by the writer. */
	if (strcmp(kept.role, line.role) != 0 &&
	    (ctx_entry_knows(&line) || !ctx_entry_knows(&kept)))
		return "is stored with another role than its line has";
	/* --id-key and --on-conflict cause other ids, or none. */
	mid = (const char *)sqlite3_column_text(q, 8);
	if (has_nul(q, 8) || has_nul(q, 9))
		return "has a byte 0 in its id or role";
	if (mid != NULL && *line.mid != '\0' && !is_mid(&line, mid))
		return "is stored with another id than its line has";
	return NULL;
}

static const char *
check_message(struct check *c, sqlite3_stmt *q)
{
	struct ctx_err why = { 0 };

	ctx_buf_reset(&c->text);
	if (ctx_body_line(c->st, q, 2, &c->text, &why) == -1)
		return why.code == CTX_ENOMEM ? "out of memory" :
		    "has contents that do not match their hash";
	if (ctx_log_line_sum(c->text.data, c->text.len,
	    sqlite3_column_int64(q, 1)) !=
	    (uint32_t)sqlite3_column_int64(q, 7))
		return "does not match its checksum";
	return compare_line(c, q);
}

static int
run_messages(struct check *c)
{
	const char *what;
	char text[200];
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_many(c->st, c->err, "SELECT id, seq, " CTX_BODY_LINE
	    ", crc, mid, role FROM message", "");
	while ((rc = ctx_db_next(c->st, q, rc, c->err)) == 1) {
		if ((what = check_message(c, q)) == NULL)
			continue;
		snprintf(text, sizeof(text), "message %lld (row %lld) %s",
		    (long long)sqlite3_column_int64(q, 1),
		    (long long)sqlite3_column_int64(q, 0), what);
		rc = finding(c, text);
	}
	return rc;
}

static int
run_bodies(struct check *c)
{
	struct ctx_err why = { 0 };
	char text[200];
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_many(c->st, c->err, "SELECT id FROM body", "");
	while ((rc = ctx_db_next(c->st, q, rc, c->err)) == 1) {
		c->sum->contents++;
		ctx_buf_reset(&c->text);
		ctx_err_clear(&why);
		if (ctx_body_get(c->st, sqlite3_column_int64(q, 0), &c->text,
		    &why) == 0)
			continue;
		snprintf(text, sizeof(text), "contents %lld do not match "
		    "their hash", (long long)sqlite3_column_int64(q, 0));
		rc = finding(c, text);
	}
	return rc;
}

static int
run_index(struct check *c)
{
	struct ctx_err why = { 0 };
	char text[400];
	int64_t n;

	if (ctx_index_missing(c->st, &c->sum->unindexed, c->err) == -1)
		return -1;
	if (ctx_check_index(c->st, &n, &why) == -1)
		snprintf(text, sizeof(text), "the search index cannot be read "
		    "(%s); run 'ctx-store reindex --all'", why.text);
	else if (n > 0)
		snprintf(text, sizeof(text), "the search index does not "
		    "match %lld message%s; run 'ctx-store reindex --all'",
		    (long long)n, n == 1 ? "" : "s");
	else
		return 0;
	return finding(c, text);
}

static int
run_all(struct check *c, int full)
{
	if (ctx_check_db(c->st, full, found, c, c->err) == -1 ||
	    run_logs(c) == -1 || run_threads(c) == -1)
		return -1;
	if (!full)
		return 0;
	if (run_messages(c) == -1 || run_bodies(c) == -1)
		return -1;
	/* Damaged messages have other words, but they were reported already. */
	return c->sum->findings > 0 ? 0 : run_index(c);
}

int
ctx_keep_check(struct ctx_store *st, int full, ctx_check_fn *fn, void *arg,
    struct ctx_checked *sum, struct ctx_err *err)
{
	struct check c = { .st = st, .fn = fn, .arg = arg, .sum = sum,
	    .err = err };
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = run_all(&c, full);
	ctx_db_read_end(st);
	ctx_doc_done(&c.doc);
	ctx_buf_done(&c.text);
	return rc;
}
