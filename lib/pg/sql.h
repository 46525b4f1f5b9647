/* SPDX-License-Identifier: MIT */
/*
 * SQL as lib/store has it, for PostgreSQL.  It is written so that little
 * differs:
 *
 *	?1			$1
 *	user (a column)		"user"
 *	vector (a table)	message_vector
 *	INSERT OR IGNORE ...	INSERT ... ON CONFLICT DO NOTHING
 *	a IS ?1, a IS NOT ?1	a IS NOT DISTINCT FROM $1, a IS DISTINCT ...
 *	a IS b			a IS NOT DISTINCT FROM b
 *	?1 IS NULL		$5, a boolean: the server could not tell the
 *				type of $1
 *	IN temp.x, temp.x	IN (TABLE pg_temp.x), pg_temp.x
 *	ifnull(			coalesce(
 *	INTEGER			BIGINT
 *	CROSS JOIN b ON		JOIN b ON
 *	NOT INDEXED
 *	LIMIT ?1		the same, but -1 is no limit
 *	CREATE TEMP TABLE ...	... ON COMMIT DROP
 *	PRAGMA data_version	a number that each write changes
 *	AS BLOB			AS bytea
 *	search MATCH ?1		words @@ $1::text::tsquery
 */
#ifndef CTX_PG_SQL_H
#define CTX_PG_SQL_H

#include "base/buf.h"

#define CTX_SQL_NULLS	8

/* What the arguments need besides. */
struct ctx_sql_more {
	/* those, from 1, whose absence is an argument after the others */
	int nulls[CTX_SQL_NULLS], n;
	int match, trigrams;	/* a query of an index, from 1 (fts.h) */
};

/*
 * Append sql, which has nargs arguments, to out.  *more is all zero before.
 * Returns 0 or -1.
 */
int	ctx_sql_translate(struct ctx_buf *out, const char *sql, int nargs,
	    struct ctx_sql_more *more, struct ctx_err *err);

#endif
