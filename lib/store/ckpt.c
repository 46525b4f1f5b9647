/* SPDX-License-Identifier: MIT */
/* Checkpoints; see ckpt.h. */
#include "store/ckpt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "base/when.h"
#include "store/body.h"
#include "store/state.h"

/* Generate a UUID of version 7 (RFC 9562). */
static int
new_id(char out[CTX_CKPT_ID_SIZE], struct ctx_err *err)
{
	uint64_t ms = (uint64_t)ctx_when_now() / 1000;
	unsigned char b[16];
	int i, n = 0;

	if (getentropy(b, sizeof(b)) == -1)
		return ctx_fail_errno(err, errno, "cannot get random bytes");
	for (i = 0; i < 6; i++)
		b[i] = (unsigned char)(ms >> (40 - 8 * i));
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x70);
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	for (i = 0; i < 16; i++)
		n += snprintf(out + n, CTX_CKPT_ID_SIZE - (size_t)n, "%s%02x",
		    i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
	return 0;
}

static int
no_ckpt(const char *name, struct ctx_err *err)
{
	return name == NULL ? ctx_fail(err, CTX_ENO, "no checkpoint") :
	    ctx_db_none("checkpoint", name, err);
}

static int
check_json(const char *what, const char *p, size_t len, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_err why = { 0 };
	int rc;

	if (p == NULL)
		return 0;
	rc = ctx_doc_scan(&doc, p, len, &why);
	ctx_doc_done(&doc);
	if (rc == -1)
		ctx_fail(err, why.code, "%s: %s", what, why.text);
	return rc;
}

static int
put_body(struct ctx_store *st, const char *p, size_t len, int64_t *id,
    struct ctx_err *err)
{
	*id = 0;
	return p == NULL ? 0 : ctx_body_put(st, p, len, id, err);
}

/*
 * Returns 1 if it exists with the same contents, 0 if it does not exist, or
 * -1.
 */
static int
there(struct ctx_store *st, const struct ctx_ref *ref,
    const struct ctx_ckpt *c, int64_t state, int64_t meta,
    struct ctx_err *err)
{
	char quoted[160];
	sqlite3_stmt *q;
	int64_t upto;
	int rc, same;

	q = ctx_db_query(st, err, "SELECT coalesce(state, 0),"
	    " coalesce(meta, 0), upto_seq FROM ckpt WHERE thread = ?1 AND"
	    " context = ?2 AND ns = ?3 AND name = ?4", "iiss", ref->thread,
	    ref->context, c->ns, c->name);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	same = sqlite3_column_int64(q, 0) == state &&
	    sqlite3_column_int64(q, 1) == meta;
	upto = sqlite3_column_int64(q, 2);
	sqlite3_reset(q);
	if (same && (c->upto_seq == -1 || c->upto_seq == upto))
		return 1;
	ctx_err_quote(quoted, sizeof(quoted), c->name, strlen(c->name));
	return same ? ctx_fail(err, CTX_EINPUT, "checkpoint '%s' already "
	    "exists, at message %lld", quoted, (long long)upto) :
	    ctx_fail(err, CTX_EINPUT,
	    "checkpoint '%s' already exists with other contents", quoted);
}

static int
add(struct ctx_store *st, const struct ctx_ref *ref,
    const struct ctx_ckpt *c, int64_t state, int64_t meta,
    struct ctx_err *err)
{
	return ctx_db_run(st, err, "INSERT INTO ckpt(thread, context, ns, name,"
	    " n, parent, upto_seq, state, meta, ts) VALUES(?1, ?2, ?3, ?4,"
	    " (SELECT coalesce(max(n), 0) + 1 FROM ckpt WHERE thread = ?1 AND"
	    " context = ?2), nullif(coalesce(?5, (SELECT name FROM ckpt WHERE"
	    " thread = ?1 AND context = ?2 AND ns = ?3 ORDER BY n DESC LIMIT"
	    " 1)), ''), ?6, ?7, ?8, ?9)", "iisssiooi", ref->thread,
	    ref->context, c->ns, c->name, c->parent, c->upto_seq,
	    state != 0 ? &state : NULL,
	    meta != 0 ? &meta : NULL, c->ts != 0 ? c->ts : ctx_when_now());
}

/* Get the state to be put, in now if it is that which the context sees. */
static int
take_state(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_ckpt *c, struct ctx_buf *now, struct ctx_err *err)
{
	struct ctx_state_at at = { .where = *w, .level = CTX_STATE_CONTEXT };

	if (!c->merged)
		return 0;
	if (ctx_state_get(st, &at, CTX_STATE_SEEN, NULL, now, err) == -1)
		return -1;
	c->state = now->data;
	c->state_len = now->len;
	return 0;
}

