/* SPDX-License-Identifier: MIT */
/* What SQLite says about its file; see check_db.h. */
#include "store/check_db.h"

#include <stdio.h>
#include <string.h>

#include "store/db.h"

/*
 * A finding reported by SQLite itself.  From 3.44 on it also checks the index
 * of words, which is repaired by rebuilding it; 3.53 says "fts5: corruption"
 * where others name the "FTS5 table".
 */
static int
sqlite_finding(const char *said, ctx_check_fn *fn, void *arg,
    struct ctx_err *err)
{
	char text[400];

	if (strstr(said, "FTS5 table") == NULL && strstr(said, "fts5:") == NULL)
		return fn(said, arg, err);
	snprintf(text, sizeof(text), "%s; run 'ctx-store reindex --all'", said);
	return fn(text, arg, err);
}

/* Run a pragma that returns one row, "ok", if all is well. */
static int
run_pragma(struct ctx_store *st, const char *sql, ctx_check_fn *fn, void *arg,
    struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_db_query(st, err, sql, "");
	const char *text;
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		text = (const char *)sqlite3_column_text(q, 0);
		if (text != NULL && strcmp(text, "ok") != 0)
			rc = sqlite_finding(text, fn, arg, err);
	}
	return rc;
}

static int
run_foreign(struct ctx_store *st, ctx_check_fn *fn, void *arg,
    struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_db_query(st, err, "PRAGMA foreign_key_check",
	    "");
	char text[200];
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		snprintf(text, sizeof(text),
		    "a row of %s refers to a missing row of %s",
		    sqlite3_column_text(q, 0),
		    sqlite3_column_text(q, 2));
		rc = fn(text, arg, err);
	}
	return rc;
}

int
ctx_check_db(struct ctx_store *st, int full, ctx_check_fn *fn, void *arg,
    struct ctx_err *err)
{
	return run_pragma(st, full ? "PRAGMA integrity_check" :
	    "PRAGMA quick_check", fn, arg, err) == -1 ? -1 :
	    run_foreign(st, fn, arg, err);
}
