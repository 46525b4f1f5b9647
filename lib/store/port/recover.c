/* SPDX-License-Identifier: MIT */
/* Copy what is intact to a new store; see recover.h. */
#include "store/port/recover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "store/log.h"
#include "store/port/port_export.h"
#include "store/port/port_import.h"
#include "store/port/salvage.h"
#include "store/row.h"
#include "store/thread.h"

struct recover {
	struct ctx_salvage s;		/* what the old store has, */
	struct ctx_export x;		/* as it is written, */
	struct ctx_import *to;		/* to the new one, */
	int refused;			/* which does not take the thread */
	struct ctx_recovered *sum;
};

/* The new store does not take the thread, or else cannot be written. */
static int
refuse(struct recover *r, const struct ctx_err *err)
{
	r->refused = err->code == CTX_EINPUT;
	r->s.stop |= !r->refused;
	return -1;
}

static int
take_line(const char *line, size_t len, void *arg, struct ctx_err *err)
{
	struct recover *r = arg;

	return ctx_import_line(r->to, line, len, err) == 0 ? 0 :
	    refuse(r, err);
}

/* --- rows ------------------------------------------------------------ */

/* Name a row for a message: its kind and the columns of its key. */
static void
describe(const struct ctx_rowkind *k, sqlite3_stmt *q, char *out, size_t size)
{
	char text[60];
	size_t n;
	int i;

	snprintf(out, size, "%s", k->name);
	for (i = 0; k->col[i].name != NULL && k->col[i].type != CTX_COL_BODY;
	    i++) {
		if (!ctx_rowkind_is_key(k, &k->col[i]) ||
		    sqlite3_column_type(q, i) == SQLITE_NULL)
			continue;
		ctx_err_quote(text, sizeof(text), sqlite3_column_blob(q, i),
		    (size_t)sqlite3_column_bytes(q, i));
		if (k->col[i].type == CTX_COL_INT)
			snprintf(text, sizeof(text), "%lld",
			    (long long)sqlite3_column_int64(q, i));
		n = strlen(out);
		snprintf(out + n, size - n, " %s %s", k->col[i].name, text);
	}
}

/* A message keeps its line but gets a new number. */
static int
message_row(struct recover *r, sqlite3_stmt *q, int64_t out[CTX_ROWKIND_COLS],
    struct ctx_err *err)
{
	const struct ctx_salvaged *c = ctx_salvage_find(&r->s,
	    sqlite3_column_int64(q, 0));
	int64_t seq = sqlite3_column_int64(q, 1);

	/* only intact messages, since their numbers depend on that */
	if (c == NULL || (out[1] = ctx_salvage_number(c, seq)) == 0)
		return 0;
	if (!ctx_salvage_message(&r->s, q, c->id, seq, 7, err))
		return ctx_fail(err, CTX_ESYSTEM,
		    "message %lld changed while it was being read",
		    (long long)seq);
	out[9] = ctx_log_line_sum(r->s.text.data, r->s.text.len, out[1]);
	r->sum->messages++;
	return 1;
}

/*
 * Adjust message numbers in other rows, and close the gaps in a memory's
 * parts.  Returns how many rows are missing before this one.
 */
static int64_t
move_numbers(struct recover *r, const struct ctx_rowkind *k, sqlite3_stmt *q,
    int64_t out[CTX_ROWKIND_COLS])
{
	int64_t gone = 0;
	const struct ctx_salvaged *c = ctx_salvage_find(&r->s,
	    sqlite3_column_int64(q, 0));
	const char *name;
	int i;

	for (i = 0; c != NULL && (name = k->col[i].name) != NULL; i++)
		if (strcmp(name, "upto_seq") == 0 ||
		    strcmp(name, "to_seq") == 0)
			out[i] = ctx_salvage_seq(&r->s, c, out[i]);
		else if (strcmp(name, "from_seq") == 0)
			out[i] = ctx_salvage_seq(&r->s, c, out[i] - 1) + 1;
		else if (strcmp(name, "pos") == 0 &&
		    strncmp(k->name, "snapshot_", 9) == 0)
			out[i] = ctx_salvage_part(&r->s, k, q, &gone);
	return gone;
}

static int
row(const struct ctx_rowkind *k, sqlite3_stmt *q, int64_t out[CTX_ROWKIND_COLS],
    void *arg, struct ctx_err *err)
{
	struct recover *r = arg;
	char what[300];
	int64_t gone;
	int rc;

	if (strcmp(k->name, "message") == 0)
		return message_row(r, q, out, err);
	if ((rc = ctx_salvage_whole(&r->s, k, q, err)) == -1) {
		r->s.stop = 1;
		return -1;
	}
	describe(k, q, what, sizeof(what));
	if (rc == 1) {
		gone = move_numbers(r, k, q, out);
		return gone > 0 && ctx_salvage_lost(&r->s, err, "%lld row%s "
		    "before %s", (long long)gone, gone == 1 ? "" : "s",
		    what) == -1 ? -1 : 1;
	}
	return ctx_salvage_lost(&r->s, err, "%s", what);
}

