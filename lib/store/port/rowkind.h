/* SPDX-License-Identifier: MIT */
/*
 * The rows of a thread as JSON objects: which tables and columns they have,
 * and under which names.  Export and import both use these tables.
 */
#ifndef CTX_STORE_PORT_ROWKIND_H
#define CTX_STORE_PORT_ROWKIND_H

#include "base/buf.h"

#define CTX_ROWKIND_COLS	16

enum ctx_col_type {
	CTX_COL_INT,
	CTX_COL_TEXT,
	CTX_COL_WHEN,	/* microseconds, written as RFC 3339 */
	CTX_COL_BODY	/* a row of body, written as its SHA-256 */
};

/* What to do if a row with the same key but other contents exists. */
enum ctx_clash {
	CTX_CLASH_ERROR,	/* refuse: the log and what belongs to it */
	CTX_CLASH_NEWER,	/* keep that of the newer thread */
	CTX_CLASH_OLD,		/* keep what is there */
	CTX_CLASH_LONGER	/* contexts: keep the one with more messages */
};

struct ctx_rowkind {
	const char *name;	/* "message" */
	const char *table;
	const char *scope;	/* its first column: "thread", "user" */
	const char *order;	/* ORDER BY, and the key of a row */
	enum ctx_clash clash;
	struct ctx_col {
		const char *name;	/* of the column and the member */
		enum ctx_col_type type;
	} col[CTX_ROWKIND_COLS];	/* a NULL name ends the list */
};

/* All kinds, in the order of export; a NULL name ends the list. */
extern const struct ctx_rowkind ctx_rowkinds[];

/* Is column c part of the key? */
int	ctx_rowkind_is_key(const struct ctx_rowkind *k,
	    const struct ctx_col *c);

/* Select all rows of a scope, which is ?1. */
void	ctx_rowkind_select(const struct ctx_rowkind *k, struct ctx_buf *sql);

/* Statements for a row; ?1 is the scope, ?2 and so on are the columns. */
enum ctx_rowkind_sql {
	CTX_ROWKIND_INSERT,	/* unless its key exists; contexts: or is
				   shorter */
	CTX_ROWKIND_REPLACE,	/* the same, but what is there goes */
	CTX_ROWKIND_FORCE,	/* what is there goes, also a context */
	CTX_ROWKIND_SAME,	/* count the rows that equal it */
	CTX_ROWKIND_LOOSEN,	/* note the bodies of the row with its key in
				   temp.loose; "" for kinds without bodies */
	CTX_ROWKIND_SQL		/* their number */
};
void	ctx_rowkind_sql(const struct ctx_rowkind *k,
	    enum ctx_rowkind_sql which, struct ctx_buf *sql);

#endif
