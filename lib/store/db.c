/* SPDX-License-Identifier: MIT */
/* The connection: statements, transactions, the writers' lock; see db.h. */
#include "store/schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/bundle.h"
#include "store/fair.h"
#include "store/host.h"

/* SQLite's own handler, except that it does not wait where no lock works. */
static int
busy(void *arg, int times)
{
	static const int delays[] = { 1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50,
	    100 };
	static const int n = (int)(sizeof(delays) / sizeof(delays[0]));
	struct ctx_store *st = arg;
	int i, sum = 0;

	if (times == 0 && (st->lock_error =
	    ctx_host_lock_error(st->lockfd)) != 0)
		return 0;
	for (i = 0; i < times && i < n; i++)
		sum += delays[i];
	if (times > n)
		sum += (times - n) * delays[n - 1];
	if (sum >= st->patience)
		return 0;
	usleep((useconds_t)delays[times < n ? times : n - 1] * 1000);
	return 1;
}

void
ctx_db_patience(struct ctx_store *st, int ms)
{
	st->patience = ms;
	sqlite3_busy_handler(st->db, ms > 0 ? busy : NULL, st);
}

static int
fail_busy(const struct ctx_store *st, const char *name, struct ctx_err *err)
{
	if (st->lock_error != 0)
		return ctx_fail_errno(err, st->lock_error, "%s: locks do not "
		    "work on this file system", name);
	return ctx_fail(err, CTX_ESYSTEM, "%s: locked by another process; try "
	    "again later", name);
}

int
ctx_db_fail(struct ctx_store *st, int rc, struct ctx_err *err)
{
	const char *why;
	char name[128];

	ctx_err_quote(name, sizeof(name), st->path, strlen(st->path));
	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return ctx_fail_nomem(err);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fail_busy(st, name, err);
	case SQLITE_FULL:
		why = "the disk is full";
		break;
	case SQLITE_CORRUPT:
		why = "damaged; run 'ctx-store check'";
		break;
	case SQLITE_NOTADB:
		why = "not a ctx-store database";
		break;
	case SQLITE_READONLY:
		why = "read-only";
		break;
	case SQLITE_TOOBIG:
		return ctx_fail(err, CTX_EINPUT, "too large to be stored");
	case SQLITE_ERROR:
	case SQLITE_CONSTRAINT:
		if (st->older != 0)
			return ctx_schema_older(st, err);
		/*
		 * Our statements fit our tables, and our rows satisfy their
		 * constraints: a table or a row must have been changed.
		 */
		return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: %s; run "
		    "'ctx-store check'", name, sqlite3_errmsg(st->db));
	default:
		why = st->db != NULL ? sqlite3_errmsg(st->db) :
		    sqlite3_errstr(rc);
	}
	return ctx_fail(err, CTX_ESYSTEM, "%s: %s", name, why);
}

static sqlite3_stmt *
prepare(struct ctx_store *st, const char *sql, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int i, rc;

	for (i = 0; i < st->nstmt; i++)
		if (st->stmt[i].sql == sql) {
			q = st->stmt[i].stmt;
			if (!sqlite3_stmt_busy(q))
				return q;
			ctx_fail(err, CTX_ERANGE, "statement used twice");
			return NULL;
		}
	if (st->nstmt == CTX_DB_STATEMENTS) {
		ctx_fail(err, CTX_ERANGE, "too many statements");
		return NULL;
	}
	rc = sqlite3_prepare_v3(st->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &q,
	    NULL);
	if (rc != SQLITE_OK) {
		ctx_db_fail(st, rc, err);
		return NULL;
	}
	st->stmt[st->nstmt].sql = sql;
	st->stmt[st->nstmt++].stmt = q;
	return q;
}

static int
bind(sqlite3_stmt *q, const char *fmt, va_list ap)
{
	const int64_t *number;
	const char *s;
	int i, rc = SQLITE_OK;

	for (i = 1; *fmt != '\0' && rc == SQLITE_OK; fmt++, i++) {
		switch (*fmt) {
		case 'i':
			rc = sqlite3_bind_int64(q, i, va_arg(ap, int64_t));
			break;
		case 'o':
			number = va_arg(ap, const int64_t *);
			rc = number == NULL ? sqlite3_bind_null(q, i) :
			    sqlite3_bind_int64(q, i, *number);
			break;
		case 's':
			s = va_arg(ap, const char *);
			rc = sqlite3_bind_text(q, i, s, -1, SQLITE_STATIC);
			break;
		case 't':
			s = va_arg(ap, const char *);
			rc = sqlite3_bind_text64(q, i, s, va_arg(ap, size_t),
			    SQLITE_STATIC, SQLITE_UTF8);
			break;
		case 'b':
			s = va_arg(ap, const char *);
			rc = sqlite3_bind_blob64(q, i, s, va_arg(ap, size_t),
			    SQLITE_STATIC);
			break;
		default:
			rc = sqlite3_bind_null(q, i);
			break;
		}
	}
	return rc;
}

sqlite3_stmt *
ctx_db_queryv(struct ctx_store *st, struct ctx_err *err, const char *sql,
    const char *fmt, va_list ap)
{
	sqlite3_stmt *q = prepare(st, sql, err);
	int rc;

	if (q == NULL)
		return NULL;
	if ((rc = bind(q, fmt, ap)) != SQLITE_OK) {
		ctx_db_fail(st, rc, err);
		sqlite3_clear_bindings(q);
		return NULL;
	}
	return q;
}

