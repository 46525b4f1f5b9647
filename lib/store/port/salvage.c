/* SPDX-License-Identifier: MIT */
/* What is intact in a damaged store; see salvage.h. */
#include "store/port/salvage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/log.h"
#include "store/thread.h"

int
ctx_salvage_lost(struct ctx_salvage *s, struct ctx_err *err,
    const char *fmt, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	s->lost++;
	if (s->fn(s->name.len > 0 ? s->name.data : NULL, what, s->arg,
	    err) == 0)
		return 0;
	s->stop = 1;
	return -1;
}

int
ctx_salvage_told(struct ctx_salvage *s, const char *what, struct ctx_err *why,
    struct ctx_err *err)
{
	if (s->stop || why->code == CTX_ENOMEM) {
		s->stop = 1;
		if (err->code == CTX_OK)
			*err = *why;
		return -1;
	}
	return ctx_salvage_lost(s, err, "%s: %s", what, why->text);
}

int
ctx_salvage_row(struct ctx_salvage *s, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = ctx_db_row(s->st, q, err);

	if (rc != -1 || err->code == CTX_ENOMEM)
		return rc;
	ctx_err_clear(err);
	return 0;
}

struct ctx_salvaged *
ctx_salvage_find(struct ctx_salvage *s, int64_t id)
{
	size_t i;

	for (i = 0; i < s->ncontext; i++)
		if (s->context[i].id == id)
			return &s->context[i];
	return NULL;
}

static struct ctx_salvaged *
add(struct ctx_salvage *s, int64_t id, struct ctx_err *err)
{
	struct ctx_salvaged *c;

	if (CTX_ROOM(s->context, s->ncontext, &s->cap) == -1) {
		ctx_fail_nomem(err);
		return NULL;
	}
	c = &s->context[s->ncontext++];
	memset(c, 0, sizeof(*c));
	c->id = id;
	c->parent = id == 0 ? -1 : 0;
	c->fork = id != 0;
	c->first = c->new_first = 1;
	return c;
}

void
ctx_salvage_forget(struct ctx_salvage *s)
{
	size_t i;

	for (i = 0; i < s->ncontext; i++)
		free(s->context[i].seq);
	s->ncontext = 0;
	ctx_buf_reset(&s->name);
}

void
ctx_salvage_done(struct ctx_salvage *s)
{
	ctx_salvage_forget(s);
	free(s->context);
	ctx_buf_done(&s->name);
	ctx_buf_done(&s->text);
	ctx_buf_done(&s->view);
	ctx_buf_done(&s->memory);
}

/*
 * Tables whose rows tell which threads and contexts exist.  Each is queried
 * separately, so that if one cannot be read, the others can still be used.
 */
#define OWNED(table) { #table, \
	"SELECT min(thread) FROM " #table " WHERE thread > ?2 AND ?1 = ?1", \
	"SELECT min(context) FROM " #table " WHERE thread = ?1 AND" \
	" context > ?2" }
static const struct {
	const char *table, *thread, *context;
} owners[] = {
	{ "thread", "SELECT min(id) FROM thread WHERE id > ?2 AND ?1 = ?1",
	    NULL },
	{ "context", "SELECT min(thread) FROM context WHERE thread > ?2 AND"
	    " ?1 = ?1", "SELECT min(id) FROM context WHERE thread = ?1 AND"
	    " id > ?2" },
	{ "context", NULL, "SELECT min(parent) FROM context WHERE thread = ?1"
	    " AND parent > ?2" },
	OWNED(message), OWNED(bundle), OWNED(ckpt), OWNED(view), OWNED(summary),
	OWNED(state), OWNED(snapshot),
	{ "file", "SELECT min(thread) FROM file WHERE thread > ?2 AND"
	    " ?1 = ?1", NULL },
};
#define NOWNERS	(sizeof(owners) / sizeof(owners[0]))

/* Report a table as lost, but only once. */
static int
unread(struct ctx_salvage *s, size_t i, struct ctx_err *why,
    struct ctx_err *err)
{
	char what[64];