/* --- a thread -------------------------------------------------------- */

/* Make up a context whose row is lost.  Returns its newest turn. */
static int64_t
make_up(struct recover *r, const struct ctx_salvaged *c)
{
	struct ctx_buf *b = &r->x.row;
	char name[60];
	int64_t turn;

	snprintf(name, sizeof(name), "recovered~%lld", (long long)c->id);
	ctx_row_text(b, "name", c->id == 0 ? "main" : name);
	ctx_row_int(b, "kind", c->id == 0 ? CTX_CONTEXT_ROOT :
	    CTX_CONTEXT_FORK);
	return ctx_db_int(r->x.st, &turn, NULL, "SELECT turn FROM message"
	    " WHERE thread = ?1 AND context = ?2 ORDER BY seq DESC LIMIT 1",
	    "ii", r->s.thread, c->id) == 1 ? turn : 0;
}

static int
put_context(struct recover *r, const struct ctx_salvaged *c,
    struct ctx_err *err)
{
	struct ctx_buf *b = &r->x.row;
	int64_t next = c->new_first + (int64_t)c->nseq, turn;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(r->x.st, err, "SELECT name, kind, turn, created, attrs"
	    " FROM context WHERE thread = ?1 AND id = ?2", "ii", r->s.thread,
	    c->id);
	if ((rc = ctx_salvage_row(&r->s, q, err)) == -1 ||
	    (rc == 0 && c->found && ctx_salvage_lost(&r->s, err,
	    "the name of context %lld", (long long)c->id) == -1))
		return -1;
	ctx_row_begin(b);
	ctx_row_text(b, "row", "context");
	ctx_row_int(b, "id", c->id);
	if (rc == 1) {
		ctx_row_bytes(b, "name", sqlite3_column_blob(q, 0),
		    (size_t)sqlite3_column_bytes(q, 0));
		ctx_row_int(b, "kind", sqlite3_column_int64(q, 1));
		turn = sqlite3_column_int64(q, 2);
	} else
		turn = make_up(r, c);
	if (c->parent >= 0) {
		ctx_row_int(b, "parent", c->parent);
		ctx_row_int(b, "parent_seq", c->found ? ctx_salvage_seq(&r->s,
		    ctx_salvage_find(&r->s, c->parent), c->parent_seq) : 0);
	}
	ctx_row_int(b, "next_seq", next);
	ctx_row_int(b, "turn", turn);
	ctx_row_when(b, "created", rc == 1 ? sqlite3_column_int64(q, 3) :
	    ctx_when_now());
	if (rc == 1 && sqlite3_column_type(q, 4) != SQLITE_NULL)
		ctx_row_bytes(b, "attrs", sqlite3_column_blob(q, 4),
		    (size_t)sqlite3_column_bytes(q, 4));
	if (rc == 1)
		sqlite3_reset(q);
	return ctx_export_put(&r->x, err);
}

/*
 * Write the thread's own line.  A thread whose row is lost gets an unused
 * name; *user is its user, or NULL.
 */
static int
put_thread(struct recover *r, char **user, struct ctx_err *err)
{
	struct ctx_buf *b = &r->x.row;
	int64_t head = 0;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(r->x.st, err, "SELECT name, user, head, created,"
	    " updated, pinned, attrs FROM thread WHERE id = ?1", "i",
	    r->s.thread);
	if ((rc = ctx_salvage_row(&r->s, q, err)) == -1 ||
	    (rc == 0 && r->s.named && ctx_salvage_lost(&r->s, err,
	    "the user and the dates of a thread") == -1))
		return -1;
	if (rc == 1)
		head = sqlite3_column_int64(q, 2);
	ctx_row_begin(b);
	ctx_row_text(b, "row", "thread");
	ctx_row_bytes(b, "name", r->s.name.data, r->s.name.len);
	if (rc == 1 && ctx_db_dup_null(q, 1, user, err) == -1) {
		sqlite3_reset(q);
		return -1;
	}
	if (*user != NULL)
		ctx_row_text(b, "user", *user);
	ctx_row_int(b, "head", ctx_salvage_find(&r->s, head) != NULL ? head :
	    0);
	ctx_row_when(b, "created", rc == 1 ? sqlite3_column_int64(q, 3) :
	    ctx_when_now());
	ctx_row_when(b, "updated", rc == 1 ? sqlite3_column_int64(q, 4) :
	    ctx_when_now());
	ctx_row_int(b, "pinned", rc == 1 ? sqlite3_column_int64(q, 5) : 0);
	if (rc == 1 && sqlite3_column_type(q, 6) != SQLITE_NULL)
		ctx_row_text(b, "attrs",
		    (const char *)sqlite3_column_text(q, 6));
	if (rc == 1)
		sqlite3_reset(q);
	return ctx_export_put(&r->x, err);
}

