/* SPDX-License-Identifier: MIT */
/*
 * The rows on the pages of a database file, without SQLite, which refuses a
 * file whose first page is damaged.  Each page is read by itself: no page that
 * leads to others is needed.  https://www.sqlite.org/fileformat2.html
 * describes the format.
 */
#ifndef CTX_STORE_PORT_LEAF_H
#define CTX_STORE_PORT_LEAF_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CTX_LEAF_COLS	16

/* A value: type is that of SQLite's records ("serial type"). */
struct ctx_leaf_value {
	uint64_t type;
	const unsigned char *p;
	size_t len;
};

struct ctx_leaf_row {
	int64_t id;			/* 0 on pages of an index */
	int n;				/* columns; longer rows are left out */
	struct ctx_leaf_value col[CTX_LEAF_COLS];
};

/* The number of a value that is one. */
int64_t	ctx_leaf_int(const struct ctx_leaf_value *v);

/*
 * Call fn for each row of a table or an index; if it returns -1, stop.  Pages
 * that cannot be read, and rows of which a part is missing, are left out.  wal
 * is the write-ahead log, or -1.
 */
typedef int ctx_leaf_fn(const struct ctx_leaf_row *r, void *arg,
	    struct ctx_err *err);
int	ctx_leaf_each(int fd, int wal, ctx_leaf_fn *fn, void *arg,
	    struct ctx_err *err);

#endif
