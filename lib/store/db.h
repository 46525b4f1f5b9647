/* SPDX-License-Identifier: MIT */
/*
 * The store's connection, for the files of this folder only: statements that
 * are prepared once, transactions under the writers' lock, errors.
 *
 * Writers take the lock of fair.h on FILE-lock around each transaction, and
 * checkpoint the write-ahead log only under it: SQLite before 3.51.3 can
 * damage a file when one connection checkpoints while another one commits and
 * restarts the log.  The lock has a file of its own because closing a second
 * descriptor of the database would drop SQLite's own locks.
 */
#ifndef CTX_STORE_DB_H
#define CTX_STORE_DB_H

#include <stdarg.h>

#ifdef CTX_PG
#include "store/db_pg.h"
#else
#include <sqlite3.h>
#endif

#include "base/buf.h"
#include "store/store.h"

/*
 * In SQL: the greatest of several values; what makes a thread unique; and the
 * number of a new one, of which ?1 is ctx_db_new_thread.  In a file it is one
 * that no thread had before: whoever follows the store, or reads a thread,
 * would take the new one for the old one.  meta has the highest that is gone.
 */
#ifdef CTX_PG
#define CTX_DB_GREATEST		"greatest"
#define CTX_DB_THREAD_KEY	"id"
#define CTX_DB_THREAD_NEW	"?1"
#else
#define CTX_DB_GREATEST		"max"
#define CTX_DB_THREAD_KEY	"name"
#define CTX_DB_THREAD_NEW	"(SELECT 1 + max(ifnull((SELECT max(id) FROM" \
	" thread), 0), ifnull((SELECT value FROM meta WHERE key =" \
	" 'thread'), 0)))"
#endif

#define CTX_DB_UNKNOWN	(-1)	/* of trigram */
#define CTX_DB_NONE	(-2)
#define CTX_DB_STATEMENTS	128
#define CTX_DB_BUSY_MS		30000
#define CTX_DB_WAL_LIMIT	(4u << 20)
#define CTX_DB_WAL_KEPT		"16777216"	/* a longer log is truncated */

struct ctx_store {
	sqlite3 *db;
	struct ctx_squeeze *squeeze;	/* or NULL */
	struct ctx_bundles *bundles;	/* or NULL */
	char *path;		/* resolved */
	char *copy;		/* private folder to remove on close, or NULL */
	int lockfd;		/* of FILE-lock, or -1 */
	int writer;
	int single_host;	/* the file system is not looked at */
	int lock_error;		/* the error number if locks do not work */
	const char *user;	/* only this user's threads exist, or NULL */
	int64_t last;		/* what "@last" means, once it was asked for */
	void (*watch)(void *arg);	/* see ctx_store_watch */
	void *watch_arg;
	int64_t older;		/* the file's version if this is a reader and
				 * it is older than ours; else 0 */
	int shared;		/* reads an immutable file with LOCK_SH */
	int patience;		/* milliseconds to wait for SQLite's locks */
	int depth;		/* depth of nested ctx_db_begin calls */
	int turns;		/* how often the writers' lock was taken */
	int locks;		/* depth of nested ctx_db_lock calls */
	uint64_t wal;		/* bytes in the log after the last commit */
	uint64_t wal_next;	/* checkpoint when wal exceeds this */
	int page;		/* page size in bytes */
	int64_t trigram;	/* in a transaction: see search/trigram.h */
	int many;		/* see ctx_db_many */
	int nstmt;
	struct {
		const char *sql;	/* compared by address */
		sqlite3_stmt *stmt;
	} stmt[CTX_DB_STATEMENTS];
};

/* Wait at most this long for locks of SQLite. */
void	ctx_db_patience(struct ctx_store *st, int ms);

/*
 * Set err from the connection's last error, "FILE: what SQLite says".  Returns
 * -1.
 */
int	ctx_db_fail(struct ctx_store *st, int rc, struct ctx_err *err);

/*
 * Prepare sql (a literal, because it is found again by its address) and bind
 * the arguments.  fmt has one letter for each argument:
 *
 *	i  int64_t		s  const char *, NULL allowed
 *	t  const char *, size_t	b  const void *, size_t: as text, as blob; a
 *	n  nothing: NULL	   NULL pointer binds NULL
 *	o  const int64_t *, NULL allowed
 *
 * Texts and blobs are borrowed until the statement is reset.  Returns NULL on
 * failure.  Do not call it with the same sql while reading its rows.
 */
sqlite3_stmt *ctx_db_query(struct ctx_store *st, struct ctx_err *err,
	    const char *sql, const char *fmt, ...);
sqlite3_stmt *ctx_db_queryv(struct ctx_store *st, struct ctx_err *err,
	    const char *sql, const char *fmt, va_list ap);

/*
 * The same for a query without a LIMIT whose rows have no bound.  A server sends
 * them in parts, in a transaction that only reads unless there is one, until
 * the statement is reset.
 */
sqlite3_stmt *ctx_db_many(struct ctx_store *st, struct ctx_err *err,
	    const char *sql, const char *fmt, ...);

/*
 * Returns 1 for a row, 0 if there are no more (the statement is reset), or -1
 * on failure (also reset), and for a NULL q, from a query that failed.
 */
