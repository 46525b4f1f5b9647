/* SPDX-License-Identifier: MIT */
/* Threads and contexts; see thread.h. */
#include "store/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/when.h"
#include "store/change.h"

#define AGENT		"subagent-"
#define AGENT_LEN	9
#define AGENT_FULL	17	/* including its eight digits */

int
ctx_thread_is_agent(const char *name, size_t *len)
{
	size_t n = strlen(name);
	int is = n >= AGENT_FULL + 2 && name[n - AGENT_FULL - 1] == '/' &&
	    strncmp(name + n - AGENT_FULL, AGENT, AGENT_LEN) == 0 &&
	    strspn(name + n - 8, "0123456789abcdef") == 8;

	*len = is ? n - AGENT_FULL - 1 : n;
	return is;
}

static int
no_name(const char *name, size_t len, struct ctx_err *err)
{
	char quoted[80];

	return ctx_fail(err, CTX_EINPUT, "'%s' cannot be the name of a thread",
	    ctx_err_quote(quoted, sizeof(quoted), name, len));
}

int
ctx_thread_name_check(const char *name, size_t len, struct ctx_err *err)
{
	struct ctx_err why = { 0 };
	size_t n;

	if (ctx_store_name_check("thread", name, len, &why) == -1)
		return ctx_fail(err, CTX_EINPUT, "%s", why.text);
	return strcmp(name, "@last") == 0 || ctx_thread_is_agent(name, &n) ?
	    no_name(name, len, err) : 0;
}

int
ctx_thread_name_again(struct ctx_store *st, const char *name, size_t len,
    struct ctx_err *err)
{
	int64_t n = 0;
	size_t prefix;

	if (ctx_store_name_check("thread", name, len, NULL) == -1 ||
	    !ctx_thread_is_agent(name, &prefix))
		return ctx_thread_name_check(name, len, err);
	if (ctx_db_int(st, &n, err, "SELECT count(*) FROM thread t JOIN context"
	    " c ON c.thread = t.id AND c.name = ?2 WHERE t.name = ?1", "ts",
	    name, prefix, name + prefix + 1) == -1)
		return -1;
	return n > 0 ? no_name(name, len, err) : 0;
}

/*
 * The thread that was written to last: decided by the newest message, because
 * clocks may be set back.
 */
static int
last_thread(struct ctx_store *st, int64_t *id, struct ctx_err *err)
{
	if (st->user == NULL)
		return ctx_db_int(st, id, err, "SELECT coalesce((SELECT thread"
		    " FROM message ORDER BY id DESC LIMIT 1),"
		    " (SELECT max(id) FROM thread))", "");
	/* the newest of each of the user's contexts, not of the whole log */
	return ctx_db_int(st, id, err, "SELECT coalesce((SELECT thread FROM"
	    " message WHERE id = (SELECT max((SELECT m.id FROM message m WHERE"
	    " m.thread = c.thread AND m.context = c.id ORDER BY m.seq DESC"
	    " LIMIT 1)) FROM thread t JOIN context c ON c.thread = t.id WHERE"
	    " t.user = ?1)), (SELECT max(id) FROM thread WHERE user = ?1))",
	    "s", st->user);
}

/* The same thread each time; 0 if it is not there any more. */
static int
same_last(struct ctx_store *st, int64_t *id, struct ctx_err *err)
{
	int rc = st->last != 0 ? 1 : last_thread(st, &st->last, err);

	return rc != 1 ? rc : ctx_db_int(st, id, err, "SELECT id FROM thread"
	    " WHERE id = ?1", "i", st->last);
}

/* Find the id of a thread.  Returns 1, 0 if there is none, or -1. */
static int
thread_id(struct ctx_store *st, const char *name, size_t len, int64_t *id,
    struct ctx_err *err)
{
	int rc;

