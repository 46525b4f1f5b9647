/* SPDX-License-Identifier: MIT */
/*
 * Read SQLite files of other programs; for the files of this folder.  An SQL
 * error, or a file that is not a database, is CTX_EINPUT: the file is not what
 * the user said it was.
 */
#ifndef CTX_STORE_PORT_FOREIGN_DB_H
#define CTX_STORE_PORT_FOREIGN_DB_H

#include "store/db.h"
#include "store/port/foreign.h"

/* Set err from db's last error.  Returns -1. */
int	ctx_foreign_fail(sqlite3 *db, struct ctx_err *err);

/* Returns NULL with *err set on failure; the caller finalizes the statement. */
sqlite3_stmt *ctx_foreign_prepare(sqlite3 *db, const char *sql,
	    struct ctx_err *err);

/* Returns 1 for a row, 0 if there are no more, or -1. */
int	ctx_foreign_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_err *err);

/* The text of a column, or NULL if the column is NULL. */
const char *ctx_foreign_text(sqlite3_stmt *q, int col);

/*
 * Does the database have this table, or the table this column?  Returns 1, 0, or
 * -1 with *err set.
 */
int	ctx_foreign_has(sqlite3 *db, const char *table, struct ctx_err *err)
	    CTX_CHECKED;
int	ctx_foreign_column(sqlite3 *db, const char *table,
	    const char *column, struct ctx_err *err) CTX_CHECKED;

/*
 * Import rows of (thread, ...), ordered by thread: a function turns them into
 * lines, which are stored when the thread changes.
 */
typedef int ctx_foreign_row_fn(sqlite3 *db, sqlite3_stmt *q,
	    struct ctx_batch *b, struct ctx_err *err);
int	ctx_foreign_by_thread(struct ctx_store *st, sqlite3 *db,
	    const char *sql, ctx_foreign_row_fn *fn,
	    struct ctx_foreign_sum *sum, struct ctx_err *err);

/* Imports that need more than one table of lines. */
int	ctx_langgraph_import(struct ctx_store *st, sqlite3 *db,
	    struct ctx_foreign_sum *sum, struct ctx_err *err);
int	ctx_llm_import(struct ctx_store *st, sqlite3 *db,
	    struct ctx_foreign_sum *sum, struct ctx_err *err);

#endif
