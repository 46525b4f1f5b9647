/* SPDX-License-Identifier: MIT */
/* Subagents; see agent.h. */
#include "store/agent.h"

#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/log.h"
#include "store/row.h"
#include "store/state.h"
#include "store/search/index.h"
#include "store/search/text.h"

static int
first_message(struct ctx_store *st, const struct ctx_where *w,
    const char *task, struct ctx_buf *row, struct ctx_err *err)
{
	struct ctx_append how = { .where = *w };
	struct ctx_doc doc = { 0 };
	struct ctx_entry line;
	size_t done;
	int rc;

	ctx_row_begin(row);
	ctx_row_text(row, "role", "user");
	ctx_row_text(row, "content", task);
	ctx_row_end(row);
	if (ctx_buf_fail(row, err) == -1)
		return -1;
	rc = ctx_entry_scan(&line, row->data, row->len, NULL, &doc, err);
	ctx_doc_done(&doc);
	return rc == -1 ? -1 : ctx_log_append(st, &how, &line, 1, &done, err);
}

static int
first_state(struct ctx_store *st, const struct ctx_where *w,
    const char *parent, const struct ctx_spawn *how, struct ctx_buf *row,
    struct ctx_err *err)
{
	struct ctx_state_at at = { *w, NULL, CTX_STATE_CONTEXT };

	ctx_row_begin(row);
	ctx_row_text(row, "context_id", w->context);
	ctx_row_text(row, "parent_context", parent);
	ctx_row_text(row, "thread_id", w->context);
	ctx_row_int(row, "loops", 0);
	if (how->max_loops >= 0)
		ctx_row_int(row, "max_loops", how->max_loops);
	if (how->call != NULL)
		ctx_row_text(row, "tool_call_id", how->call);
	ctx_row_end(row);
	if (ctx_buf_fail(row, err) == -1)
		return -1;
	return ctx_state_set(st, &at, NULL, row->data, row->len, err);
}

static int
spawn(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_spawn *how, const char *id, struct ctx_err *err)
{
	static const struct ctx_make root = { .parent_seq = -1 };
	struct ctx_make make = { .parent_seq = -1, .kind = CTX_CONTEXT_AGENT };
	struct ctx_where to = { NULL, id };
	struct ctx_buf row = { 0 };
	struct ctx_ref ref;
	char *parent = NULL, *thread = NULL;
	int rc = -1;

	if (ctx_context_make(st, w, &root, &ref, err) == -1 ||
	    ctx_context_name(st, &ref, &parent, err) == -1 ||
	    ctx_db_text(st, &thread, err, "SELECT name FROM thread WHERE"
	    " id = ?1", "i", ref.thread) != 1)
		goto out;
	to.thread = thread;
	make.parent = parent;
	if (ctx_context_make(st, &to, &make, &ref, err) == 0 &&
	    first_message(st, &to, how->task, &row, err) == 0 &&
	    first_state(st, &to, parent, how, &row, err) == 0)
		rc = 0;
out:
	free(parent);
	free(thread);
	ctx_buf_done(&row);
	return rc;
}

int
ctx_agent_spawn(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_spawn *how, char id[CTX_CONTEXT_ID_SIZE],
    struct ctx_err *err)
{
	if (ctx_context_new_id(id, err) == -1 || ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, spawn(st, w, how, id, err) == 0, err);
}

/*
 * Get the text of the newest assistant message, or an empty one if there is
 * none.
 */
static int
last_answer(struct ctx_store *st, const struct ctx_ref *ref,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	struct ctx_doc doc = { 0 };
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT " CTX_BODY_LINE " FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND role = 'assistant'"
	    " ORDER BY seq DESC LIMIT 1", "ii", ref->thread, ref->context);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	rc = ctx_index_line_of(st, q, 0, &line, err);
	sqlite3_reset(q);
	if (rc == 0)
		rc = ctx_doc_scan(&doc, line.data, line.len, err);
	if (rc == 0 && ctx_text_answer(&doc, out) == -1)
		rc = ctx_fail_nomem(err);
	ctx_doc_done(&doc);
	ctx_buf_done(&line);
	return rc;
}