	if (ctx_store_name_check("thread", name, len, err) == -1)
		return -1;
	if (len == 5 && memcmp(name, "@last", 5) == 0)
		rc = same_last(st, id, err);
	else
		rc = ctx_db_int(st, id, err, "SELECT id FROM thread WHERE"
		    " name = ?1 AND (?2 IS NULL OR user = ?2)", "ts", name,
		    len, st->user);
	return rc == 1 ? ctx_db_hold(st, *id, err) : rc;
}

#define CONTEXT "SELECT id, kind, parent, parent_seq, next_seq, turn," \
	" created FROM context WHERE thread = ?1 AND "

static void
ref_fill(struct ctx_ref *ref, sqlite3_stmt *q)
{
	ref->context = sqlite3_column_int64(q, 0);
	ref->kind = (enum ctx_context_kind)sqlite3_column_int(q, 1);
	ref->parent = sqlite3_column_type(q, 2) == SQLITE_NULL ? -1 :
	    sqlite3_column_int64(q, 2);
	ref->parent_seq = sqlite3_column_type(q, 3) == SQLITE_NULL ? -1 :
	    sqlite3_column_int64(q, 3);
	ref->next_seq = sqlite3_column_int64(q, 4);
	ref->turn = sqlite3_column_int64(q, 5);
	ref->created = sqlite3_column_int64(q, 6);
	sqlite3_reset(q);
}

/*
 * Find a context of ref->thread by name, or the head if name is NULL.  Returns
 * 1, 0, or -1.
 */
static int
find_context(struct ctx_store *st, const char *name, struct ctx_ref *ref,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	if (name == NULL)
		q = ctx_db_query(st, err, CONTEXT "id = (SELECT head FROM"
		    " thread WHERE id = ?1)", "i", ref->thread);
	else if (ctx_store_name_check("context", name, strlen(name),
	    err) == -1)
		return -1;
	else
		q = ctx_db_query(st, err, CONTEXT "name = ?2", "is",
		    ref->thread, name);
	if ((rc = ctx_db_row(st, q, err)) == 1)
		ref_fill(ref, q);
	return rc;
}

static int
missing(struct ctx_store *st, struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "%s: damaged: a context is missing",
	    st->path);
}

int
ctx_context_by_id(struct ctx_store *st, int64_t thread, int64_t context,
    struct ctx_ref *ref, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	ref->thread = thread;
	q = ctx_db_query(st, err, CONTEXT "id = ?2", "ii", thread, context);
	if ((rc = ctx_db_row(st, q, err)) == -1)
		return -1;
	if (rc == 0)
		return missing(st, err);
	ref_fill(ref, q);
	return 0;
}

int
ctx_context_name(struct ctx_store *st, const struct ctx_ref *ref, char **name,
    struct ctx_err *err)
{
	int rc = ctx_db_text(st, name, err, "SELECT name FROM context WHERE"
	    " thread = ?1 AND id = ?2", "ii", ref->thread, ref->context);

	return rc == 0 ? missing(st, err) : rc == 1 ? 0 : -1;
}

/*
 * Find the thread and the name of the context that w means.  Returns 1, 0 if
 * the thread does not exist, or -1. *len gets the length of the thread's own
 * name.
 */
static int
resolve(struct ctx_store *st, const struct ctx_where *w, struct ctx_ref *ref,
    const char **context, size_t *len, struct ctx_err *err)
{
	size_t prefix;
	int rc = 0, is_agent = ctx_thread_is_agent(w->thread, &prefix);

	*context = w->context;
	*len = strlen(w->thread);
	/* a subagent's may be longer than any thread's */
	if (!is_agent || *len <= CTX_NAME_MAX)
		rc = thread_id(st, w->thread, *len, &ref->thread, err);
	if (rc != 0 || !is_agent)
		return rc;
	rc = thread_id(st, w->thread, prefix, &ref->thread, err);
	if (rc == 1) {
		*len = prefix;
		if (w->context == NULL)
			*context = w->thread + prefix + 1;
	}
	return rc;
}

/* name NULL is the thread's head, which every thread has. */
static int
no_context(struct ctx_store *st, const char *name, struct ctx_err *err)
{
	return name != NULL ? ctx_db_none("context", name, err) :
	    ctx_fail(err, CTX_ESYSTEM,
	    "%s: damaged: the context of a thread is missing", st->path);
}

