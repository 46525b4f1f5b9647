/* SPDX-License-Identifier: MIT */
/* The file as a whole is copied, or rewritten; see keep.h. */
#include "store/keep.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "store/body.h"
#include "store/db.h"
#include "store/pack.h"
#include "store/search/index.h"
#include "store/whole.h"

#define READER_MS	5000	/* what a reader is waited for */

/* A finding of the check of a copy. */
static int
refuse_copy(const char *finding, void *arg, struct ctx_err *err)
{
	const struct ctx_store *st = arg;

	return *finding == '\0' ? 0 : ctx_fail(err, CTX_ESYSTEM, "%s: no "
	    "backup was made: the copy is damaged: %s; run 'ctx-store check "
	    "--full'", st->path, finding);
}

/* Read all of a copy, as check --full does. */
static int
check_copy(struct ctx_store *st, const char *path, struct ctx_err *err)
{
	struct ctx_checked sum = { 0 };
	struct ctx_store *copy;
	int rc;

	if (ctx_store_open(&copy, path, CTX_STORE_READ |
	    CTX_STORE_SINGLE_HOST, err) == -1)
		return -1;
	if (st->watch != NULL)
		ctx_store_watch(copy, st->watch, st->watch_arg);
	rc = ctx_keep_check(copy, 1, refuse_copy, st, &sum, err);
	return ctx_store_close(copy, err) == -1 ? -1 : rc;
}

int
ctx_keep_backup(struct ctx_store *st, const char *path, struct ctx_err *err)
{
	struct ctx_buf tmp = { 0 };

	if (ctx_whole_begin(path, &tmp, err) == -1)
		return -1;
	/* VACUUM INTO accepts an empty file. */
	return ctx_whole_end(path, &tmp, ctx_db_exec(st,
	    "PRAGMA query_only=OFF", err) == 0 && ctx_db_run(st, err,
	    "VACUUM INTO ?1", "s", tmp.data) == 0 &&
	    check_copy(st, tmp.data, err) == 0, err);
}

static int
file_size(struct ctx_store *st, int64_t *size, struct ctx_err *err)
{
	return ctx_db_int(st, size, err, "SELECT page_count * page_size FROM"
	    " pragma_page_count, pragma_page_size", "") == 1 ? 0 : -1;
}

/*
 * VACUUM makes a copy in a temporary file.  It is made next to the store,
 * where there is room for it, and not in memory.
 */
static int
vacuum(struct ctx_store *st, struct ctx_err *err)
{
	const char *slash = strrchr(st->path, '/');
	int rc = -1;

	sqlite3_temp_directory = sqlite3_mprintf("%.*s", slash == NULL ||
	    slash == st->path ? 1 : (int)(slash - st->path), slash == NULL ?
	    "." : st->path);
	if (sqlite3_temp_directory == NULL)
		return ctx_fail_nomem(err);
	if (ctx_db_exec(st, "PRAGMA temp_store=FILE", err) == 0)
		rc = ctx_db_exec(st, "VACUUM", err);
	if (ctx_db_exec(st, "PRAGMA temp_store=MEMORY", rc == 0 ? err :
	    NULL) == -1)
		rc = -1;
	sqlite3_free(sqlite3_temp_directory);
	sqlite3_temp_directory = NULL;
	return rc;
}

static int
compact(struct ctx_store *st, struct ctx_err *err)
{
	int rc;

	if (ctx_db_exec(st, "PRAGMA secure_delete=ON", err) == -1 ||
	    ctx_index_merge(st, err) == -1 || vacuum(st, err) == -1)
		return -1;
	ctx_db_patience(st, READER_MS);
	rc = sqlite3_wal_checkpoint_v2(st->db, NULL,
	    SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	ctx_db_patience(st, CTX_DB_BUSY_MS);
	if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
		return 0;
	if (rc != SQLITE_OK)
		return ctx_db_fail(st, rc, err);
	return ctx_db_run(st, err, "DELETE FROM meta WHERE key = 'traces'",
	    "") == -1 ? -1 : 1;
}

int
ctx_keep_compact(struct ctx_store *st, struct ctx_err *err)
{
	int rc;

	if (ctx_db_lock(st, err) == -1)
		return -1;
	rc = compact(st, err);
	ctx_db_unlock(st);
	return rc;
}

/* Remove contents that nothing refers to, which earlier versions left. */
static int
free_lost(struct ctx_store *st, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, ctx_body_free_begin(st, err) == 0 &&
	    ctx_db_run(st, err, "INSERT INTO temp.loose SELECT id FROM body",
	    "") != -1 && ctx_body_free_end(st, NULL, err) == 0, err);
}

int
ctx_keep_vacuum(struct ctx_store *st, int64_t *before, int64_t *after,
    struct ctx_err *err)
{
	/* a reader may prevent the file from being truncated */
	return file_size(st, before, err) == -1 || free_lost(st, err) == -1 ||
	    ctx_pack_all(st, err) == -1 ||
	    ctx_keep_compact(st, err) == -1 ? -1 : file_size(st, after, err);
}
