/* SPDX-License-Identifier: MIT */
/*
 * Import and export LangGraph's checkpoint files (SqliteSaver's); see
 * foreign.h.
 *
 * An imported checkpoint is stored as JSON, so that its state can be queried,
 * and also in its original form: its serializer and bytes are in ckpt_write as
 * writes of the task "", which LangGraph never uses.  It is exported in that
 * form.
 */
#include "store/port/foreign_db.h"

#include <string.h>

#include "base/when.h"
#include "read/node.h"
#include "store/body.h"
#include "store/ckpt.h"
#include "store/port/msgpack.h"
#include "store/port/port.h"
#include "store/row.h"
#include "store/whole.h"

/* Writes of the task "": the original form of a checkpoint. */
enum { ORIGINAL_STATE, ORIGINAL_META };

/* --- import --------------------------------------------------------------- */

static int
unknown_type(const char *type, struct ctx_err *err)
{
	char quoted[60];

	return ctx_fail(err, CTX_EINPUT,
	    "a checkpoint uses the serializer '%s', which cannot be read",
	    ctx_err_quote(quoted,
	    sizeof(quoted), type, strlen(type)));
}

/*
 * Convert a column in one of LangGraph's serializations to JSON; returns 0 if
 * it is empty.
 */
static int
as_json(const char *type, sqlite3_stmt *q, int col, struct ctx_buf *out,
    struct ctx_err *err)
{
	const void *p = sqlite3_column_blob(q, col);
	size_t len = (size_t)sqlite3_column_bytes(q, col);

	ctx_buf_reset(out);
	if (len == 0)
		return 0;
	if (type == NULL || strcmp(type, "json") == 0)
		ctx_buf_add(out, p, len);
	else if (strcmp(type, "msgpack") != 0)
		return unknown_type(type, err);
	else if (ctx_msgpack_json(p, len, out, err) == -1)
		return -1;
	return ctx_buf_fail(out, err) == -1 ? -1 : 1;
}

/*
 * Store the time at which a checkpoint was made, as it states, in *t; returns
 * 0 if it does not.
 */