	if (why->code != CTX_ENOMEM && !s->stop && (s->unread >> i & 1) != 0)
		return 0;
	s->unread |= 1u << i;
	snprintf(what, sizeof(what), "the contents of the table %s",
	    owners[i].table);
	return ctx_salvage_told(s, what, why, err);
}

/*
 * The lowest id of a thread, or of a context, above *id.  Returns 1, 0 if
 * there is none, or -1.
 */
static int
next_id(struct ctx_salvage *s, int contexts, int64_t *id, struct ctx_err *err)
{
	int64_t least = INT64_MAX, one;
	struct ctx_err why;
	const char *sql;
	size_t i;
	int rc;

	for (i = 0; i < NOWNERS; i++) {
		sql = contexts ? owners[i].context : owners[i].thread;
		if (sql == NULL)
			continue;
		memset(&why, 0, sizeof(why));
		rc = ctx_db_int(s->st, &one, &why, sql, "ii", s->thread, *id);
		if (rc == -1 && unread(s, i, &why, err) == -1)
			return -1;
		if (rc == 1 && one < least)
			least = one;
	}
	*id = least;
	return least < INT64_MAX;
}

int
ctx_salvage_thread(struct ctx_salvage *s, struct ctx_err *err)
{
	return next_id(s, 0, &s->thread, err);
}

/* Add the context with that id, which some row refers to. */
static int
take_context(struct ctx_salvage *s, int64_t id, struct ctx_err *err)
{
	struct ctx_salvaged *c = add(s, id, err);
	struct ctx_err why = { 0 };
	sqlite3_stmt *q;
	int rc;

	if (c == NULL) {
		s->stop = 1;
		return -1;
	}
	q = ctx_db_query(s->st, &why, "SELECT kind, parent, parent_seq,"
	    " next_seq FROM context WHERE thread = ?1 AND id = ?2", "ii",
	    s->thread, id);
	if ((rc = ctx_salvage_row(s, q, &why)) == -1)
		return ctx_salvage_told(s, "contexts", &why, err);
	c->found = rc;
	if (!c->found)
		return ctx_salvage_lost(s, err,
		    "the name and the parent of context %lld",
		    (long long)c->id);
	c->fork = sqlite3_column_int(q, 0) == CTX_CONTEXT_FORK;
	c->next = sqlite3_column_int64(q, 3);
	if (sqlite3_column_type(q, 1) != SQLITE_NULL)
		c->parent = sqlite3_column_int64(q, 1);
	c->parent_seq = sqlite3_column_int64(q, 2);
	sqlite3_reset(q);
	if (c->parent >= c->id) {
		c->parent = c->id == 0 ? -1 : 0;
		c->parent_seq = 0;
	}
	if (c->fork)
		c->first = c->parent_seq + 1;
	return 0;
}

int
ctx_salvage_message(struct ctx_salvage *s, sqlite3_stmt *q, int64_t context,
    int64_t seq, int col, struct ctx_err *why)
{
	struct ctx_body_place at = { s->thread, context, seq };

	ctx_buf_reset(&s->text);
	if (ctx_body_line_at(s->st, q, col, &at, &s->text, why) == -1)
		return 0;
	return ctx_log_line_sum(s->text.data, s->text.len, seq) ==
	    (uint32_t)sqlite3_column_int64(q, col + 2);
}

static int
take_seq(struct ctx_salvaged *c, int64_t seq, struct ctx_err *err)
{
	if (CTX_ROOM(c->seq, c->nseq, &c->cap) == -1)
		return ctx_fail_nomem(err);
	c->seq[c->nseq++] = seq;
	return 0;
}

/*
 * Report that the messages from seq *next up to, but not including, seq are
 * lost.
 */
static int
hole(struct ctx_salvage *s, struct ctx_salvaged *c, int64_t *next, int64_t seq,
    struct ctx_err *err)
{
	int64_t from = *next;

	*next = seq;
	if (seq <= from)
		return 0;
	if (seq - from == 1)
		return ctx_salvage_lost(s, err, "message %lld of context %lld",
		    (long long)from, (long long)c->id);
	return ctx_salvage_lost(s, err, "messages %lld to %lld of context %lld",
	    (long long)from, (long long)(seq - 1), (long long)c->id);
}

