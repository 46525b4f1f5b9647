/* SPDX-License-Identifier: MIT */
/* What the parts of follow share; see follow.h. */
#ifndef CTX_STORE_PORT_FOLLOW_IMPL_H
#define CTX_STORE_PORT_FOLLOW_IMPL_H

#include "base/sha256.h"
#include "store/port/follow.h"
#include "store/port/port_import.h"
#include "store/port/rowkind.h"

/* Set pos->store to the store's own name. */
int	ctx_position_place(struct ctx_store *st, struct ctx_position *pos,
	    struct ctx_err *err);

/* In a write transaction: this store is at this position of another one. */
int	ctx_position_put(struct ctx_store *st, const struct ctx_position *pos,
	    struct ctx_err *err);

/* Its numbers as members of a row, written and read (-1: not there). */
void	ctx_position_add(struct ctx_buf *row, const struct ctx_position *pos);
int	ctx_position_members(const struct ctx_import *im,
	    struct ctx_position *pos, struct ctx_err *err);
int	ctx_position_same(const struct ctx_position *a,
	    const struct ctx_position *b);

/* What was sent of one row: sums of its key, and of all of it. */
#define CTX_FOLLOW_SUM	16
struct ctx_follow_row {
	unsigned char key[CTX_FOLLOW_SUM], all[CTX_FOLLOW_SUM];
};

/* The rows of one kind, sorted by key after ctx_follow_rows_sort. */
struct ctx_follow_rows {
	struct ctx_follow_row *row;
	size_t n, cap;
};

/* What the other store has of a thread; 0 is the states of all users. */
struct ctx_follow_known {
	int64_t id;
	unsigned char head[CTX_FOLLOW_SUM];	/* its own row */
	struct ctx_follow_rows kind[CTX_IMPORT_KINDS];
	struct ctx_follow_log {
		int64_t context, next;	/* sequence number */
	} *log;
	size_t nlog, caplog;
};

int	ctx_follow_rows_add(struct ctx_follow_rows *rows,
	    const struct ctx_follow_row *row, struct ctx_err *err);
void	ctx_follow_rows_sort(struct ctx_follow_rows *rows);
/* The row with this key, or NULL. */
const struct ctx_follow_row *ctx_follow_rows_find(
	    const struct ctx_follow_rows *rows,
	    const struct ctx_follow_row *key);

void	ctx_follow_known_done(struct ctx_follow_known *known);

/* Set the sum of a thread's own row, a line. */
void	ctx_follow_sum_head(struct ctx_follow_known *known, const char *line,
	    size_t len);

/* Sum up a row of a kind, q; user: whose it is, or NULL. */
int	ctx_follow_sum_row(struct ctx_store *st, const char *user,
	    const struct ctx_rowkind *k, sqlite3_stmt *q,
	    struct ctx_follow_row *row, struct ctx_err *err);

/* The sum of all sums. */
void	ctx_follow_sum(const struct ctx_follow_known *known,
	    char hex[CTX_POSITION_SUM]);

/* What of a kind's rows is to be written, if old (or NULL) was sent? */
enum ctx_follow_part { CTX_FOLLOW_NONE, CTX_FOLLOW_NEW, CTX_FOLLOW_ALL };
enum ctx_follow_part ctx_follow_differ(const struct ctx_follow_known *old,
	    const struct ctx_follow_known *new, const struct ctx_rowkind *k);

/*
 * What is known of the threads that changed last, up to some number of threads
 * and rows.  Of a thread that is not among them, all rows are sent again.
 */
#define CTX_FOLLOW_THREADS	256
#define CTX_FOLLOW_ROWS		1000000
struct ctx_follow_memory {
	struct ctx_follow_known *known[CTX_FOLLOW_THREADS];	/* newest
								   first */
	size_t n, rows;
};

/* Find a thread, or NULL. */
const struct ctx_follow_known *ctx_follow_memory_find(
	    const struct ctx_follow_memory *m, int64_t id);
void	ctx_follow_memory_forget(struct ctx_follow_memory *m, int64_t id);
/* Keep *known, whose contents are moved, in place of what was known. */
int	ctx_follow_memory_keep(struct ctx_follow_memory *m,
	    struct ctx_follow_known *known, struct ctx_err *err);
void	ctx_follow_memory_done(struct ctx_follow_memory *m);

#endif