static int
made_at(const struct ctx_buf *state, int64_t *t, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	int rc = ctx_doc_try(&doc, state->data, state->len);
	struct ctx_str s = { NULL, 0 };

	*t = 0;
	if (rc == 1)
		s = ctx_node_str(&doc, CTX_GET(&doc, 0, "ts"));
	if (s.p != NULL && ctx_when_scan(s.p, s.len, t) == -1)
		*t = 0;
	ctx_doc_done(&doc);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* A value that a task wrote to a channel. */
struct write {
	const char *task, *channel, *type;
	int64_t idx;
};

static const char *
namespace_of(sqlite3_stmt *q)
{
	const char *ns = ctx_foreign_text(q, 1);

	return ns != NULL ? ns : "";
}

#define THIS	" WHERE thread = ?1 AND context = ?2 AND ns = ?3" \
	" AND name = ?4 AND task = ?5 AND idx = ?6"
#define KEYS	ref->thread, ref->context, ns, ctx_foreign_text(q, 2), \
	w->task, w->idx

static int
replace_write(struct ctx_store *st, const struct ctx_ref *ref, sqlite3_stmt *q,
    const struct write *w, const int64_t *body, struct ctx_err *err)
{
	const char *ns = namespace_of(q);

	if (ctx_body_free_begin(st, err) == -1 || ctx_db_run(st, err, "INSERT"
	    " OR IGNORE INTO temp.loose SELECT body FROM ckpt_write" THIS
	    " AND body IS NOT NULL", "iisssi", KEYS) == -1 ||
	    ctx_db_run(st, err, "UPDATE ckpt_write SET channel = ?7, type = ?8,"
	    " body = ?9" THIS, "iisssisso", KEYS, w->channel, w->type,
	    body) == -1)
		return -1;
	return ctx_body_free_end(st, NULL, err);
}

/*
 * A write that is there must be the same, unless it is in a special channel,
 * below 0, which LangGraph's savers replace.
 */
static int
compare_write(struct ctx_store *st, const struct ctx_ref *ref, sqlite3_stmt *q,
    const struct write *w, const int64_t *body, struct ctx_err *err)
{
	const char *ns = namespace_of(q), *name = ctx_foreign_text(q, 2);
	char quoted[160];
	int64_t same;
	int rc = ctx_db_int(st, &same, err, "SELECT 1 FROM ckpt_write" THIS
	    " AND channel = ?7 AND coalesce(type, '-') = coalesce(?8, '-')"
	    " AND coalesce(body, 0) = coalesce(?9, 0)", "iisssisso", KEYS,
	    w->channel, w->type, body);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	if (w->idx < 0)
		return replace_write(st, ref, q, w, body, err);
	return ctx_fail(err, CTX_EINPUT,
	    "a write of checkpoint '%s' already exists with other contents",
	    ctx_err_quote(quoted, sizeof(quoted), name, strlen(name)));
}

/*
 * Store a column as a write of ref's checkpoint, which q is at.  Without a task
 * it is an original, of a checkpoint that was compared.
 */
static int
put_write(struct ctx_store *st, const struct ctx_ref *ref, sqlite3_stmt *q,
    int col, const struct write *w, struct ctx_err *err)
{
	int some = sqlite3_column_type(q, col) != SQLITE_NULL;
	const char *ns = namespace_of(q);
	const void *p = sqlite3_column_blob(q, col);
	int64_t body;

	if (some && ctx_body_put(st, p != NULL ? p : "",
	    (size_t)sqlite3_column_bytes(q, col), &body, err) == -1)
		return -1;
	if (ctx_db_run(st, err, "INSERT INTO ckpt_write VALUES(?1, ?2, ?3,"
	    " ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING", "iisssisso",
	    KEYS, w->channel, w->type, some ? &body : NULL) == -1)
		return -1;
	return *w->task == '\0' ? 0 : compare_write(st, ref, q, w,
	    some ? &body : NULL, err);
}

#undef THIS
#undef KEYS

/* Store columns 5 and 6 unchanged, besides what is read from them. */
static int
put_originals(struct ctx_store *st, const struct ctx_ref *ref,
    sqlite3_stmt *q, const char *type, struct ctx_err *err)
{
	struct write state = { "", "checkpoint", type, ORIGINAL_STATE };
	struct write meta = { "", "metadata", type, ORIGINAL_META };

	if (put_write(st, ref, q, 5, &state, err) == -1)
		return -1;
	return put_write(st, ref, q, 6, &meta, err);
}

/* thread, ns, id, parent, type, checkpoint, metadata */
static int
take_ckpt(struct ctx_store *st, sqlite3_stmt *q, struct ctx_buf *state,
    struct ctx_buf *meta, struct ctx_err *err)
{
	struct ctx_where w = { ctx_foreign_text(q, 0), "main" };
	const char *type = ctx_foreign_text(q, 4);
	const char *parent = ctx_foreign_text(q, 3);
	const char *p = sqlite3_column_blob(q, 6);
	struct ctx_ckpt c = { .upto_seq = -1 };
	struct ctx_ref ref;
	int some;

	if (w.thread == NULL || ctx_foreign_text(q, 2) == NULL)
		return ctx_fail(err, CTX_EINPUT, "a row has no thread");
	if (ctx_thread_name_check(w.thread, strlen(w.thread), err) == -1)
		return -1;
	c.ns = ctx_foreign_text(q, 1);
	c.name = ctx_foreign_text(q, 2);
	c.parent = parent != NULL ? parent : "";
	if ((some = as_json(type, q, 5, state, err)) == -1)
		return -1;
	c.state = some ? state->data : NULL;
	if (some && made_at(state, &c.ts, err) == -1)
		return -1;
	c.state_len = state->len;
	/* Python writes JSON here whatever the checkpoint's serialization. */
	if (p != NULL && *p == '{')
		some = as_json("json", q, 6, meta, err);
	else
		some = as_json(type, q, 6, meta, err);
	c.meta = some == 1 ? meta->data : NULL;
	c.meta_len = meta->len;
	if (some == -1 || ctx_ckpt_put(st, &w, &c, NULL, err) == -1 ||
	    ctx_thread_find(st, &w, &ref, err) == -1)
		return -1;
	return put_originals(st, &ref, q, type, err);
}

/* thread, ns, id, task, index, channel, type, value */
static int
take_write(struct ctx_store *st, sqlite3_stmt *q, struct ctx_buf *value,
    struct ctx_buf *unused, struct ctx_err *err)
{
	static const char *const raw[] = { "null", "bytes", "bytearray" };
	struct ctx_where w = { ctx_foreign_text(q, 0), "main" };
	struct write wrote = { ctx_foreign_text(q, 3), ctx_foreign_text(q, 5),
	    ctx_foreign_text(q, 6), sqlite3_column_int64(q, 4) };
	struct ctx_ref ref;
	size_t i;

	(void)unused;
	if (w.thread == NULL || wrote.task == NULL || *wrote.task == '\0')
		return ctx_fail(err, CTX_EINPUT, "a write has no task");
	if (ctx_foreign_text(q, 2) == NULL || wrote.channel == NULL)
		return ctx_fail(err, CTX_EINPUT,
		    "a write has no checkpoint or no channel");
	for (i = 0; i < 3 && (wrote.type == NULL ||
	    strcmp(wrote.type, raw[i]) != 0); i++)
		continue;
	if (i == 3 && as_json(wrote.type, q, 7, value, err) == -1)
		return -1;
	if (ctx_thread_name_check(w.thread, strlen(w.thread), err) == -1 ||
	    ctx_thread_find(st, &w, &ref, err) == -1)
		return -1;
	return put_write(st, &ref, q, 7, &wrote, err);
}

typedef int take_fn(struct ctx_store *st, sqlite3_stmt *q, struct ctx_buf *a,
	    struct ctx_buf *b, struct ctx_err *err);

/*
 * Import rows ordered by thread, one transaction for each thread: one for each
 * checkpoint would cost a sync each.  *sum counts them as checkpoints.
 */
static int
take_rows(struct ctx_store *st, sqlite3 *db, const char *sql, take_fn *take,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_foreign_prepare(db, sql, err);
	struct ctx_buf a = { 0 }, b = { 0 }, last = { 0 };
	int rc = -1, open = 0;

	while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1) {
		const char *thread = ctx_foreign_text(q, 0);

		if (thread == NULL)
			thread = "";
		if (open && strcmp(last.data, thread) != 0) {
			open = 0;
			if ((rc = ctx_db_end(st, 1, err)) == -1)
				break;
		}
		if (!open) {
			sum->threads++;
			ctx_buf_reset(&last);
			ctx_buf_adds(&last, thread);
			if (ctx_buf_str(&last) == NULL)
				rc = ctx_fail_nomem(err);
			if (rc == -1 || (rc = ctx_db_begin(st, err)) == -1)
				break;
			open = 1;
		}
		if ((rc = take(st, q, &a, &b, err)) == -1)
			break;
		sum->checkpoints++;
	}
	if (open && ctx_db_end(st, rc == 0, err) == -1)
		rc = -1;
	sqlite3_finalize(q);
	ctx_buf_done(&a);
	ctx_buf_done(&b);
	ctx_buf_done(&last);
	return rc;
}

