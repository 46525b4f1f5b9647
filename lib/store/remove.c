/* SPDX-License-Identifier: MIT */
/* Remove threads and contexts; see thread.h. */
#include "store/thread.h"

#include "store/bundle.h"
#include "store/body.h"
#include "store/change.h"
#include "store/search/index.h"
#include "store/search/note.h"

/*
 * Rows of a thread: those of the contexts in temp.gone or, in tables without
 * contexts, those of the whole thread.
 */
#define GONE	" WHERE thread = ?1 AND context IN temp.gone"

static const char *const loosen[] = {
	"INSERT OR IGNORE INTO temp.loose SELECT body FROM message" GONE
	    " AND body IS NOT NULL",
	"INSERT OR IGNORE INTO temp.loose SELECT state FROM ckpt" GONE
	    " AND state IS NOT NULL",
	"INSERT OR IGNORE INTO temp.loose SELECT meta FROM ckpt" GONE
	    " AND meta IS NOT NULL",
	"INSERT OR IGNORE INTO temp.loose SELECT body FROM ckpt_write" GONE
	    " AND body IS NOT NULL",
	"INSERT OR IGNORE INTO temp.loose SELECT body FROM view_part" GONE
	    " AND body IS NOT NULL",
	"INSERT OR IGNORE INTO temp.loose SELECT body FROM summary" GONE,
	"INSERT OR IGNORE INTO temp.loose SELECT body FROM state" GONE,
	"INSERT OR IGNORE INTO temp.loose SELECT body FROM snapshot_part" GONE,
	NULL
};

static const char *const delete[] = {
	"DELETE FROM vector WHERE message IN (SELECT id FROM message" GONE ")",
	"DELETE FROM bundle" GONE,
	"DELETE FROM ckpt_write" GONE,
	"DELETE FROM view_part" GONE,
	"DELETE FROM view" GONE,
	"DELETE FROM summary" GONE,
	"DELETE FROM state" GONE,
	"DELETE FROM snapshot_part" GONE,
	"DELETE FROM snapshot_link" GONE,
	"DELETE FROM snapshot" GONE,
	NULL
};

/* Run one statement for the thread; its row count is added to *n. */
static int
run(struct ctx_store *st, const char *sql, int64_t thread, int64_t *n,
    struct ctx_err *err)
{
	if (ctx_db_run(st, err, sql, "i", thread) == -1)
		return -1;
	*n += sqlite3_changes(st->db);
	return 0;
}

static int
remove_gone(struct ctx_store *st, int64_t thread, struct ctx_removed *sum,
    struct ctx_err *err)
{
	if (ctx_db_run_all(st, err, loosen, "i", thread) == -1 ||
	    ctx_index_forget(st, thread, err) == -1 ||
	    ctx_note_forget(st, thread, err) == -1 ||
	    ctx_db_run_all(st, err, delete, "i", thread) == -1 ||
	    run(st, "DELETE FROM ckpt" GONE, thread, &sum->checkpoints,
	    err) == -1 ||
	    run(st, "DELETE FROM message" GONE, thread, &sum->messages,
	    err) == -1)
		return -1;
	ctx_bundle_forget(st);
	return run(st, "DELETE FROM context WHERE thread = ?1 AND id IN"
	    " temp.gone", thread, &sum->contexts, err);
}

static int
begin(struct ctx_store *st, struct ctx_err *err)
{
	if (ctx_body_free_begin(st, err) == -1 ||
	    ctx_db_run(st, err, "CREATE TEMP TABLE IF NOT EXISTS gone"
	    "(id INTEGER PRIMARY KEY)", "") == -1)
		return -1;
	return ctx_db_run(st, err, "DELETE FROM temp.gone", "");
}

static int
remove_thread(struct ctx_store *st, const char *thread,
    struct ctx_removed *sum, struct ctx_err *err)
{
	static const char *const whole[] = {
		"INSERT INTO temp.gone SELECT id FROM context WHERE"
		    " thread = ?1 UNION SELECT -1",
		"INSERT OR IGNORE INTO temp.loose SELECT body FROM file WHERE"
		    " thread = ?1 AND body IS NOT NULL", NULL
	};
	struct ctx_where w = { thread, NULL };
	struct ctx_ref ref;

	if (ctx_thread_find(st, &w, &ref, err) == -1 ||
	    begin(st, err) == -1 ||
	    ctx_db_run_all(st, err, whole, "i", ref.thread) == -1 ||
	    remove_gone(st, ref.thread, sum, err) == -1 ||
	    run(st, "DELETE FROM file WHERE thread = ?1", ref.thread,
	    &sum->files, err) == -1 ||
	    ctx_change_removed(st, ref.thread, 1, err) == -1 ||
	    run(st, "DELETE FROM thread WHERE id = ?1", ref.thread,
	    &sum->threads, err) == -1)
		return -1;
	return ctx_body_free_end(st, &sum->bytes, err);
}

int
ctx_thread_remove(struct ctx_store *st, const char *thread,
    struct ctx_removed *sum, struct ctx_err *err)
{
	struct ctx_removed now = *sum;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	if (ctx_db_end(st, remove_thread(st, thread, &now, err) == 0,
	    err) == -1)
		return -1;
	*sum = now;
	return 0;
}

static int
remove_context(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_removed *sum, struct ctx_err *err)
{
	struct ctx_ref ref;
	int64_t n = 0;

	if (ctx_thread_find(st, w, &ref, err) == -1)
		return -1;
	if (ref.context == 0)
		return ctx_fail(err, CTX_ENO,
		    "the context 'main' can be removed only with its thread");
	if (begin(st, err) == -1 ||
	    ctx_db_run(st, err, "INSERT INTO temp.gone WITH RECURSIVE"
	    " tree(id) AS (VALUES(?2) UNION SELECT c.id FROM tree JOIN"
	    " context c ON c.thread = ?1 AND c.parent = tree.id)"
	    " SELECT id FROM tree", "ii", ref.thread, ref.context) == -1 ||
	    ctx_db_int(st, &n, err, "SELECT count(*) FROM thread WHERE"
	    " id = ?1 AND head IN temp.gone", "i", ref.thread) == -1)
		return -1;
	if (n > 0)
		return ctx_fail(err, CTX_ENO,
		    "the thread's head is in it; move the head first");
	if (remove_gone(st, ref.thread, sum, err) == -1 ||
	    ctx_change_removed(st, ref.thread, 0, err) == -1 ||
	    ctx_thread_used(st, ref.thread, err) == -1)
		return -1;
	return ctx_body_free_end(st, &sum->bytes, err);
}

int
ctx_context_remove(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_removed *sum, struct ctx_err *err)
{
	struct ctx_removed now = *sum;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	if (ctx_db_end(st, remove_context(st, w, &now, err) == 0, err) == -1)
		return -1;
	*sum = now;
	return 0;
}
