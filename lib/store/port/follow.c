/* SPDX-License-Identifier: MIT */
/* Write what changed in a store; see follow.h. */
#include "store/port/follow.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "store/change.h"
#include "store/port/follow_impl.h"
#include "store/port/port_export.h"
#include "store/row.h"

struct ctx_follow {
	struct ctx_store *st;
	ctx_port_fn *fn;
	void *arg;
	struct ctx_export x;		/* lines and sum are of a unit */
	struct ctx_position pos;	/* after the last unit */
	struct ctx_changes at;		/* the last change looked at */
	int users_due;			/* look at the states of users first */
	struct ctx_position since;	/* what the other store has of that */
	struct ctx_follow_memory memory;
	/* the thread that is looked at, or the users */
	const struct ctx_follow_known *known;	/* NULL: nothing */
	struct ctx_follow_known now;
	enum ctx_follow_part part[CTX_IMPORT_KINDS];
	int dry;			/* take sums; write nothing */
	const char *user;
	int user_put;			/* the user's row was written */
	/* all lines */
	int64_t lines;
	struct ctx_sha256 sum;
};

/* A line of the unit; in a dry run only a thread's own row comes. */
static int
put_line(const char *line, size_t len, void *arg, struct ctx_err *err)
{
	struct ctx_follow *f = arg;

	if (f->dry) {
		ctx_follow_sum_head(&f->now, line, len);
		return 0;
	}
	f->lines++;
	ctx_sha256_update(&f->sum, line, len);
	return f->fn(line, len, f->arg, err);
}

/* Write the row of the user before the first state of it. */
static int
put_user(struct ctx_follow *f, struct ctx_err *err)
{
	if (f->user == NULL || f->user_put)
		return 0;
	f->user_put = 1;
	ctx_row_begin(&f->x.row);
	ctx_row_text(&f->x.row, "row", "user");
	ctx_row_text(&f->x.row, "name", f->user);
	return ctx_export_put(&f->x, err);
}

/* A ctx_export_row_fn: is this row to be written? */
static int
want_row(const struct ctx_rowkind *k, sqlite3_stmt *q,
    int64_t number[CTX_ROWKIND_COLS], void *arg, struct ctx_err *err)
{
	struct ctx_follow *f = arg;
	size_t i = (size_t)(k - ctx_rowkinds);
	const struct ctx_follow_row *old;
	struct ctx_follow_row row;

	(void)number;
	if (f->dry || f->part[i] == CTX_FOLLOW_NEW) {
		if (ctx_follow_sum_row(f->st, f->user, k, q, &row,
		    err) == -1)
			return -1;
		if (f->dry)
			return ctx_follow_rows_add(&f->now.kind[i], &row,
			    err);
		old = f->known == NULL ? NULL :
		    ctx_follow_rows_find(&f->known->kind[i], &row);
		if (old != NULL && memcmp(old->all, row.all,
		    CTX_FOLLOW_SUM) == 0)
			return 0;
	}
	return put_user(f, err) == -1 ? -1 : 1;
}

/* Is it a kind of row of which sums are known? */
static int
is_of(const struct ctx_rowkind *k, const char *scope)
{
	return strcmp(k->scope, scope) == 0 && strcmp(k->name, "message") != 0;
}

static int
take_logs(struct ctx_follow *f, struct ctx_err *err)
{
	struct ctx_follow_known *now = &f->now;
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(f->st, err, "SELECT id, next_seq FROM context WHERE"
	    " thread = ?1 ORDER BY id", "i", now->id);
	while ((rc = ctx_db_next(f->st, q, rc, err)) == 1) {
		if (CTX_ROOM(now->log, now->nlog, &now->caplog) == -1) {
			rc = ctx_fail_nomem(err);
			continue;
		}
		now->log[now->nlog].context = sqlite3_column_int64(q, 0);
		now->log[now->nlog++].next = sqlite3_column_int64(q, 1);
	}
	return rc;
}

/* Take the sums of a thread.  Returns 1 if something changed, 0, or -1. */
static int
look_at_thread(struct ctx_follow *f, struct ctx_err *err)
{
	struct ctx_sha256 sum = f->x.sum;
	int64_t lines = f->x.lines;
	const struct ctx_rowkind *k;
	char *user = NULL;
	int rc, any;

	f->dry = 1;
	f->x.whole = 0;
	rc = ctx_export_thread_row(&f->x, f->now.id, &user, err);
	f->x.lines = lines;
	f->x.sum = sum;
	free(user);
	if (rc == -1 || take_logs(f, err) == -1)
		return -1;
	any = f->known == NULL || memcmp(f->known->head, f->now.head,
	    CTX_FOLLOW_SUM) != 0;
	for (k = ctx_rowkinds; k->name != NULL; k++) {
		if (!is_of(k, "thread"))
			continue;
		if (ctx_export_kind(&f->x, k, f->now.id, NULL, err) == -1)
			return -1;
		ctx_follow_rows_sort(&f->now.kind[k - ctx_rowkinds]);
		f->part[k - ctx_rowkinds] = ctx_follow_differ(f->known,
		    &f->now, k);
		any |= f->part[k - ctx_rowkinds] != CTX_FOLLOW_NONE;
	}
	f->dry = 0;
	/* a log that grew has a row of its context that changed */
	return any;
}