int
ctx_thread_find(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_ref *ref, struct ctx_err *err)
{
	const char *name;
	size_t len;
	int rc;

	if ((rc = resolve(st, w, ref, &name, &len, err)) == -1)
		return -1;
	if (rc == 0)
		return ctx_db_none("thread", w->thread, err);
	if ((rc = find_context(st, name, ref, err)) == -1)
		return -1;
	return rc == 1 ? 0 : no_context(st, name, err);
}

int
ctx_thread_updated(struct ctx_store *st, const struct ctx_where *w,
    int64_t *when, struct ctx_err *err)
{
	struct ctx_ref ref;
	int rc = -1;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if (ctx_thread_find(st, w, &ref, err) == 0)
		rc = ctx_db_int(st, when, err, "SELECT updated FROM thread"
		    " WHERE id = ?1", "i", ref.thread) == 1 ? 0 : -1;
	ctx_db_read_end(st);
	return rc;
}

/* The turn of message seq, in ref or, for a fork, its ancestors. */
static int
turn_at(struct ctx_store *st, const struct ctx_ref *ref, int64_t seq,
    int64_t *turn, struct ctx_err *err)
{
	struct ctx_ref at = *ref;
	int rc;

	*turn = 0;
	while (seq > 0) {
		rc = ctx_db_int(st, turn, err, "SELECT turn FROM message WHERE"
		    " thread = ?1 AND context = ?2 AND seq = ?3", "iii",
		    at.thread, at.context, seq);
		if (rc != 0 || at.kind != CTX_CONTEXT_FORK)
			return rc == -1 ? -1 : 0;
		if (ctx_context_by_id(st, at.thread, at.parent, &at,
		    err) == -1)
			return -1;
	}
	return 0;
}

static int
add_context(struct ctx_store *st, struct ctx_ref *ref, const char *name,
    const struct ctx_make *how, struct ctx_err *err)
{
	struct ctx_ref parent = { 0 };
	int64_t id = 0;
	int rc;

	*ref = (struct ctx_ref){ .thread = ref->thread, .kind = how->kind,
	    .parent = -1, .parent_seq = -1, .next_seq = 1,
	    .created = ctx_when_now() };
	if (strcmp(name, "main") != 0) {
		parent.thread = ref->thread;
		rc = find_context(st, how->parent == NULL ? "main" :
		    how->parent, &parent, err);
		if (rc == 0)
			ctx_fail(err, CTX_ENO, "no such parent context");
		if (rc != 1 || ctx_db_int(st, &id, err,
		    "SELECT max(id) + 1 FROM context WHERE thread = ?1", "i",
		    ref->thread) == -1)
			return -1;
		ref->parent = parent.context;
		ref->parent_seq = how->parent_seq;
		if (ref->parent_seq < 0)
			ref->parent_seq = parent.next_seq - 1;
		if (ref->parent_seq >= parent.next_seq)
			return ctx_fail(err, CTX_ENO,
			    "the parent ends at message %lld",
			    (long long)(parent.next_seq - 1));
	}
	if (how->kind == CTX_CONTEXT_FORK) {
		ref->next_seq = ref->parent_seq + 1;
		if (turn_at(st, &parent, ref->parent_seq, &ref->turn,
		    err) == -1)
			return -1;
	}
	ref->context = id;
	return ctx_db_run(st, err, "INSERT INTO context VALUES"
	    "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", "iisiooiiis",
	    ref->thread, id, name, (int64_t)how->kind,
	    ref->parent == -1 ? NULL : &ref->parent,
	    ref->parent_seq == -1 ? NULL : &ref->parent_seq, ref->next_seq,
	    ref->turn, ref->created, how->attrs);
}

