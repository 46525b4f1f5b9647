/* SPDX-License-Identifier: MIT */
/* Prune, backup, vacuum; see keep.h.  Checks are in check.c. */
#include "store/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/when.h"
#include "store/body.h"
#include "store/space.h"
#include "store/whole.h"

#define DAY	((int64_t)86400 * CTX_SECOND)

/*
 * Find the next thread to remove.  It is the oldest that may be removed, so
 * that a prune that is interrupted has removed the right ones.  Returns 1, 0
 * if there is none, or -1.
 */
static int
next_thread(struct ctx_store *st, const struct ctx_prune *how,
    int64_t *after_time, int64_t *after_id, char **name, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT name, updated, id FROM thread WHERE"
	    " pinned = 0 AND updated < ?1 AND (updated, id) > (?3, ?4) AND"
	    " (?5 IS NULL OR user = ?5) AND (updated, id) <= (SELECT updated,"
	    " id FROM thread WHERE ?5 IS NULL OR user = ?5 ORDER BY updated"
	    " DESC, id DESC LIMIT 1 OFFSET ?2) ORDER BY updated, id LIMIT 1",
	    "iiiis", how->before, how->keep_last, *after_time, *after_id,
	    st->user);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	*name = ctx_db_dup(q, 0);
	*after_time = sqlite3_column_int64(q, 1);
	*after_id = sqlite3_column_int64(q, 2);
	sqlite3_reset(q);
	return *name != NULL ? 1 : ctx_fail_nomem(err);
}

int
ctx_keep_remove(struct ctx_store *st, const char *thread,
    struct ctx_removed *sum, struct ctx_err *err)
{
	char *place = NULL;
	int rc = -1;

	/*
	 * Rows are removed first, so that a failure leaves only files behind.
	 */
	if (ctx_space_find(st, thread, &place, err) == 0 &&
	    ctx_thread_remove(st, thread, sum, err) == 0)
		rc = place == NULL ? 0 : ctx_space_remove(place, err);
	free(place);
	return rc;
}

static int
prune_threads(struct ctx_store *st, const struct ctx_prune *how,
    ctx_prune_fn *fn, void *arg, struct ctx_removed *sum,
    struct ctx_err *err)
{
	int64_t time = INT64_MIN, id = INT64_MIN;
	char *name;
	int rc;

	while ((rc = next_thread(st, how, &time, &id, &name, err)) == 1) {
		rc = fn != NULL ? fn(name, time, arg, err) : 0;
		if (rc == 0 && !how->dry_run)
			rc = ctx_keep_remove(st, name, sum, err);
		else
			sum->threads++;
		free(name);
		if (rc == -1)
			break;
	}
	return rc;
}

/* Checkpoints that are too old and not the newest ones of their contexts. */
#define OLD_CKPT " WHERE ts < ?1 AND n < (SELECT max(n) FROM ckpt k WHERE" \
	" k.thread = ckpt.thread AND k.context = ckpt.context) AND thread" \
	" IN (SELECT id FROM thread WHERE pinned = 0 AND (?2 IS NULL OR" \
	" user = ?2))"

#define NO_CKPT " WHERE NOT EXISTS (SELECT 1 FROM ckpt k WHERE k.thread =" \
	" w.thread AND k.context = w.context AND k.ns = w.ns AND k.name =" \
	" w.name)"

static int
prune_ckpts(struct ctx_store *st, const struct ctx_prune *how,
    struct ctx_removed *sum, struct ctx_err *err)
{
	static const char *const old[] = {
		"INSERT OR IGNORE INTO temp.loose SELECT state FROM ckpt"
		    OLD_CKPT " AND state IS NOT NULL",
		"INSERT OR IGNORE INTO temp.loose SELECT meta FROM ckpt"
		    OLD_CKPT " AND meta IS NOT NULL",
		"DELETE FROM ckpt" OLD_CKPT, NULL
	};
	static const char *const writes[] = {
		"INSERT OR IGNORE INTO temp.loose SELECT body FROM"
		    " ckpt_write w" NO_CKPT " AND body IS NOT NULL",
		"DELETE FROM ckpt_write AS w" NO_CKPT, NULL
	};

	if (ctx_db_int(st, &sum->checkpoints, err, "SELECT count(*) FROM ckpt"
	    OLD_CKPT, "is", how->before, st->user) == -1)
		return -1;
	if (how->dry_run)
		return 0;
	if (ctx_body_free_begin(st, err) == -1 ||
	    ctx_db_run_all(st, err, old, "is", how->before,
	    st->user) == -1 ||
	    ctx_db_run_all(st, err, writes, "") == -1)
		return -1;
	return ctx_body_free_end(st, &sum->bytes, err);
}

int
ctx_keep_prune(struct ctx_store *st, const struct ctx_prune *how,
    ctx_prune_fn *fn, void *arg, struct ctx_removed *sum,
    struct ctx_err *err)
{
	if (!how->ckpts_only)
		return prune_threads(st, how, fn, arg, sum, err);
	if (how->dry_run)
		return prune_ckpts(st, how, sum, err);
	if (ctx_db_run(st, err, "PRAGMA secure_delete=ON", "") == -1 ||
	    ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, prune_ckpts(st, how, sum, err) == 0, err);
}

/* The key of the day; each user's threads are pruned for themselves. */
#define PRUNED	"'pruned' || coalesce(':' || ?1, '')"

int
ctx_keep_prune_due(struct ctx_store *st, struct ctx_err *err)
{
	int64_t now = ctx_when_now(), last = 0;
	int rc;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	rc = ctx_db_int(st, &last, err, "SELECT value FROM meta WHERE"
	    " key = " PRUNED, "s", st->user);
	/* A clock that was set back does not tell whether a day has passed. */
	if (rc == 1 && now >= last && now - last < DAY)
		return ctx_db_end(st, 1, err);
	if (rc != -1)
		rc = ctx_db_run(st, err, "INSERT INTO meta VALUES(" PRUNED ","
		    " ?2) ON CONFLICT(key) DO UPDATE SET value = ?2", "si",
		    st->user, now);
	return ctx_db_end(st, rc != -1, err) == -1 ? -1 : 1;
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
	    "VACUUM INTO ?1", "s", tmp.data) == 0, err);
}

static int
file_size(struct ctx_store *st, int64_t *size, struct ctx_err *err)
{
	return ctx_db_int(st, size, err, "SELECT page_count * page_size FROM"
	    " pragma_page_count, pragma_page_size", "") == 1 ? 0 : -1;
}

int
ctx_keep_vacuum(struct ctx_store *st, int64_t *before, int64_t *after,
    struct ctx_err *err)
{
	int rc = -1;

	if (ctx_db_lock(st, err) == -1)
		return -1;
	/* The index keeps words of removed rows until it is merged. */
	if (file_size(st, before, err) == 0 && ctx_db_exec(st,
	    "INSERT INTO search(search) VALUES('optimize')", err) == 0 &&
	    ctx_db_exec(st, "VACUUM", err) == 0) {
		/* a reader may prevent the file from being truncated */
		rc = sqlite3_wal_checkpoint_v2(st->db, NULL,
		    SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
		rc = rc != SQLITE_OK && rc != SQLITE_BUSY &&
		    rc != SQLITE_LOCKED ? ctx_db_fail(st, rc, err) :
		    file_size(st, after, err);
	}
	ctx_db_unlock(st);
	return rc;
}