/* Can the message be read, and is it intact?  Returns 1, 0, or -1. */
static int
try_message(struct ctx_salvage *s, const struct ctx_salvaged *c, int64_t seq,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(s->st, &why, "SELECT json, body, crc FROM message"
	    " WHERE thread = ?1 AND context = ?2 AND seq = ?3", "iii",
	    s->thread, c->id, seq);
	if ((rc = ctx_salvage_row(s, q, &why)) == 1) {
		rc = ctx_salvage_message(s, q, c->id, seq, 0, &why);
		sqlite3_reset(q);
	}
	if (why.code != CTX_ENOMEM)
		return rc;
	*err = why;
	return -1;
}

/*
 * Find the intact messages of the context.  Their numbers come from an index,
 * so that if a page of messages cannot be read, only those on the page are
 * lost.
 */
static int
take_seqs(struct ctx_salvage *s, struct ctx_salvaged *c, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int64_t next, seq;
	sqlite3_stmt *q;
	int rc, whole;

	q = ctx_db_query(s->st, &why, "SELECT seq FROM message WHERE"
	    " thread = ?1 AND context = ?2 ORDER BY seq", "ii", s->thread,
	    c->id);
	next = c->first;
	while ((rc = ctx_db_row(s->st, q, &why)) == 1) {
		seq = sqlite3_column_int64(q, 0);
		if (c->nseq == 0 && !c->found)
			next = c->first = seq;
		if ((whole = try_message(s, c, seq, &why)) == 0)
			continue;
		if (whole == -1 || hole(s, c, &next, seq, err) == -1 ||
		    take_seq(c, seq, &why) == -1)
			break;
		next = seq + 1;
	}
	sqlite3_reset(q);
	if (rc != 0)
		return s->stop ? -1 : ctx_salvage_told(s, "messages", &why,
		    err);
	if (c->next < next)
		c->next = next;
	return hole(s, c, &next, c->next, err);
}

/* The number of the context's own messages up to seq that are left. */
static int64_t
rank(const struct ctx_salvaged *c, int64_t seq)
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

int64_t
ctx_salvage_number(const struct ctx_salvaged *c, int64_t seq)
{
	int64_t i = rank(c, seq);

	return i > 0 && c->seq[i - 1] == seq ? c->new_first - 1 + i : 0;
}

int64_t
ctx_salvage_seq(struct ctx_salvage *s, const struct ctx_salvaged *c,
    int64_t seq)
{
	while (c->fork && seq < c->first && c->parent >= 0 &&
	    c->parent < c->id) {
		if (seq > c->parent_seq)
			seq = c->parent_seq;
		if ((c = ctx_salvage_find(s, c->parent)) == NULL)
			return 0;
	}
	return c->new_first - 1 + rank(c, seq);
}

/* Are all messages in a range of numbers still there? */
static int
all_there(struct ctx_salvage *s, const struct ctx_salvaged *c, int64_t from,
    int64_t to)
{
	return from > 0 && to >= from &&
	    ctx_salvage_seq(s, c, to) - ctx_salvage_seq(s, c, from - 1) ==
	    to - from + 1;
}

int
ctx_salvage_contexts(struct ctx_salvage *s, struct ctx_err *err)
{
	struct ctx_salvaged *c;
	int64_t id = 0;
	size_t i;
	int rc;

	/* every thread has context 0; parents come before their children */
	do
		rc = take_context(s, id, err);
	while (rc == 0 && (rc = next_id(s, 1, &id, err)) == 1);
	if (rc == -1)
		return -1;
	for (i = 0; i < s->ncontext; i++) {
		c = &s->context[i];
		if (take_seqs(s, c, err) == -1)
			return -1;
		if (c->fork && c->id != 0)
			c->new_first = (c->found ? ctx_salvage_seq(s,
			    ctx_salvage_find(s, c->parent), c->parent_seq) :
			    0) + 1;
	}
	return 0;
}

static int64_t
number(const struct ctx_rowkind *k, sqlite3_stmt *q, const char *column)
{
	int i;

	for (i = 0; k->col[i].name != NULL; i++)
		if (strcmp(k->col[i].name, column) == 0)
			return sqlite3_column_int64(q, i);
	return 0;
}