int
ctx_langgraph_import(struct ctx_store *st, sqlite3 *db,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	struct ctx_foreign_sum writes = { 0 };
	int rc;

	if (take_rows(st, db, "SELECT thread_id, checkpoint_ns, checkpoint_id,"
	    " parent_checkpoint_id, type, checkpoint, metadata FROM"
	    " checkpoints ORDER BY thread_id, checkpoint_id", take_ckpt,
	    sum, err) == -1)
		return -1;
	if ((rc = ctx_foreign_has(db, "writes", err)) != 1)
		return rc;
	return take_rows(st, db, "SELECT thread_id, checkpoint_ns,"
	    " checkpoint_id, task_id, idx, channel, type, value FROM writes"
	    " ORDER BY thread_id, checkpoint_id, task_id, idx", take_write,
	    &writes, err);
}

/* --- export --------------------------------------------------------------- */

/* The tables as SqliteSaver creates them, in Python and in JavaScript. */
static const char tables[] =
"PRAGMA journal_mode=OFF;"	/* the file has no name until it is complete */
"PRAGMA synchronous=OFF;"
"CREATE TABLE checkpoints ("
" thread_id TEXT NOT NULL,"
" checkpoint_ns TEXT NOT NULL DEFAULT '',"
" checkpoint_id TEXT NOT NULL,"
" parent_checkpoint_id TEXT,"
" type TEXT,"
" checkpoint BLOB,"
" metadata BLOB,"
" PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));"
"CREATE TABLE writes ("
" thread_id TEXT NOT NULL,"
" checkpoint_ns TEXT NOT NULL DEFAULT '',"
" checkpoint_id TEXT NOT NULL,"
" task_id TEXT NOT NULL,"
" idx INTEGER NOT NULL,"
" channel TEXT NOT NULL,"
" type TEXT,"
" value BLOB,"
" PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));"
"BEGIN;";

