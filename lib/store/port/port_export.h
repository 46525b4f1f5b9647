/* SPDX-License-Identifier: MIT */
/*
 * The lines of an export, one kind after the other: for export.c and recover.c
 * only.  See port.h for the whole.
 */
#ifndef CTX_STORE_PORT_PORT_EXPORT_H
#define CTX_STORE_PORT_PORT_EXPORT_H

#include "store/db.h"
#include "store/port/rowkind.h"
#include "store/port/port.h"

/*
 * A row that is about to go out: 1 with the numbers that it goes out with (of
 * columns that are numbers, as they are at first), 0: it stays, -1.
 */
typedef int ctx_export_row_fn(const struct ctx_rowkind *k, sqlite3_stmt *q,
	    int64_t number[CTX_ROWKIND_COLS], void *arg, struct ctx_err *err);

struct ctx_export {
	struct ctx_store *st;
	enum ctx_port_what what;
	ctx_port_fn *fn;
	ctx_export_row_fn *row_fn;	/* NULL: every row as it is */
	void *arg;
	struct ctx_buf row, body;
	unsigned char *sent;	/* a bit for each body's id */
	size_t nsent;		/* bytes of it */
	int64_t store;		/* which ids these are: data_version */
	int64_t lines;
};

/* The first and the last line. */
int	ctx_export_begin(struct ctx_export *x, struct ctx_err *err);
int	ctx_export_end(struct ctx_export *x, struct ctx_err *err);

/* The line that was begun in x->row. */
int	ctx_export_put(struct ctx_export *x, struct ctx_err *err);

/* All rows of a kind, of a thread or, user not NULL, of a user. */
int	ctx_export_kind(struct ctx_export *x, const struct ctx_rowkind *k,
	    int64_t thread, const char *user, struct ctx_err *err);

/* One row of a kind, q; what is NULL is left out.  Its bodies go before it. */
int	ctx_export_row(struct ctx_export *x, const struct ctx_rowkind *k,
	    sqlite3_stmt *q, struct ctx_err *err);

/* The states of users who have no thread. */
int	ctx_export_users(struct ctx_export *x, struct ctx_err *err);

void	ctx_export_done(struct ctx_export *x);

#endif
