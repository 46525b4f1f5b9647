/* SPDX-License-Identifier: MIT */
/* The connection; see conn.h. */
#include "pg/conn.h"

#include <libpq-fe.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define INT2	21
#define INT4	23
#define INT8	20
#define BOOL	16
#define NUMERIC	1700

#define LEAST	13	/* the first version with pg_current_snapshot */

void
ctx_conn_int(struct ctx_conn_args *a, int64_t v)
{
	unsigned char *p = a->number[a->n];
	int i;

	for (i = 0; i < 8; i++)
		p[i] = (unsigned char)((uint64_t)v >> (56 - 8 * i));
	ctx_conn_bytes(a, p, 8, INT8);
}

void
ctx_conn_bytes(struct ctx_conn_args *a, const void *p, size_t n,
    unsigned type)
{
	a->value[a->n] = p;
	a->len[a->n] = n > INT_MAX ? -1 : (int)n;
	a->format[a->n] = 1;
	a->type[a->n++] = type;
}

/* What the server's codes mean for us. */
static const struct {
	const char *state;		/* or how it begins */
	enum ctx_code code;
	const char *text;
} meaning[] = {
	{ "53100", CTX_ESYSTEM, "the disk of the server is full" },
	{ "54", CTX_EINPUT, "too large to be stored" },
	{ "22021", CTX_EINPUT, "PostgreSQL cannot store a name that has a NUL "
	    "byte or is not UTF-8; change it, or use a store in a file" },
	{ "2202", CTX_EINPUT, "PostgreSQL cannot store such a text" },
	{ "22P0", CTX_EINPUT, "PostgreSQL cannot store such a text" },
	{ "25006", CTX_ESYSTEM, "read-only" },
	{ "3D000", CTX_ENO, "no such store" },
	{ "40", CTX_ESYSTEM, "another process was in the way; try again" },
	{ "55P03", CTX_ESYSTEM, "locked by another process; try again later" },
	{ "42P01", CTX_ESYSTEM, "not a ctx store" },
	{ "42703", CTX_ESYSTEM, "not a ctx store" },
	{ "42P07", CTX_ESYSTEM, "not a ctx store, but it has a table with "
	    "the name of one of ours; use another schema" },
	{ "3F000", CTX_ESYSTEM, "no schema of the search path exists" },
};
#define MEANINGS	(sizeof(meaning) / sizeof(meaning[0]))

/* The first line of a message, without what says how bad it is. */
static void
set_text(const struct ctx_store *st, const char *text, struct ctx_err *err)
{
	char line[200];

	while (strncmp(text, "ERROR:", 6) == 0 ||
	    strncmp(text, "FATAL:", 6) == 0)
		text += 6 + strspn(text + 6, " ");
	ctx_fail(err, CTX_ESYSTEM, "%s: %s", st->path, ctx_err_quote(line,
	    sizeof(line), text, strcspn(text, "\n")));
}

int
ctx_conn_fail(struct ctx_store *st, const PGresult *res, struct ctx_err *err)
{
	const char *state = res == NULL ? NULL :
	    PQresultErrorField(res, PG_DIAG_SQLSTATE);
	const char *text = res == NULL ? NULL :
	    PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
	size_t i;

	st->db->constraint = state != NULL && strncmp(state, "23", 2) == 0;
	st->db->missing = state != NULL && strcmp(state, "42P01") == 0;
	st->db->clash = state != NULL && strcmp(state, "40001") == 0;
	st->db->no_text = state != NULL && strcmp(state, "22021") == 0;
	if (PQstatus(st->db->conn) == CONNECTION_BAD)
		st->db->loss = CTX_PG_LOST;
	for (i = 0; i < MEANINGS && state != NULL; i++)
		if (strncmp(state, meaning[i].state,
		    strlen(meaning[i].state)) == 0)
			return ctx_fail(err, meaning[i].code,
			    meaning[i].code == CTX_EINPUT ? "%s%s" : "%s: %s",
			    meaning[i].code == CTX_EINPUT ? "" : st->path,
			    meaning[i].text);
	set_text(st, text != NULL ? text : PQerrorMessage(st->db->conn), err);
	return -1;
}

