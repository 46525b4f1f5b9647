/* SPDX-License-Identifier: MIT */
/*
 * A store whose file SQLite refuses, or of which the end is missing: the rows
 * of our tables that are left on its pages are put into another, from which
 * recover.c takes what is intact.  A row is recognized by the number and the
 * types of its columns.
 */
#ifndef CTX_STORE_PORT_RESCUE_H
#define CTX_STORE_PORT_RESCUE_H

#include "store/store.h"

/* Is the file shorter than its first page says? */
int	ctx_rescue_is_cut(const char *path);

/*
 * Collect the rows of path in an empty store, which is next to near until it
 * is closed.  Returns 1 with *out set, 0 if there are none or the file is of
 * another program or a later version, or -1.
 */
int	ctx_rescue_open(struct ctx_store **out, const char *path,
	    const char *near, struct ctx_err *err);

#endif