/* Do all contents of the row match their hashes?  Returns 1, 0, or -1. */
static int
contents_whole(struct ctx_salvage *s, const struct ctx_rowkind *k,
    sqlite3_stmt *q, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int i;

	for (i = 0; k->col[i].name != NULL; i++) {
		if (k->col[i].type != CTX_COL_BODY ||
		    sqlite3_column_type(q, i) == SQLITE_NULL)
			continue;
		ctx_buf_reset(&s->text);
		if (ctx_body_get(s->st, sqlite3_column_int64(q, i),
		    &s->text, &why) == 0)
			continue;
		if (why.code != CTX_ENOMEM)
			return 0;
		*err = why;
		return -1;
	}
	return 1;
}

/*
 * Run a query that returns a row if all is well.  Returns 1 if it does, 0, or
 * -1.
 */
static int
asked(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = ctx_db_row(st, q, err);

	if (rc == 1)
		sqlite3_reset(q);
	return rc;
}

/*
 * Is the version of a view intact: its row, its parts without a gap, and all
 * of their contents and messages?
 */
static int
view_whole(struct ctx_salvage *s, int64_t context, const char *name, int64_t n,
    struct ctx_err *err)
{
	const struct ctx_salvaged *c = ctx_salvage_find(s, context);
	struct ctx_err why = { 0 };
	int64_t pos = 0, body;
	sqlite3_stmt *q;
	int rc;

	if (c == NULL)
		return 0;
	rc = asked(s->st, ctx_db_query(s->st, &why, "SELECT 1 FROM view"
	    " WHERE thread = ?1 AND context = ?2 AND name = ?3 AND n = ?4",
	    "iisi", s->thread, context, name, n), &why);
	if (rc != 1)
		return 0;
	q = ctx_db_query(s->st, &why, "SELECT pos, from_seq, to_seq, body"
	    " FROM view_part WHERE thread = ?1 AND context = ?2 AND name = ?3"
	    " AND n = ?4 ORDER BY pos", "iisi", s->thread, context, name, n);
	while ((rc = ctx_db_row(s->st, q, &why)) == 1) {
		body = sqlite3_column_int64(q, 3);
		ctx_buf_reset(&s->text);
		if (sqlite3_column_int64(q, 0) == pos++ && (body != 0 ?
		    ctx_body_get(s->st, body, &s->text, &why) == 0 :
		    all_there(s, c, sqlite3_column_int64(q, 1),
		    sqlite3_column_int64(q, 2))))
			continue;
		sqlite3_reset(q);
		if (why.code == CTX_ENOMEM)
			return ctx_fail_nomem(err);
		return 0;
	}
	return rc == 0;
}

/*
 * Does q's row belong to the thing that key is of?  If not, key becomes that.
 * Its columns 0 and number are numbers, and name is its name.
 */
static int
is_last(struct ctx_buf *key, const struct ctx_salvage *s, const char *kind,
    sqlite3_stmt *q, int number, int name)
{
	struct ctx_buf now = { 0 };
	int same;

	ctx_buf_addf(&now, "%s %lld %lld %lld ", kind, (long long)s->thread,
	    (long long)sqlite3_column_int64(q, 0),
	    (long long)sqlite3_column_int64(q, number));
	ctx_db_add(&now, q, name);
	same = !now.failed && now.len == key->len &&
	    memcmp(now.data, key->data, now.len) == 0;
	ctx_buf_done(key);
	*key = now;
	return same;
}

