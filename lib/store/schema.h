/* SPDX-License-Identifier: MIT */
/* The tables, and the steps from one version of them to the next. */
#ifndef CTX_STORE_SCHEMA_H
#define CTX_STORE_SCHEMA_H

#include "store/db.h"

#define CTX_SCHEMA_ID		0x63747853	/* "ctxS": application_id */
#define CTX_SCHEMA_VERSION	3		/* user_version */

/*
 * Bring an open store to CTX_SCHEMA_VERSION, from nothing or from an older one:
 * each step is a transaction that looks at the version again, so a process that
 * is killed anywhere leaves the old or the new.  *from gets what it was.
 */
int	ctx_schema_upgrade(struct ctx_store *st, int64_t *from,
	    struct ctx_err *err);

#endif
