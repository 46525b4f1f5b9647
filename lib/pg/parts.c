/* SPDX-License-Identifier: MIT */
/* Results that come in parts; see parts.h. */
#include "pg/parts.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

#define PART	500		/* rows; a line has at most 32 KB */

/* If there are no more rows than this, a cursor is not needed. */
static int
is_short(struct ctx_store *st, const char *sql, const struct ctx_conn_args *a,
    PGresult **out, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	int rc;

	ctx_buf_addf(&b, "%s LIMIT %d", sql, PART + 1);
	rc = ctx_buf_str(&b) == NULL ? ctx_fail_nomem(err) :
	    ctx_conn_run(st, b.data, a, out, err);
	ctx_buf_done(&b);
	if (rc == -1 || PQntuples(*out) <= PART)
		return rc == -1 ? -1 : 1;
	PQclear(*out);
	*out = NULL;
	return 0;
}

static int
declare(struct ctx_pg_parts *p, const char *sql, const struct ctx_conn_args *a,
    struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	PGresult *res = NULL;
	int rc;

	ctx_buf_addf(&b, "DECLARE ctx%u NO SCROLL CURSOR FOR %s",
	    p->st->db->cursors + 1, sql);
	rc = ctx_buf_str(&b) == NULL ? ctx_fail_nomem(err) :
	    ctx_conn_run(p->st, b.data, a, &res, err);
	ctx_buf_done(&b);
	PQclear(res);
	if (rc == 0)
		p->cursor = ++p->st->db->cursors;
	return rc;
}

int
ctx_parts_begin(struct ctx_pg_parts *p, struct ctx_store *st, const char *sql,
    const struct ctx_conn_args *a, PGresult **out, struct ctx_err *err)
{
	int rc;

	memset(p, 0, sizeof(*p));
	if (st->depth == 0) {
		if (ctx_db_read(st, err) == -1)
			return -1;
		p->own = 1;
	}
	p->st = st;
	p->transaction = st->db->transactions;
	if ((rc = is_short(st, sql, a, out, err)) == 0 &&
	    (declare(p, sql, a, err) == -1 ||
	    ctx_parts_next(p, out, err) == -1))
		rc = -1;
	if (rc == -1)
		ctx_parts_end(p);
	return rc == -1 ? -1 : 0;
}

int
ctx_parts_next(struct ctx_pg_parts *p, PGresult **res, struct ctx_err *err)
{
	static const struct ctx_conn_args none;
	char sql[64];

	PQclear(*res);
	*res = NULL;
	if (p->cursor == 0)
		return 0;
	snprintf(sql, sizeof(sql), "FETCH %d FROM ctx%u", PART, p->cursor);
	if (ctx_conn_run(p->st, sql, &none, res, err) == -1)
		return -1;
	return PQntuples(*res) > 0;
}

/* A cursor lives as long as its transaction. */
void
ctx_parts_end(struct ctx_pg_parts *p)
{
	char sql[64];

	if (p->cursor != 0 && p->st->depth > 0 &&
	    p->transaction == p->st->db->transactions &&
	    PQtransactionStatus(p->st->db->conn) == PQTRANS_INTRANS) {
		snprintf(sql, sizeof(sql), "CLOSE ctx%u", p->cursor);
		ctx_conn_exec(p->st, sql, NULL);
	}
	if (p->own)
		ctx_db_read_end(p->st);
	memset(p, 0, sizeof(*p));
}
