/* SPDX-License-Identifier: MIT */
/*
 * The rows of a thread as JSON objects: which tables, which columns, under
 * which names.  Export and import both follow these tables.
 */
#ifndef CTX_STORE_PORT_ROWKIND_H
#define CTX_STORE_PORT_ROWKIND_H

#include "base/buf.h"

#define CTX_ROWKIND_COLS	16

enum ctx_col_type {
	CTX_COL_INT,
	CTX_COL_TEXT,
	CTX_COL_WHEN,	/* microseconds, as RFC 3339 */
	CTX_COL_BODY	/* a row of body, as its SHA-256 */
};

/* When a row is there already, under the same key, with other contents. */
enum ctx_clash {
	CTX_CLASH_ERROR,	/* the log and what stands beside it */
	CTX_CLASH_NEWER,	/* the one of the newer thread stays */
	CTX_CLASH_LONGER	/* contexts: the one with more messages */
};

struct ctx_rowkind {
	const char *name;	/* "message" */
	const char *table;
	const char *scope;	/* its first column: "thread", "user" */
	const char *order;	/* ORDER BY, and what makes a row unique */
	enum ctx_clash clash;
	struct ctx_col {
		const char *name;	/* of the column and the member */
		enum ctx_col_type type;
	} col[CTX_ROWKIND_COLS];	/* ends with name NULL */
};

/* All, in the order of export; ends with name NULL. */
extern const struct ctx_rowkind ctx_rowkinds[];

/*
 * The kind's statements; ?1 is the scope, ?2 and so on the columns.
 *
 *	select	all rows of a scope
 *	insert	a row, unless its key is there
 *	same	counts the rows that are equal to one
 */
void	ctx_rowkind_select(const struct ctx_rowkind *k, struct ctx_buf *sql);
void	ctx_rowkind_insert(const struct ctx_rowkind *k, int replace,
	    struct ctx_buf *sql);
void	ctx_rowkind_same(const struct ctx_rowkind *k, struct ctx_buf *sql);

#endif
