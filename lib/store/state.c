/* SPDX-License-Identifier: MIT */
/* State at three levels; see state.h. */
#include "store/state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/span.h"
#include "store/body.h"
#include "store/change.h"

/* The levels, resolved to rows. */
struct at {
	enum ctx_state_level level;
	struct ctx_ref ref;	/* context -1 is the thread's level */
	char *user;		/* or NULL */
	int alone;		/* a subagent: other levels do not count */
};

/* A member's decoded name, which may contain a NUL. */
struct name {
	const char *p;
	size_t len;
};

struct member {
	struct name name;
	const char *json;	/* the value, unchanged */
	size_t len;
};

/* Instead of a name: all members of the level. */
static const struct name every = { NULL, 0 };

static int
read_user(struct ctx_store *st, struct at *a, struct ctx_err *err)
{
	return ctx_db_text(st, &a->user, err, "SELECT user FROM thread WHERE"
	    " id = ?1", "i", a->ref.thread) == -1 ? -1 : 0;
}

/* Is it a subagent's context, or a fork of one? */
static int
read_alone(struct ctx_store *st, struct at *a, struct ctx_err *err)
{
	struct ctx_ref top = a->ref;

	while (top.kind == CTX_CONTEXT_FORK)
		if (ctx_context_by_id(st, top.thread, top.parent, &top,
		    err) == -1)
			return -1;
	a->alone = top.kind == CTX_CONTEXT_AGENT;
	return 0;
}

static int
resolve(struct ctx_store *st, const struct ctx_state_at *w, int make,
    struct at *a, struct ctx_err *err)
{
	static const struct ctx_make how = { .parent_seq = -1 };

	memset(a, 0, sizeof(*a));
	a->level = w->level;
	a->ref.thread = -1;
	if (w->user != NULL) {
		if (ctx_store_name_check("user", w->user, strlen(w->user),
		    err) == -1)
			return -1;
		a->user = strdup(w->user);
		return a->user != NULL ? 0 : ctx_fail_nomem(err);
	}
	if ((make ? ctx_context_make(st, &w->where, &how, &a->ref, err) :
	    ctx_thread_find(st, &w->where, &a->ref, err)) == -1 ||
	    read_user(st, a, err) == -1 || read_alone(st, a, err) == -1)
		return -1;
	if (a->level == CTX_STATE_USER && a->user == NULL)
		return ctx_fail(err, CTX_ENO, "the thread has no user");
	return make ? ctx_thread_used(st, a->ref.thread, err) : 0;
}

/* Begin a write; that of many members is one change of a user's state. */
static int
begin(struct ctx_store *st, const struct ctx_state_at *w, int make,
    struct at *a, struct ctx_err *err)
{
	if (resolve(st, w, make, a, err) == -1 ||
	    ctx_body_free_begin(st, err) == -1)
		return -1;
	return a->level != CTX_STATE_USER ? 0 :
	    ctx_db_hold_user(st, a->user, err) == -1 ? -1 :
	    ctx_change_users(st, err);
}

/* The levels that are read; the innermost has the highest number. */
#define LEVELS \
	"SELECT key, body, 0 AS level, pos FROM user_state WHERE user = ?1" \
	" UNION ALL SELECT key, body, 1, pos FROM state" \
	" WHERE thread = ?2 AND context = -1 AND ?4 <> 2" \
	" UNION ALL SELECT key, body, 2, pos FROM state" \
	" WHERE thread = ?2 AND context = ?3 AND ?4 <> 1"

/*
 * Rows of key and body: every visible member, or the one of that name.  For a
 * level that is not read, NULL or ids without rows are bound.
 */
