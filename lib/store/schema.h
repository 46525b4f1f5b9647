/* SPDX-License-Identifier: MIT */
/* The tables, and the steps from one version of them to the next. */
#ifndef CTX_STORE_SCHEMA_H
#define CTX_STORE_SCHEMA_H

#include "store/db.h"

#define CTX_SCHEMA_ID		0x63747853	/* "ctxS": application_id */
#define CTX_SCHEMA_VERSION	4		/* user_version */

/* A condition: which messages index message_beside has. */
#define CTX_SCHEMA_BESIDE \
	"(role IS NULL OR role NOT IN ('user', 'assistant', 'tool'))"

/*
 * The oldest version that a reader accepts unchanged.  If it needs something
 * that such a file lacks, that is an error that says to migrate.  Raise this
 * with a step after which older rows would be misread.
 */
#define CTX_SCHEMA_READABLE	1

/*
 * Bring an open store to CTX_SCHEMA_VERSION, from an empty file or an older
 * version.  Each step is a transaction that checks the version again, so a
 * process that is killed leaves either the old version or the new one.  *from
 * gets the previous version.
 */
int	ctx_schema_upgrade(struct ctx_store *st, int64_t *from,
	    struct ctx_err *err);

/*
 * Set err to say that the file is too old for what was asked of it.  Returns
 * -1.
 */
int	ctx_schema_older(const struct ctx_store *st, struct ctx_err *err);

#endif
