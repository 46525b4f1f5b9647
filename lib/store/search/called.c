/* SPDX-License-Identifier: MIT */
/* Which messages may have calls of a tool; see called.h. */
#include "store/search/called.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/vec.h"
#include "store/search/note.h"
#include "store/search/query.h"

#define FIRST	100		/* messages looked at before anything is counted */
#define SHARE	8		/* listing one is so much faster than looking */
#define LONG_NAME	200	/* longer ones may be data, which has no words */
#define STEPS	8		/* on average, messages after one with the name */

static int
add(struct ctx_called *c, int64_t id, struct ctx_err *err)
{
	if (CTX_ROOM(c->id, c->n, &c->cap) == -1)
		return ctx_fail_nomem(err);
	c->id[c->n++] = id;
	return 0;
}

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
ends(const char *name, const char *with)
{
	size_t n = strlen(name), k = strlen(with);

	return n >= k && strcmp(name + n - k, with) == 0;
}

/*
 * Can a message have the name without having it as a text?  OpenAI's own tools
 * are named by the type of an item.
 */
static int
is_odd(const char *name)
{
	size_t n = strlen(name);

	return n >= LONG_NAME || strchr(name, '"') != NULL ||
	    ctx_utf8_check(name, n) != n || ends(name, "_call") ||
	    ends(name, "_output") || ends(name, "_tools");
}

/*
 * Append the query that finds the name.  Returns 1, 0 if the index cannot tell,
 * or -1.
 */
static int
make_query(struct ctx_called *c, struct ctx_buf *expr, struct ctx_err *err)
{
	struct ctx_buf words = { 0 };
	struct ctx_query query;
	int rc = -1;

	ctx_buf_addf(&words, "\"%s\"", c->tool);
	if (ctx_buf_str(&words) == NULL)
		ctx_fail_nomem(err);
	else
		rc = ctx_query_make(&query, c->st, words.data, err);
	if (rc == 1 && (query.n != 1 || query.wide > 0))
		rc = 0;
	if (rc == 1)
		ctx_query_all(&query, 0, expr);
	if (words.data != NULL && !words.failed)
		ctx_query_done(&query);
	ctx_buf_done(&words);
	return rc == 1 && ctx_buf_fail(expr, err) == -1 ? -1 : rc;
}

/* The messages with the name. */
#define NAMED	"SELECT rowid FROM search WHERE search MATCH ?1 AND rowid < ?2"

/*
 * Count what has the name or is not indexed.  Returns 1, 0 if that is no help,
 * or -1.
 */
static int
count(struct ctx_called *c, struct ctx_buf *expr, struct ctx_err *err)
{
	int rc;

	if (is_odd(c->tool))
		return 0;
	if (ctx_called_since(c->st, &c->since, err) == -1)
		return -1;
	if (c->since == INT64_MAX || (rc = make_query(c, expr, err)) == 0)
		return 0;
	if (rc == -1)
		return -1;
	return ctx_db_int(c->st, &c->named, err, "SELECT (SELECT count(*) FROM"
	    " (" NAMED ") t) + (SELECT count(*) FROM message WHERE words < 2)",
	    "ti", expr->data, expr->len, CTX_NOTE_TEXT);
}

/*
 * Add a message and those that may answer it, as around.c has it: the ones
 * after the run of an assistant's messages that it is in, up to the next run.
 * *left is how many may be looked at.  Returns 0 or -1.
 */
static int
add_with_answers(struct ctx_called *c, int64_t id, int64_t *left,
    struct ctx_err *err)
{
	const char *role;
	sqlite3_stmt *q;
	int assistant, answers = 0, rc = add(c, id, err);

