/* SPDX-License-Identifier: MIT */
/* What a check asks the database itself. */
#ifndef CTX_STORE_CHECK_DB_H
#define CTX_STORE_CHECK_DB_H

#include "store/keep.h"

/*
 * In a read transaction: what the database finds wrong with its own tables, as
 * far as it looks, and the rows that refer to missing ones.
 */
int	ctx_check_db(struct ctx_store *st, int full, ctx_check_fn *fn,
	    void *arg, struct ctx_err *err);

#endif
