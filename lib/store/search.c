/* SPDX-License-Identifier: MIT */
/* The index of words; see search.h. */
#include "store/search.h"

#include "store/db.h"

int
ctx_search_add(struct ctx_store *st, int64_t id, const char *raw, size_t len,
    struct ctx_err *err)
{
	(void)raw;
	(void)len;
	return ctx_search_skip(st, id, id, err);
}

int
ctx_search_skip(struct ctx_store *st, int64_t first, int64_t last,
    struct ctx_err *err)
{
	if (ctx_db_run(st, err, "UPDATE unindexed SET last = ?2 WHERE first ="
	    " (SELECT max(first) FROM unindexed) AND last = ?1 - 1", "ii",
	    first, last) == -1)
		return -1;
	if (sqlite3_changes(st->db) > 0)
		return 0;
	return ctx_db_run(st, err, "INSERT INTO unindexed VALUES(?1, ?2)",
	    "ii", first, last);
}

int
ctx_search_forget(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	(void)st;
	(void)thread;
	(void)err;
	return 0;
}