/*
 * For a row's context: the name of the subagent that it is or is a fork of;
 * NULL for main and its forks.
 */
#define AGENT(row) "(WITH RECURSIVE up(kind, parent, name) AS" \
	" (SELECT kind, parent, name FROM context WHERE thread = " row \
	".thread AND id = " row ".context UNION SELECT c.kind, c.parent," \
	" c.name FROM up JOIN context c ON c.thread = " row ".thread AND" \
	" c.id = up.parent WHERE up.kind = 1)" \
	" SELECT name FROM up WHERE kind = 2)"

static const char ckpts_of[] =
"SELECT coalesce(" AGENT("k") ", t.name), k.ns, k.name, k.parent, o.type,"
" k.state, k.meta, o.channel, o.body, m.body, k.n, k.ts"
" FROM ckpt k JOIN thread t ON t.id = k.thread"
" LEFT JOIN ckpt_write o ON o.thread = k.thread AND o.context = k.context"
" AND o.ns = k.ns AND o.name = k.name AND o.task = '' AND o.idx = 0"
" LEFT JOIN ckpt_write m ON m.thread = k.thread AND m.context = k.context"
" AND m.ns = k.ns AND m.name = k.name AND m.task = '' AND m.idx = 1"
" WHERE k.thread = ?1 ORDER BY k.context, k.n";

static const char writes_of[] =
"SELECT coalesce(" AGENT("w") ", t.name), w.ns, w.name, w.task, w.idx,"
" w.channel, w.type, w.body FROM ckpt_write w JOIN thread t ON"
" t.id = w.thread WHERE w.thread = ?1 AND w.task <> ''"
" ORDER BY w.context, w.ns, w.name, w.task, w.idx";

/* The statements for the file being written, in pairs. */
enum { PUT_CKPT, SAME_CKPT, PUT_WRITE, SAME_WRITE };

struct out {
	struct ctx_store *st;
	const char *path;
	sqlite3 *db;
	sqlite3_stmt *stmt[4];
	struct ctx_buf state, meta;
	struct ctx_doc doc;
};

static int
out_fail(struct out *o, struct ctx_err *err)
{
	return ctx_fail(err, CTX_ESYSTEM, "%s: %s", o->path,
	    sqlite3_errmsg(o->db));
}

/* Copy columns 0 to 3 of a row unchanged; 1 and 2 are never NULL. */
static int
bind_names(sqlite3_stmt *to, sqlite3_stmt *q)
{
	int i, rc = SQLITE_OK;

	for (i = 0; i < 4 && rc == SQLITE_OK; i++)
		rc = sqlite3_bind_value(to, i + 1, sqlite3_column_value(q, i));
	return rc;
}

/* Copy a column of q to a parameter of to. */
struct copy {
	sqlite3_stmt *q;
	int col;
	sqlite3_stmt *to;
	int at;
};

/* Read contents into a buffer and bind them. */
static int
bind_body(struct out *o, const struct copy *c, struct ctx_buf *b,
    struct ctx_err *err)
{
	int rc;

	ctx_buf_reset(b);
	if (sqlite3_column_type(c->q, c->col) == SQLITE_NULL)
		return sqlite3_bind_null(c->to, c->at) == SQLITE_OK ? 0 :
		    out_fail(o, err);
	if (ctx_body_get(o->st, sqlite3_column_int64(c->q, c->col), b,
	    err) == -1)
		return -1;
	rc = sqlite3_bind_blob64(c->to, c->at, b->len > 0 ? b->data : "",
	    b->len, SQLITE_STATIC);
	return rc == SQLITE_OK ? 0 : out_fail(o, err);
}

/* Is the state a LangGraph checkpoint? */
static int
is_langgraph(struct out *o, struct ctx_err *err)
{
	if (o->state.len == 0)
		return 0;
	if (ctx_doc_scan(&o->doc, o->state.data, o->state.len, err) == -1)
		return -1;
	return ctx_node_if(&o->doc, CTX_GET(&o->doc, 0, "channel_values"),
	    '{') != CTX_NONE;
}

