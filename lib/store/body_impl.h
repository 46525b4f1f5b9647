/* SPDX-License-Identifier: MIT */
/*
 * The rows of contents, which each kind of database stores in its own way;
 * body.c says what is in them.
 */
#ifndef CTX_STORE_BODY_IMPL_H
#define CTX_STORE_BODY_IMPL_H

#include "store/body.h"

/* Of a row: its bytes; the pieces in body_part; a frame (squeeze.h). */
enum ctx_body_kind {
	CTX_BODY_DATA = 0,
	CTX_BODY_PARTS = 1,
	CTX_BODY_FRAME = 2
};

struct ctx_body_row {
	const unsigned char *hash;
	size_t size;
	int64_t kind;
	const void *data;	/* unused if parts holds the bytes */
	size_t len;		/* of data */
};

/* Returns 1 with *id set, 0, or -1. */
int	ctx_body_row_find(struct ctx_store *st, const unsigned char *hash,
	    int64_t *id, struct ctx_err *err);

/* Add a row that was not found, compressed if that makes it smaller. */
int	ctx_body_row_add(struct ctx_store *st, const struct ctx_body_row *row,
	    int64_t *id, struct ctx_err *err);
int	ctx_body_row_part(struct ctx_store *st, int64_t body, int64_t pos,
	    int64_t part, struct ctx_err *err);

/*
 * Append the contents in the columns size, kind and data of q, from col on.
 * What is damaged gives other bytes, or none.
 */
int	ctx_body_row_data(struct ctx_store *st, sqlite3_stmt *q, int col,
	    struct ctx_buf *out, struct ctx_err *err);

/*
 * Between ctx_body_free_begin and ctx_body_free_end: remove from the table loose
 * what is still in use.
 */
int	ctx_body_keep_used(struct ctx_store *st, struct ctx_err *err);

#endif
