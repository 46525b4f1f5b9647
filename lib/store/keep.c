/* SPDX-License-Identifier: MIT */
/* Remove; see keep.h. */
#include "store/keep.h"

#include <stdlib.h>

#include "store/db.h"
#include "store/measure.h"
#include "store/space.h"

int
ctx_keep_remove(struct ctx_store *st, const char *thread,
    struct ctx_removed *sum, struct ctx_err *err)
{
	char *place = NULL;
	int rc = -1;

	/*
	 * Rows are removed first, so that a failure leaves only files behind.
	 */
	if (ctx_space_find(st, thread, &place, err) == 0 &&
	    ctx_thread_remove(st, thread, sum, err) == 0)
		rc = place == NULL ? 0 : ctx_space_remove(place, err);
	free(place);
	return rc;
}

int
ctx_keep_tell(struct ctx_store *st, int64_t thread, ctx_gone_fn *fn,
    void *arg, int64_t *bytes, struct ctx_err *err)
{
	struct ctx_gone g = { 0 };
	sqlite3_stmt *q;
	int rc;

	if (fn == NULL && bytes == NULL)
		return 0;
	if (ctx_measure_thread(st, thread, &g.bytes, err) == -1)
		return -1;
	if (bytes != NULL)
		*bytes = g.bytes;
	if (fn == NULL)
		return 0;
	q = ctx_db_query(st, err, "SELECT name, user, updated, (SELECT"
	    " count(*) FROM message WHERE thread = ?1) FROM thread WHERE"
	    " id = ?1", "i", thread);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	g.thread = (const char *)sqlite3_column_text(q, 0);
	g.user = (const char *)sqlite3_column_text(q, 1);
	g.updated = sqlite3_column_int64(q, 2);
	g.messages = sqlite3_column_int64(q, 3);
	rc = g.thread == NULL ? ctx_fail_nomem(err) : fn(&g, arg, err);
	sqlite3_reset(q);
	return rc;
}
