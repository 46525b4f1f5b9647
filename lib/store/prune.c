/* SPDX-License-Identifier: MIT */
/* Remove what is old or too large; see keep.h. */
#include "store/keep.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/when.h"
#include "store/body.h"
#include "store/change.h"
#include "store/measure.h"
#include "store/search/index.h"
#include "store/space.h"

#define DAY	((int64_t)86400 * CTX_SECOND)

/* A thread that may be removed. */
struct old {
	int64_t id, updated;
};

struct prune {
	struct ctx_store *st;
	const struct ctx_prune *how;
	ctx_gone_fn *fn;
	void *arg;
	struct ctx_removed *sum;
	struct old *old;		/* the oldest first */
	size_t n, cap;
	/* with a limit on the size: */
	int64_t left;			/* contents of the threads that stay */
	int64_t most;			/* that may be left */
};

/* --- which -------------------------------------------------------------- */

static int
add(struct prune *p, sqlite3_stmt *q, struct ctx_err *err)
{
	if (CTX_ROOM(p->old, p->n, &p->cap) == -1)
		return ctx_fail_nomem(err);
	p->old[p->n].id = sqlite3_column_int64(q, 0);
	p->old[p->n++].updated = sqlite3_column_int64(q, 1);
	return 0;
}

/*
 * All threads that are neither pinned nor among the newest; without a limit on
 * the size, only those that are too old.
 */
static int
find_old(struct prune *p, struct ctx_err *err)
{
	const struct ctx_prune *how = p->how;
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(p->st, err, "SELECT id, updated FROM (SELECT id,"
	    " updated, pinned, row_number() OVER (PARTITION BY CASE WHEN ?4"
	    " <> 0 THEN user END ORDER BY updated DESC, id DESC) AS n FROM"
	    " thread WHERE ?1 IS NULL OR user = ?1) t WHERE pinned = 0 AND"
	    " n > ?2 AND updated < ?3 ORDER BY updated, id", "siii",
	    p->st->user,
	    how->keep_last, how->max_size > 0 ? INT64_MAX : how->before,
	    (int64_t)how->each_user);
	while ((rc = ctx_db_next(p->st, q, rc, err)) == 1)
		rc = add(p, q, err);
	return rc;
}

/* Sum up the contents that the limit on the size is for. */
static int
measure(struct prune *p, struct ctx_err *err)
{
	struct ctx_measured_file f = { 0 };
	int64_t size, used;

	if (ctx_measure_file(p->st, &f, err) == -1)
		return -1;
	p->left = f.own;
	/* each thread has its share of what the file has of all threads */
	size = p->how->max_size - (p->st->user == NULL ? f.fixed : 0);
	used = f.used - f.fixed;
	if (size >= used)
		p->most = f.contents;
	else if (size > 0)
		p->most = (int64_t)((double)size * (double)f.contents /
		    (double)used);
	return 0;
}

static int
plan(struct prune *p, struct ctx_err *err)
{
	int rc;

	if (ctx_db_read(p->st, err) == -1)
		return -1;
	rc = find_old(p, err);
	if (rc == 0 && p->how->max_size > 0)
		rc = measure(p, err);
	ctx_db_read_end(p->st);
	return rc;
}

/* --- one by one --------------------------------------------------------- */

/*
 * In a transaction: the name, which the caller frees, of a thread that still is
 * as it was planned.  Returns 1, 0 if it is not, or -1.
 */
static int
still(struct prune *p, const struct old *o, char **name, struct ctx_err *err)
{
	return ctx_db_text(p->st, name, err, "SELECT name FROM thread WHERE"
	    " id = ?1 AND updated = ?2 AND pinned = 0", "ii", o->id,
	    o->updated);
}