/* Make one of our own states the values of a checkpoint's channels. */
static void
wrap_state(struct out *o, sqlite3_stmt *q, struct ctx_buf *row)
{
	const struct ctx_buf *s = &o->state;
	int object = s->len > 0 && ctx_node_type(&o->doc, 0) == '{';

	ctx_row_begin(row);
	ctx_row_int(row, "v", 4);
	ctx_row_text(row, "id", ctx_foreign_text(q, 2));
	ctx_row_when(row, "ts", sqlite3_column_int64(q, 11));
	if (object || s->len == 0)
		ctx_row_json(row, "channel_values", s->len > 0 ? s->data :
		    "{}", s->len > 0 ? s->len : 2);
	else {
		ctx_row_json(row, "channel_values", "{\"state\":", 9);
		ctx_buf_add(row, s->data, s->len);
		ctx_buf_addc(row, '}');
	}
	ctx_row_json(row, "channel_versions", "{}", 2);
	ctx_row_json(row, "versions_seen", "{}", 2);
	ctx_row_end(row);
}

/* LangGraph expects metadata in every checkpoint. */
static void
make_meta(sqlite3_stmt *q, struct ctx_buf *row)
{
	ctx_row_begin(row);
	ctx_row_text(row, "source", "update");
	ctx_row_int(row, "step", sqlite3_column_int64(q, 10));
	ctx_row_json(row, "parents", "{}", 2);
	ctx_row_end(row);
}

/* Bind a checkpoint that did not come from LangGraph. */
static int
bind_own(struct out *o, sqlite3_stmt *to, sqlite3_stmt *q,
    struct ctx_err *err)
{
	struct ctx_buf row = { 0 };
	int theirs, rc = -1;

