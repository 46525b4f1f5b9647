/* SPDX-License-Identifier: MIT */
/* Numbers of changes; see change.h. */
#include "store/change.h"

int
ctx_change_thread(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	return ctx_db_run(st, err, "UPDATE thread SET change = "
	    CTX_CHANGE_TOP " + 1 WHERE id = ?1 AND (change = 0 OR EXISTS"
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
	return add_event(st, thread, whole ? thread : 0, err);
}

int
ctx_change_users(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_run(st, err, "DELETE FROM event WHERE thread = 0",
	    "") == -1 ? -1 : add_event(st, 0, 0, err);
}
