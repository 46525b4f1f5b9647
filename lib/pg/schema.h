/* SPDX-License-Identifier: MIT */
/*
 * The tables, in the first schema of the search path.  The first column of each
 * key is a thread's number, a hash of its name (store/db.h), so that a cluster
 * can distribute them by it.
 */
#ifndef CTX_PG_SCHEMA_H
#define CTX_PG_SCHEMA_H

#include "store/db.h"

#define CTX_TABLES_VERSION	1	/* in meta */

/*
 * The version of the tables in *version, 0 if there are none.  Returns 0 or
 * -1.
 */
int	ctx_tables_version(struct ctx_store *st, int64_t *version,
	    struct ctx_err *err);

/* In a transaction: until its end nobody else makes a table. */
int	ctx_tables_lock(struct ctx_store *st, struct ctx_err *err);

/* Make the tables, unless another does it at the same time. */
int	ctx_tables_make(struct ctx_store *st, struct ctx_err *err);

/*
 * The same for a writer, in the same round trip: if the tables were restored on a
 * server whose transactions have smaller numbers, the numbers of changes then
 * go on from those that are there.
 */
int	ctx_tables_write(struct ctx_store *st, int64_t *version,
	    struct ctx_err *err);

#endif
