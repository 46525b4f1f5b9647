/* SPDX-License-Identifier: MIT */
/* What is whole; see recover.h. */
#include "store/port/recover.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "store/body.h"
#include "store/port/port_export.h"
#include "store/log.h"
#include "store/row.h"
#include "store/thread.h"

/* A context, found or made up, and what is left of its log. */
struct context {
	int64_t id, parent;		/* parent -1: none */
	int64_t parent_seq;		/* as it was */
	int64_t first, next;		/* seqs, as they were */
	int64_t new_first;
	int64_t *seq;			/* of messages that are whole */
	size_t nseq, cap;
	int fork, found;
};

struct recover {
	struct ctx_export x;		/* from the old store */
	struct ctx_import *to;		/* into the new one */
	struct ctx_recovered *sum;
	ctx_lost_fn *fn;
	void *arg;

	/* the thread in hand */
	int64_t thread;
	struct ctx_buf name;
	int named;			/* by its row */
	struct context *context;
	size_t ncontext, cap;
	struct ctx_buf text;
	int stop;			/* not the old store's fault */
};

/* Say that something is lost. */
static int
lost(struct recover *r, struct ctx_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int
lost(struct recover *r, struct ctx_err *err, const char *fmt, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	r->sum->lost++;
	if (r->fn(r->name.len > 0 ? r->name.data : NULL, what, r->arg,
	    err) == 0)
		return 0;
	r->stop = 1;
	return -1;
}

/* After a failure: the old store's is told, and no reason to stop. */
static int
told(struct recover *r, const char *what, struct ctx_err *why,
    struct ctx_err *err)
{
	if (r->stop || why->code == CTX_ENOMEM) {
		r->stop = 1;
		if (err->code == CTX_OK)
			*err = *why;
		return -1;
	}
	return lost(r, err, "%s: %s", what, why->text);
}

/* 1; 0: there is no such row, or it cannot be read; -1. */
static int
try_row(struct recover *r, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = q == NULL ? -1 : ctx_db_row(r->x.st, q, err);

	if (rc != -1 || err->code == CTX_ENOMEM)
		return rc;
	ctx_err_clear(err);
	return 0;
}

static int
take_line(const char *line, size_t len, void *arg, struct ctx_err *err)
{
	struct recover *r = arg;

	if (ctx_import_line(r->to, line, len, err) == 0)
		return 0;
	r->stop = 1;
	return -1;
}

/* --- the contexts of a thread ---------------------------------------- */

static struct context *
find(struct recover *r, int64_t id)
{
	size_t i;

	for (i = 0; i < r->ncontext; i++)
		if (r->context[i].id == id)
			return &r->context[i];
	return NULL;
}

static struct context *
add(struct recover *r, int64_t id, struct ctx_err *err)
{
	struct context *more = ctx_grow(r->context, r->ncontext, &r->cap,
	    sizeof(*more)), *c;

	if (more == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	r->context = more;
	c = &more[r->ncontext++];
	memset(c, 0, sizeof(*c));
	c->id = id;
	c->parent = id == 0 ? -1 : 0;
	c->fork = id != 0;
	c->first = c->new_first = 1;
	return c;
}

static void
forget(struct recover *r)
{
	size_t i;

	for (i = 0; i < r->ncontext; i++)
		free(r->context[i].seq);
	r->ncontext = 0;
	ctx_buf_reset(&r->name);
}

/* Every context that some row speaks of, parents before their children. */
static const char contexts_of[] =
    "WITH ids(id) AS (SELECT 0"
    " UNION SELECT id FROM context WHERE thread = ?1"
    " UNION SELECT parent FROM context WHERE thread = ?1 AND parent >= 0"
    " UNION SELECT context FROM message WHERE thread = ?1"
    " UNION SELECT context FROM ckpt WHERE thread = ?1"
    " UNION SELECT context FROM view WHERE thread = ?1"
    " UNION SELECT context FROM summary WHERE thread = ?1"
    " UNION SELECT context FROM state WHERE thread = ?1"
    " UNION SELECT context FROM snapshot WHERE thread = ?1)"
    " SELECT i.id, c.id IS NOT NULL, c.kind, c.parent, c.parent_seq,"
    " c.next_seq FROM ids i LEFT JOIN context c ON c.thread = ?1 AND"
    " c.id = i.id WHERE i.id >= 0 ORDER BY i.id";

static int
take_context(struct recover *r, sqlite3_stmt *q, struct ctx_err *err)
{
	struct context *c = add(r, sqlite3_column_int64(q, 0), err);

	if (c == NULL)
		return -1;
	c->found = sqlite3_column_int(q, 1);
	if (!c->found)
		return lost(r, err, "context %lld: its name and its place",
		    (long long)c->id);
	c->fork = sqlite3_column_int(q, 2) == CTX_CONTEXT_FORK;
	c->next = sqlite3_column_int64(q, 5);
	if (sqlite3_column_type(q, 3) != SQLITE_NULL)
		c->parent = sqlite3_column_int64(q, 3);
	c->parent_seq = sqlite3_column_int64(q, 4);
	if (c->parent >= c->id) {
		c->parent = c->id == 0 ? -1 : 0;
		c->parent_seq = 0;
	}
	if (c->fork)
		c->first = c->parent_seq + 1;
	return 0;
}

/* Is the message of columns seq, crc, json, body from col on whole? */
static int
is_whole(struct recover *r, sqlite3_stmt *q, int seq, int json, int body,
    int crc, struct ctx_err *why)
{
	ctx_buf_reset(&r->text);
	if (sqlite3_column_type(q, body) == SQLITE_NULL)
		ctx_buf_add(&r->text, sqlite3_column_blob(q, json),
		    (size_t)sqlite3_column_bytes(q, json));
	else if (ctx_body_get(r->x.st, sqlite3_column_int64(q, body),
	    &r->text, why) == -1)
		return 0;
	if (ctx_buf_fail(&r->text, why) == -1)
		return 0;
	return ctx_log_line_sum(r->text.data, r->text.len,
	    sqlite3_column_int64(q, seq)) ==
	    (uint32_t)sqlite3_column_int64(q, crc);
}

static int
take_seq(struct context *c, int64_t seq, struct ctx_err *err)
{
	int64_t *more = ctx_grow(c->seq, c->nseq, &c->cap, sizeof(*more));

	if (more == NULL)
		return ctx_fail_nomem(err);
	c->seq = more;
	c->seq[c->nseq++] = seq;
	return 0;
}

/* Messages from seq *next up to before seq are gone. */
static int
hole(struct recover *r, struct context *c, int64_t *next, int64_t seq,
    struct ctx_err *err)
{
	int64_t from = *next;

	*next = seq;
	if (seq <= from)
		return 0;
	if (seq - from == 1)
		return lost(r, err, "message %lld of context %lld",
		    (long long)from, (long long)c->id);
	return lost(r, err, "messages %lld to %lld of context %lld",
	    (long long)from, (long long)(seq - 1), (long long)c->id);
}

#define MESSAGE	" FROM message WHERE thread = ?1 AND context = ?2 AND seq = ?3"

/* Can the message be read, and is it whole?  1, 0, -1. */
static int
try_message(struct recover *r, const struct context *c, int64_t seq,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(r->x.st, &why, "SELECT seq, json, body, crc" MESSAGE,
	    "iii", r->thread, c->id, seq);
	if ((rc = try_row(r, q, &why)) == 1) {
		rc = is_whole(r, q, 0, 1, 2, 3, &why);
		sqlite3_reset(q);
	}
	if (why.code != CTX_ENOMEM)
		return rc;
	*err = why;
	return -1;
}

/*
 * Which messages of the context are whole.  Their numbers come from an index,
 * so that a page of messages that cannot be read costs those that are on it.
 */
static int
take_seqs(struct recover *r, struct context *c, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int64_t next, seq;
	sqlite3_stmt *q;
	int rc = -1, whole;

	q = ctx_db_query(r->x.st, &why, "SELECT seq FROM message WHERE"
	    " thread = ?1 AND context = ?2 ORDER BY seq", "ii", r->thread,
	    c->id);
	next = c->first;
	while (q != NULL && (rc = ctx_db_row(r->x.st, q, &why)) == 1) {
		seq = sqlite3_column_int64(q, 0);
		if (c->nseq == 0 && !c->found)
			next = c->first = seq;
		if ((whole = try_message(r, c, seq, &why)) == 0)
			continue;
		if (whole == -1 || hole(r, c, &next, seq, err) == -1 ||
		    take_seq(c, seq, &why) == -1)
			break;
		next = seq + 1;
	}
	if (q != NULL)
		sqlite3_reset(q);
	if (rc != 0)
		return r->stop ? -1 : told(r, "messages", &why, err);
	if (c->next < next)
		c->next = next;
	return hole(r, c, &next, c->next, err);
}

/* How many messages up to seq are left of the context's own. */
static int64_t
rank(const struct context *c, int64_t seq)
{
	size_t low = 0, high = c->nseq, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (c->seq[mid] <= seq)
			low = mid + 1;
		else
			high = mid;
	}
	return (int64_t)low;
}

/* The number that the newest message up to seq has now; 0: there is none. */
static int64_t
map(struct recover *r, const struct context *c, int64_t seq)
{
	while (c->fork && seq < c->first && c->parent >= 0 &&
	    c->parent < c->id) {
		if (seq > c->parent_seq)
			seq = c->parent_seq;
		if ((c = find(r, c->parent)) == NULL)
			return 0;
	}
	return c->new_first - 1 + rank(c, seq);
}

/* Are all messages from one number to another still there? */
static int
all_there(struct recover *r, const struct context *c, int64_t from,
    int64_t to)
{
	return from > 0 && to >= from &&
	    map(r, c, to) - map(r, c, from - 1) == to - from + 1;
}

static int
take_contexts(struct recover *r, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	struct context *c;
	sqlite3_stmt *q;
	size_t i;
	int rc = -1;

	q = ctx_db_query(r->x.st, &why, contexts_of, "i", r->thread);
	while (q != NULL && (rc = ctx_db_row(r->x.st, q, &why)) == 1)
		if (take_context(r, q, &why) == -1) {
			sqlite3_reset(q);
			break;
		}
	if (rc != 0 && told(r, "contexts", &why, err) == -1)
		return -1;
	if (r->ncontext == 0 && add(r, 0, err) == NULL) {
		r->stop = 1;
		return -1;
	}
	for (i = 0; i < r->ncontext; i++) {
		c = &r->context[i];
		if (take_seqs(r, c, err) == -1)
			return -1;
		if (c->fork && c->id != 0)
			c->new_first = (c->found ? map(r, find(r, c->parent),
			    c->parent_seq) : 0) + 1;
	}
	return 0;
}

/* --- rows ------------------------------------------------------------ */

static int64_t
number(const struct ctx_rowkind *k, sqlite3_stmt *q, const char *column)
{
	int i;

	for (i = 0; k->col[i].name != NULL; i++)
		if (strcmp(k->col[i].name, column) == 0)
			return sqlite3_column_int64(q, i);
	return 0;
}

/* A name for a row in a message: kind, and the columns of its key. */
static void
describe(const struct ctx_rowkind *k, sqlite3_stmt *q, char *out, size_t size)
{
	char text[60];
	size_t n;
	int i;

	snprintf(out, size, "%s", k->name);
	for (i = 0; k->col[i].name != NULL && k->col[i].type != CTX_COL_BODY;
	    i++) {
		if (strstr(k->order, k->col[i].name) == NULL ||
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

/* Do all contents of the row match their hash?  1, 0, -1. */
static int
contents_whole(struct recover *r, const struct ctx_rowkind *k, sqlite3_stmt *q,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int i;

	for (i = 0; k->col[i].name != NULL; i++) {
		if (k->col[i].type != CTX_COL_BODY ||
		    sqlite3_column_type(q, i) == SQLITE_NULL)
			continue;
		ctx_buf_reset(&r->text);
		if (ctx_body_get(r->x.st, sqlite3_column_int64(q, i),
		    &r->text, &why) == 0)
			continue;
		if (why.code != CTX_ENOMEM)
			return 0;
		*err = why;
		return -1;
	}
	return 1;
}

/* 1 if a query that has a row when all is well has one, 0, -1. */
static int
asked(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = q == NULL ? -1 : ctx_db_row(st, q, err);

	if (rc == 1)
		sqlite3_reset(q);
	return rc;
}

/*
 * Is the version of a view whole: its row, its parts without a gap, all of
 * their contents and messages?
 */
static int
view_whole(struct recover *r, int64_t context, const char *name, int64_t n,
    struct ctx_err *err)
{
	const struct context *c = find(r, context);
	struct ctx_err why = { 0 };
	int64_t pos = 0, body;
	sqlite3_stmt *q;
	int rc;

	if (c == NULL)
		return 0;
	rc = asked(r->x.st, ctx_db_query(r->x.st, &why, "SELECT 1 FROM view"
	    " WHERE thread = ?1 AND context = ?2 AND name = ?3 AND n = ?4",
	    "iisi", r->thread, context, name, n), &why);
	if (rc != 1)
		return 0;
	q = ctx_db_query(r->x.st, &why, "SELECT pos, from_seq, to_seq, body"
	    " FROM view_part WHERE thread = ?1 AND context = ?2 AND name = ?3"
	    " AND n = ?4 ORDER BY pos", "iisi", r->thread, context, name, n);
	while (q != NULL && (rc = ctx_db_row(r->x.st, q, &why)) == 1) {
		body = sqlite3_column_int64(q, 3);
		ctx_buf_reset(&r->text);
		if (sqlite3_column_int64(q, 0) == pos++ && (body != 0 ?
		    ctx_body_get(r->x.st, body, &r->text, &why) == 0 :
		    all_there(r, c, sqlite3_column_int64(q, 1),
		    sqlite3_column_int64(q, 2))))
			continue;
		sqlite3_reset(q);
		if (why.code == CTX_ENOMEM)
			return ctx_fail_nomem(err);
		return 0;
	}
	return q != NULL && rc == 0;
}

/* Has the row its owner, and is that whole?  1, 0, -1. */
static int
owner_whole(struct recover *r, const struct ctx_rowkind *k, sqlite3_stmt *q,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };

	if (strncmp(k->name, "view", 4) == 0)
		return view_whole(r, sqlite3_column_int64(q, 0),
		    (const char *)sqlite3_column_text(q, 1),
		    sqlite3_column_int64(q, 2), err);
	if (strcmp(k->name, "ckpt_write") == 0)
		return asked(r->x.st, ctx_db_query(r->x.st, &why, "SELECT 1"
		    " FROM ckpt WHERE thread = ?1 AND context = ?2 AND ns = ?3"
		    " AND name = ?4", "iiss", r->thread,
		    sqlite3_column_int64(q, 0),
		    (const char *)sqlite3_column_text(q, 1),
		    (const char *)sqlite3_column_text(q, 2)), &why) == 1;
	if (strncmp(k->name, "snapshot_", 9) == 0)
		return asked(r->x.st, ctx_db_query(r->x.st, &why, "SELECT 1"
		    " FROM snapshot WHERE thread = ?1 AND context = ?2 AND"
		    " turn = ?3 AND name = ?4", "iiis", r->thread,
		    sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
		    (const char *)sqlite3_column_text(q, 2)), &why) == 1;
	return 1;
}

/* A message keeps its line and gets its number. */
static int
message_row(struct recover *r, sqlite3_stmt *q, int64_t out[CTX_ROWKIND_COLS],
    struct ctx_err *err)
{
	const struct context *c = find(r, sqlite3_column_int64(q, 0));
	int64_t seq = sqlite3_column_int64(q, 1), i;

	/* only those that were found whole: their number depends on it */
	if (c == NULL || (i = rank(c, seq)) == 0 ||
	    c->seq[i - 1] != seq)
		return 0;
	if (!is_whole(r, q, 1, 7, 8, 9, err))
		return ctx_fail(err, CTX_ESYSTEM, "message %lld changed while "
		    "it was read", (long long)seq);
	out[1] = c->new_first - 1 + i;
	out[9] = ctx_log_line_sum(r->text.data, r->text.len, out[1]);
	r->sum->messages++;
	return 1;
}

/* Parts of a memory close up like messages. */
static int64_t
part_place(struct recover *r, const struct ctx_rowkind *k, sqlite3_stmt *q)
{
	int64_t pos = number(k, q, "pos"), at = 0, seen;
	struct ctx_err why = { 0 };
	sqlite3_stmt *parts;
	int is_part = strcmp(k->name, "snapshot_part") == 0;

	parts = is_part ? ctx_db_query(r->x.st, &why, "SELECT pos, body FROM"
	    " snapshot_part WHERE thread = ?1 AND context = ?2 AND turn = ?3"
	    " AND snapshot = ?4 ORDER BY pos", "iiis", r->thread,
	    sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
	    (const char *)sqlite3_column_text(q, 2)) :
	    ctx_db_query(r->x.st, &why, "SELECT pos FROM snapshot_link WHERE"
	    " thread = ?1 AND context = ?2 AND turn = ?3 AND snapshot = ?4"
	    " ORDER BY pos", "iiis", r->thread, sqlite3_column_int64(q, 0),
	    sqlite3_column_int64(q, 1),
	    (const char *)sqlite3_column_text(q, 2));
	while (parts != NULL && ctx_db_row(r->x.st, parts, &why) == 1) {
		if ((seen = sqlite3_column_int64(parts, 0)) >= pos) {
			sqlite3_reset(parts);
			break;
		}
		ctx_buf_reset(&r->text);
		at += !is_part || ctx_body_get(r->x.st,
		    sqlite3_column_int64(parts, 1), &r->text, &why) == 0;
	}
	return at;
}

/* Numbers of messages in other rows follow them. */
static void
move_numbers(struct recover *r, const struct ctx_rowkind *k, sqlite3_stmt *q,
    int64_t out[CTX_ROWKIND_COLS])
{
	const struct context *c = find(r, sqlite3_column_int64(q, 0));
	const char *name;
	int i;

	for (i = 0; c != NULL && (name = k->col[i].name) != NULL; i++)
		if (strcmp(name, "upto_seq") == 0 ||
		    strcmp(name, "to_seq") == 0)
			out[i] = map(r, c, out[i]);
		else if (strcmp(name, "from_seq") == 0)
			out[i] = map(r, c, out[i] - 1) + 1;
		else if (strcmp(name, "pos") == 0 &&
		    strncmp(k->name, "snapshot_", 9) == 0)
			out[i] = part_place(r, k, q);
}

static int
row(const struct ctx_rowkind *k, sqlite3_stmt *q, int64_t out[CTX_ROWKIND_COLS],
    void *arg, struct ctx_err *err)
{
	struct recover *r = arg;
	char what[300];
	int rc;

	if (strcmp(k->name, "message") == 0)
		return message_row(r, q, out, err);
	if ((rc = owner_whole(r, k, q, err)) == 1)
		rc = contents_whole(r, k, q, err);
	if (rc == 1) {
		move_numbers(r, k, q, out);
		return 1;
	}
	if (rc == -1) {
		r->stop = 1;
		return -1;
	}
	describe(k, q, what, sizeof(what));
	return lost(r, err, "%s", what);
}

/* --- a thread -------------------------------------------------------- */

static int
put_context(struct recover *r, const struct context *c, struct ctx_err *err)
{
	struct ctx_buf *b = &r->x.row;
	int64_t next = c->new_first + (int64_t)c->nseq, turn = 0;
	char name[60];
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(r->x.st, err, "SELECT name, kind, turn, created, attrs"
	    " FROM context WHERE thread = ?1 AND id = ?2", "ii", r->thread,
	    c->id);
	if ((rc = try_row(r, q, err)) == -1 || (rc == 0 && c->found &&
	    lost(r, err, "context %lld: its name", (long long)c->id) == -1))
		return -1;
	ctx_row_begin(b);
	ctx_row_text(b, "row", "context");
	ctx_row_int(b, "id", c->id);
	if (rc == 1) {
		ctx_row_bytes(b, "name", sqlite3_column_blob(q, 0),
		    (size_t)sqlite3_column_bytes(q, 0));
		ctx_row_int(b, "kind", sqlite3_column_int64(q, 1));
		turn = sqlite3_column_int64(q, 2);
	} else {
		snprintf(name, sizeof(name), "recovered~%lld",
		    (long long)c->id);
		ctx_row_text(b, "name", c->id == 0 ? "main" : name);
		ctx_row_int(b, "kind", c->id == 0 ? CTX_CONTEXT_ROOT :
		    CTX_CONTEXT_FORK);
		if (ctx_db_int(r->x.st, &turn, NULL, "SELECT turn FROM message"
		    " WHERE thread = ?1 AND context = ?2 ORDER BY seq DESC"
		    " LIMIT 1", "ii", r->thread, c->id) == -1)
			turn = 0;
	}
	if (c->parent >= 0) {
		ctx_row_int(b, "parent", c->parent);
		ctx_row_int(b, "parent_seq", c->found ? map(r, find(r,
		    c->parent), c->parent_seq) : 0);
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
 * The thread's own line.  One whose row is gone gets a name that none has; its
 * user is *user, NULL for none.
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
	    r->thread);
	if ((rc = try_row(r, q, err)) == -1 || (rc == 0 && r->named &&
	    lost(r, err, "whose a thread is, and when it was") == -1))
		return -1;
	if (rc == 1)
		head = sqlite3_column_int64(q, 2);
	ctx_row_begin(b);
	ctx_row_text(b, "row", "thread");
	ctx_row_bytes(b, "name", r->name.data, r->name.len);
	if (rc == 1 && ctx_db_dup_null(q, 1, user, err) == -1) {
		sqlite3_reset(q);
		return -1;
	}
	if (*user != NULL)
		ctx_row_text(b, "user", *user);
	ctx_row_int(b, "head", find(r, head) != NULL ? head : 0);
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

/* The thread's name, into r->name, made up if it is gone. */
static int
take_name(struct recover *r, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc, i;

	q = ctx_db_query(r->x.st, err, "SELECT name FROM thread WHERE id = ?1",
	    "i", r->thread);
	if ((rc = try_row(r, q, err)) == -1)
		return -1;
	r->named = rc;
	if (rc == 1) {
		ctx_buf_add(&r->name, sqlite3_column_blob(q, 0),
		    (size_t)sqlite3_column_bytes(q, 0));
		sqlite3_reset(q);
		return ctx_buf_str(&r->name) == NULL ? ctx_fail_nomem(err) : 0;
	}
	for (i = 0, rc = 1; rc == 1; i++) {
		ctx_buf_reset(&r->name);
		ctx_buf_addf(&r->name, "recovered~%lld", (long long)r->thread);
		if (i > 0)
			ctx_buf_addf(&r->name, "~%d", i);
		if (ctx_buf_str(&r->name) == NULL)
			return ctx_fail_nomem(err);
		q = ctx_db_query(r->x.st, err, "SELECT id FROM thread WHERE"
		    " name = ?1", "s", r->name.data);
		if ((rc = try_row(r, q, err)) == 1)
			sqlite3_reset(q);
	}
	return rc == -1 ? -1 : lost(r, err, "the name of a thread");
}

/* Those that were found whole, each by itself; columns as in rowkind.c. */
static int
put_messages(struct recover *r, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	const struct context *c;
	sqlite3_stmt *q;
	size_t i;
	int rc;

	for (c = r->context; c < r->context + r->ncontext; c++)
		for (i = 0; i < c->nseq; i++) {
			q = ctx_db_query(r->x.st, err, "SELECT context, seq,"
			    " mid, role, turn, ts, tokens, json, body, crc"
			    MESSAGE, "iii", r->thread, c->id, c->seq[i]);
			if (q == NULL || ctx_db_need(r->x.st, q, err) == -1)
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
			/* their number is told already: no way but on */
			if (put_messages(r, k, err) == -1) {
				r->stop = 1;
				return -1;
			}
			continue;
		}
		ctx_err_clear(&why);
		if (ctx_export_kind(&r->x, k, r->thread, of_user ? user :
		    NULL, &why) == -1 && told(r, k->name, &why, err) == -1)
			return -1;
	}
	return 0;
}

static int
recover_thread(struct recover *r, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	char *user = NULL;
	size_t i;
	int rc = -1;

	if (take_name(r, &why) == -1 || take_contexts(r, &why) == -1 ||
	    put_thread(r, &user, &why) == -1)
		goto out;
	for (i = 0; i < r->ncontext; i++)
		if (put_context(r, &r->context[i], &why) == -1)
			goto out;
	rc = put_kinds(r, user, &why);
	r->sum->threads += rc == 0;
out:
	if (rc == -1)
		rc = told(r, "a thread", &why, err);
	free(user);
	forget(r);
	return rc;
}

static const char threads_of[] =
    "SELECT min(id) FROM (SELECT id FROM thread UNION SELECT thread FROM"
    " context UNION SELECT thread FROM message UNION SELECT thread FROM ckpt"
    " UNION SELECT thread FROM view UNION SELECT thread FROM summary UNION"
    " SELECT thread FROM state UNION SELECT thread FROM snapshot UNION SELECT"
    " thread FROM file) WHERE id > ?1";

static int
recover_all(struct recover *r, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int rc;

	if (ctx_export_begin(&r->x, err) == -1)
		return -1;
	while ((rc = ctx_db_int(r->x.st, &r->thread, &why, threads_of, "i",
	    r->thread)) == 1)
		if (recover_thread(r, err) == -1)
			return -1;
	if (rc == -1 && told(r, "threads", &why, err) == -1)
		return -1;
	ctx_err_clear(&why);
	if (ctx_export_users(&r->x, &why) == -1 &&
	    told(r, "users", &why, err) == -1)
		return -1;
	return ctx_export_end(&r->x, err);
}

int
ctx_recover(struct ctx_store *from, struct ctx_store *to, ctx_lost_fn *fn,
    void *arg, struct ctx_recovered *sum, struct ctx_err *err)
{
	struct recover r = { .fn = fn, .arg = arg, .sum = sum };
	int64_t threads;
	int rc = -1;

	r.x.st = from;
	r.x.what = CTX_PORT_ALL;
	r.x.fn = take_line;
	r.x.row_fn = row;
	r.x.arg = &r;
	if (ctx_import_new(&r.to, to, err) == -1)
		return -1;
	if (ctx_db_read(from, err) == 0) {
		rc = recover_all(&r, err);
		if (rc == 0)
			rc = ctx_import_end(r.to, &threads, err);
		ctx_db_read_end(from);
	}
	ctx_import_free(r.to);
	ctx_export_done(&r.x);
	forget(&r);
	free(r.context);
	ctx_buf_done(&r.name);
	ctx_buf_done(&r.text);
	return rc;
}