static int
put_row(struct ctx_store *st, const struct ctx_ref *ref, struct ctx_ckpt *c,
    struct ctx_err *err)
{
	int64_t state, meta;
	int rc;

	if (put_body(st, c->state, c->state_len, &state, err) == -1 ||
	    put_body(st, c->meta, c->meta_len, &meta, err) == -1 ||
	    (rc = there(st, ref, c, state, meta, err)) == -1)
		return -1;
	if (c->upto_seq == -1)
		c->upto_seq = ref->next_seq - 1;
	return rc == 1 ? 0 : add(st, ref, c, state, meta, err);
}

static int
put(struct ctx_store *st, const struct ctx_where *w, struct ctx_ckpt *c,
    struct ctx_err *err)
{
	static const struct ctx_make make = { .parent_seq = -1 };
	struct ctx_buf now = { 0 };
	struct ctx_ref ref;
	int rc;

	if (ctx_context_make(st, w, &make, &ref, err) == -1)
		return -1;
	if (c->upto_seq < -1 || c->upto_seq >= ref.next_seq)
		return ctx_fail(err, CTX_ENO, "the log ends at message %lld",
		    (long long)(ref.next_seq - 1));
	if ((rc = take_state(st, w, c, &now, err)) == 0)
		rc = put_row(st, &ref, c, err);
	ctx_buf_done(&now);
	return rc == -1 ? -1 : ctx_thread_used(st, ref.thread, err);
}

int
ctx_ckpt_put(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_ckpt *given, char **name_out, struct ctx_err *err)
{
	struct ctx_ckpt c = *given;
	char id[CTX_CKPT_ID_SIZE];
	char *name;

	if (c.name == NULL) {
		if (new_id(id, err) == -1)
			return -1;
		c.name = id;
	}
	if (c.ns == NULL)
		c.ns = "";
	if (ctx_store_name_check("checkpoint", c.name, strlen(c.name),
	    err) == -1 || check_json("state", c.state, c.state_len,
	    err) == -1 || check_json("metadata", c.meta, c.meta_len,
	    err) == -1)
		return -1;
	if ((name = strdup(c.name)) == NULL)
		return ctx_fail_nomem(err);
	if (ctx_db_begin(st, err) == -1 ||
	    ctx_db_end(st, put(st, w, &c, err) == 0, err) == -1) {
		free(name);
		return -1;
	}
	if (name_out != NULL)
		*name_out = name;
	else
		free(name);
	return 0;
}

/* The columns of a checkpoint, with thread and context by name. */
#define COLUMNS "SELECT t.name, x.name, k.ns, k.name, k.parent, k.n," \
	" k.upto_seq, k.ts, k.state, k.meta, k.context FROM ckpt k" \
	" JOIN thread t ON t.id = k.thread" \
	" JOIN context x ON x.thread = k.thread AND x.id = k.context"

static int
give(struct ctx_store *st, sqlite3_stmt *q, int with_state, ctx_ckpt_fn *fn,
    void *arg, struct ctx_err *err)
{
	struct ctx_buf state = { 0 }, meta = { 0 };
	struct ctx_ckpt c = { 0 };
	int rc = -1;

	c.thread = (const char *)sqlite3_column_text(q, 0);
	c.context = (const char *)sqlite3_column_text(q, 1);
	c.ns = (const char *)sqlite3_column_text(q, 2);
	c.name = (const char *)sqlite3_column_text(q, 3);
	c.parent = (const char *)sqlite3_column_text(q, 4);
	c.n = sqlite3_column_int64(q, 5);
	c.upto_seq = sqlite3_column_int64(q, 6);
	c.ts = sqlite3_column_int64(q, 7);
	if (with_state && sqlite3_column_type(q, 8) != SQLITE_NULL) {
		if (ctx_body_get(st, sqlite3_column_int64(q, 8), &state,
		    err) == -1)
			goto out;
		c.state = state.data;
		c.state_len = state.len;
	}
	if (sqlite3_column_type(q, 9) != SQLITE_NULL) {
		if (ctx_body_get(st, sqlite3_column_int64(q, 9), &meta,
		    err) == -1)
			goto out;
		c.meta = meta.data;
		c.meta_len = meta.len;
	}
	rc = fn(&c, arg, err);
out:
	ctx_buf_done(&state);
	ctx_buf_done(&meta);
	return rc;
}

/*
 * Find the row of one checkpoint; the caller resets the statement.  Returns 1
 * or -1.  If the name occurs in several LangGraph namespaces, the one of the
 * graph itself is meant.
 */
static int
find(struct ctx_store *st, const struct ctx_where *w, const char *name,
    struct ctx_ref *ref, sqlite3_stmt **q, struct ctx_err *err)
{
	int rc;

