/* SPDX-License-Identifier: MIT */
/*
 * The lines of an export, by kind; for this folder only.  port.h
 * describes the format.
 */
#ifndef CTX_STORE_PORT_PORT_EXPORT_H
#define CTX_STORE_PORT_PORT_EXPORT_H

#include "base/sha256.h"
#include "store/db.h"
#include "store/port/rowkind.h"
#include "store/port/port.h"

/*
 * Called with a row before it is written.  Returns 1 with the numbers to write
 * (initially those of its columns that are numbers), 0 to skip the row, or -1.
 */
typedef int ctx_export_row_fn(const struct ctx_rowkind *k, sqlite3_stmt *q,
	    int64_t number[CTX_ROWKIND_COLS], void *arg, struct ctx_err *err);

struct ctx_export {
	struct ctx_store *st;
	enum ctx_port_what what;
	ctx_port_fn *fn;
	ctx_export_row_fn *row_fn;	/* NULL to write every row unchanged */
	void *arg;
	int64_t thread;		/* whose rows are written */
	struct ctx_buf row, body;
	unsigned char *sent;	/* a bit for each body's id */
	size_t nsent;		/* its size in bytes */
	int64_t store;		/* data_version that the ids belong to */
	int ids, whole;		/* members of a thread's row; see follow.h */
	int64_t lines;
	struct ctx_sha256 sum;	/* of the lines */
};

/* Write the first and the last line. */
int	ctx_export_begin(struct ctx_export *x, struct ctx_err *err);
int	ctx_export_end(struct ctx_export *x, struct ctx_err *err);

/* Write the line that was begun in x->row. */
int	ctx_export_put(struct ctx_export *x, struct ctx_err *err);

/*
 * Write all rows of a kind that belong to a thread or, if user is not NULL, to
 * a user.
 */
int	ctx_export_kind(struct ctx_export *x, const struct ctx_rowkind *k,
	    int64_t thread, const char *user, struct ctx_err *err);

/*
 * Write one row of a kind, q, without what is NULL.  Its bodies are written
 * first.
 */
int	ctx_export_row(struct ctx_export *x, const struct ctx_rowkind *k,
	    sqlite3_stmt *q, struct ctx_err *err);

/*
 * Fail if a thread is incomplete, of which nothing is to be written: the part
 * would look like a whole one.
 */
int	ctx_export_check_thread(struct ctx_export *x, int64_t id,
	    struct ctx_err *err);

/* Write a thread's own row; the caller frees *user, which may be NULL. */
int	ctx_export_thread_row(struct ctx_export *x, int64_t id, char **user,
	    struct ctx_err *err);

/* Write a thread, or the state of a user without one. */
int	ctx_export_thread(struct ctx_export *x, int64_t id,
	    struct ctx_err *err);
int	ctx_export_user(struct ctx_export *x, const char *user,
	    struct ctx_err *err);

/* Write the states of users who have no thread. */
int	ctx_export_users(struct ctx_export *x, struct ctx_err *err);

void	ctx_export_done(struct ctx_export *x);

#endif