/* Get the subagent's own state member as JSON; empty if there is none. */
static int
own_state(struct ctx_store *st, const struct ctx_where *w, const char *key,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_state_at at = { *w, NULL, CTX_STATE_CONTEXT };
	struct ctx_err none = { 0 };

	ctx_buf_reset(out);
	if (ctx_state_get(st, &at, CTX_STATE_ONE, key, out, &none) == 0 ||
	    none.code == CTX_ENO)
		return 0;
	*err = none;
	return -1;
}

/* The subagent that has finished. */
struct agent {
	const struct ctx_where *where;
	struct ctx_ref ref;
	char *name;		/* of its context */
};

/* Get its result, and its number of rounds as a JSON number. */
static int
result_of(struct ctx_store *st, const struct agent *a,
    const struct ctx_finish *how, struct ctx_buf *text, struct ctx_buf *loops,
    struct ctx_err *err)
{
	if (how->result != NULL)
		ctx_buf_add(text, how->result, how->result_len);
	else if (last_answer(st, &a->ref, text, err) == -1)
		return -1;
	if (how->loops >= 0)
		ctx_buf_addf(loops, "%lld", (long long)how->loops);
	else if (own_state(st, a->where, "loops", loops, err) == -1)
		return -1;
	if (loops->len == 0)
		ctx_buf_addc(loops, '0');
	return ctx_buf_fail(text, err) == -1 ? -1 : ctx_buf_fail(loops, err);
}

static int
result_row(struct ctx_store *st, const struct agent *a,
    const struct ctx_finish *how, struct ctx_buf *row, struct ctx_err *err)
{
	struct ctx_buf text = { 0 }, loops = { 0 };
	int rc;

	if ((rc = result_of(st, a, how, &text, &loops, err)) == 0) {
		ctx_row_begin(row);
		ctx_row_bool(row, "ok", !how->failed);
		ctx_row_bytes(row, "result", text.data, text.len);
		ctx_row_text(row, "context_id", a->name);
		ctx_row_json(row, "loops", loops.data, loops.len);
		ctx_row_end(row);
		rc = ctx_buf_fail(row, err);
	}
	ctx_buf_done(&text);
	ctx_buf_done(&loops);
	return rc;
}

/* {"role":"tool","tool_call_id":..,"content":row} */
static int
message_row(struct ctx_store *st, const struct ctx_where *w, const char *call,
    const struct ctx_buf *row, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf id = { 0 };
	int rc = 0;

	if (call == NULL)
		rc = own_state(st, w, "tool_call_id", &id, err);
	if (rc == 0) {
		ctx_row_begin(out);
		ctx_row_text(out, "role", "tool");
		if (call != NULL)
			ctx_row_text(out, "tool_call_id", call);
		else if (id.len > 0)
			ctx_row_json(out, "tool_call_id", id.data, id.len);
		ctx_row_bytes(out, "content", row->data, row->len - 1);
		ctx_row_end(out);
		rc = ctx_buf_fail(out, err);
	}
	ctx_buf_done(&id);
	return rc;
}

static int
finish(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_finish *how, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_state_at at = { *w, NULL, CTX_STATE_CONTEXT };
	struct agent a = { .where = w };
	struct ctx_buf row = { 0 };
	int rc = -1;

	if (ctx_thread_find(st, w, &a.ref, err) == -1 ||
	    ctx_context_name(st, &a.ref, &a.name, err) == -1)
		goto out;
	if (a.ref.kind != CTX_CONTEXT_AGENT) {
		ctx_fail(err, CTX_ENO, "'%s' is not a subagent", a.name);
		goto out;
	}
	if (result_row(st, &a, how, &row, err) == -1 ||
	    ctx_state_set(st, &at, "finished", row.data, row.len, err) == -1)
		goto out;
	if (how->as_message)
		rc = message_row(st, w, how->call, &row, out, err);
	else {
		ctx_buf_add(out, row.data, row.len);
		rc = ctx_buf_fail(out, err);
	}
out:
	free(a.name);
	ctx_buf_done(&row);
	return rc;
}

int
ctx_agent_finish(struct ctx_store *st, const struct ctx_where *w,
    const struct ctx_finish *how, struct ctx_buf *out, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, finish(st, w, how, out, err) == 0, err);
}