static sqlite3_stmt *
members(struct ctx_store *st, const struct at *a, enum ctx_state_read how,
    const struct name *name, struct ctx_err *err)
{
	int64_t thread = a->ref.thread, which = 0;
	int alone = how == CTX_STATE_SEEN && a->alone;
	const char *user = a->user;

	if (how == CTX_STATE_ONE || alone) {
		which = alone ? CTX_STATE_CONTEXT : a->level;
		if (which != CTX_STATE_USER)
			user = NULL;
		else
			thread = -1;
	}
	if (name->p != NULL)
		return ctx_db_query(st, err, "SELECT key, body FROM (" LEVELS
		    ") AS l WHERE key = ?5 ORDER BY level DESC LIMIT 1",
		    "siiit", user, thread, a->ref.context, which, name->p,
		    name->len);
	return ctx_db_query(st, err, "SELECT key, body FROM (SELECT key, body,"
	    " level, pos, row_number() OVER (PARTITION BY key ORDER BY level"
	    " DESC) AS r FROM (" LEVELS ") AS l) AS m WHERE r = 1 ORDER BY"
	    " level, pos", "siii", user,
	    thread, a->ref.context, which);
}

static int
get_all(struct ctx_store *st, const struct at *a, enum ctx_state_read how,
    struct ctx_buf *out, struct ctx_err *err)
{
	sqlite3_stmt *q = members(st, a, how, &every, err);
	size_t start;
	int rc = 0;

	if (q == NULL)
		return -1;
	ctx_buf_addc(out, '{');
	start = out->len;
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		if (out->len > start)
			ctx_buf_addc(out, ',');
		ctx_buf_addc(out, '"');
		ctx_str_encode(out, (const char *)sqlite3_column_text(q, 0),
		    (size_t)sqlite3_column_bytes(q, 0));
		ctx_buf_adds(out, "\":");
		rc = ctx_body_get(st, sqlite3_column_int64(q, 1), out,
		    err);
	}
	ctx_buf_addc(out, '}');
	return rc == -1 ? -1 : ctx_buf_fail(out, err);
}

/* Returns 1 if it was found, 0 if there is no such member, or -1. */
static int
get_one(struct ctx_store *st, const struct at *a, enum ctx_state_read how,
    const struct name *name, struct ctx_buf *out, struct ctx_err *err)
{
	sqlite3_stmt *q = members(st, a, how, name, err);
	int rc;

	if ((rc = ctx_db_row(st, q, err)) == -1)
		return -1;
	if (rc == 1) {
		if (ctx_body_get(st, sqlite3_column_int64(q, 1), out,
		    err) == -1)
			rc = -1;
		sqlite3_reset(q);
	}
	return rc;
}

int
ctx_state_get(struct ctx_store *st, const struct ctx_state_at *w,
    enum ctx_state_read how, const char *key, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct name name = { key, key != NULL ? strlen(key) : 0 };
	char quoted[160];
	struct at a;
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if ((rc = resolve(st, w, 0, &a, err)) == 0) {
		if (key == NULL)
			rc = get_all(st, &a, how, out, err);
		else if ((rc = get_one(st, &a, how, &name, out, err)) == 0)
			rc = ctx_fail(err, CTX_ENO, "no such state '%s'",
			    ctx_err_quote(quoted, sizeof(quoted), name.p,
			    name.len));
	}
	ctx_db_read_end(st);
	free(a.user);
	return rc == -1 ? -1 : 0;
}

/* The context in the level's rows. */
static int64_t
row_context(const struct at *a)
{
	return a->level == CTX_STATE_THREAD ? -1 : a->ref.context;
}

/*
 * Mark the contents of every member of a level, or of one, as possibly unused.
 */
static int
loosen(struct ctx_store *st, const struct at *a, const struct name *name,
    struct ctx_err *err)
{
	if (a->level == CTX_STATE_USER)
		return ctx_db_run(st, err, "INSERT OR IGNORE INTO temp.loose"
		    " SELECT body FROM user_state WHERE user = ?1 AND"
		    " (?2 IS NULL OR key = ?2)", "st", a->user, name->p,
		    name->len);
	return ctx_db_run(st, err, "INSERT OR IGNORE INTO temp.loose SELECT"
	    " body FROM state WHERE thread = ?1 AND context = ?2 AND"
	    " (?3 IS NULL OR key = ?3)", "iit", a->ref.thread, row_context(a),
	    name->p, name->len);
}