/* The first message of a log that is not known. */
static int
first_message(struct ctx_follow *f, const struct ctx_follow_log *log,
    int64_t *seq, struct ctx_err *err)
{
	size_t i;

	*seq = 0;
	if (f->known == NULL)
		return ctx_changes_unknown(f->st, f->now.id, log->context,
		    f->pos.message, seq, err);
	for (i = 0; i < f->known->nlog; i++)
		if (f->known->log[i].context == log->context)
			*seq = f->known->log[i].next;
	return 0;
}

/* Write the new messages of all logs. */
static int
put_messages(struct ctx_follow *f, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	ctx_export_row_fn *fn = f->x.row_fn;
	sqlite3_stmt *q;
	int64_t seq;
	size_t i;
	int rc = 0;

	f->x.row_fn = NULL;	/* sums of messages are checked */
	for (i = 0; i < f->now.nlog && rc == 0; i++) {
		f->x.thread = f->now.id;
		if (first_message(f, &f->now.log[i], &seq, err) == -1)
			return -1;
		q = ctx_db_many(f->st, err, "SELECT context, seq, mid, role,"
		    " turn, ts, tokens, json, body, crc FROM message WHERE"
		    " thread = ?1 AND context = ?2 AND seq >= ?3 ORDER BY seq",
		    "iii", f->now.id, f->now.log[i].context, seq);
		while ((rc = ctx_db_next(f->st, q, rc, err)) == 1)
			rc = ctx_export_row(&f->x, k, q, err);
	}
	f->x.row_fn = fn;
	return rc;
}

/* Write that all rows of a kind follow. */
static int
put_all(struct ctx_follow *f, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	ctx_row_begin(&f->x.row);
	ctx_row_text(&f->x.row, "row", "all");
	ctx_row_text(&f->x.row, "kind", k->name);
	return ctx_export_put(&f->x, err);
}

/* Write what changed of one kind. */
static int
put_kind(struct ctx_follow *f, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	enum ctx_follow_part part = f->part[k - ctx_rowkinds];

	if (part == CTX_FOLLOW_NONE)
		return 0;
	if (part == CTX_FOLLOW_ALL && f->known != NULL &&
	    put_all(f, k, err) == -1)
		return -1;
	return ctx_export_kind(&f->x, k, f->now.id, f->user, err);
}

static void
begin_unit(struct ctx_follow *f)
{
	f->x.lines = 0;
	ctx_sha256_init(&f->x.sum);
	/* the other store may not have the contents of other threads' rows */
	if (f->x.nsent > 0)
		memset(f->x.sent, 0, f->x.nsent);
}

/*
 * The newest change is looked at again, by a process that knows nothing of the
 * thread: does the other store have all of it?
 */
static int
is_there(const struct ctx_follow *f)
{
	char sum[CTX_POSITION_SUM];

	if (f->known != NULL || *f->since.sum == '\0' ||
	    f->now.id != f->since.thread || f->at.number != f->since.change)
		return 0;
	ctx_follow_sum(&f->now, sum);
	return strcmp(sum, f->since.sum) == 0;
}

/* End a unit with the position after it. */
static int
end_unit(struct ctx_follow *f, struct ctx_err *err)
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_sha256 sum = f->x.sum;
	char hex[CTX_SHA256_HEX];

	if (ctx_changes_position(f->st, &f->at, &f->pos.change,
	    &f->pos.message, err) == -1)
		return -1;
	f->pos.thread = f->now.id;
	ctx_follow_sum(&f->now, f->pos.sum);
	ctx_sha256_final(&sum, digest);
	ctx_row_begin(&f->x.row);
	ctx_row_text(&f->x.row, "row", "at");
	ctx_position_add(&f->x.row, &f->pos);
	ctx_row_int(&f->x.row, "lines", f->x.lines);
	ctx_row_text(&f->x.row, "sha256", ctx_sha256_text(digest, hex));
	return ctx_export_put(&f->x, err);
}

