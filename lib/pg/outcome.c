/* SPDX-License-Identifier: MIT */
/* What became of a transaction; see outcome.h. */
#include "pg/outcome.h"

#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "pg/schema.h"

#define BYTEA		17
#define NEVER		(-1)	/* as a seq: it was not committed */
#define PAUSE_MS	250
#define LOSSES		5	/* of one transaction */

int
ctx_outcome_token(struct ctx_store *st, struct ctx_err *err)
{
	st->db->loss = CTX_PG_NO_LOSS;
	if (getentropy(st->db->token, sizeof(st->db->token)) == 0)
		return 0;
	return ctx_fail_errno(err, errno, "cannot get random bytes");
}

/* Leave the token, and commit.  No COMMIT follows a statement that failed. */
static int
commit(struct ctx_store *st, struct ctx_err *err)
{
	char sql[200], hex[2 * CTX_PG_TOKEN + 1];
	PGresult *res;
	size_t i;
	int rc = 0;

	for (i = 0; i < CTX_PG_TOKEN; i++)
		snprintf(hex + 2 * i, 3, "%02x", st->db->token[i]);
	/* not as '\x...', which standard_conforming_strings can change */
	snprintf(sql, sizeof(sql), "INSERT INTO done VALUES(%lld, decode('%s',"
	    " 'hex'), 0, 0); COMMIT", (long long)st->db->thread, hex);
	res = PQexec(st->db->conn, sql);
	if (PQresultStatus(res) != PGRES_COMMAND_OK) {
		rc = ctx_conn_fail(st, res, err);
		if (st->db->loss == CTX_PG_NO_LOSS)
			ctx_conn_exec(st, "ROLLBACK", NULL);
	}
	PQclear(res);
	return rc == 0 ? ctx_conn_confirmed(st, err) : rc;
}

int
ctx_outcome_commit(struct ctx_store *st, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	int64_t seq, turn;

	if (st->db->unknown_id) {
		ctx_conn_exec(st, "ROLLBACK", NULL);
		return ctx_fail_nomem(err);
	}
	if (commit(st, &why) == 0) {
		st->db->losses = 0;
		return 0;
	}
	if (st->db->loss == CTX_PG_NO_LOSS)
		return ctx_fail(err, why.code, "%s", why.text);
	return ctx_outcome_ask(st, &seq, &turn, err) == 1 ? 0 : -1;
}

/* Connect anew, until a server is there. */
static int
reconnect(struct ctx_store *st)
{
	struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	time_t end = time(NULL) + CTX_DB_BUSY_MS / 1000;

	for (;;) {
		PQreset(st->db->conn);
		if (PQstatus(st->db->conn) == CONNECTION_OK)
			return 0;
		if (time(NULL) >= end)
			return -1;
		nanosleep(&pause, NULL);
	}
}

/* One try.  Returns 1 if there is an answer, or -1. */
static int
ask(struct ctx_store *st, int64_t *seq, int64_t *turn)
{
	struct ctx_conn_args a = { 0 };
	PGresult *res;
	int64_t version;
	int rc = -1;

	if (ctx_tables_version(st, &version, NULL) == -1)
		return -1;
	if (version == 0) {	/* it was to make the tables */
		*seq = NEVER;
		return 1;
	}
	ctx_conn_int(&a, st->db->thread);
	ctx_conn_bytes(&a, st->db->token, CTX_PG_TOKEN, BYTEA);
	ctx_conn_int(&a, NEVER);
	if (ctx_conn_run(st, "INSERT INTO done VALUES($1, $2, $3, 0) ON"
	    " CONFLICT (thread, token) DO UPDATE SET ts = EXCLUDED.ts"
	    " RETURNING seq, turn", &a, &res, NULL) == -1)
		return -1;
	if (PQntuples(res) == 1) {
		*seq = ctx_conn_number(res, 0, 0);
		*turn = ctx_conn_number(res, 0, 1);
		rc = ctx_conn_confirmed(st, NULL) == 0 ? 1 : -1;
	}
	PQclear(res);
	return rc;
}

int
ctx_outcome_ask(struct ctx_store *st, int64_t *seq, int64_t *turn,
    struct ctx_err *err)
{
	int i, rc = -1;

	for (i = 0; i < LOSSES && rc == -1 && reconnect(st) == 0; i++)
		rc = ask(st, seq, turn);
	if (rc == -1) {
		st->db->loss = CTX_PG_UNKNOWN;
		return ctx_fail(err, CTX_ESYSTEM, "%s: the connection was lost"
		    " in a commit, so it is not known whether it was stored",
		    st->path);
	}
	st->db->loss = *seq == NEVER ? CTX_PG_UNDONE : CTX_PG_NO_LOSS;
	return *seq != NEVER ? 1 : ctx_fail(err, CTX_ESYSTEM,
	    "%s: the connection was lost; nothing of it was stored", st->path);
}

int
ctx_outcome_again(struct ctx_store *st)
{
	int i;

	if (st->depth > 0 || (st->db->loss != CTX_PG_UNDONE &&
	    st->db->loss != CTX_PG_LOST) || st->db->losses == LOSSES)
		return 0;
	st->db->losses++;
	for (i = 0; i < st->nstmt; i++)
		ctx_pg_reset(st->stmt[i].stmt);
	return st->db->loss == CTX_PG_UNDONE || reconnect(st) == 0;
}

int
ctx_outcome_settle(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_begin(st, err) == -1 ? -1 : ctx_db_end(st, 1, err);
}

void
ctx_outcome_sweep(struct ctx_store *st)
{
	if (st->db->token[0] != 0 || PQstatus(st->db->conn) != CONNECTION_OK ||
	    !st->writer)
		return;
	/* without waiting for another one that does this */
	ctx_conn_exec(st, "DELETE FROM done WHERE (thread, token) IN (SELECT"
	    " thread, token FROM done WHERE ts < now() - interval '1 hour'"
	    " LIMIT 100000 FOR UPDATE SKIP LOCKED)", NULL);
}
