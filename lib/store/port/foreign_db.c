/* SPDX-License-Identifier: MIT */
/* Import sessions from SQLite files of other programs; see foreign_db.h. */
#include "store/port/foreign_db.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>

#include "base/when.h"

int
ctx_foreign_fail(sqlite3 *db, struct ctx_err *err)
{
	int rc = sqlite3_errcode(db);

	return ctx_fail(err, rc == SQLITE_NOTADB || rc == SQLITE_ERROR ?
	    CTX_EINPUT : CTX_ESYSTEM, "%s", sqlite3_errmsg(db));
}

sqlite3_stmt *
ctx_foreign_prepare(sqlite3 *db, const char *sql, struct ctx_err *err)
{
	sqlite3_stmt *q;

	if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK)
		return q;
	ctx_foreign_fail(db, err);
	return NULL;
}

int
ctx_foreign_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = sqlite3_step(q);

	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 :
	    ctx_foreign_fail(db, err);
}

const char *
ctx_foreign_text(sqlite3_stmt *q, int col)
{
	return (const char *)sqlite3_column_text(q, col);
}

/* Has a query about one or two names a row? */
static int
has(sqlite3 *db, const char *sql, const char *name, const char *column,
    struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_foreign_prepare(db, sql, err);
	int found;

	if (q == NULL)
		return -1;
	found = sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC) ==
	    SQLITE_OK && (column == NULL || sqlite3_bind_text(q, 2, column, -1,
	    SQLITE_STATIC) == SQLITE_OK) ? ctx_foreign_row(db, q, err) :
	    ctx_foreign_fail(db, err);
	sqlite3_finalize(q);
	return found;
}

int
ctx_foreign_has(sqlite3 *db, const char *name, struct ctx_err *err)
{
	return has(db, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND"
	    " name = ?1", name, NULL, err);
}

int
ctx_foreign_column(sqlite3 *db, const char *name, const char *column,
    struct ctx_err *err)
{
	return has(db, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2",
	    name, column, err);
}

static int
store_thread(struct ctx_store *st, const char *name, struct ctx_batch *b,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	static const struct ctx_make make = { .parent_seq = -1 };
	struct ctx_where w = { name, "main" };

	if (ctx_thread_name_check(name, strlen(name), err) == -1 ||
	    ctx_foreign_store(st, &w, &make, b, sum, err) == -1)
		return -1;
	sum->threads++;
	return 0;
}

int
ctx_foreign_by_thread(struct ctx_store *st, sqlite3 *db, const char *sql,
    ctx_foreign_row_fn *fn, struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_foreign_prepare(db, sql, err);
	struct ctx_batch b = { 0 };
	char *name = NULL;
	int rc = -1;

	while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1) {
		const char *thread = ctx_foreign_text(q, 0);

		if (thread == NULL)
			thread = "";
		if (name != NULL && strcmp(name, thread) != 0) {
			rc = store_thread(st, name, &b, sum, err);
			ctx_batch_done(&b);
			free(name);
			name = NULL;
		}
		if (rc != -1 && name == NULL &&
		    (name = strdup(thread)) == NULL)
			rc = ctx_fail_nomem(err);
		if (rc == -1 || (rc = fn(db, q, &b, err)) == -1)
			break;
	}
	if (rc == 0 && name != NULL)
		rc = store_thread(st, name, &b, sum, err);
	ctx_batch_done(&b);
	free(name);
	sqlite3_finalize(q);
	return rc;
}

static int
agents_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_batch *b,
    struct ctx_err *err)
{
	const char *when = ctx_foreign_text(q, 2);
	struct ctx_buf line = { 0 };
	int rc;

	(void)db;
	ctx_db_add(&line, q, 1);
	ctx_buf_addc(&line, '\n');
	rc = ctx_buf_fail(&line, err) == -1 ? -1 :
	    ctx_batch_add(b, line.data, line.len, err);
	ctx_buf_done(&line);
	if (rc == 0 && when != NULL)
		ctx_when_scan(when, strlen(when), &b->line[b->n - 1].ts);
	return rc;
}

/* Earlier versions had no time of their messages. */
static int
agents_import(struct ctx_store *st, sqlite3 *db, struct ctx_foreign_sum *sum,
    struct ctx_err *err)
{
	int timed = ctx_foreign_column(db, "agent_messages", "created_at", err);

	if (timed == -1)
		return -1;
	return ctx_foreign_by_thread(st, db, timed ? "SELECT session_id,"
	    " message_data, strftime('%Y-%m-%dT%H:%M:%fZ', created_at)"
	    " FROM agent_messages ORDER BY session_id, id" : "SELECT"
	    " session_id, message_data, NULL FROM agent_messages ORDER BY"
	    " session_id, id", agents_row, sum, err);
}

int
ctx_foreign_database(struct ctx_store *st, enum ctx_foreign kind,
    const char *path, struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	struct stat sb;
	sqlite3 *db;
	int rc;

	if (stat(path, &sb) == -1 || !S_ISREG(sb.st_mode))
		return ctx_fail(err, CTX_ESYSTEM, "cannot open: no such file");
	rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	if (db == NULL)
		return ctx_fail_nomem(err);
	sqlite3_busy_timeout(db, CTX_DB_BUSY_MS);
	if (rc != SQLITE_OK)
		rc = ctx_foreign_fail(db, err);
	else if (kind == CTX_FOREIGN_LANGGRAPH)
		rc = ctx_langgraph_import(st, db, sum, err);
	else if (kind == CTX_FOREIGN_AGENTS)
		rc = agents_import(st, db, sum, err);
	else
		rc = ctx_llm_import(st, db, sum, err);
	sqlite3_close(db);
	return rc;
}