static int
write_thread(struct ctx_follow *f, struct ctx_err *err)
{
	const struct ctx_rowkind *k;
	char *user = NULL;
	int rc;

	f->x.whole = f->known == NULL;
	if (f->x.whole && ctx_export_check_thread(&f->x, f->now.id, err) == -1)
		return -1;
	rc = ctx_export_thread_row(&f->x, f->now.id, &user, err);
	free(user);
	for (k = ctx_rowkinds; k->name != NULL && rc == 0; k++)
		if (is_of(k, "thread"))
			rc = put_kind(f, k, err);
		else if (strcmp(k->scope, "thread") == 0)
			rc = put_messages(f, k, err);
	return rc;
}

/* Look at a thread, and write a unit of what changed. */
static int
put_thread(struct ctx_follow *f, int64_t id, struct ctx_err *err)
{
	int rc;

	f->now.id = id;
	f->known = ctx_follow_memory_find(&f->memory, id);
	rc = look_at_thread(f, err);
	if (rc == 1 && is_there(f))
		rc = ctx_follow_memory_keep(&f->memory, &f->now, err);
	else if (rc == 1)
		rc = write_thread(f, err) == -1 || end_unit(f, err) == -1 ||
		    ctx_follow_memory_keep(&f->memory, &f->now, err) == -1 ?
		    -1 : 0;
	f->dry = 0;
	ctx_follow_known_done(&f->now);
	return rc;
}

/* A thread, or messages of it, were removed: all of it goes, and comes anew. */
static int
put_removed(struct ctx_follow *f, int64_t id, struct ctx_err *err)
{
	int64_t n = 0;

	/* on a server, other changes may have the number of the last unit */
	if (f->at.number == f->since.change && id == f->since.thread)
		return 0;
	ctx_follow_memory_forget(&f->memory, id);
	ctx_row_begin(&f->x.row);
	ctx_row_text(&f->x.row, "row", "gone");
	ctx_row_int(&f->x.row, "id", id);
	if (ctx_export_put(&f->x, err) == -1 ||
	    ctx_db_int(f->st, &n, err, "SELECT count(*) FROM thread WHERE"
	    " id = ?1", "i", id) == -1)
		return -1;
	/* row numbers may be reused */
	f->pos.message = 0;
	/* it exists again, or a part of it is left */
	if (n == 1)
		return put_thread(f, id, err);
	f->now.id = id;
	return end_unit(f, err);
}

/* Look at, or write, the states of all users. */
static int
each_user(struct ctx_follow *f, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	char *user = NULL, *next;
	int rc;

	while ((rc = ctx_db_text(f->st, &next, err, "SELECT min(user) FROM"
	    " user_state WHERE ?1 IS NULL OR user > ?1", "s", user)) == 1) {
		free(user);
		f->user = user = next;
		f->user_put = 0;
		if (ctx_export_kind(&f->x, k, 0, user, err) == -1) {
			rc = -1;
			break;
		}
	}
	free(user);
	f->user = NULL;
	return rc;
}

static int
write_users(struct ctx_follow *f, const struct ctx_rowkind *k,
    struct ctx_err *err)
{
	if (f->part[k - ctx_rowkinds] == CTX_FOLLOW_ALL &&
	    put_all(f, k, err) == -1)
		return -1;
	return each_user(f, k, err);
}

static int
put_users(struct ctx_follow *f, struct ctx_err *err)
{
	const struct ctx_rowkind *k = ctx_import_kind("user_state");
	enum ctx_follow_part *part = &f->part[k - ctx_rowkinds];
	int rc;

	f->now.id = 0;
	f->known = ctx_follow_memory_find(&f->memory, 0);
	f->dry = 1;
	rc = each_user(f, k, err);
	f->dry = 0;
	ctx_follow_rows_sort(&f->now.kind[k - ctx_rowkinds]);
	*part = ctx_follow_differ(f->known, &f->now, k);
	if (rc == 0 && is_there(f))
		rc = ctx_follow_memory_keep(&f->memory, &f->now, err);
	else if (rc == 0 && *part != CTX_FOLLOW_NONE)
		rc = write_users(f, k, err) == -1 || end_unit(f,
		    err) == -1 || ctx_follow_memory_keep(&f->memory, &f->now,
		    err) == -1 ? -1 : 0;
	ctx_follow_known_done(&f->now);
	return rc;
}

static int
look_at_next(struct ctx_follow *f, struct ctx_err *err)
{
	const struct ctx_changes *at = &f->at;
	int rc;

	begin_unit(f);
	if (f->users_due) {
		f->users_due = 0;
		return put_users(f, err) == -1 ? -1 : 1;
	}
	if ((rc = ctx_changes_next(f->st, &f->at, err)) != 1)
		return rc;
	rc = !at->event ? put_thread(f, at->thread, err) : at->thread == 0 ?
	    put_users(f, err) : put_removed(f, at->thread, err);
	return rc == -1 ? -1 : 1;
}

