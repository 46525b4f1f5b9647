/* SPDX-License-Identifier: MIT */
/* Sizes of threads and users; see measure.h. */
#include "store/measure.h"

#include <string.h>

#include "store/db.h"

/* The contents that the rows of a thread refer to. */
#define OF	" WHERE thread = ?1"
#define BODIES	"SELECT body FROM message" OF " AND body IS NOT NULL" \
	" UNION SELECT state FROM ckpt" OF " UNION SELECT meta FROM ckpt" OF \
	" UNION SELECT body FROM ckpt_write" OF \
	" UNION SELECT body FROM view_part" OF \
	" UNION SELECT body FROM summary" OF \
	" UNION SELECT body FROM state" OF \
	" UNION SELECT body FROM snapshot_part" OF \
	" UNION SELECT body FROM file" OF

/* Those contents as they are stored, with the pieces of long ones. */
#define STORED(bodies) "WITH b(id) AS (" bodies ") SELECT" \
	" coalesce(sum(length(data)), 0) FROM body WHERE id IN (SELECT id" \
	" FROM b UNION SELECT part FROM body_part WHERE body IN (SELECT id" \
	" FROM b))"

/* What packed lines take; older files have none. */
static int
measure_bundles(struct ctx_store *st, int64_t thread, int64_t *bytes,
    struct ctx_err *err)
{
	*bytes = 0;
	if (st->older != 0 && st->older < 4)
		return 0;
	return ctx_db_int(st, bytes, err, "SELECT coalesce(sum(length(data) +"
	    " length(lens)), 0) FROM bundle" OF, "i", thread) == -1 ? -1 : 0;
}

int
ctx_measure_thread(struct ctx_store *st, int64_t thread, int64_t *bytes,
    struct ctx_err *err)
{
	int64_t lines, bundles, bodies, vectors, texts;

	if (ctx_db_int(st, &lines, err, "SELECT"
	    " coalesce(sum(length(CAST(json AS BLOB))), 0) FROM message" OF,
	    "i", thread) == -1 ||
	    measure_bundles(st, thread, &bundles, err) == -1 ||
	    ctx_db_int(st, &texts, err, "SELECT"
	    " coalesce(sum(length(CAST(coalesce(summary, '') ||"
	    " coalesce(insights, '') AS BLOB))), 0) FROM snapshot" OF, "i",
	    thread) == -1 ||
	    ctx_db_int(st, &vectors, err, "SELECT"
	    " coalesce(sum(length(v.data)), 0) FROM message m JOIN vector v ON"
	    " v.message = m.id WHERE m.thread = ?1", "i", thread) == -1 ||
	    ctx_db_int(st, &bodies, err, STORED(BODIES), "i", thread) == -1)
		return -1;
	*bytes = lines + bundles + texts + vectors + bodies;
	return 0;
}

/* The same of a user's own state, and its number of members. */
static int
measure_state(struct ctx_store *st, const char *user, int64_t *bytes,
    int64_t *members, struct ctx_err *err)
{
	*bytes = *members = 0;
	if (ctx_db_int(st, bytes, err, STORED("SELECT body FROM user_state"
	    " WHERE user = ?1"), "s", user) == -1)
		return -1;
	return ctx_db_int(st, members, err, "SELECT count(*) FROM user_state"
	    " WHERE user = ?1", "s", user) == -1 ? -1 : 0;
}

/* Add the sizes of the threads in q. */
static int
add_threads(struct ctx_store *st, sqlite3_stmt *q, int64_t *sum,
    struct ctx_err *err)
{
	int64_t bytes;
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		rc = ctx_measure_thread(st, sqlite3_column_int64(q, 0), &bytes,
		    err);
		if (rc == 0)
			*sum += bytes;
	}
	return rc;
}

int
ctx_measure_file(struct ctx_store *st, struct ctx_measured_file *f,
    struct ctx_err *err)
{
	if (ctx_db_int(st, &f->contents, err, STORED("SELECT body FROM"
	    " user_state"), "") == -1 ||
	    add_threads(st, ctx_db_query(st, err, "SELECT id FROM thread WHERE"
	    " ?1 IS NULL OR user = ?1", "s", st->user), &f->own, err) == -1)
		return -1;
	f->contents += f->own;
	if (add_threads(st, ctx_db_query(st, err, "SELECT id FROM thread"
	    " WHERE user IS NOT ?1 AND ?1 IS NOT NULL", "s", st->user),
	    &f->contents, err) == -1)
		return -1;
	return ctx_measure_pages(st, f, err);
}

#define NUMBER(table) "(SELECT count(*) FROM " table " WHERE thread IN" \
	" (SELECT id FROM thread WHERE user = u.user))"

static int
give(struct ctx_store *st, sqlite3_stmt *q, ctx_measure_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_measured m = { 0 };

	m.user = (const char *)sqlite3_column_text(q, 0);
	if (m.user == NULL)
		return ctx_fail_nomem(err);
	m.threads = sqlite3_column_int64(q, 1);
	m.messages = sqlite3_column_int64(q, 2);
	m.checkpoints = sqlite3_column_int64(q, 3);
	m.files = sqlite3_column_int64(q, 4);
	m.updated = sqlite3_column_int64(q, 5);
	if (measure_state(st, m.user, &m.bytes, &m.members, err) == -1 ||
	    add_threads(st, ctx_db_query(st, err, "SELECT id FROM thread WHERE"
	    " user = ?1", "s", m.user), &m.bytes, err) == -1)
		return -1;
	return fn(&m, arg, err);
}

int
ctx_measure_users(struct ctx_store *st, ctx_measure_fn *fn, void *arg,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	if (ctx_db_read(st, err) == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT u.user, (SELECT count(*) FROM thread"
	    " WHERE user = u.user), " NUMBER("message") ", " NUMBER("ckpt")
	    ", " NUMBER("file") ", (SELECT max(updated) FROM thread WHERE"
	    " user = u.user) FROM (SELECT user FROM thread WHERE user IS NOT"
	    " NULL UNION SELECT user FROM user_state) u WHERE ?1 IS NULL OR"
	    " u.user = ?1 ORDER BY u.user", "s", st->user);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = give(st, q, fn, arg, err);
	ctx_db_read_end(st);
	return rc;
}
