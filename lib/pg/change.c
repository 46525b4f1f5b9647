/* SPDX-License-Identifier: MIT */
/*
 * Numbers of changes on a server, where many write at once; see store/change.h.
 *
 * A change has the number of its transaction, which only grows, plus the number
 * "changes" of meta, which ctx_tables_write raises in a database that was
 * restored on a server whose transactions have smaller numbers.  Every
 * transaction that writes to a thread sets its own number there, also if that of
 * the one before is higher: so the thread has the number of the transaction
 * that was committed last.
 *
 * Transactions are not committed in the order of their numbers.  So a walk keeps
 * the server's snapshot of its begin, which tells exactly which transactions it
 * has seen, and the next walk finds what is of any other one.  Nobody waits: the
 * alternative, a number from a sequence that is taken under a lock of all
 * writers, would let them commit only one after the other.
 *
 * A position that is kept is below all transactions that ran when the walk
 * began, so from there on nothing is passed over; what was committed since
 * then is looked at again.  A transaction of anybody that runs for an hour makes
 * that an hour's changes, and only after a restart.
 */
#include "store/change.h"

#include <stdlib.h>

#include "base/err.h"

struct ctx_changes_pass {
	int64_t begin;		/* of the walk: its lowest number */
	int64_t event;		/* of the number looked at last */
	int64_t base;		/* what numbers have more than transactions */
	int64_t bound;		/* below it, all are committed or gone */
	char *seen, *now;	/* snapshots: of the last walk, of this one */
};

/* Was the transaction with this number committed in a snapshot? */
#define SEEN(number, snapshot) "pg_visible_in_snapshot(greatest(" number \
	" - ?2, 1)::text::xid8, (SELECT " snapshot "::text::pg_snapshot))"

int
ctx_change_thread(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	return ctx_db_run(st, err, "UPDATE thread SET change = "
	    CTX_CHANGE_NEXT " WHERE id = ?1 AND change <> " CTX_CHANGE_NEXT,
	    "i", thread);
}

int
ctx_change_touch(struct ctx_store *st, int64_t thread, int64_t now,
    struct ctx_err *err)
{
	return ctx_db_run(st, err, "UPDATE thread SET updated = greatest("
	    "updated, ?2), change = " CTX_CHANGE_NEXT " WHERE id = ?1", "ii",
	    thread, now);
}

static int
add_event(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	return ctx_db_run(st, err, "INSERT OR IGNORE INTO event(n, thread)"
	    " VALUES(" CTX_CHANGE_NEXT ", ?1)", "i", thread);
}

int
ctx_change_removed(struct ctx_store *st, int64_t thread, int whole,
    struct ctx_err *err)
{
	(void)whole;
	return add_event(st, thread, err);
}

/* Without waiting for others that do this: their events may stay. */
int
ctx_change_users(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_db_run(st, err, "DELETE FROM event WHERE (n, thread) IN"
	    " (SELECT n, thread FROM event WHERE thread = 0 AND n <> "
	    CTX_CHANGE_NEXT " FOR UPDATE SKIP LOCKED)", "") == -1 ? -1 :
	    add_event(st, 0, err);
}

/* --- a walk -------------------------------------------------------- */

static int
new_pass(struct ctx_changes *c, struct ctx_err *err)
{
	struct ctx_changes_pass *p;

	if (c->pass != NULL)
		return 0;
	if ((p = calloc(1, sizeof(*p))) == NULL)
		return ctx_fail_nomem(err);
	c->pass = p;
	p->begin = c->since;
	return 0;
}

/*
 * A standby does not tell which transactions ran, so all above its lowest one
 * count as not seen, and a look at it always finds news.
 */
#define SNAPSHOT "pg_current_snapshot()"
#define VERSION "CASE WHEN pg_is_in_recovery() THEN (extract(epoch FROM" \
	" clock_timestamp()) * 1000000)::bigint ELSE hashtextextended(" \
	SNAPSHOT "::text, 0) END"

static int
begin(struct ctx_store *st, struct ctx_changes *c, struct ctx_err *err)
{
	struct ctx_changes_pass *p = c->pass;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT " VERSION ", value::bigint,"
	    " pg_snapshot_xmin(" SNAPSHOT ")::text::bigint, CASE WHEN"
	    " pg_is_in_recovery() THEN concat(pg_snapshot_xmin(" SNAPSHOT
	    "), ':', pg_snapshot_xmin(" SNAPSHOT "), ':') ELSE " SNAPSHOT
	    "::text END FROM meta WHERE key = 'changes'", "");
	if (ctx_db_need(st, q, err) == -1)
		return -1;
	c->version = sqlite3_column_int64(q, 0);
	p->base = sqlite3_column_int64(q, 1);
	p->bound = p->base + sqlite3_column_int64(q, 2);
	rc = ctx_db_dup_null(q, 3, &p->now, err);
	sqlite3_reset(q);
	c->number = p->begin;
	c->thread = p->event = -1;
	c->begun = rc == 0;
	return rc;
}

/* What this walk began with is seen. */
static void
end(struct ctx_changes *c)
{
	struct ctx_changes_pass *p = c->pass;

	free(p->seen);
	p->seen = p->now;
	p->now = NULL;
	p->begin = p->bound;
	c->begun = 0;
}

static const char *
seen(const struct ctx_changes *c)
{
	return c->pass->seen != NULL ? c->pass->seen : "1:1:";
}