/* Remove its rows; *place gets its workspace.  Returns 1, 0 or -1. */
static int
remove_rows(struct prune *p, const struct old *o, char **place,
    int64_t *bytes, struct ctx_err *err)
{
	char *name = NULL;
	int rc;

	if (ctx_db_begin(p->st, err) == -1)
		return -1;
	if ((rc = ctx_db_hold(p->st, o->id, err)) == 1)
		rc = still(p, o, &name, err);
	if (rc == 1 && (ctx_keep_tell(p->st, o->id, p->fn, p->arg, bytes,
	    err) == -1 || ctx_space_find(p->st, name, place, err) == -1 ||
	    ctx_thread_remove(p->st, name, p->sum, err) == -1))
		rc = -1;
	free(name);
	return ctx_db_end(p->st, rc != -1, err) == -1 ? -1 : rc;
}

/* Say that a thread would be removed. */
static int
count_one(struct prune *p, const struct old *o, int64_t *bytes,
    struct ctx_err *err)
{
	int64_t messages, ckpts;

	if (ctx_db_int(p->st, &messages, err, "SELECT count(*) FROM message"
	    " WHERE thread = ?1", "i", o->id) == -1 ||
	    ctx_db_int(p->st, &ckpts, err, "SELECT count(*) FROM ckpt"
	    " WHERE thread = ?1", "i", o->id) == -1)
		return -1;
	p->sum->threads++;
	p->sum->messages += messages;
	p->sum->checkpoints += ckpts;
	return ctx_keep_tell(p->st, o->id, p->fn, p->arg, bytes, err);
}

/* Remove a thread, or say that it would be. */
static int
remove_one(struct prune *p, const struct old *o, int64_t *bytes,
    struct ctx_err *err)
{
	char *place = NULL;
	int rc;

	if (p->how->dry_run)
		return count_one(p, o, bytes, err);
	/* rows first, so that a failure leaves only files */
	if ((rc = remove_rows(p, o, &place, bytes, err)) == 1)
		rc = place == NULL ? 0 : ctx_space_remove(place, err);
	free(place);
	return rc;
}

/* Plan and remove.  Returns the number of threads, or -1. */
static int64_t
prune_once(struct prune *p, struct ctx_err *err)
{
	const int sized = p->how->max_size > 0;
	int64_t bytes;
	size_t i;

	p->n = 0;
	p->left = p->most = 0;
	if (plan(p, err) == -1)
		return -1;
	for (i = 0; i < p->n; i++) {
		if (p->old[i].updated >= p->how->before &&
		    (!sized || p->left <= p->most))
			break;
		bytes = 0;
		if (remove_one(p, &p->old[i], sized ? &bytes : NULL,
		    err) == -1)
			return -1;
		p->left -= bytes;
	}
	return (int64_t)i;
}

/*
 * The shares of the file are an estimate, so what is left is measured again.
 * The index keeps words of removed messages until it is merged.
 */
static int
prune_threads(struct prune *p, struct ctx_err *err)
{
	int64_t n;

	do
		if ((n = prune_once(p, err)) > 0 && p->how->max_size > 0 &&
		    !p->how->dry_run && ctx_index_merge(p->st, err) == -1)
			return -1;
	while (n > 0 && p->how->max_size > 0 && !p->how->dry_run);
	return n == -1 ? -1 : 0;
}

/* --- checkpoints -------------------------------------------------------- */

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
	    ctx_db_run(st, err, "UPDATE thread SET change = " CTX_CHANGE_NEXT
	    " WHERE id IN (SELECT thread FROM ckpt" OLD_CKPT ")", "is",
	    how->before, st->user) == -1 ||
	    ctx_db_run_all(st, err, old, "is", how->before,
	    st->user) == -1 ||
	    ctx_db_run_all(st, err, writes, "") == -1)
		return -1;
	return ctx_body_free_end(st, &sum->bytes, err);
}

int
ctx_keep_prune(struct ctx_store *st, const struct ctx_prune *how,
    ctx_gone_fn *fn, void *arg, struct ctx_removed *sum,
    struct ctx_err *err)
{
	struct prune p = { .st = st, .how = how, .fn = fn, .arg = arg,
	    .sum = sum };
	int rc;

	if (!how->ckpts_only) {
		rc = prune_threads(&p, err);
		free(p.old);
		return rc;
	}
	if (how->dry_run)
		return prune_ckpts(st, how, sum, err);
	if (ctx_db_begin(st, err) == -1)
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