/*
 * Write the messages that were found intact, one by one; columns as in
 * rowkind.c.
 */
static int
put_messages(struct recover *r, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	const struct ctx_salvaged *c;
	sqlite3_stmt *q;
	size_t i;
	int rc;

	r->x.thread = r->s.thread;
	for (c = r->s.context; c < r->s.context + r->s.ncontext; c++)
		for (i = 0; i < c->nseq; i++) {
			q = ctx_db_query(r->x.st, err, "SELECT context, seq,"
			    " mid, role, turn, ts, tokens, json, body, crc"
			    " FROM message WHERE thread = ?1 AND context = ?2"
			    " AND seq = ?3", "iii", r->s.thread, c->id,
			    c->seq[i]);
			if (ctx_db_need(r->x.st, q, err) == -1)
				return -1;
			rc = ctx_export_row(&r->x, k, q, err);
			sqlite3_reset(q);
			if (rc == -1)
				return -1;
		}
	return 0;
}

static int
put_kinds(struct recover *r, const char *user, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	const struct ctx_rowkind *k;

	for (k = ctx_rowkinds; k->name != NULL; k++) {
		int of_user = strcmp(k->scope, "user") == 0;

		if (strcmp(k->name, "context") == 0 ||
		    (of_user && user == NULL))
			continue;
		if (strcmp(k->name, "message") == 0) {
			/* others already refer to their numbers: give up */
			if (put_messages(r, k, err) == -1) {
				r->s.stop |= !r->refused;
				return -1;
			}
			continue;
		}
		ctx_err_clear(&why);
		if (ctx_export_kind(&r->x, k, r->s.thread, of_user ? user :
		    NULL, &why) == 0)
			continue;
		if (r->refused)
			return ctx_fail(err, why.code, "%s", why.text);
		if (ctx_salvage_told(&r->s, k->name, &why, err) == -1)
			return -1;
	}
	return ctx_import_close(r->to, err) == 0 ? 0 : refuse(r, err);
}

static int
recover_thread(struct recover *r, struct ctx_err *err)
{
	const int64_t messages = r->sum->messages;
	struct ctx_err why = { 0 };
	char *user = NULL;
	size_t i;
	int rc = -1;

	r->refused = 0;
	if (ctx_salvage_name(&r->s, &why) == -1 ||
	    ctx_salvage_contexts(&r->s, &why) == -1 ||
	    put_thread(r, &user, &why) == -1)
		goto out;
	for (i = 0; i < r->s.ncontext; i++)
		if (put_context(r, &r->s.context[i], &why) == -1)
			goto out;
	rc = put_kinds(r, user, &why);
	r->sum->threads += rc == 0;
out:
	if (rc == -1) {
		/* others need the contents that went with it */
		if (r->x.nsent > 0)
			memset(r->x.sent, 0, r->x.nsent);
		r->sum->messages = messages;
		rc = ctx_salvage_told(&r->s, "a thread", &why, err);
	}
	free(user);
	ctx_salvage_forget(&r->s);
	return rc;
}

static int
recover_all(struct recover *r, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int rc;

	if (ctx_export_begin(&r->x, err) == -1)
		return -1;
	while ((rc = ctx_salvage_thread(&r->s, err)) == 1)
		if (recover_thread(r, err) == -1)
			return -1;
	if (rc == -1)
		return -1;
	if (ctx_export_users(&r->x, &why) == -1 &&
	    ctx_salvage_told(&r->s, "users", &why, err) == -1)
		return -1;
	return ctx_export_end(&r->x, err);
}

int
ctx_recover(struct ctx_store *from, struct ctx_store *to, ctx_lost_fn *fn,
    void *arg, struct ctx_recovered *sum, struct ctx_err *err)
{
	struct recover r = {
		.s = { .st = from, .fn = fn, .arg = arg },
		.x = { .st = from, .what = CTX_PORT_ALL, .fn = take_line,
		    .row_fn = row, .arg = &r },
		.sum = sum
	};
	int64_t threads;
	int rc = -1;

	if (ctx_import_new(&r.to, to, err) == -1)
		return -1;
	if (ctx_db_read(from, err) == 0) {
		rc = recover_all(&r, err);
		if (rc == 0)
			rc = ctx_import_end(r.to, &threads, err);
		ctx_db_read_end(from);
	}
	sum->lost += r.s.lost;
	ctx_import_free(r.to);
	ctx_export_done(&r.x);
	ctx_salvage_done(&r.s);
	return rc;
}