int
ctx_thread_claim(struct ctx_store *st, const char *name, struct ctx_err *err)
{
	char quoted[160];
	size_t len;
	int64_t id;
	int rc;

	if (st->user == NULL)
		return 0;
	(void)ctx_thread_is_agent(name, &len);
	if ((rc = ctx_db_int(st, &id, err, "SELECT id FROM thread WHERE"
	    " name IN (?1, ?2)", "ts", name, len, name)) != 1)
		return rc;
	if (ctx_db_run(st, err, "UPDATE thread SET user = ?2 WHERE id = ?1"
	    " AND (user IS NULL OR user = ?2)", "is", id, st->user) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 1)
		return ctx_change_thread(st, id, err) == -1 ? -1 : 1;
	return ctx_fail(err, CTX_ENO, "thread '%s' belongs to another user",
	    ctx_err_quote(quoted, sizeof(quoted), name, strlen(name)));
}

/* Like resolve, to create the thread if the result is 0. */
static int
resolve_free(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_ref *ref, const char **context, size_t *len,
    struct ctx_err *err)
{
	int rc = resolve(st, w, ref, context, len, err);

	if (rc != 0)
		return rc;
	if (strcmp(w->thread, "@last") == 0)
		return ctx_db_none("thread", w->thread, err);
	rc = ctx_thread_claim(st, w->thread, err);
	return rc != 1 ? rc : resolve(st, w, ref, context, len, err);
}

/* Returns 1, 0 if there is a thread of that name or number already, or -1. */
static int
add_thread(struct ctx_store *st, const char *name, size_t len,
    struct ctx_ref *ref, struct ctx_err *err)
{
	static const struct ctx_make root = { .kind = CTX_CONTEXT_ROOT };
	int64_t now = ctx_when_now(), id;
	const int64_t *new = ctx_db_new_thread(name, len, &id);

	if (ctx_db_run(st, err, "INSERT OR IGNORE INTO thread(id, name, user,"
	    " created, updated, change) VALUES(" CTX_DB_THREAD_NEW
	    ", ?2, ?3, ?4, ?4, " CTX_CHANGE_NEXT ")", "otsi", new, name, len,
	    st->user, now) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 0)
		return 0;
	ref->thread = new != NULL ? *new : sqlite3_last_insert_rowid(st->db);
	return ctx_db_hold(st, ref->thread, err) == -1 ||
	    add_context(st, ref, "main", &root, err) == -1 ? -1 : 1;
}

/* Find the thread, or make it; *context is as in resolve. */
static int
make_thread(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_ref *ref, const char **context, struct ctx_err *err)
{
	size_t len, prefix;
	int rc = resolve_free(st, w, ref, context, &len, err);

	/* a subagent writes on after its thread was removed */
	if (rc == 0 && ctx_thread_is_agent(w->thread, &prefix))
		return ctx_db_none("subagent", w->thread, err);
	if (rc == 0)
		rc = add_thread(st, w->thread, len, ref, err);
	if (rc == 0)		/* another process was faster */
		rc = resolve_free(st, w, ref, context, &len, err);
	if (rc == 0)
		ctx_fail(err, CTX_ESYSTEM, "%s: another thread has the number "
		    "that this one would get; choose another name", st->path);
	return rc == 1 ? 0 : -1;
}

static int
make(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_make *how, struct ctx_ref *ref, struct ctx_err *err)
{
	const char *name;
	int rc;

	if (make_thread(st, w, ref, &name, err) == -1 ||
	    (rc = find_context(st, name, ref, err)) == -1)
		return -1;
	if (rc == 1)
		return 0;
	if (name != w->context || name == NULL)
		return no_context(st, name, err);
	return ctx_change_thread(st, ref->thread, err) == -1 ? -1 :
	    add_context(st, ref, name, how, err);
}

int
ctx_context_make(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_make *how, struct ctx_ref *ref, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, make(st, w, how, ref, err) == 0, err);
}

int
ctx_thread_used(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	return ctx_change_touch(st, thread, ctx_when_now(), err);
}

int
ctx_context_new_id(char out[CTX_CONTEXT_ID_SIZE], struct ctx_err *err)
{
	unsigned char b[4];

	if (getentropy(b, sizeof(b)) == -1)
		return ctx_fail_errno(err, errno, "cannot get random bytes");
	snprintf(out, CTX_CONTEXT_ID_SIZE, AGENT "%02x%02x%02x%02x", b[0],
	    b[1], b[2], b[3]);
	return 0;
}