int
ctx_conn_run(struct ctx_store *st, const char *sql,
    const struct ctx_conn_args *a, PGresult **out, struct ctx_err *err)
{
	PGresult *res;
	ExecStatusType status;
	const char *n;
	int i;

	*out = NULL;
	for (i = 0; i < a->n; i++)
		if (a->len[i] < 0)
			return ctx_fail(err, CTX_EINPUT,
			    "too large to be stored");
	res = PQexecParams(st->db->conn, sql, a->n, a->type, a->value, a->len,
	    a->format, 1);
	status = PQresultStatus(res);
	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
		ctx_conn_fail(st, res, err);
		PQclear(res);
		return -1;
	}
	n = PQcmdTuples(res);
	st->db->changes = (int)strtol(n, NULL, 10);
	*out = res;
	return 0;
}

int
ctx_conn_exec(struct ctx_store *st, const char *sql, struct ctx_err *err)
{
	PGresult *res = PQexec(st->db->conn, sql);
	ExecStatusType status = PQresultStatus(res);
	int rc = 0;

	if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
		rc = ctx_conn_fail(st, res, err);
	PQclear(res);
	return rc;
}

static uint64_t
big(const unsigned char *p, int n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

/* The whole part of a numeric: digits of base 10000, the first of weight w. */
static int64_t
numeric(const unsigned char *p)
{
	int n = (int)big(p, 2), w = (int16_t)big(p + 2, 2), i;
	int64_t v = 0;

	for (i = 0; i <= w; i++)
		v = v * 10000 + (i < n ? (int64_t)big(p + 8 + 2 * i, 2) : 0);
	return big(p + 4, 2) == 0x4000 ? -v : v;
}

int64_t
ctx_conn_number(const PGresult *res, int row, int col)
{
	const char *p = PQgetvalue(res, row, col);
	const unsigned char *u = (const unsigned char *)p;

	if (PQgetisnull(res, row, col))
		return 0;
	switch (PQftype(res, col)) {
	case INT8:
		return (int64_t)big(u, 8);
	case INT4:
		return (int32_t)big(u, 4);
	case INT2:
		return (int16_t)big(u, 2);
	case BOOL:
		return *u;
	case NUMERIC:
		return numeric(u);
	default:
		return strtoll(p, NULL, 10);
	}
}

/* The server commits with a warning if its wait for a standby is cancelled. */
static void
notice(void *arg, const PGresult *res)
{
	const char *where = PQresultErrorField(res, PG_DIAG_SOURCE_FUNCTION);
	struct ctx_pg *pg = arg;

	if (where != NULL && strcmp(where, "SyncRepWaitForLSN") == 0)
		pg->alone = 1;
}

int
ctx_conn_confirmed(struct ctx_store *st, struct ctx_err *err)
{
	if (!st->db->alone)
		return 0;
	st->db->alone = 0;
	return ctx_fail(err, CTX_ESYSTEM, "%s: stored, but no standby has "
	    "confirmed it", st->path);
}

/* A name for messages, without a password. */
static int
name_of(struct ctx_store *st, struct ctx_err *err)
{
	const char *host = PQhost(st->db->conn), *db = PQdb(st->db->conn);
	struct ctx_buf b = { 0 };

	ctx_buf_addf(&b, "postgresql://%s/%s", host == NULL || *host == '/' ?
	    "" : host, db == NULL ? "" : db);
	st->path = ctx_buf_str(&b);
	return st->path == NULL ? ctx_fail_nomem(err) : 0;
}

int
ctx_conn_open(struct ctx_store *st, const char *url, struct ctx_err *err)
{
	/* what the URL says comes later and counts */
	const char *key[] = { "fallback_application_name", "connect_timeout",
	    "target_session_attrs", "dbname", "client_encoding", NULL };
	const char *value[] = { "ctx-store", "10", st->writer ? "read-write" :
	    "any", url, "UTF8", NULL };
	const char *encoding;
	int version;

	if ((st->db->conn = PQconnectdbParams(key, value, 1)) == NULL)
		return ctx_fail_nomem(err);
	if (name_of(st, err) == -1)
		return -1;
	if (PQstatus(st->db->conn) != CONNECTION_OK)
		return ctx_conn_fail(st, NULL, err);
	PQsetNoticeReceiver(st->db->conn, notice, st->db);
	if ((version = PQserverVersion(st->db->conn)) < LEAST * 10000)
		return ctx_fail(err, CTX_ESYSTEM, "%s: PostgreSQL %d is too "
		    "old; %d is needed", st->path, version / 10000, LEAST);
	encoding = PQparameterStatus(st->db->conn, "server_encoding");
	if (encoding == NULL || strcmp(encoding, "UTF8") != 0)
		return ctx_fail(err, CTX_ESYSTEM, "%s: the encoding of the "
		    "database is not UTF8", st->path);
	return 0;
}
