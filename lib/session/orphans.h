/* SPDX-License-Identifier: MIT */
/* Does every result that is to be appended to a log answer a call in it? */
#ifndef CTX_SESSION_ORPHANS_H
#define CTX_SESSION_ORPHANS_H

#include "store/log.h"

/*
 * Look at line[0 .. n) as the continuation of a context, which need not exist yet.
 * Of the log, only as much of its end is read as that takes.
 *
 * Returns: 0, or -1: CTX_ENO with err->line set to the index + 1 of the first line
 *          with a result that answers no waiting call, or any other error.
 */
int	ctx_orphans(struct ctx_store *st, const struct ctx_where *where,
	    const struct ctx_entry *line, size_t n, struct ctx_err *err);

#endif