/* The threads that a transaction changed come after its events. */
int
ctx_changes_next(struct ctx_store *st, struct ctx_changes *c,
    struct ctx_err *err)
{
	struct ctx_changes_pass *p;
	sqlite3_stmt *q;
	int rc;

	if (new_pass(c, err) == -1 || (!c->begun && begin(st, c, err) == -1))
		return -1;
	p = c->pass;
	q = ctx_db_query(st, err, "SELECT change, id, 0 FROM (SELECT"
	    " change, id FROM thread WHERE (change, id) > (?1, ?4) AND NOT "
	    SEEN("change", "?3") " ORDER BY change, id LIMIT 1) t UNION ALL"
	    " SELECT n, thread, 1 FROM (SELECT n, thread FROM event WHERE"
	    " (n, thread) > (?1, ?5) AND NOT " SEEN("n", "?3") " ORDER BY n,"
	    " thread LIMIT 1) e ORDER BY 1, 3 DESC LIMIT 1", "iisii",
	    c->number, p->base, seen(c), c->event ? -1 : c->thread, p->event);
	if ((rc = ctx_db_row(st, q, err)) == 0)
		end(c);
	if (rc != 1)
		return rc;
	c->number = sqlite3_column_int64(q, 0);
	c->thread = sqlite3_column_int64(q, 1);
	c->event = sqlite3_column_int(q, 2);
	p->event = c->event ? c->thread : INT64_MAX;
	sqlite3_reset(q);
	return 1;
}

int
ctx_changes_version(struct ctx_store *st, int64_t *now, struct ctx_err *err)
{
	return ctx_db_int(st, now, err, "SELECT " VERSION, "") == -1 ? -1 : 0;
}

/*
 * Is anything left, now, of what this walk is to see, or of what it is not to
 * see?  The latter may have taken a thread back to a number before the walk.
 */
static int
is_left(struct ctx_store *st, const struct ctx_changes *c, struct ctx_err *err)
{
	const struct ctx_changes_pass *p = c->pass;
	int64_t n = 0;

	return ctx_db_int(st, &n, err, "SELECT EXISTS (SELECT 1 FROM thread"
	    " WHERE (change, id) > (?1, ?4) AND NOT " SEEN("change", "?3") ")"
	    " OR EXISTS (SELECT 1 FROM event WHERE (n, thread) > (?1, ?5) AND"
	    " NOT " SEEN("n", "?3") ") OR EXISTS (SELECT 1 FROM thread WHERE"
	    " change >= ?6 AND NOT " SEEN("change", "?7") ") OR EXISTS (SELECT"
	    " 1 FROM event WHERE n >= ?6 AND NOT " SEEN("n", "?7") ")",
	    "iisiiis", c->number, p->base, seen(c), c->event ? -1 : c->thread,
	    p->event, p->bound, p->now) == -1 ? -1 : n != 0;
}

int
ctx_changes_position(struct ctx_store *st, struct ctx_changes *c,
    int64_t *number, int64_t *message, struct ctx_err *err)
{
	int64_t n = c->number;
	int left;

	/* not yet begun: the states of users were looked at first */
	if (c->pass == NULL || !c->begun)
		return 0;
	if ((left = is_left(st, c, err)) == -1 || (n >= c->pass->bound &&
	    ctx_db_int(st, &n, err, "SELECT greatest((SELECT max(change) FROM"
	    " thread WHERE change < ?1), (SELECT max(n) FROM event WHERE"
	    " n < ?1))", "i", c->pass->bound) == -1))
		return -1;
	if (n < c->pass->bound && n > c->since)
		c->since = n;
	*number = c->since;
	if (!left)
		*message = c->since + 1;
	return 0;
}

/*
 * The messages of a log are committed in their order.  A message is known if
 * its transaction, whose lowest 32 bits the row has, is below *message.
 */
int
ctx_changes_unknown(struct ctx_store *st, int64_t thread, int64_t context,
    int64_t message, int64_t *seq, struct ctx_err *err)
{
	*seq = 0;
	return message > 0 && ctx_db_int(st, seq, err, "SELECT seq + 1 FROM"
	    " message m, (SELECT value::bigint AS base, pg_snapshot_xmax("
	    SNAPSHOT ")::text::bigint AS now FROM meta WHERE key = 'changes')"
	    " s WHERE m.thread = ?1 AND m.context = ?2 AND ((now -"
	    " m.xmin::text::bigint) & 4294967295) > now - (?3 - base) ORDER BY"
	    " seq DESC LIMIT 1", "iii", thread, context, message) == -1 ?
	    -1 : 0;
}

int
ctx_changes_late(struct ctx_store *st, struct ctx_err *err)
{
	int64_t n = 0;

	return ctx_db_int(st, &n, err, "SELECT pg_is_in_recovery()", "") == -1 ?
	    -1 : n != 0;
}

/* Its transactions may have been committed after the copy was made. */
int
ctx_changes_copy(struct ctx_store *st, int64_t *number, int64_t *thread,
    int64_t *message, struct ctx_err *err)
{
	(void)st;
	(void)err;
	*number = *thread = *message = 0;
	return 0;
}

void
ctx_changes_done(struct ctx_changes *c)
{
	if (c->pass != NULL) {
		free(c->pass->seen);
		free(c->pass->now);
	}
	free(c->pass);
}