	if (bind_body(o, &(struct copy){ q, 5, to, 6 }, &o->state,
	    err) == -1 || bind_body(o, &(struct copy){ q, 6, to, 7 }, &o->meta,
	    err) == -1 ||
	    (theirs = is_langgraph(o, err)) == -1)
		return -1;
	if (!theirs) {
		wrap_state(o, q, &row);
		ctx_buf_reset(&o->state);
		ctx_buf_add(&o->state, row.data, row.len);
	}
	if (o->meta.len == 0)
		make_meta(q, &o->meta);
	if (ctx_buf_fail(&row, err) == -1 ||
	    ctx_buf_fail(&o->state, err) == -1 ||
	    ctx_buf_fail(&o->meta, err) == -1)
		goto out;
	if (sqlite3_bind_text(to, 5, "json", 4, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_bind_blob64(to, 6, o->state.data, o->state.len,
	    SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_bind_blob64(to, 7, o->meta.data, o->meta.len,
	    SQLITE_STATIC) == SQLITE_OK)
		rc = 0;
	else
		out_fail(o, err);
out:
	ctx_buf_done(&row);
	return rc;
}

static int
bind_ckpt(struct out *o, sqlite3_stmt *to, sqlite3_stmt *q,
    struct ctx_err *err)
{
	if (bind_names(to, q) != SQLITE_OK)
		return out_fail(o, err);
	if (sqlite3_column_type(q, 7) == SQLITE_NULL)
		return bind_own(o, to, q, err);
	if (sqlite3_bind_value(to, 5, sqlite3_column_value(q, 4)) !=
	    SQLITE_OK)
		return out_fail(o, err);
	return bind_body(o, &(struct copy){ q, 8, to, 6 }, &o->state,
	    err) == -1 ? -1 : bind_body(o, &(struct copy){ q, 9, to, 7 },
	    &o->meta, err);
}

static int
bind_write(struct out *o, sqlite3_stmt *to, sqlite3_stmt *q,
    struct ctx_err *err)
{
	int i;

	if (bind_names(to, q) != SQLITE_OK)
		return out_fail(o, err);
	for (i = 4; i < 7; i++)
		if (sqlite3_bind_value(to, i + 1, sqlite3_column_value(q,
		    i)) != SQLITE_OK)
			return out_fail(o, err);
	return bind_body(o, &(struct copy){ q, 7, to, 8 }, &o->state, err);
}

typedef int bind_fn(struct out *o, sqlite3_stmt *to, sqlite3_stmt *q,
	    struct ctx_err *err);

/*
 * Insert a row, unless it was already written for a fork.  LangGraph's file
 * has no place for two contexts that use the same name for different contents.
 */
static int
insert(struct out *o, int put, sqlite3_stmt *q, bind_fn *fill,
    struct ctx_err *err)
{
	sqlite3_stmt *to = o->stmt[put], *same = o->stmt[put + 1];
	char name[80];
	int rc;

	if (fill(o, to, q, err) == -1)
		return -1;
	rc = sqlite3_step(to);
	sqlite3_reset(to);
	if (rc != SQLITE_DONE)
		return out_fail(o, err);
	if (sqlite3_changes(o->db) > 0)
		return 1;
	if (fill(o, same, q, err) == -1)
		return -1;
	rc = sqlite3_step(same);
	sqlite3_reset(same);
	if (rc == SQLITE_ROW)
		return 0;
	return rc != SQLITE_DONE ? out_fail(o, err) : ctx_fail(err,
	    CTX_EINPUT, "checkpoint '%s' exists in two contexts with different "
	    "contents, which LangGraph does not allow", ctx_err_quote(name,
	    sizeof(name),
	    ctx_foreign_text(q, 2), strlen(ctx_foreign_text(q, 2))));
}

/* Rows of ours, and the statement of o that each is written with. */
struct rows {
	const char *sql;
	int put;
	bind_fn *fill;
};

static int
put_rows(struct out *o, const struct rows *r, int64_t thread, int64_t *n,
    struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_db_query(o->st, err, r->sql, "i", thread);
	int rc = 0;

	while ((rc = ctx_db_next(o->st, q, rc, err)) == 1) {
		if ((rc = insert(o, r->put, q, r->fill, err)) != -1)
			*n += rc;
	}
	return rc;
}

/* Write each thread in a read transaction of its own. */
static int
put_threads(struct out *o, const char *const *names, size_t n,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	static const struct rows ckpts = { ckpts_of, PUT_CKPT, bind_ckpt };
	static const struct rows made = { writes_of, PUT_WRITE, bind_write };
	int64_t id = 0, writes = 0, had;
	size_t i;
	int rc = 1;

	for (i = 0; rc == 1; i++) {
		if (ctx_db_read(o->st, err) == -1)
			return -1;
		had = sum->checkpoints;
		rc = ctx_port_next(o->st, names, i, n, &id, err);
		if (rc == 1 && (put_rows(o, &ckpts, id, &sum->checkpoints,
		    err) == -1 || put_rows(o, &made, id, &writes, err) == -1))
			rc = -1;
		sum->threads += sum->checkpoints > had;
		ctx_db_read_end(o->st);
	}
	return rc;
}

static int
out_open(struct out *o, const char *path, struct ctx_err *err)
{
	static const char *const sql[] = {
		"INSERT INTO checkpoints VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"
		" ON CONFLICT DO NOTHING",
		"SELECT 1 FROM checkpoints WHERE thread_id = ?1 AND"
		" checkpoint_ns = ?2 AND checkpoint_id = ?3 AND"
		" parent_checkpoint_id IS ?4 AND type IS ?5 AND"
		" checkpoint IS ?6 AND metadata IS ?7",
		"INSERT INTO writes VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
		" ON CONFLICT DO NOTHING",
		"SELECT 1 FROM writes WHERE thread_id = ?1 AND"
		" checkpoint_ns = ?2 AND checkpoint_id = ?3 AND task_id = ?4"
		" AND idx = ?5 AND channel = ?6 AND type IS ?7 AND"
		" value IS ?8",
	};
	size_t i;

	if (sqlite3_open_v2(path, &o->db, SQLITE_OPEN_READWRITE, NULL) !=
	    SQLITE_OK || sqlite3_exec(o->db, tables, NULL, NULL, NULL) !=
	    SQLITE_OK)
		return out_fail(o, err);
	for (i = 0; i < 4; i++)
		if (sqlite3_prepare_v2(o->db, sql[i], -1, &o->stmt[i],
		    NULL) != SQLITE_OK)
			return out_fail(o, err);
	return 0;
}

static void
out_close(struct out *o)
{
	size_t i;

	for (i = 0; i < 4; i++)
		sqlite3_finalize(o->stmt[i]);
	sqlite3_close(o->db);
	ctx_buf_done(&o->state);
	ctx_buf_done(&o->meta);
	ctx_doc_done(&o->doc);
}

int
ctx_langgraph_export(struct ctx_store *st, const char *path,
    const char *const *names, size_t n, struct ctx_foreign_sum *sum,
    struct ctx_err *err)
{
	struct out o = { .st = st, .path = path };
	struct ctx_buf tmp = { 0 };
	int rc;

	if (ctx_whole_begin(path, &tmp, err) == -1)
		return -1;
	rc = out_open(&o, tmp.data, err);
	if (rc == 0 && (rc = put_threads(&o, names, n, sum, err)) == 0 &&
	    sqlite3_exec(o.db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		rc = out_fail(&o, err);
	out_close(&o);
	return ctx_whole_end(path, &tmp, rc == 0, err);
}
