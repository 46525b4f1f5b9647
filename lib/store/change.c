/* SPDX-License-Identifier: MIT */
/* Numbers of changes; see change.h. */
#include "store/change.h"

#include "base/when.h"

int
ctx_change_thread(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	return ctx_db_run(st, err, "UPDATE thread SET change = "
	    CTX_CHANGE_NEXT " WHERE id = ?1 AND (change = 0 OR EXISTS"
	    " (SELECT 1 FROM thread t WHERE t.change > thread.change))", "i",
	    thread);
}

/*
 * Add an event, and let the newest thread, but not the one that goes, have a
 * number that is higher.
 */
static int
add_event(struct ctx_store *st, int64_t thread, int64_t goes,
    struct ctx_err *err)
{
	int64_t top;

	if (ctx_db_int(st, &top, err, "SELECT " CTX_CHANGE_TOP, "") == -1 ||
	    ctx_db_run(st, err, "INSERT INTO event(n, thread) VALUES(?1 + 1,"
	    " ?2)", "ii", top, thread) == -1)
		return -1;
	return ctx_db_run(st, err, "UPDATE thread SET change = ?1 + 2 WHERE"
	    " id = (SELECT id FROM thread WHERE id <> ?2 ORDER BY change DESC,"
	    " id DESC LIMIT 1)", "ii", top, goes);
}

int
ctx_change_removed(struct ctx_store *st, int64_t thread, int whole,
    struct ctx_err *err)
{
	if (whole && ctx_db_run(st, err, "INSERT INTO meta VALUES('thread', ?1)"
	    " ON CONFLICT(key) DO UPDATE SET value = max(value, ?1)", "i",
	    thread) == -1)
		return -1;
	return add_event(st, thread, whole ? thread : 0, err);
}

int
ctx_change_users(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_run(st, err, "DELETE FROM event WHERE thread = 0",
	    "") == -1 ? -1 : add_event(st, 0, 0, err);
}

/*
 * Two small statements, of which the second is seldom needed, take less time
 * than one that knows it all.
 */
int
ctx_change_touch(struct ctx_store *st, int64_t thread, int64_t now,
    struct ctx_err *err)
{
	int64_t updated, other, change, top;
	sqlite3_stmt *q;

	q = ctx_db_query(st, err, "SELECT updated, change, (SELECT updated"
	    " FROM thread WHERE id <> ?1 ORDER BY updated DESC LIMIT 1),"
	    " (SELECT max(change) FROM thread) FROM thread WHERE id = ?1", "i",
	    thread);
	if (ctx_db_need(st, q, err) == -1)
		return -1;
	updated = sqlite3_column_int64(q, 0);
	change = sqlite3_column_int64(q, 1);
	other = sqlite3_column_type(q, 2) == SQLITE_NULL ? INT64_MIN :
	    sqlite3_column_int64(q, 2);
	top = sqlite3_column_int64(q, 3);
	sqlite3_reset(q);
	if (updated >= now - (int64_t)CTX_SECOND / 10 && other < updated &&
	    change > 0 && change == top)
		return 0;
	return ctx_db_run(st, err, "UPDATE thread SET updated = ?2, change ="
	    " ?3 WHERE id = ?1", "iii", thread, updated > now ? updated : now,
	    top + 1);
}

/* --- a walk -------------------------------------------------------- */

int
ctx_changes_version(struct ctx_store *st, int64_t *now, struct ctx_err *err)
{
	return ctx_db_int(st, now, err, "PRAGMA data_version", "") == -1 ?
	    -1 : 0;
}

/* Threads after this one, of the number that was looked at last, come next. */
static int64_t
after(const struct ctx_changes *c)
{
	return (c->begun ? c->event : c->number > 0) ? -1 : c->thread;
}

int
ctx_changes_next(struct ctx_store *st, struct ctx_changes *c,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	if (ctx_changes_version(st, &c->version, err) == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT change, id, 0 FROM (SELECT"
	    " change, id FROM thread WHERE (change, id) > (?1, ?2) ORDER BY"
	    " change, id LIMIT 1) UNION ALL SELECT n, thread, 1 FROM (SELECT"
	    " n, thread FROM event WHERE n > ?1 OR (n = ?1 AND thread = 0 AND"
	    " ?3 <> 0) ORDER BY n LIMIT 1) ORDER BY 1 LIMIT 1", "iii",
	    c->number, after(c), (int64_t)!c->begun);
	if ((rc = ctx_db_row(st, q, err)) != 1) {
		c->begun = 0;
		return rc;
	}
	c->begun = 1;
	c->number = sqlite3_column_int64(q, 0);
	c->thread = sqlite3_column_int64(q, 1);
	c->event = sqlite3_column_int(q, 2);
	sqlite3_reset(q);
	return 1;
}

int
ctx_changes_position(struct ctx_store *st, struct ctx_changes *c,
    int64_t *number, int64_t *message, struct ctx_err *err)
{
	int64_t n = 0;

	*number = c->number;
	if (ctx_db_int(st, &n, err, "SELECT EXISTS (SELECT 1 FROM"
	    " thread WHERE (change, id) > (?1, ?2)) OR EXISTS (SELECT 1 FROM"
	    " event WHERE n > ?1)", "ii", c->number, after(c)) == -1)
		return -1;
	return n == 0 && ctx_db_int(st, message, err, "SELECT max(id) FROM"
	    " message", "") == -1 ? -1 : 0;
}

int
ctx_changes_unknown(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t message, int64_t *seq, struct ctx_err *err)
{
	*seq = 0;
	return ctx_db_int(st, seq, err, "SELECT seq + 1 FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND id <= ?3 ORDER BY seq DESC"
	    " LIMIT 1", "iii", thread, context, message) == -1 ? -1 : 0;
}

int
ctx_changes_late(struct ctx_store *st, struct ctx_err *err)
{
	(void)st;
	(void)err;
	return 0;
}

int
ctx_changes_copy(struct ctx_store *st, int64_t *number, int64_t *thread,
    int64_t *message, struct ctx_err *err)
{
	return ctx_db_int(st, number, err, "SELECT " CTX_CHANGE_TOP,
	    "") == -1 || ctx_db_int(st, thread, err, "SELECT max(id)"
	    " FROM thread WHERE change = ?1", "i", *number) == -1 ||
	    ctx_db_int(st, message, err, "SELECT max(id) FROM message",
	    "") == -1 ? -1 : 0;
}

void
ctx_changes_done(struct ctx_changes *c)
{
	(void)c;
}