	if (ctx_thread_find(st, w, ref, err) == -1)
		return -1;
	*q = ctx_db_query(st, err, COLUMNS " WHERE k.thread = ?1 AND"
	    " (k.context = ?2 OR ?4 <> 0) AND (?3 IS NULL OR k.name = ?3)"
	    " ORDER BY k.context <> ?2, ?3 IS NOT NULL AND k.ns <> '',"
	    " k.n DESC LIMIT 1", "iisi", ref->thread,
	    ref->context, name,
	    (int64_t)(w->context == NULL && name != NULL));
	if ((rc = ctx_db_row(st, *q, err)) == -1)
		return -1;
	return rc == 1 ? 1 : no_ckpt(name, err);
}

int
ctx_ckpt_locate(struct ctx_store *st, const struct ctx_where *w,
    const char *name, struct ctx_ref *ref, int64_t *upto_seq,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int64_t context;

	if (find(st, w, name, ref, &q, err) == -1)
		return -1;
	*upto_seq = sqlite3_column_int64(q, 6);
	context = sqlite3_column_int64(q, 10);
	sqlite3_reset(q);
	return ctx_context_by_id(st, ref->thread, context, ref, err);
}

int
ctx_ckpt_get(struct ctx_store *st, const struct ctx_where *w,
    const char *name, ctx_ckpt_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_ref ref;
	sqlite3_stmt *q;
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if ((rc = find(st, w, name, &ref, &q, err)) == 1) {
		rc = give(st, q, 1, fn, arg, err);
		sqlite3_reset(q);
	}
	ctx_db_read_end(st);
	return rc;
}

int
ctx_ckpt_list(struct ctx_store *st, const struct ctx_where *w, int64_t limit,
    ctx_ckpt_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_ref ref;
	sqlite3_stmt *q = NULL;
	int rc = 0;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if (ctx_thread_find(st, w, &ref, err) == 0)
		q = ctx_db_query(st, err, COLUMNS " WHERE k.thread = ?1 AND"
		    " k.context = ?2 ORDER BY k.n DESC LIMIT ?3", "iii",
		    ref.thread, ref.context, limit > 0 ? limit : -1);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = give(st, q, 0, fn, arg, err);
	ctx_db_read_end(st);
	return rc;
}

#define WRITES " FROM ckpt k JOIN ckpt_write w ON w.thread = k.thread AND" \
	" w.context = k.context AND w.ns = k.ns AND w.name = k.name WHERE" \
	" k.thread = ?1 AND k.context = ?2 AND k.n = ?3"
#define THIS " FROM ckpt WHERE thread = ?1 AND context = ?2 AND n = ?3"

static int
remove_one(struct ctx_store *st, const struct ctx_where *w,
    const char *name, struct ctx_err *err)
{
	static const char *const run[] = {
		"INSERT OR IGNORE INTO temp.loose SELECT state" THIS
		    " AND state IS NOT NULL",
		"INSERT OR IGNORE INTO temp.loose SELECT meta" THIS
		    " AND meta IS NOT NULL",
		"INSERT OR IGNORE INTO temp.loose SELECT w.body" WRITES
		    " AND w.body IS NOT NULL",
		"DELETE FROM ckpt_write WHERE thread = ?1 AND context = ?2"
		    " AND (ns, name) = (SELECT ns, name" THIS ")",
		"DELETE" THIS, NULL
	};
	struct ctx_ref ref;
	sqlite3_stmt *q;
	int64_t context, n;

	if (find(st, w, name, &ref, &q, err) == -1)
		return -1;
	n = sqlite3_column_int64(q, 5);
	context = sqlite3_column_int64(q, 10);
	sqlite3_reset(q);
	if (ctx_body_free_begin(st, err) == -1 || ctx_db_run_all(st, err, run,
	    "iii", ref.thread, context, n) == -1 ||
	    ctx_thread_used(st, ref.thread, err) == -1)
		return -1;
	return ctx_body_free_end(st, NULL, err);
}

int
ctx_ckpt_remove(struct ctx_store *st, const struct ctx_where *w,
    const char *name, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, remove_one(st, w, name, err) == 0, err);
}

/* "main~2": the name with the first free number. */
static int
free_name(struct ctx_store *st, const struct ctx_ref *ref, struct ctx_buf *out,
    struct ctx_err *err)
{
	char *base;
	int64_t i, id;
	int rc;

	if (ctx_context_name(st, ref, &base, err) == -1)
		return -1;
	base[strcspn(base, "~")] = '\0';
	for (i = 2, rc = 1; rc == 1; i++) {
		ctx_buf_reset(out);
		ctx_buf_addf(out, "%s~%lld", base, (long long)i);
		rc = ctx_buf_str(out) == NULL ? ctx_fail_nomem(err) :
		    ctx_db_int(st, &id, err, "SELECT id FROM context WHERE"
		    " thread = ?1 AND name = ?2", "is", ref->thread,
		    out->data);
	}
	free(base);
	return rc;
}

