/* SPDX-License-Identifier: MIT */
/* Remove everything of a user; see keep.h. */
#include "store/keep.h"

#include <stdlib.h>
#include <string.h>

#include "store/db.h"
#include "store/space.h"
#include "store/state.h"

/*
 * Record that there will be traces, which a later call finds if this one does
 * not come to its end.
 */
static int
mark(struct ctx_store *st, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, ctx_db_run(st, err, "INSERT INTO meta"
	    " VALUES('traces', 1) ON CONFLICT(key) DO UPDATE SET value = 1",
	    "") == 0, err);
}

/*
 * Remove a thread.  Its workspace goes first: a folder that no row names would
 * be found by no later call.
 */
static int
remove_thread(struct ctx_store *st, int64_t id, ctx_gone_fn *fn, void *arg,
    struct ctx_removed *sum, struct ctx_err *err)
{
	char *name = NULL, *place = NULL;
	struct ctx_err why = { 0 };
	int rc = ctx_db_text(st, &name, err, "SELECT name FROM thread WHERE"
	    " id = ?1", "i", id);

	if (rc == 1 && (ctx_keep_tell(st, id, fn, arg, NULL, err) == -1 ||
	    ctx_space_find(st, name, &place, err) == -1 ||
	    (place != NULL && ctx_space_remove(place, err) == -1)))
		rc = -1;
	/* another process may have removed it now */
	if (rc == 1 && ctx_thread_remove(st, name, sum, &why) == -1 &&
	    why.code != CTX_ENO)
		rc = ctx_fail(err, why.code, "%s", why.text);
	free(name);
	free(place);
	return rc == -1 ? -1 : 0;
}

static int
remove_threads(struct ctx_store *st, ctx_gone_fn *fn, void *arg,
    struct ctx_removed *sum, struct ctx_err *err)
{
	int64_t id;
	int rc;

	while ((rc = ctx_db_int(st, &id, err, "SELECT min(id) FROM thread"
	    " WHERE user = ?1", "s", st->user)) == 1)
		if (remove_thread(st, id, fn, arg, sum, err) == -1)
			return -1;
	return rc;
}

/* Remove what no thread has: the state, and the day of the last prune. */
static int
remove_rest(struct ctx_store *st, struct ctx_err *err)
{
	struct ctx_state_at at = { .user = st->user, .level = CTX_STATE_USER };
	struct ctx_err none = { 0 };

	if (ctx_state_remove(st, &at, NULL, &none) == -1 &&
	    none.code != CTX_ENO)
		return ctx_fail(err, none.code, "%s", none.text);
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, ctx_db_run(st, err, "DELETE FROM meta WHERE"
	    " key = 'pruned:' || ?1", "s", st->user) == 0, err);
}

/* Pass the threads to fn, the oldest first. */
static int
tell_all(struct ctx_store *st, ctx_gone_fn *fn, void *arg,
    struct ctx_removed *sum, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	if (ctx_db_read(st, err) == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT id FROM thread WHERE user = ?1"
	    " ORDER BY id", "s", st->user);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		sum->threads++;
		rc = ctx_keep_tell(st, sqlite3_column_int64(q, 0), fn, arg,
		    NULL, err);
	}
	ctx_db_read_end(st);
	return rc;
}

/* Returns 1 if the store has something of the user, 0 if not, or -1. */
static int
exists(struct ctx_store *st, struct ctx_err *err)
{
	int64_t n;

	return ctx_db_int(st, &n, err, "SELECT 1 WHERE EXISTS (SELECT 1 FROM"
	    " thread WHERE user = ?1) OR EXISTS (SELECT 1 FROM user_state"
	    " WHERE user = ?1)", "s", st->user);
}

static int
remove_traces(struct ctx_store *st, struct ctx_err *err)
{
	int rc = ctx_keep_compact(st, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	return ctx_fail(err, CTX_ESYSTEM, "%s: removed, but another process "
	    "reads an earlier state of the store, which keeps traces in the "
	    "file and its log; run 'ctx-store vacuum' when it has ended",
	    st->path);
}

int
ctx_keep_erase(struct ctx_store *st, int dry_run, ctx_gone_fn *fn, void *arg,
    struct ctx_removed *sum, struct ctx_err *err)
{
	int64_t n;
	int found = exists(st, err), left;

	if (found == -1)
		return -1;
	if (found && dry_run)
		return tell_all(st, fn, arg, sum, err);
	/* what an earlier call left is removed in any case */
	left = dry_run ? 0 : ctx_db_int(st, &n, err, "SELECT 1 FROM meta WHERE"
	    " key = 'traces'", "");
	if (left == -1)
		return -1;
	if (found && (mark(st, err) == -1 ||
	    remove_threads(st, fn, arg, sum, err) == -1 ||
	    remove_rest(st, err) == -1))
		return -1;
	if ((found || left) && remove_traces(st, err) == -1)
		return -1;
	return found || left ? 0 : ctx_db_none("user", st->user, err);
}
