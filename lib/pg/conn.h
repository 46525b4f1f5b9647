/* SPDX-License-Identifier: MIT */
/*
 * The connection to a PostgreSQL server.  Everything works through a pool that
 * gives each transaction another session: nothing is kept in a session, and
 * no statement is prepared there.
 */
#ifndef CTX_PG_CONN_H
#define CTX_PG_CONN_H

#include "store/db.h"

struct pg_conn;
struct pg_result;
struct ctx_word_cutter;

#define CTX_CONN_ARGS	32
#define CTX_PG_TOKEN	16

/* The connection was lost: */
enum ctx_pg_loss {
	CTX_PG_NO_LOSS,
	CTX_PG_LOST,		/* it is; a commit may have been sent */
	CTX_PG_UNDONE,		/* nothing was stored; there is a new one */
	CTX_PG_UNKNOWN		/* and what was stored is not known */
};

struct ctx_pg {
	struct pg_conn *conn;
	int changes;		/* rows that the last statement changed */
	int constraint;		/* the last failure was that of one; */
	int missing;		/* it was that there is no such table, */
	int clash;		/* that of a stricter isolation, */
	int no_text;		/* or that of a text which none can have */
	int unknown_id;		/* that of a row could not be asked for */
	int64_t thread;		/* or user (< 0) whose contents are stored */
	int reading;		/* the transaction only reads */
	unsigned transactions;	/* how many were begun */
	unsigned cursors;	/* how many were made */
	int alone;		/* no standby confirmed the last commit */
	unsigned char token[CTX_PG_TOKEN];	/* see outcome.h */
	enum ctx_pg_loss loss;
	int losses;		/* of this transaction */
	struct ctx_word_cutter *words[2];	/* by enum ctx_fts; see words.h */
};

/* A statement's arguments. */
struct ctx_conn_args {
	int n;
	unsigned type[CTX_CONN_ARGS];
	const char *value[CTX_CONN_ARGS];
	int len[CTX_CONN_ARGS], format[CTX_CONN_ARGS];
	unsigned char number[CTX_CONN_ARGS][8];
};

/* Add a number, or bytes (NULL for none); a type of 0 is the server's guess. */
void	ctx_conn_int(struct ctx_conn_args *a, int64_t v);
void	ctx_conn_bytes(struct ctx_conn_args *a, const void *p, size_t n,
	    unsigned type);

/*
 * Run one statement; *out gets its rows, in binary form.  Returns 0, or -1 with
 * *err set.
 */
int	ctx_conn_run(struct ctx_store *st, const char *sql,
	    const struct ctx_conn_args *a, struct pg_result **out,
	    struct ctx_err *err);

/* Run several statements without arguments or results. */
int	ctx_conn_exec(struct ctx_store *st, const char *sql,
	    struct ctx_err *err);

/* Set err to what the server, or libpq if res is NULL, says.  Returns -1. */
int	ctx_conn_fail(struct ctx_store *st, const struct pg_result *res,
	    struct ctx_err *err);

/*
 * After a commit: fail if the server stopped waiting for the standby that is to
 * have it.
 */
int	ctx_conn_confirmed(struct ctx_store *st, struct ctx_err *err);

/* A number in a result, 0 for NULL. */
int64_t	ctx_conn_number(const struct pg_result *res, int row, int col);

/* Connect; st->path gets a name for messages. */
int	ctx_conn_open(struct ctx_store *st, const char *url,
	    struct ctx_err *err);

#endif