static int
drop(struct ctx_store *st, const struct at *a, const struct name *name,
    struct ctx_err *err)
{
	if (loosen(st, a, name, err) == -1)
		return -1;
	if (a->level == CTX_STATE_USER)
		return ctx_db_run(st, err, "DELETE FROM user_state WHERE"
		    " user = ?1 AND (?2 IS NULL OR key = ?2)", "st", a->user,
		    name->p, name->len);
	return ctx_db_run(st, err, "DELETE FROM state WHERE thread = ?1 AND"
	    " context = ?2 AND (?3 IS NULL OR key = ?3)", "iit",
	    a->ref.thread, row_context(a), name->p, name->len);
}

/*
 * A thread's "user_id", if a string, sets its owner.  A process that sees one
 * user's threads does not give them away.
 */
static int
note_user(struct ctx_store *st, const struct at *a, const struct member *m,
    struct ctx_err *err)
{
	struct ctx_buf name = { 0 };
	int rc = 0;

	if (a->level != CTX_STATE_THREAD || m->name.len != 7 ||
	    memcmp(m->name.p, "user_id", 7) != 0 || m->len < 3 ||
	    m->json[0] != '"')
		return 0;
	ctx_str_decode(&name, m->json + 1, m->len - 2);
	if (ctx_buf_fail(&name, err) == -1 || ctx_store_name_check("user_id",
	    name.data, name.len, err) == -1)
		rc = -1;
	else if (st->user != NULL && (name.len != strlen(st->user) ||
	    memcmp(name.data, st->user, name.len) != 0))
		rc = ctx_fail(err, CTX_ENO,
		    "user_id would give the thread to another user");
	else
		rc = ctx_db_run(st, err, "UPDATE thread SET user = ?2 WHERE"
		    " id = ?1", "it", a->ref.thread, name.data, name.len);
	ctx_buf_done(&name);
	return rc;
}

/* Store a value; an existing member keeps its position. */
static int
store(struct ctx_store *st, const struct at *a, const struct member *m,
    struct ctx_err *err)
{
	int64_t body;

	if (m->name.len > CTX_NAME_MAX)
		return ctx_fail(err, CTX_EINPUT,
		    "the name of a state is longer than %d bytes",
		    CTX_NAME_MAX);
	if (loosen(st, a, &m->name, err) == -1 ||
	    ctx_body_put(st, m->json, m->len, &body, err) == -1 ||
	    note_user(st, a, m, err) == -1)
		return -1;
	if (a->level == CTX_STATE_USER)
		return ctx_db_run(st, err, "INSERT INTO user_state VALUES(?1,"
		    " ?2, (SELECT coalesce(max(pos), 0) + 1 FROM user_state"
		    " WHERE user = ?1), ?3) ON CONFLICT(user, key) DO UPDATE"
		    " SET body = excluded.body", "sti", a->user, m->name.p,
		    m->name.len, body);
	return ctx_db_run(st, err, "INSERT INTO state VALUES(?1, ?2, ?3,"
	    " (SELECT coalesce(max(pos), 0) + 1 FROM state WHERE thread = ?1"
	    " AND context = ?2), ?4) ON CONFLICT(thread, context, key)"
	    " DO UPDATE SET body = excluded.body", "iiti", a->ref.thread,
	    row_context(a), m->name.p, m->name.len, body);
}

static int
scan_object(struct ctx_doc *doc, const char *json, size_t len,
    struct ctx_err *err)
{
	if (ctx_doc_scan(doc, json, len, err) == -1)
		return -1;
	return ctx_node_type(doc, 0) == '{' ? 0 :
	    ctx_fail(err, CTX_EINPUT, "a state must be a JSON object");
}