int
ctx_db_row(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc;

	if (q == NULL)
		return -1;
	if ((rc = sqlite3_step(q)) == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		ctx_db_fail(st, rc, err);
	sqlite3_reset(q);
	return rc == SQLITE_DONE ? 0 : -1;
}

int
ctx_db_exec(struct ctx_store *st, const char *sql, struct ctx_err *err)
{
	int rc = sqlite3_exec(st->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : ctx_db_fail(st, rc, err);
}

void
ctx_db_forget(struct ctx_store *st)
{
	while (st->nstmt > 0)
		sqlite3_finalize(st->stmt[--st->nstmt].stmt);
}

int
ctx_db_lock(struct ctx_store *st, struct ctx_err *err)
{
	if (st->locks++ > 0 || st->lockfd == -1)
		return 0;
	if (ctx_fair_take(st->lockfd, st->turns++ > 2,
	    CTX_DB_BUSY_MS / 1000) == 0)
		return 0;
	st->locks--;
	if (errno == EINTR)
		return ctx_db_fail(st, SQLITE_BUSY, err);
	return ctx_fail_errno(err, errno, "%s-lock: locks do not work on this "
	    "file system", st->path);
}

void
ctx_db_unlock(struct ctx_store *st)
{
	if (--st->locks == 0 && st->lockfd != -1)
		ctx_fair_leave(st->lockfd);
}

int
ctx_db_begin(struct ctx_store *st, struct ctx_err *err)
{
	if (st->depth > 0) {
		st->depth++;
		return 0;
	}
	if (ctx_db_lock(st, err) == -1)
		return -1;
	if (ctx_db_run(st, err, "BEGIN IMMEDIATE", "") == -1) {
		ctx_db_unlock(st);
		return -1;
	}
	st->depth = 1;
	ctx_bundle_recheck(st);
	st->trigram = CTX_DB_UNKNOWN;
	return 0;
}

/*
 * Move the log's contents into the database, under the lock, so that the next
 * commit starts the log again.  The log keeps its length: syncing bytes that
 * are overwritten takes half the time of extending the file.  Readers that
 * prevent it are not waited for: the next attempt is made when the log has
 * grown by as much again.  A failure does no harm: what was committed is in
 * the log.
 */
static void
checkpoint(struct ctx_store *st)
{
	int rc;

	ctx_db_patience(st, 0);
	rc = sqlite3_wal_checkpoint_v2(st->db, NULL,
	    SQLITE_CHECKPOINT_RESTART, NULL, NULL);
	ctx_db_patience(st, CTX_DB_BUSY_MS);
	st->wal_next = CTX_DB_WAL_LIMIT;
	if (rc != SQLITE_OK)
		st->wal_next += st->wal;
}

int
ctx_db_end(struct ctx_store *st, int ok, struct ctx_err *err)
{
	int rc = 0;

	if (--st->depth > 0)
		return ok ? 0 : -1;
	if (ok)
		rc = ctx_db_run(st, err, "COMMIT", "");
	if (!ok || rc == -1) {
		rc = -1;
		ctx_bundle_forget(st);
		if (!sqlite3_get_autocommit(st->db))
			ctx_db_run(st, NULL, "ROLLBACK", "");
	} else if (st->wal > st->wal_next)
		checkpoint(st);
	ctx_db_unlock(st);
	return rc;
}

int
ctx_db_read(struct ctx_store *st, struct ctx_err *err)
{
	if (st->depth++ > 0)
		return 0;
	ctx_bundle_recheck(st);
	st->trigram = CTX_DB_UNKNOWN;
	if (ctx_db_run(st, err, "BEGIN", "") == 0)
		return 0;
	st->depth = 0;
	return -1;
}

void
ctx_db_read_end(struct ctx_store *st)
{
	if (--st->depth == 0 && ctx_db_run(st, NULL, "COMMIT", "") == -1 &&
	    !sqlite3_get_autocommit(st->db))
		ctx_db_run(st, NULL, "ROLLBACK", "");
}

int
ctx_db_run_all(struct ctx_store *st, struct ctx_err *err,
    const char *const *sql, const char *fmt, ...)
{
	sqlite3_stmt *q;
	va_list ap;
	int rc = 0;

	for (; *sql != NULL && rc == 0; sql++) {
		va_start(ap, fmt);
		q = ctx_db_queryv(st, err, *sql, fmt, ap);
		va_end(ap);
		while ((rc = ctx_db_row(st, q, err)) == 1)
			continue;
	}
	return rc;
}

size_t
ctx_db_batch(void)
{
	return 1;
}

int
ctx_db_replaces(void)
{
	return 1;
}

int
ctx_db_hold(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	(void)st;
	(void)thread;
	(void)err;
	return 1;
}

int
ctx_db_hold_user(struct ctx_store *st, const char *user, struct ctx_err *err)
{
	(void)st;
	(void)user;
	(void)err;
	return 0;
}

const int64_t *
ctx_db_new_thread(const char *name, size_t len, int64_t *id)
{
	(void)name;
	(void)len;
	(void)id;
	return NULL;
}