int	ctx_db_row(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err);

/*
 * Like ctx_db_row, for a loop over all rows.  rc is the result for the
 * previous row, at first 0; -1 ends the loop:
 *
 *	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
 *		rc = take(q, err);
 */
int	ctx_db_next(struct ctx_store *st, sqlite3_stmt *q, int rc,
	    struct ctx_err *err);

/*
 * Like ctx_db_row where a row must exist: returns 0, or -1 also if there is
 * none.
 */
int	ctx_db_need(struct ctx_store *st, sqlite3_stmt *q,
	    struct ctx_err *err);

/* Run a query to its end. */
int	ctx_db_run(struct ctx_store *st, struct ctx_err *err, const char *sql,
	    const char *fmt, ...);

/* Run several to their ends, up to a NULL, with the same arguments. */
int	ctx_db_run_all(struct ctx_store *st, struct ctx_err *err,
	    const char *const *sql, const char *fmt, ...);

/*
 * Query one integer.  Returns 1 with *out set, 0 if there is no row or the
 * value is NULL, or -1.
 */
int	ctx_db_int(struct ctx_store *st, int64_t *out, struct ctx_err *err,
	    const char *sql, const char *fmt, ...);

/*
 * Query one text.  Returns 1 with *out set, which the caller frees; 0 with
 * *out NULL if there is no row or the value is NULL; or -1 with *out NULL.
 */
int	ctx_db_text(struct ctx_store *st, char **out, struct ctx_err *err,
	    const char *sql, const char *fmt, ...);

/* Set CTX_ENO, "no such KIND 'NAME'".  Returns -1. */
int	ctx_db_none(const char *kind, const char *name, struct ctx_err *err);

/* Run statements that are used once: PRAGMAs, the schema. */
int	ctx_db_exec(struct ctx_store *st, const char *sql,
	    struct ctx_err *err);

/* Append a column's bytes to out. */
void	ctx_db_add(struct ctx_buf *out, sqlite3_stmt *q, int col);

/*
 * Copy a column for the caller to free; NULL if out of memory or if the column
 * is NULL.
 */
char	*ctx_db_dup(sqlite3_stmt *q, int col);

/*
 * Like ctx_db_dup where NULL is a valid value: returns 0, or -1 if out of
 * memory.
 */
int	ctx_db_dup_null(sqlite3_stmt *q, int col, char **out,
	    struct ctx_err *err);

/*
 * A write transaction.  Calls may be nested; only the outermost pair has an
 * effect.  ctx_db_end commits if ok is set and rolls back otherwise; it
 * returns -1 if that fails, and a failed commit is rolled back.  Usage:
 *
 *	if (ctx_db_begin(st, err) == -1)
 *		return -1;
 *	return ctx_db_end(st, work(st, err) == 0, err);
 *
 * ctx_db_end also returns -1 if ok is 0.
 */
int	ctx_db_begin(struct ctx_store *st, struct ctx_err *err);
int	ctx_db_end(struct ctx_store *st, int ok, struct ctx_err *err);

/* A read transaction: several queries see the same state of the store. */
int	ctx_db_read(struct ctx_store *st, struct ctx_err *err);
void	ctx_db_read_end(struct ctx_store *st);

/*
 * In a write transaction: from now on to its end nobody else changes the
 * thread.  In a file, where one writes at a time, nothing is to be done.  Returns
 * 1, 0 if the thread was removed since it was found, or -1.
 */
int	ctx_db_hold(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/*
 * The same for several threads, always in the order of their numbers, into which
 * they are put; those that were removed are passed over.  Returns 0 or -1.
 */
int	ctx_db_hold_each(struct ctx_store *st, int64_t *thread, size_t n,
	    struct ctx_err *err);

/*
 * Read at most max ids of rows from q, the first column, and hold their threads,
 * the second one.  Rows may have gone before that.  Returns how many there are, or
 * -1.
 */
int	ctx_db_hold_rows(struct ctx_store *st, sqlite3_stmt *q, int64_t *id,
	    int max, struct ctx_err *err);

/*
 * Hold the states of a user, or of all users if it is NULL; after ctx_db_hold, if
 * both are held.  On a server, contents that are put are those of the thread or the
 * user that was held last.  Returns 0 or -1.
 */
int	ctx_db_hold_user(struct ctx_store *st, const char *user,
	    struct ctx_err *err);

/*
 * The number that a new thread of that name gets; NULL for the next one.  id is
 * where it may be put.
 */
const int64_t *ctx_db_new_thread(const char *name, size_t len, int64_t *id);

/* Is there INSERT OR REPLACE?  Else the key and the columns are named. */
int	ctx_db_replaces(void);

/*
 * How many rows to ask for at once: each question to a server is a round trip.
 */
size_t	ctx_db_batch(void);

/* Take the writers' lock without a transaction; may be nested. */
int	ctx_db_lock(struct ctx_store *st, struct ctx_err *err);
void	ctx_db_unlock(struct ctx_store *st);

/* Drop all prepared statements. */
void	ctx_db_forget(struct ctx_store *st);

#endif
