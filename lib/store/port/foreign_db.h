/* SPDX-License-Identifier: MIT */
/*
 * Reading SQLite files of other programs, for the files of this folder.  An
 * error of SQL, or a file that is no database, is CTX_EINPUT: it is not what
 * it was said to be.
 */
#ifndef CTX_STORE_PORT_FOREIGN_DB_H
#define CTX_STORE_PORT_FOREIGN_DB_H

#include "store/db.h"
#include "store/port/foreign.h"

/* *err from db's last error.  -1. */
int	ctx_foreign_fail(sqlite3 *db, struct ctx_err *err);

/* NULL with *err; the caller finalizes. */
sqlite3_stmt *ctx_foreign_prepare(sqlite3 *db, const char *sql,
	    struct ctx_err *err);

/* 1: a row, 0: no more, -1. */
int	ctx_foreign_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_err *err);

/* A column, NULL if it is NULL. */
const char *ctx_foreign_text(sqlite3_stmt *q, int col);

/* Does the database have such a table?  1, 0, or -1 with *err. */
int	ctx_foreign_has(sqlite3 *db, const char *table, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Rows of (thread, ...) in the order of threads: made into lines by one
 * function, stored when the thread changes.
 */
typedef int ctx_foreign_row_fn(sqlite3 *db, sqlite3_stmt *q,
	    struct ctx_batch *b, struct ctx_err *err);
int	ctx_foreign_by_thread(struct ctx_store *st, sqlite3 *db,
	    const char *sql, ctx_foreign_row_fn *fn,
	    struct ctx_foreign_sum *sum, struct ctx_err *err);

/* The programs that have more to them than a table of lines. */
int	ctx_langgraph_import(struct ctx_store *st, sqlite3 *db,
	    struct ctx_foreign_sum *sum, struct ctx_err *err);
int	ctx_llm_import(struct ctx_store *st, sqlite3 *db,
	    struct ctx_foreign_sum *sum, struct ctx_err *err);

#endif
