/* SPDX-License-Identifier: MIT */
/* Statements, rows and transactions of PostgreSQL; see store/db.h. */
#include "store/db.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/utf8.h"
#include "pg/conn.h"
#include "pg/fts.h"
#include "pg/outcome.h"
#include "pg/parts.h"
#include "pg/sql.h"

/* A statement of lib/store, translated; its result, if it runs. */
struct ctx_pg_stmt {
	struct ctx_buf sql;
	struct ctx_sql_more more;
	PGresult *res;
	int row;
	int many;			/* its rows come in parts */
	struct ctx_pg_parts parts;
	struct ctx_conn_args *args;	/* of one that is made of parts, */
	int bound;			/* and was not run with them */
};

int64_t
ctx_pg_int(const struct ctx_pg_stmt *q, int col)
{
	return ctx_conn_number(q->res, q->row, col);
}

const void *
ctx_pg_blob(const struct ctx_pg_stmt *q, int col)
{
	return PQgetisnull(q->res, q->row, col) ? NULL :
	    PQgetvalue(q->res, q->row, col);
}

int
ctx_pg_bytes(const struct ctx_pg_stmt *q, int col)
{
	return PQgetlength(q->res, q->row, col);
}

int
ctx_pg_columns(const struct ctx_pg_stmt *q)
{
	return PQnfields(q->res);
}

int
ctx_pg_type(const struct ctx_pg_stmt *q, int col)
{
	if (PQgetisnull(q->res, q->row, col))
		return SQLITE_NULL;
	switch (PQftype(q->res, col)) {
	case 17:
		return SQLITE_BLOB;
	case 25:
		return SQLITE_TEXT;
	default:
		return SQLITE_INTEGER;
	}
}

int
ctx_pg_reset(struct ctx_pg_stmt *q)
{
	if (q != NULL) {
		PQclear(q->res);
		q->res = NULL;
		ctx_parts_end(&q->parts);
	}
	return 0;
}

int
ctx_pg_changes(const struct ctx_pg *pg)
{
	return pg->changes;
}

int64_t
ctx_pg_inserted(struct ctx_pg *pg)
{
	PGresult *res = PQexec(pg->conn, "SELECT lastval()");
	int64_t id = PQresultStatus(res) == PGRES_TUPLES_OK ?
	    strtoll(PQgetvalue(res, 0, 0), NULL, 10) : 0;

	/* ctx_outcome_commit refuses to commit then */
	pg->unknown_id |= id == 0;
	PQclear(res);
	return id;
}

