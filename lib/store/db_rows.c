/* SPDX-License-Identifier: MIT */
/*
 * Statements and rows of any database; see db.h.  What this needs of one is
 * ctx_db_queryv, ctx_db_row and its columns.
 */
#include "store/db.h"

#include <stdlib.h>
#include <string.h>

sqlite3_stmt *
ctx_db_query(struct ctx_store *st, struct ctx_err *err, const char *sql,
    const char *fmt, ...)
{
	sqlite3_stmt *q;
	va_list ap;

	va_start(ap, fmt);
	q = ctx_db_queryv(st, err, sql, fmt, ap);
	va_end(ap);
	return q;
}

sqlite3_stmt *
ctx_db_many(struct ctx_store *st, struct ctx_err *err, const char *sql,
    const char *fmt, ...)
{
	sqlite3_stmt *q;
	va_list ap;

	st->many = 1;
	va_start(ap, fmt);
	q = ctx_db_queryv(st, err, sql, fmt, ap);
	va_end(ap);
	st->many = 0;
	return q;
}

int
ctx_db_next(struct ctx_store *st, sqlite3_stmt *q, int rc, struct ctx_err *err)
{
	if (rc != -1)
		return ctx_db_row(st, q, err);
	sqlite3_reset(q);
	return -1;
}

int
ctx_db_need(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = ctx_db_row(st, q, err);

	if (rc == 0)
		return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: a row is "
		    "missing", st->path);
	return rc == 1 ? 0 : -1;
}

int
ctx_db_run(struct ctx_store *st, struct ctx_err *err, const char *sql,
    const char *fmt, ...)
{
	sqlite3_stmt *q;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	q = ctx_db_queryv(st, err, sql, fmt, ap);
	va_end(ap);
	while ((rc = ctx_db_row(st, q, err)) == 1)
		continue;
	return rc;
}

int
ctx_db_int(struct ctx_store *st, int64_t *out, struct ctx_err *err,
    const char *sql, const char *fmt, ...)
{
	sqlite3_stmt *q;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	q = ctx_db_queryv(st, err, sql, fmt, ap);
	va_end(ap);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	if ((rc = sqlite3_column_type(q, 0) != SQLITE_NULL))
		*out = sqlite3_column_int64(q, 0);
	sqlite3_reset(q);
	return rc;
}

int
ctx_db_text(struct ctx_store *st, char **out, struct ctx_err *err,
    const char *sql, const char *fmt, ...)
{
	sqlite3_stmt *q;
	va_list ap;
	int rc;

	*out = NULL;
	va_start(ap, fmt);
	q = ctx_db_queryv(st, err, sql, fmt, ap);
	va_end(ap);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	rc = ctx_db_dup_null(q, 0, out, err);
	sqlite3_reset(q);
	return rc == -1 ? -1 : *out != NULL;
}

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

int
ctx_db_hold_each(struct ctx_store *st, int64_t *thread, size_t n,
    struct ctx_err *err)
{
	size_t i;

	qsort(thread, n, sizeof(*thread), compare);
	for (i = 0; i < n; i++)
		if ((i == 0 || thread[i] != thread[i - 1]) &&
		    ctx_db_hold(st, thread[i], err) == -1)
			return -1;
	return 0;
}

int
ctx_db_hold_rows(struct ctx_store *st, sqlite3_stmt *q, int64_t *id, int max,
    struct ctx_err *err)
{
	int64_t *thread = malloc((size_t)max * sizeof(*thread));
	int n = 0, rc = 0;

	if (thread == NULL) {
		sqlite3_reset(q);
		return ctx_fail_nomem(err);
	}
	while (n < max && (rc = ctx_db_row(st, q, err)) == 1) {
		id[n] = sqlite3_column_int64(q, 0);
		thread[n++] = sqlite3_column_int64(q, 1);
	}
	sqlite3_reset(q);
	if (rc != -1 && ctx_db_hold_each(st, thread, (size_t)n, err) == -1)
		rc = -1;
	free(thread);
	return rc == -1 ? -1 : n;
}

int
ctx_db_none(const char *kind, const char *name, struct ctx_err *err)
{
	char quoted[160];

	return ctx_fail(err, CTX_ENO, "no such %s '%s'%s", kind,
	    ctx_err_quote(quoted, sizeof(quoted), name, strlen(name)),
	    strcmp(kind, "thread") == 0 ?
	    "; 'ctx-store threads' lists them" : "");
}

void
ctx_db_add(struct ctx_buf *out, sqlite3_stmt *q, int col)
{
	ctx_buf_add(out, sqlite3_column_blob(q, col),
	    (size_t)sqlite3_column_bytes(q, col));
}

char *
ctx_db_dup(sqlite3_stmt *q, int col)
{
	const void *p = sqlite3_column_blob(q, col);
	size_t n = (size_t)sqlite3_column_bytes(q, col);
	char *s;

	if (sqlite3_column_type(q, col) == SQLITE_NULL ||
	    (s = malloc(n + 1)) == NULL)
		return NULL;
	if (n > 0)
		memcpy(s, p, n);
	s[n] = '\0';
	return s;
}

int
ctx_db_dup_null(sqlite3_stmt *q, int col, char **out, struct ctx_err *err)
{
	*out = ctx_db_dup(q, col);
	return *out != NULL || sqlite3_column_type(q, col) == SQLITE_NULL ?
	    0 : ctx_fail_nomem(err);
}