	q = ctx_db_query(c->st, err, "SELECT n.id, n.role FROM message m"
	    " JOIN message n ON n.thread = m.thread AND n.context = m.context"
	    " AND n.seq > m.seq WHERE m.id = ?1 ORDER BY n.seq", "i", id);
	while (rc == 0 && (rc = ctx_db_row(c->st, q, err)) == 1) {
		role = (const char *)sqlite3_column_text(q, 1);
		assistant = role != NULL && strcmp(role, "assistant") == 0;
		if (--*left < 0 || (assistant && answers))
			break;
		answers |= role != NULL && (strcmp(role, "user") == 0 ||
		    strcmp(role, "tool") == 0);
		rc = assistant ? 0 : add(c, sqlite3_column_int64(q, 0), err);
	}
	sqlite3_reset(q);
	return rc == -1 ? -1 : 0;
}

/* List what may have calls.  Returns 1, 0 if that takes too long, or -1. */
static int
make(struct ctx_called *c, const struct ctx_buf *expr, struct ctx_err *err)
{
	int64_t left = c->named * STEPS + FIRST;
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(c->st, err, NAMED " UNION ALL SELECT id FROM message"
	    " WHERE words < 2", "ti", expr->data, expr->len, CTX_NOTE_TEXT);
	while ((rc = ctx_db_next(c->st, q, rc, err)) == 1)
		rc = add_with_answers(c, sqlite3_column_int64(q, 0), &left,
		    err);
	q = rc == 0 ? ctx_db_query(c->st, err, "SELECT message FROM typed_tool",
	    "") : NULL;
	while (q != NULL && (rc = ctx_db_next(c->st, q, rc, err)) == 1)
		rc = add(c, sqlite3_column_int64(q, 0), err);
	if (rc == -1)
		return -1;
	if (c->n > 0)
		qsort(c->id, c->n, sizeof(*c->id), compare);
	return left >= 0;
}

/* Count, or make the list, when it is time to.  Returns 0 or -1. */
static int
advance(struct ctx_called *c, struct ctx_err *err)
{
	struct ctx_buf expr = { 0 };
	int rc = 1;

	if (c->state == CTX_CALLED_NEW && (rc = count(c, &expr, err)) == 1)
		c->state = CTX_CALLED_COUNTED;
	else if (c->state == CTX_CALLED_COUNTED)
		rc = make_query(c, &expr, err);
	if (rc == 1 && c->asked >= c->named / SHARE &&
	    (rc = make(c, &expr, err)) == 1)
		c->state = CTX_CALLED_MADE;
	if (rc == 0)
		c->state = CTX_CALLED_NONE;
	ctx_buf_done(&expr);
	return rc == -1 ? -1 : 0;
}

int
ctx_called_may(struct ctx_called *c, int64_t id, struct ctx_err *err)
{
	if (c->tool == NULL || c->asked++ < FIRST)
		return 1;
	if ((c->state == CTX_CALLED_NEW || (c->state == CTX_CALLED_COUNTED &&
	    c->asked >= c->named / SHARE)) && advance(c, err) == -1)
		return -1;
	return c->state != CTX_CALLED_MADE || id <= c->since ||
	    (c->n > 0 && bsearch(&id, c->id, c->n, sizeof(*c->id),
	    compare) != NULL);
}

void
ctx_called_done(struct ctx_called *c)
{
	free(c->id);
	c->id = NULL;
	c->n = c->cap = 0;
}

int
ctx_called_since(struct ctx_store *st, int64_t *since, struct ctx_err *err)
{
	*since = INT64_MAX;
	return st->older == 0 && ctx_db_int(st, since, err, "SELECT value FROM"
	    " meta WHERE key = 'typed_tool'", "") == -1 ? -1 : 0;
}

int
ctx_called_empty(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_run(st, err, "DELETE FROM typed_tool", "") == -1 ? -1 :
	    ctx_db_run(st, err, "UPDATE meta SET value = 0 WHERE key ="
	    " 'typed_tool'", "");
}

int
ctx_called_typed(struct ctx_store *st, int64_t id, int delete,
    struct ctx_err *err)
{
	if (delete)
		return ctx_db_run(st, err, "DELETE FROM typed_tool WHERE"
		    " message = ?1", "i", id);
	return ctx_db_run(st, err, "INSERT INTO typed_tool(message) VALUES(?1)"
	    " ON CONFLICT DO NOTHING", "i", id);
}