/* Does the row have its owner, and is that intact?  Returns 1, 0, or -1. */
static int
owner_whole(struct ctx_salvage *s, const struct ctx_rowkind *k, sqlite3_stmt *q,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };

	if (strncmp(k->name, "view", 4) == 0) {
		if (!is_last(&s->view, s, "view", q, 2, 1))
			s->view_whole = view_whole(s,
			    sqlite3_column_int64(q, 0),
			    (const char *)sqlite3_column_text(q, 1),
			    sqlite3_column_int64(q, 2), err);
		return s->view_whole;
	}
	if (strcmp(k->name, "ckpt_write") == 0)
		return asked(s->st, ctx_db_query(s->st, &why, "SELECT 1"
		    " FROM ckpt WHERE thread = ?1 AND context = ?2 AND ns = ?3"
		    " AND name = ?4", "iiss", s->thread,
		    sqlite3_column_int64(q, 0),
		    (const char *)sqlite3_column_text(q, 1),
		    (const char *)sqlite3_column_text(q, 2)), &why) == 1;
	if (strncmp(k->name, "snapshot_", 9) == 0)
		return asked(s->st, ctx_db_query(s->st, &why, "SELECT 1"
		    " FROM snapshot WHERE thread = ?1 AND context = ?2 AND"
		    " turn = ?3 AND name = ?4", "iiis", s->thread,
		    sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
		    (const char *)sqlite3_column_text(q, 2)), &why) == 1;
	return 1;
}

int
ctx_salvage_whole(struct ctx_salvage *s, const struct ctx_rowkind *k,
    sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = owner_whole(s, k, q, err);

	return rc == 1 ? contents_whole(s, k, q, err) : rc;
}

int64_t
ctx_salvage_part(struct ctx_salvage *s, const struct ctx_rowkind *k,
    sqlite3_stmt *q, int64_t *gone)
{
	int64_t pos = number(k, q, "pos"), seen, last;
	struct ctx_err why = { 0 };
	sqlite3_stmt *parts;
	int is_part = strcmp(k->name, "snapshot_part") == 0;

	if (!is_last(&s->memory, s, k->name, q, 1, 2) || pos < s->pos)
		s->pos = s->at = 0;
	last = s->pos - 1;
	parts = is_part ? ctx_db_query(s->st, &why, "SELECT pos, body FROM"
	    " snapshot_part WHERE thread = ?1 AND context = ?2 AND turn = ?3"
	    " AND snapshot = ?4 AND pos >= ?5 ORDER BY pos", "iiisi",
	    s->thread, sqlite3_column_int64(q, 0),
	    sqlite3_column_int64(q, 1),
	    (const char *)sqlite3_column_text(q, 2), s->pos) :
	    ctx_db_query(s->st, &why, "SELECT pos FROM snapshot_link WHERE"
	    " thread = ?1 AND context = ?2 AND turn = ?3 AND snapshot = ?4"
	    " AND pos >= ?5 ORDER BY pos", "iiisi", s->thread,
	    sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
	    (const char *)sqlite3_column_text(q, 2), s->pos);
	while (ctx_db_row(s->st, parts, &why) == 1) {
		if ((seen = sqlite3_column_int64(parts, 0)) >= pos) {
			sqlite3_reset(parts);
			break;
		}
		last = seen;
		ctx_buf_reset(&s->text);
		s->at += !is_part || ctx_body_get(s->st,
		    sqlite3_column_int64(parts, 1), &s->text, &why) == 0;
	}
	*gone = pos - last - 1;
	s->pos = pos;
	return s->at;
}

int
ctx_salvage_name(struct ctx_salvage *s, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc, i;

	q = ctx_db_query(s->st, err, "SELECT name FROM thread WHERE id = ?1",
	    "i", s->thread);
	if ((rc = ctx_salvage_row(s, q, err)) == -1)
		return -1;
	s->named = rc;
	if (rc == 1) {
		ctx_db_add(&s->name, q, 0);
		sqlite3_reset(q);
		return ctx_buf_str(&s->name) == NULL ? ctx_fail_nomem(err) : 0;
	}
	for (i = 0, rc = 1; rc == 1; i++) {
		ctx_buf_reset(&s->name);
		ctx_buf_addf(&s->name, "recovered~%lld", (long long)s->thread);
		if (i > 0)
			ctx_buf_addf(&s->name, "~%d", i);
		if (ctx_buf_str(&s->name) == NULL)
			return ctx_fail_nomem(err);
		q = ctx_db_query(s->st, err, "SELECT id FROM thread WHERE"
		    " name = ?1", "s", s->name.data);
		if ((rc = ctx_salvage_row(s, q, err)) == 1)
			sqlite3_reset(q);
	}
	return rc == -1 ? -1 : ctx_salvage_lost(s, err, "the name of a thread");
}
