/* SPDX-License-Identifier: MIT */
/* Numbers of changes; see change.h. */
#include "store/change.h"

int
ctx_change_thread(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	return ctx_db_run(st, err, "UPDATE thread SET change = "
	    CTX_CHANGE_TOP " + 1 WHERE id = ?1 AND (change = 0 OR change < "
	    CTX_CHANGE_TOP ")", "i", thread);
}

int
ctx_change_removed(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	return ctx_db_run(st, err, "INSERT INTO event(n, thread) VALUES("
	    CTX_CHANGE_TOP " + 1, ?1)", "i", thread);
}

int
ctx_change_users(struct ctx_store *st, struct ctx_err *err)
{
	int64_t top, newest = 0;

	if (ctx_db_int(st, &top, err, "SELECT " CTX_CHANGE_TOP, "") == -1 ||
	    ctx_db_int(st, &newest, err, "SELECT max(n) FROM event WHERE"
	    " thread = 0", "") == -1)
		return -1;
	if (newest == top && top > 0)
		return 0;
	if (ctx_db_run(st, err, "DELETE FROM event WHERE thread = 0",
	    "") == -1)
		return -1;
	return ctx_db_run(st, err, "INSERT INTO event(n, thread) VALUES(?1 +"
	    " 1, 0)", "i", top);
}
