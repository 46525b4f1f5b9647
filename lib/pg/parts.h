/* SPDX-License-Identifier: MIT */
/*
 * A result whose rows have no bound: they come some hundreds at a time, so that
 * not all are in memory.  A result that is short takes one round trip, as any
 * other one.
 *
 * Names: ctx_parts_, ctx_pg_parts.
 */
#ifndef CTX_PG_PARTS_H
#define CTX_PG_PARTS_H

#include "pg/conn.h"

/* All zero: nothing runs. */
struct ctx_pg_parts {
	struct ctx_store *st;
	unsigned cursor;	/* its number, 0 for none */
	unsigned transaction;	/* that it lives in */
	int own;		/* which was begun for it */
};

/*
 * Run a SELECT without a LIMIT; *out gets its first rows.  Outside of a
 * transaction, one that only reads is begun, and lasts until the end.  Returns 0
 * or -1.
 */
int	ctx_parts_begin(struct ctx_pg_parts *p, struct ctx_store *st,
	    const char *sql, const struct ctx_conn_args *a,
	    struct pg_result **out, struct ctx_err *err);

/* Put more rows in place of *res.  Returns 1, 0 if there are none, or -1. */
int	ctx_parts_next(struct ctx_pg_parts *p, struct pg_result **res,
	    struct ctx_err *err);

void	ctx_parts_end(struct ctx_pg_parts *p);

#endif