/* The checkpoint to continue from. */
struct origin {
	struct ctx_ref ref;	/* its context */
	int64_t n, seq;		/* seq: its position in the log */
	char *context;		/* name, to be freed */
};

static int
find_origin(struct ctx_store *st, const struct ctx_where *w,
    const char *name, struct origin *o, struct ctx_err *err)
{
	sqlite3_stmt *q;

	if (find(st, w, name, &o->ref, &q, err) == -1)
		return -1;
	o->n = sqlite3_column_int64(q, 5);
	o->seq = sqlite3_column_int64(q, 6);
	o->ref.context = sqlite3_column_int64(q, 10);
	o->context = ctx_db_dup(q, 1);
	sqlite3_reset(q);
	return o->context != NULL ? 0 : ctx_fail_nomem(err);
}

/* Make it the first checkpoint of another context, with its writes. */
static int
take_over(struct ctx_store *st, const struct origin *from,
    const struct ctx_ref *to, struct ctx_err *err)
{
	if (ctx_db_run(st, err, "INSERT INTO ckpt(thread, context, ns, name,"
	    " n, parent, upto_seq, state, meta, ts) SELECT thread, ?4, ns,"
	    " name, 1, parent, upto_seq, state, meta, ts FROM ckpt WHERE"
	    " thread = ?1 AND context = ?2 AND n = ?3", "iiii",
	    from->ref.thread, from->ref.context, from->n, to->context) == -1)
		return -1;
	return ctx_db_run(st, err, "INSERT INTO ckpt_write SELECT w.thread, ?4,"
	    " w.ns, w.name, w.task, w.idx, w.channel, w.type, w.body" WRITES,
	    "iiii", from->ref.thread, from->ref.context, from->n, to->context);
}

/* Append the name of the new context, which must not be in use. */
static int
fork_name(struct ctx_store *st, const struct origin *o, const char *context,
    struct ctx_buf *out, struct ctx_err *err)
{
	if (context == NULL)
		return free_name(st, &o->ref, out, err);
	ctx_buf_adds(out, context);
	return ctx_buf_str(out) != NULL ? 0 : ctx_fail_nomem(err);
}

/* There must be no context of that name.  Returns 0, or -1 with *err. */
static int
must_be_new(struct ctx_store *st, const struct ctx_where *w,
    struct ctx_err *err)
{
	struct ctx_ref ref;

	if (ctx_thread_find(st, w, &ref, err) == 0)
		return ctx_fail(err, CTX_ENO, "context '%s' already exists",
		    w->context);
	if (err->code != CTX_ENO)
		return -1;
	ctx_err_clear(err);
	return 0;
}

/* Give the new context, or the thread, the state of the checkpoint. */
static int
restore_state(struct ctx_store *st, const struct origin *from,
    const struct ctx_where *to, int head, struct ctx_err *err)
{
	struct ctx_buf state = { 0 };
	int64_t body;
	int rc = ctx_db_int(st, &body, err, "SELECT state" THIS, "iii",
	    from->ref.thread, from->ref.context, from->n);

	if (rc == 0)
		rc = ctx_fail(err, CTX_ENO, "the checkpoint has no state");
	if (rc == 1 && (rc = ctx_body_get(st, body, &state, err)) == 0)
		rc = ctx_state_restore(st, to, head, state.data, state.len,
		    err);
	ctx_buf_done(&state);
	return rc;
}

static int
fork_at(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_ckpt_branch *how, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_make make = { .kind = CTX_CONTEXT_FORK };
	struct ctx_where to = { w->thread, NULL };
	struct origin from = { 0 };
	struct ctx_ref made;
	int rc = -1;

	if (find_origin(st, w, how->ckpt, &from, err) == -1 ||
	    fork_name(st, &from, how->context, out, err) == -1)
		goto out;
	make.parent = from.context;
	make.parent_seq = from.seq;
	to.context = out->data;
	if (must_be_new(st, &to, err) == 0 &&
	    ctx_context_make(st, &to, &make, &made, err) == 0 &&
	    take_over(st, &from, &made, err) == 0 &&
	    (!how->state || restore_state(st, &from, &to, how->head,
	    err) == 0) &&
	    ctx_thread_used(st, made.thread, err) == 0)
		rc = how->head ? ctx_thread_set_head(st, &to, err) : 0;
out:
	free(from.context);
	return rc;
}

int
ctx_ckpt_fork(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_ckpt_branch *how, char **name_out, struct ctx_err *err)
{
	struct ctx_buf out = { 0 };

	if (ctx_db_begin(st, err) == -1)
		return -1;
	if (ctx_db_end(st, fork_at(st, w, how, &out, err) == 0, err) == -1) {
		ctx_buf_done(&out);
		return ctx_fail_nomem(err);
	}
	*name_out = out.data;
	return 0;
}
