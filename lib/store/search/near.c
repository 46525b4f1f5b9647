/* SPDX-License-Identifier: MIT */
/* All vectors of a file; see near.h. */
#include "store/search/near.h"

/* The vectors of a thread, or all of them in the order of storage. */
static sqlite3_stmt *
vectors(struct ctx_store *st, int64_t model, const int64_t *thread,
    struct ctx_err *err)
{
	if (thread == NULL)
		return ctx_db_query(st, err, "SELECT message, data, 0, 0 FROM"
		    " vector NOT INDEXED WHERE model = ?1", "i", model);
	return ctx_db_query(st, err, "SELECT m.id, v.data, m.context, m.seq"
	    " FROM message m CROSS JOIN vector v ON v.message = m.id AND"
	    " v.model = ?1 WHERE m.thread = ?2", "ii", model, *thread);
}

static int
is_in(const struct ctx_near *near, sqlite3_stmt *q)
{
	return near->segs == NULL || ctx_segs_has(near->segs,
	    sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3));
}

int
ctx_near_each(struct ctx_store *st, const struct ctx_near *near,
    ctx_near_fn *fn, void *arg, struct ctx_err *err)
{
	size_t i = 0;
	sqlite3_stmt *q;
	int rc = 0;

	for (; i < (near->all ? 1 : near->nthread) && rc == 0; i++) {
		q = vectors(st, near->model, near->all ? NULL :
		    &near->thread[i], err);
		while ((rc = ctx_db_next(st, q, rc, err)) == 1)
			rc = is_in(near, q) ? fn(q, arg, err) : 0;
	}
	return rc;
}

int
ctx_near_fill(struct ctx_store *st, struct ctx_err *err)
{
	(void)st;
	(void)err;
	return 0;
}

int
ctx_near_index(struct ctx_store *st, int on, struct ctx_err *err)
{
	(void)st;
	return !on ? 0 : ctx_fail(err, CTX_EUSAGE, "a store in a file has no "
	    "index of vectors");
}