struct number {
	double v;
	int64_t whole;		/* its value, if is_whole */
	int is_whole;		/* without fraction and exponent, in 64 bits */
};

/*
 * Read text[0 .. len) as a JSON number.  Returns 1 with *n set, 0 if it is
 * something else, or -1 if the number is too long to be read.
 */
static int
number_of(const char *text, size_t len, struct number *n, struct ctx_err *err)
{
	char copy[64], *end;
	size_t i;

	for (i = 0; i < len; i++)
		if (text[i] == '\0' || strchr("-+.0123456789Ee", text[i]) ==
		    NULL)
			return 0;
	if (len >= sizeof(copy))
		return ctx_fail(err, CTX_EINPUT,
		    "a number has %zu characters; the limit is %zu", len,
		    sizeof(copy) - 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	errno = 0;
	n->whole = strtoll(copy, &end, 10);
	n->is_whole = end > copy && *end == '\0' && errno == 0;
	n->v = strtod(copy, &end);
	return end > copy && *end == '\0';
}

static int
add_numbers(struct ctx_buf *out, const struct number *a,
    const struct number *b, struct ctx_err *err)
{
	double sum = a->v + b->v;

	if (a->is_whole && b->is_whole && (b->whole > 0 ?
	    a->whole <= INT64_MAX - b->whole : a->whole >=
	    INT64_MIN - b->whole))
		return ctx_buf_addf(out, "%lld",
		    (long long)(a->whole + b->whole));
	if (!isfinite(sum))
		return ctx_fail(err, CTX_EINPUT, "the sum of %g and %g is too "
		    "large for a number", a->v, b->v);
	/* Print whole numbers as such while doubles hold them exactly. */
	if (sum >= -9e15 && sum <= 9e15 && sum == (double)(int64_t)sum)
		return ctx_buf_addf(out, "%lld", (long long)sum);
	return ctx_buf_addf(out, "%.17g", sum);
}

/* Append to out the existing member (if found is not NULL) as changed by m. */
static int
changed(struct ctx_buf *out, const struct ctx_buf *found,
    const struct member *m, int add, struct ctx_err *err)
{
	struct number x, y;
	int both = add && found != NULL;

	if (both)
		both = number_of(found->data, found->len, &x, err);
	if (both == 1)
		both = number_of(m->json, m->len, &y, err);
	if (both == -1)
		return -1;
	if (both)
		return add_numbers(out, &x, &y, err) == -1 ? -1 :
		    ctx_buf_fail(out, err);
	return ctx_state_patch(out, found != NULL ? found->data : NULL,
	    found != NULL ? found->len : 0, m->json, m->len, err);
}

static int
merge_member(struct ctx_store *st, const struct at *a, const struct member *m,
    int add, struct ctx_err *err)
{
	struct ctx_buf old = { 0 }, new = { 0 };
	struct member to = *m;
	int rc, found;

	if (m->json[0] == 'n')
		return drop(st, a, &m->name, err);
	rc = found = get_one(st, a, CTX_STATE_ONE, &m->name, &old, err);
	if (rc != -1 && (rc = ctx_buf_fail(&old, err)) == 0)
		rc = changed(&new, found ? &old : NULL, m, add, err);
	if (rc == 0) {
		to.json = new.data;
		to.len = new.len;
		rc = store(st, a, &to, err);
	}
	ctx_buf_done(&old);
	ctx_buf_done(&new);
	return rc;
}

/* What a member of the given object does to the existing one. */
enum verb {
	REPLACE,
	MERGE,
	ADD,		/* add a number to a number; else as MERGE */
	RESTORE		/* store what is not seen already */
};

static int
restore_member(struct ctx_store *st, const struct at *a,
    const struct member *m, struct ctx_err *err)
{
	struct ctx_buf old = { 0 };
	int rc = get_one(st, a, CTX_STATE_SEEN, &m->name, &old, err);

	if (rc != -1 && (rc == 0 || old.len != m->len ||
	    memcmp(old.data, m->json, m->len) != 0))
		rc = store(st, a, m, err);
	ctx_buf_done(&old);
	return rc == -1 ? -1 : 0;
}

static int
each_member(struct ctx_store *st, const struct at *a,
    const struct ctx_doc *doc, enum verb verb, struct ctx_err *err)
{
	const struct ctx_node *node = doc->node;
	struct ctx_buf name = { 0 };
	struct member m;
	uint32_t k;
	int rc = 0;

	for (k = 1; k < node[0].next && rc == 0; k = node[k + 1].next) {
		ctx_buf_reset(&name);
		ctx_str_decode(&name, doc->raw + node[k].off + 1,
		    node[k].len - 2);
		ctx_buf_addc(&name, '\0');
		if ((rc = ctx_buf_fail(&name, err)) == -1)
			break;
		m.name.p = name.data;
		m.name.len = name.len - 1;
		m.json = doc->raw + node[k + 1].off;
		m.len = node[k + 1].len;
		rc = verb == REPLACE ? store(st, a, &m, err) :
		    verb == RESTORE ? restore_member(st, a, &m, err) :
		    merge_member(st, a, &m, verb == ADD, err);
	}
	ctx_buf_done(&name);
	return rc;
}

/* Set one member, whose value is all of doc. */
static int
set_one(struct ctx_store *st, const struct at *a, const char *key,
    const struct ctx_doc *doc, struct ctx_err *err)
{
	struct member m = { { key, strlen(key) },
	    doc->raw + doc->node[0].off, doc->node[0].len };

	if (ctx_store_name_check("state", m.name.p, m.name.len, err) == -1)
		return -1;
	return store(st, a, &m, err);
}

static int
set_all(struct ctx_store *st, const struct at *a, const struct ctx_doc *doc,
    struct ctx_err *err)
{
	if (drop(st, a, &every, err) == -1)
		return -1;
	return each_member(st, a, doc, REPLACE, err);
}

static int
set(struct ctx_store *st, const struct ctx_state_at *w, struct at *a,
    const char *key, const struct ctx_doc *doc, struct ctx_err *err)
{
	if (begin(st, w, 1, a, err) == -1)
		return -1;
	if ((key != NULL ? set_one(st, a, key, doc, err) :
	    set_all(st, a, doc, err)) == -1)
		return -1;
	return ctx_body_free_end(st, NULL, err);
}

int
ctx_state_set(struct ctx_store *st, const struct ctx_state_at *w,
    const char *key, const char *json, size_t len, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct at a = { 0 };
	int rc;

	if (key != NULL)
		rc = ctx_doc_scan(&doc, json, len, err);
	else
		rc = scan_object(&doc, json, len, err);
	if (rc == 0 && (rc = ctx_db_begin(st, err)) == 0)
		rc = ctx_db_end(st, set(st, w, &a, key, &doc, err) == 0, err);
	ctx_doc_done(&doc);
	free(a.user);
	return rc;
}

static int
restore(struct ctx_store *st, const struct ctx_where *w, int whole,
    struct at *a, const struct ctx_doc *doc, struct ctx_err *err)
{
	struct ctx_state_at at = { .where = *w, .level = CTX_STATE_CONTEXT };

	if (begin(st, &at, 1, a, err) == -1)
		return -1;
	if (whole && !a->alone) {
		a->level = CTX_STATE_THREAD;
		if (drop(st, a, &every, err) == -1)
			return -1;
	}
	if (each_member(st, a, doc, RESTORE, err) == -1)
		return -1;
	return ctx_body_free_end(st, NULL, err);
}

int
ctx_state_restore(struct ctx_store *st, const struct ctx_where *w, int whole,
    const char *json, size_t len, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct at a = { 0 };
	int rc = scan_object(&doc, json, len, err);

	if (rc == 0)
		rc = restore(st, w, whole, &a, &doc, err);
	ctx_doc_done(&doc);
	free(a.user);
	return rc;
}

static int
remove_members(struct ctx_store *st, const struct ctx_state_at *w,
    struct at *a, const struct name *name, struct ctx_err *err)
{
	char quoted[160];

	if (begin(st, w, 0, a, err) == -1 ||
	    drop(st, a, name, err) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 0)
		return name->p == NULL ? ctx_fail(err, CTX_ENO, "no state") :
		    ctx_fail(err, CTX_ENO, "no such state '%s'",
		    ctx_err_quote(quoted, sizeof(quoted), name->p,
		    name->len));
	if (a->ref.thread != -1 &&
	    ctx_thread_used(st, a->ref.thread, err) == -1)
		return -1;
	return ctx_body_free_end(st, NULL, err);
}

int
ctx_state_remove(struct ctx_store *st, const struct ctx_state_at *w,
    const char *key, struct ctx_err *err)
{
	struct name name = { key, key != NULL ? strlen(key) : 0 };
	struct at a = { 0 };
	int rc = ctx_db_begin(st, err);

	if (rc == 0)
		rc = ctx_db_end(st, remove_members(st, w, &a, &name,
		    err) == 0, err);
	free(a.user);
	return rc;
}

/*
 * The number that text is, or that the member called text has.  Returns 1, 0,
 * or -1.
 */
static int
limit_value(struct ctx_store *st, const struct at *a, const char *text,
    double *v, struct ctx_err *err)
{
	struct name name = { text, strlen(text) };
	struct ctx_buf value = { 0 };
	struct number n = { 0 };
	int rc = number_of(text, name.len, &n, err);

	if (rc == 0 && (rc = get_one(st, a, CTX_STATE_SEEN, &name, &value,
	    err)) == 1)
		rc = number_of(value.data, value.len, &n, err);
	ctx_buf_done(&value);
	*v = n.v;
	return rc;
}

static int
check_limit(struct ctx_store *st, const struct at *a,
    const struct ctx_limit *limit, struct ctx_err *err)
{
	char key[80], max[80];
	double v, top;
	int rc;

	/* There is no limit if either is not a number. */
	if ((rc = limit_value(st, a, limit->key, &v, err)) != 1 ||
	    (rc = limit_value(st, a, limit->max, &top, err)) != 1)
		return rc;
	if (v <= top)
		return 0;
	return ctx_fail(err, CTX_ENO,
	    "%s would be %g, which exceeds the limit %g (%s)",
	    ctx_err_quote(key, sizeof(key), limit->key, strlen(limit->key)),
	    v, top, ctx_err_quote(max, sizeof(max), limit->max,
	    strlen(limit->max)));
}

static int
merge(struct ctx_store *st, const struct ctx_state_at *w, struct at *a,
    const struct ctx_state_change *c, const struct ctx_doc *doc,
    struct ctx_err *err)
{
	size_t i;

	if (begin(st, w, 1, a, err) == -1 ||
	    each_member(st, a, doc, c->add ? ADD : MERGE, err) == -1)
		return -1;
	for (i = 0; i < c->nlimit; i++)
		if (check_limit(st, a, &c->limit[i], err) == -1)
			return -1;
	return ctx_body_free_end(st, NULL, err);
}

int
ctx_state_merge(struct ctx_store *st, const struct ctx_state_at *w,
    const struct ctx_state_change *c, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct at a = { 0 };
	int rc;

	rc = scan_object(&doc, c->json, c->len, err);
	if (rc == 0 && (rc = ctx_db_begin(st, err)) == 0)
		rc = ctx_db_end(st, merge(st, w, &a, c, &doc, err) == 0, err);
	ctx_doc_done(&doc);
	free(a.user);
	return rc;
}
