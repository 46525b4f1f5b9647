/* SPDX-License-Identifier: MIT */
/* The tables, and the steps from one version of them to the next. */
#ifndef CTX_STORE_SCHEMA_H
#define CTX_STORE_SCHEMA_H

#include "store/db.h"

#define CTX_SCHEMA_ID		0x63747853	/* "ctxS": application_id */
#define CTX_SCHEMA_VERSION	3		/* user_version */

/*
 * The oldest version that a reader takes as it is: what it looks for and does
 * not find there is an error that says to migrate.  A step after which older
 * rows would be read wrongly raises it.
 */
#define CTX_SCHEMA_READABLE	1

/*
 * Bring an open store to CTX_SCHEMA_VERSION, from nothing or from an older one:
 * each step is a transaction that looks at the version again, so a process that
 * is killed anywhere leaves the old or the new.  *from gets what it was.
 */
int	ctx_schema_upgrade(struct ctx_store *st, int64_t *from,
	    struct ctx_err *err);

/* *err: the file is older than what was asked of it.  -1. */
int	ctx_schema_older(const struct ctx_store *st, struct ctx_err *err);

#endif