#define LIST	"SELECT t.id, t.name, t.user, h.name, t.created, t.updated," \
	" t.pinned, t.place, t.attrs," \
	" (SELECT sum(next_seq - 1 - CASE kind WHEN 1 THEN parent_seq" \
	" ELSE 0 END) FROM context WHERE thread = t.id)," \
	" (SELECT count(*) FROM context WHERE thread = t.id)," \
	" (SELECT count(*) FROM ckpt WHERE thread = t.id)" \
	" FROM thread t LEFT JOIN context h ON h.thread = t.id AND" \
	" h.id = t.head"
#define LISTED	" ORDER BY t.updated DESC, t.id DESC"

static int
list_rows(struct ctx_store *st, ctx_thread_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_thread_row t;
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_many(st, err, st->user != NULL ? LIST " WHERE t.user = ?1"
	    LISTED : LIST LISTED, st->user != NULL ? "s" : "", st->user);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		memset(&t, 0, sizeof(t));
		t.id = sqlite3_column_int64(q, 0);
		t.name = (const char *)sqlite3_column_text(q, 1);
		t.user = (const char *)sqlite3_column_text(q, 2);
		t.head = (const char *)sqlite3_column_text(q, 3);
		t.created = sqlite3_column_int64(q, 4);
		t.updated = sqlite3_column_int64(q, 5);
		t.pinned = sqlite3_column_int(q, 6);
		t.place = (const char *)sqlite3_column_text(q, 7);
		t.attrs = (const char *)sqlite3_column_text(q, 8);
		t.messages = sqlite3_column_int64(q, 9);
		t.contexts = sqlite3_column_int64(q, 10);
		t.checkpoints = sqlite3_column_int64(q, 11);
		rc = fn(&t, arg, err);
	}
	return rc;
}

int
ctx_thread_list(struct ctx_store *st, ctx_thread_fn *fn, void *arg,
    struct ctx_err *err)
{
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = list_rows(st, fn, arg, err);
	ctx_db_read_end(st);
	return rc;
}

int
ctx_thread_set_head(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_err *err)
{
	struct ctx_ref ref;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, ctx_thread_find(st, w, &ref, err) == 0 &&
	    ctx_db_run(st, err, "UPDATE thread SET head = ?2 WHERE id = ?1",
	    "ii", ref.thread, ref.context) == 0 &&
	    ctx_thread_used(st, ref.thread, err) == 0, err);
}

int
ctx_thread_pin(struct ctx_store *st, const char *thread, int pinned,
    struct ctx_err *err)
{
	struct ctx_where w = { thread, NULL };
	struct ctx_ref ref;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, ctx_thread_find(st, &w, &ref, err) == 0 &&
	    ctx_db_run(st, err, "UPDATE thread SET pinned = ?2 WHERE id = ?1",
	    "ii", ref.thread, (int64_t)pinned) == 0 &&
	    ctx_change_thread(st, ref.thread, err) == 0, err);
}

/* In a write transaction; see thread.h. */
static int
new_thread(struct ctx_store *st, const char *thread, struct ctx_err *err)
{
	static const struct ctx_make root = { .parent_seq = -1 };
	struct ctx_where w = { thread, NULL };
	struct ctx_ref ref;
	char quoted[100];
	int64_t id;
	int rc;

	rc = ctx_db_int(st, &id, err, "SELECT id FROM thread WHERE name = ?1",
	    "s", thread);
	if (rc == 1)
		return ctx_fail(err, CTX_ENO, "thread '%s' exists already",
		    ctx_err_quote(quoted, sizeof(quoted), thread,
		    strlen(thread)));
	return rc == -1 ? -1 : make(st, &w, &root, &ref, err);
}

int
ctx_thread_new(struct ctx_store *st, const char *thread, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, new_thread(st, thread, err) == 0, err);
}
