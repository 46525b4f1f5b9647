/* SPDX-License-Identifier: MIT */
/*
 * The store's connection, for the files of this folder only: statements that
 * are prepared once, transactions under the writers' lock, errors.
 *
 * Writers take an exclusive flock on FILE-lock around each transaction, and
 * checkpoint the write-ahead log only under it: SQLite before 3.51.3 can
 * damage a file when one connection checkpoints while another one commits and
 * starts the log afresh.  The lock has a file of its own because a second
 * descriptor of the database would, when closed, drop SQLite's own locks.
 */
#ifndef CTX_STORE_DB_H
#define CTX_STORE_DB_H

#include <sqlite3.h>

#include "base/buf.h"
#include "store/store.h"

#define CTX_DB_STATEMENTS	128
#define CTX_DB_BUSY_MS		30000
#define CTX_DB_WAL_LIMIT	(4u << 20)
#define CTX_DB_WAL_KEPT		"16777216"	/* a longer log is cut off */

struct ctx_store {
	sqlite3 *db;
	char *path;		/* resolved */
	char *copy;		/* private folder to remove at close, or NULL */
	int lockfd;		/* of FILE-lock, -1: none */
	int writer;
	int64_t older;		/* the version that a reader found, if it is
				   older than ours; else 0 */
	int shared;		/* a reader of an immutable file holds LOCK_SH */
	int depth;		/* of nested ctx_db_begin */
	int locks;		/* of nested ctx_db_lock */
	uint64_t wal;		/* bytes in the log after the last commit */
	uint64_t wal_next;	/* checkpoint when it exceeds this */
	int page;		/* bytes */
	int nstmt;
	struct {
		const char *sql;	/* compared by address */
		sqlite3_stmt *stmt;
	} stmt[CTX_DB_STATEMENTS];
};

/* *err from the connection's last error, "FILE: what SQLite says".  -1. */
int	ctx_db_fail(struct ctx_store *st, int rc, struct ctx_err *err);

/*
 * Prepare sql (a literal: it is found again by its address) and bind.  fmt has
 * a letter an argument:
 *
 *	i  int64_t		s  const char *, NULL allowed
 *	t  const char *, size_t	b  const void *, size_t: as text, as blob; a
 *	n  nothing: NULL	   NULL pointer binds NULL
 *	o  const int64_t *, NULL allowed
 *
 * Texts and blobs are borrowed until the statement is reset.  NULL on failure.
 * Never from within the rows of the same statement.
 */
sqlite3_stmt *ctx_db_query(struct ctx_store *st, struct ctx_err *err,
	    const char *sql, const char *fmt, ...);

/* 1: a row, 0: no more (the statement is reset), -1: failed (and reset). */
int	ctx_db_row(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err);

/*
 * The same for a loop over all rows.  rc is what came of the row before, 0 at
 * first; -1 ends the loop, and so does q NULL, a query that failed:
 *
 *	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
 *		rc = take(q, err);
 */
int	ctx_db_next(struct ctx_store *st, sqlite3_stmt *q, int rc,
	    struct ctx_err *err);

/* The same where there must be a row: 0, or -1, also when there is none. */
int	ctx_db_need(struct ctx_store *st, sqlite3_stmt *q,
	    struct ctx_err *err);

/* Query and run to its end. */
int	ctx_db_run(struct ctx_store *st, struct ctx_err *err, const char *sql,
	    const char *fmt, ...);

/* Query one integer: 1 and *out, 0 if there is no row or it is NULL, -1. */
int	ctx_db_int(struct ctx_store *st, int64_t *out, struct ctx_err *err,
	    const char *sql, const char *fmt, ...);

/*
 * Query one text: 1 and *out, the caller's; 0 and NULL if there is no row or it
 * is NULL; -1 and NULL.
 */
int	ctx_db_text(struct ctx_store *st, char **out, struct ctx_err *err,
	    const char *sql, const char *fmt, ...);

/*
 * Query integers, at most max of them, which is ?1: how many are in out, or -1.
 */
int	ctx_db_ints(struct ctx_store *st, int64_t *out, int max,
	    struct ctx_err *err, const char *sql);

/* CTX_ENO, "no such KIND 'NAME'".  -1. */
int	ctx_db_none(const char *kind, const char *name, struct ctx_err *err);

/* Statements that are used once: PRAGMAs, the schema. */
int	ctx_db_exec(struct ctx_store *st, const char *sql,
	    struct ctx_err *err);

/* Append a column's bytes to out. */
void	ctx_db_add(struct ctx_buf *out, sqlite3_stmt *q, int col);

/* A column as memory of the caller's; NULL out of memory or if it is NULL. */
char	*ctx_db_dup(sqlite3_stmt *q, int col);

/* The same where NULL is a value: 0, or -1 out of memory. */
int	ctx_db_dup_null(sqlite3_stmt *q, int col, char **out,
	    struct ctx_err *err);

/*
 * A write transaction; nests, the outermost one counts.  ctx_db_end with ok
 * commits, without it rolls back; both return -1 when that failed, and a failed
 * commit is rolled back.  Used as
 *
 *	if (ctx_db_begin(st, err) == -1)
 *		return -1;
 *	return ctx_db_end(st, work(st, err) == 0, err);
 *
 * ctx_db_end returns -1 when ok is 0, too.
 */
int	ctx_db_begin(struct ctx_store *st, struct ctx_err *err);
int	ctx_db_end(struct ctx_store *st, int ok, struct ctx_err *err);

/* A read transaction: one state of the store for several queries. */
int	ctx_db_read(struct ctx_store *st, struct ctx_err *err);
void	ctx_db_read_end(struct ctx_store *st);

/* The writers' lock alone; nests. */
int	ctx_db_lock(struct ctx_store *st, struct ctx_err *err);
void	ctx_db_unlock(struct ctx_store *st);

/* Drop all prepared statements. */
void	ctx_db_forget(struct ctx_store *st);

#endif