int
ctx_follow_next(struct ctx_follow *f, struct ctx_err *err)
{
	int rc;

	if (ctx_db_read(f->st, err) == -1)
		return -1;
	rc = look_at_next(f, err);
	ctx_db_read_end(f->st);
	return rc;
}

int
ctx_follow_changed(struct ctx_follow *f, struct ctx_err *err)
{
	int64_t now;

	return ctx_changes_version(f->st, &now, err) == -1 ? -1 :
	    now != f->at.version;
}

static int
is_ahead(struct ctx_store *st, struct ctx_err *err)
{
	int late = ctx_changes_late(st, err);

	if (late == 1)
		return ctx_fail(err, CTX_ESYSTEM, "the position is ahead of "
		    "%s, a standby that does not have it yet; try again later",
		    st->path);
	return late == -1 ? -1 : ctx_fail(err, CTX_EINPUT, "the position is "
	    "ahead of %s, which is an older copy: follow it with a new store",
	    st->path);
}

/* Is the position one of this store? */
static int
check_position(struct ctx_follow *f, const struct ctx_position *since,
    struct ctx_err *err)
{
	int64_t top;

	if (ctx_position_place(f->st, &f->pos, err) == -1 ||
	    ctx_db_int(f->st, &top, err, "SELECT " CTX_CHANGE_TOP, "") == -1)
		return -1;
	if (*since->store == '\0')
		return 0;
	if (strcmp(since->store, f->pos.store) != 0)
		return ctx_fail(err, CTX_EINPUT, "the position is of another "
		    "store than %s", f->st->path);
	if (since->change > top)
		return is_ahead(f->st, err);
	f->pos = f->since = *since;
	return 0;
}

static int
put_head(struct ctx_follow *f, const struct ctx_position *since,
    struct ctx_err *err)
{
	ctx_row_begin(&f->x.row);
	ctx_row_text(&f->x.row, "row", "ctx-store");
	ctx_row_int(&f->x.row, "version", CTX_FOLLOW_VERSION);
	ctx_row_text(&f->x.row, "store", f->pos.store);
	if (*since->store != '\0')
		ctx_position_add(&f->x.row, &f->pos);
	return ctx_export_put(&f->x, err);
}

static int
begin(struct ctx_follow *f, const struct ctx_position *since,
    struct ctx_err *err)
{
	int64_t n = 0;

	if (check_position(f, since, err) == -1)
		return -1;
	f->users_due = *since->store == '\0';
	f->at.since = f->at.number = f->pos.change;
	f->at.thread = f->pos.thread;
	/* after a removal, new messages may have the numbers of old ones */
	if (ctx_db_int(f->st, &n, err, "SELECT count(*) FROM event WHERE"
	    " n > ?1 AND thread <> 0", "i", f->pos.change) == -1)
		return -1;
	if (put_head(f, since, err) == -1)
		return -1;
	if (n > 0)
		f->pos.message = 0;
	return 0;
}

int
ctx_follow_new(struct ctx_follow **out, struct ctx_store *st,
    const struct ctx_position *since, ctx_port_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_follow *f = calloc(1, sizeof(*f));
	int rc;

	if ((*out = f) == NULL)
		return ctx_fail_nomem(err);
	f->st = st;
	f->fn = fn;
	f->arg = arg;
	f->x.st = st;
	f->x.fn = put_line;
	f->x.row_fn = want_row;
	f->x.arg = f;
	f->x.ids = 1;
	ctx_sha256_init(&f->sum);
	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = begin(f, since, err);
	ctx_db_read_end(st);
	return rc;
}

int
ctx_follow_end(struct ctx_follow *f, struct ctx_err *err)
{
	unsigned char digest[CTX_SHA256_LEN];
	struct ctx_sha256 sum = f->sum;
	char hex[CTX_SHA256_HEX];

	ctx_sha256_final(&sum, digest);
	ctx_row_begin(&f->x.row);
	ctx_row_text(&f->x.row, "row", "end");
	ctx_row_int(&f->x.row, "lines", f->lines + 1);
	ctx_row_text(&f->x.row, "sha256", ctx_sha256_text(digest, hex));
	ctx_row_text(&f->x.row, "store", f->pos.store);
	ctx_position_add(&f->x.row, &f->pos);
	return ctx_export_put(&f->x, err);
}

void
ctx_follow_free(struct ctx_follow *f)
{
	if (f == NULL)
		return;
	ctx_follow_memory_done(&f->memory);
	ctx_follow_known_done(&f->now);
	ctx_export_done(&f->x);
	ctx_changes_done(&f->at);
	free(f);
}