/* Find the statement, or translate it. */
static struct ctx_pg_stmt *
prepare(struct ctx_store *st, const char *sql, int nargs, struct ctx_err *err)
{
	struct ctx_pg_stmt *q;
	int i;

	for (i = 0; i < st->nstmt; i++)
		if (st->stmt[i].sql == sql) {
			q = st->stmt[i].stmt;
			if (q->res == NULL)
				return q;
			ctx_fail(err, CTX_ERANGE, "statement used twice");
			return NULL;
		}
	if (st->nstmt == CTX_DB_STATEMENTS) {
		ctx_fail(err, CTX_ERANGE, "too many statements");
		return NULL;
	}
	if ((q = calloc(1, sizeof(*q))) == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	if (ctx_sql_translate(&q->sql, sql, nargs, &q->more, err) == -1) {
		ctx_pg_finalize(q);
		return NULL;
	}
	st->stmt[st->nstmt].sql = sql;
	st->stmt[st->nstmt++].stmt = q;
	return q;
}

/* Texts have the type of the column that they are compared with or put in. */
static void
bind(struct ctx_conn_args *a, const char *fmt, va_list ap)
{
	const int64_t *number;
	const char *s;

	for (; *fmt != '\0'; fmt++)
		switch (*fmt) {
		case 'i':
			ctx_conn_int(a, va_arg(ap, int64_t));
			break;
		case 'o':
			if ((number = va_arg(ap, const int64_t *)) != NULL)
				ctx_conn_int(a, *number);
			else
				ctx_conn_bytes(a, NULL, 0, 20);
			break;
		case 's':
			s = va_arg(ap, const char *);
			ctx_conn_bytes(a, s, s != NULL ? strlen(s) : 0, 0);
			break;
		case 't':
		case 'b':
			s = va_arg(ap, const char *);
			ctx_conn_bytes(a, s, va_arg(ap, size_t),
			    *fmt == 'b' ? 17 : 0);
			break;
		default:
			ctx_conn_bytes(a, NULL, 0, 0);
			break;
		}
}

/* Run it. */
static int
run(struct ctx_store *st, struct ctx_pg_stmt *q, struct ctx_conn_args *a,
    struct ctx_err *err)
{
	static const char yes = 1, no = 0;
	int i, n = a->n, rc;
	struct ctx_buf expr = { 0 };

	for (i = 0; i < q->more.n; i++)
		ctx_conn_bytes(a, a->value[q->more.nulls[i] - 1] == NULL ?
		    &yes : &no, 1, 16);
	q->row = -1;
	if ((i = q->more.match - 1) >= 0) {
		if (ctx_fts_query(st, q->more.trigrams ? CTX_FTS_TRIGRAMS :
		    CTX_FTS_WORDS, a->value[i], (size_t)a->len[i], &expr,
		    err) == -1)
			return -1;
		a->value[i] = expr.data;
		a->len[i] = (int)expr.len;
	}
	rc = q->many ? ctx_parts_begin(&q->parts, st, q->sql.data, a, &q->res,
	    err) : ctx_conn_run(st, q->sql.data, a, &q->res, err);
	ctx_buf_done(&expr);
	a->n = n;
	return rc;
}

/* Is there an argument that no text of the server can be? */
static int
has_no_text(const struct ctx_conn_args *a)
{
	int i;

	for (i = 0; i < a->n; i++)
		if (a->type[i] == 0 && a->value[i] != NULL && a->len[i] >= 0 &&
		    (memchr(a->value[i], '\0', (size_t)a->len[i]) != NULL ||
		    ctx_utf8_check(a->value[i], (size_t)a->len[i]) !=
		    (size_t)a->len[i]))
			return 1;
	return 0;
}

/* Does a statement find rows, and store no argument? */
static int
finds(const char *sql)
{
	return strncmp(sql, "SELECT", 6) == 0 ||
	    strncmp(sql, "DELETE", 6) == 0 ||
	    strncmp(sql, "INSERT OR IGNORE INTO temp.", 27) == 0;
}

/*
 * Look for what may not be a text.  Nothing has such a name, as in a file, but
 * a column of bytes may have it.
 */
static int
look(struct ctx_store *st, struct ctx_pg_stmt *q, struct ctx_conn_args *a,
    struct ctx_err *err)
{
	struct ctx_err why = { 0 };

	st->db->no_text = 0;
	if (st->depth > 0 && ctx_conn_exec(st, "SAVEPOINT ctx", err) == -1)
		return -1;
	if (run(st, q, a, &why) == 0)
		return 0;
	if (!st->db->no_text)
		return ctx_fail(err, why.code, "%s", why.text);
	st->db->changes = 0;
	q->res = PQmakeEmptyPGresult(st->db->conn, PGRES_TUPLES_OK);
	if (q->res == NULL)
		return ctx_fail_nomem(err);
	return st->depth == 0 ? 0 : ctx_conn_exec(st, "ROLLBACK TO ctx", err);
}

sqlite3_stmt *
ctx_db_queryv(struct ctx_store *st, struct ctx_err *err, const char *sql,
    const char *fmt, va_list ap)
{
	struct ctx_conn_args a = { 0 };
	struct ctx_pg_stmt *q = prepare(st, sql, (int)strlen(fmt), err);

	if (q == NULL)
		return NULL;
	bind(&a, fmt, ap);
	q->many = st->many;
	st->many = 0;
	if (finds(sql) && has_no_text(&a))
		return look(st, q, &a, err) == -1 ? NULL : q;
	return run(st, q, &a, err) == -1 ? NULL : q;
}

int
ctx_db_row(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = 0;

	if (st->watch != NULL)
		st->watch(st->watch_arg);
	if (q == NULL)
		return -1;
	if (q->bound) {
		q->bound = 0;
		if (run(st, q, q->args, err) == -1)
			return -1;
	}
	if (++q->row < PQntuples(q->res))
		return 1;
	if (q->many && (rc = ctx_parts_next(&q->parts, &q->res, err)) == 1) {
		q->row = 0;
		return 1;
	}
	ctx_pg_reset(q);
	return rc;
}

/* Append sql with the numbers in a, which are all of its arguments. */
static void
add_whole(struct ctx_buf *out, const char *sql, const struct ctx_conn_args *a)
{
	const unsigned char *p;
	uint64_t v;
	char *end;
	size_t n;
	long arg;
	int i;

	for (; *sql != '\0'; sql += n) {
		n = strcspn(sql, "$");
		ctx_buf_add(out, sql, n);
		if (sql[n] == '\0')
			break;
		arg = strtol(sql + n + 1, &end, 10);
		n = (size_t)(end - sql);
		if (arg > a->n) {	/* whether one is missing */
			ctx_buf_adds(out, "false");
			continue;
		}
		p = a->number[arg - 1];
		for (v = 0, i = 0; i < 8; i++)
			v = v << 8 | p[i];
		ctx_buf_addf(out, "(%lld)::bigint", (long long)(int64_t)v);
	}
	ctx_buf_addc(out, ';');
}

/* One after another. */
static int
run_each(struct ctx_store *st, struct ctx_err *err, const char *const *sql,
    const char *fmt, va_list ap)
{
	sqlite3_stmt *q;
	va_list again;
	int rc = 0;

	for (; *sql != NULL && rc == 0; sql++) {
		va_copy(again, ap);
		q = ctx_db_queryv(st, err, *sql, fmt, again);
		va_end(again);
		while ((rc = ctx_db_row(st, q, err)) == 1)
			continue;
	}
	return rc;
}

/* In one round trip, if the arguments are numbers. */
static int
run_together(struct ctx_store *st, struct ctx_err *err, const char *const *sql,
    const char *fmt, va_list ap)
{
	struct ctx_conn_args a = { 0 };
	struct ctx_buf out = { 0 };
	struct ctx_pg_stmt *q;
	int rc = 0;

	if (fmt[strspn(fmt, "i")] != '\0')
		return run_each(st, err, sql, fmt, ap);
	bind(&a, fmt, ap);
	for (; *sql != NULL && rc == 0; sql++) {
		q = prepare(st, *sql, a.n, err);
		if (q == NULL)
			rc = -1;
		else
			add_whole(&out, q->sql.data, &a);
	}
	if (rc == 0 && ctx_buf_str(&out) == NULL)
		rc = ctx_fail_nomem(err);
	if (rc == 0)
		rc = ctx_conn_exec(st, out.data, err);
	ctx_buf_done(&out);
	return rc;
}

int
ctx_db_run_all(struct ctx_store *st, struct ctx_err *err,
    const char *const *sql, const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = run_together(st, err, sql, fmt, ap);
	va_end(ap);
	return rc;
}

/* The highest number of an argument. */
static int
count_args(const char *sql)
{
	int n, max = 0;

	while ((sql = strchr(sql, '?')) != NULL)
		if ((n = (int)strtol(++sql, NULL, 10)) > max)
			max = n;
	return max;
}

int
ctx_pg_prepare(struct ctx_pg *pg, const char *sql, int len,
    struct ctx_pg_stmt **out, const char **tail)
{
	struct ctx_pg_stmt *q = calloc(1, sizeof(*q));

	(void)pg;
	(void)len;
	(void)tail;
	*out = NULL;
	if (q == NULL || (q->args = calloc(1, sizeof(*q->args))) == NULL) {
		free(q);
		return SQLITE_NOMEM;
	}
	q->many = strncmp(sql, "SELECT", 6) == 0 ||
	    strncmp(sql, "WITH", 4) == 0;
	q->args->n = count_args(sql);
	if (q->args->n > CTX_CONN_ARGS - CTX_SQL_NULLS ||
	    ctx_sql_translate(&q->sql, sql, q->args->n, &q->more,
	    NULL) == -1) {
		ctx_pg_finalize(q);
		return SQLITE_ERROR;
	}
	*out = q;
	return SQLITE_OK;
}

/* Put an argument at its place. */
static struct ctx_conn_args *
place(struct ctx_pg_stmt *q, int i, int *n)
{
	ctx_pg_reset(q);
	q->bound = 1;
	*n = q->args->n;
	q->args->n = i - 1;
	return q->args;
}

int
ctx_pg_bind_int(struct ctx_pg_stmt *q, int i, int64_t v)
{
	int n;

	ctx_conn_int(place(q, i, &n), v);
	q->args->n = n;
	return SQLITE_OK;
}

int
ctx_pg_bind_text(struct ctx_pg_stmt *q, int i, const char *p, size_t len,
    void (*destroy)(void *), int encoding)
{
	int n;

	(void)destroy;
	(void)encoding;
	ctx_conn_bytes(place(q, i, &n), p, len, 0);
	q->args->n = n;
	return SQLITE_OK;
}

int
ctx_pg_finalize(struct ctx_pg_stmt *q)
{
	if (q == NULL)
		return 0;
	ctx_pg_reset(q);
	ctx_buf_done(&q->sql);
	free(q->args);
	free(q);
	return 0;
}

int
ctx_pg_errcode(const struct ctx_pg *pg)
{
	return pg->constraint ? SQLITE_CONSTRAINT : SQLITE_ERROR;
}

/* What failed without a message of the server. */
int
ctx_db_fail(struct ctx_store *st, int rc, struct ctx_err *err)
{
	return rc == SQLITE_NOMEM ? ctx_fail_nomem(err) : ctx_fail(err,
	    CTX_ESYSTEM, "%s: the statement failed", st->path);
}

void
ctx_db_forget(struct ctx_store *st)
{
	while (st->nstmt > 0)
		ctx_pg_finalize(st->stmt[--st->nstmt].stmt);
}

/* Several statements, without arguments and without a ";" in a text. */
int
ctx_db_exec(struct ctx_store *st, const char *sql, struct ctx_err *err)
{
	struct ctx_buf one = { 0 }, out = { 0 };
	struct ctx_sql_more more;
	size_t n;
	int rc = 0;

	for (; *sql != '\0' && rc == 0; sql += n + (sql[n] == ';')) {
		n = strcspn(sql, ";");
		memset(&more, 0, sizeof(more));
		ctx_buf_reset(&one);
		ctx_buf_reset(&out);
		ctx_buf_add(&one, sql, n);
		if (ctx_buf_str(&one) == NULL)
			rc = ctx_fail_nomem(err);
		else if ((rc = ctx_sql_translate(&out, one.data, 0, &more,
		    err)) == 0)
			rc = ctx_conn_exec(st, out.data, err);
	}
	ctx_buf_done(&one);
	ctx_buf_done(&out);
	return rc;
}

/* Begin a transaction, unless there is one. */
static int
begin(struct ctx_store *st, const char *sql, struct ctx_err *err)
{
	if (st->depth++ > 0)
		return 0;
	st->db->transactions++;
	st->db->unknown_id = 0;
	st->db->reading = strstr(sql, "ONLY") != NULL;
	st->trigram = CTX_DB_UNKNOWN;
	if ((st->db->reading || ctx_outcome_token(st, err) == 0) &&
	    ctx_conn_exec(st, sql, err) == 0)
		return 0;
	st->depth = 0;
	return -1;
}

int
ctx_db_begin(struct ctx_store *st, struct ctx_err *err)
{
	return begin(st, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
	    err);
}

int
ctx_db_read(struct ctx_store *st, struct ctx_err *err)
{
	return begin(st, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
	    err);
}

int
ctx_db_end(struct ctx_store *st, int ok, struct ctx_err *err)
{
	if (--st->depth > 0)
		return ok ? 0 : -1;
	if (ok)
		return ctx_outcome_commit(st, err);
	ctx_conn_exec(st, "ROLLBACK", NULL);
	return -1;
}

void
ctx_db_read_end(struct ctx_store *st)
{
	if (--st->depth == 0)
		ctx_conn_exec(st, "COMMIT", NULL);
}

/* There is no lock of all writers: they wait for each other by thread. */
int
ctx_db_lock(struct ctx_store *st, struct ctx_err *err)
{
	(void)st;
	(void)err;
	return 0;
}

void
ctx_db_unlock(struct ctx_store *st)
{
	(void)st;
}

int
ctx_db_replaces(void)
{
	return 0;
}

size_t
ctx_db_batch(void)
{
	return 1024;
}

int
ctx_db_hold(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	int64_t id;

	st->db->thread = thread;
	return st->depth == 0 || st->db->reading ? 1 : ctx_db_int(st, &id, err,
	    "SELECT id FROM thread WHERE id = ?1 FOR UPDATE", "i", thread);
}

/*
 * Who writes all states keeps out those who write one.  The lock of all is the
 * number after that of schema.c, and that of a user is below those of threads.
 */
#define USERS	"1668577364"

int
ctx_db_hold_user(struct ctx_store *st, const char *user, struct ctx_err *err)
{
	int64_t id;

	if (user == NULL)
		return ctx_conn_exec(st, "SELECT pg_advisory_xact_lock(" USERS
		    ")", err);
	st->db->thread = -1 - *ctx_db_new_thread(user, strlen(user), &id);
	return ctx_db_run(st, err, "SELECT pg_advisory_xact_lock_shared("
	    USERS "), pg_advisory_xact_lock(?1)", "i", st->db->thread);
}

/* The first 63 bits of its SHA-256. */
const int64_t *
ctx_db_new_thread(const char *name, size_t len, int64_t *id)
{
	unsigned char hash[CTX_SHA256_LEN];
	struct ctx_sha256 s;
	uint64_t v = 0;
	int i;

	ctx_sha256_init(&s);
	ctx_sha256_update(&s, name, len);
	ctx_sha256_final(&s, hash);
	for (i = 0; i < 8; i++)
		v = v << 8 | hash[i];
	*id = (int64_t)(v >> 1);
	return id;
}
