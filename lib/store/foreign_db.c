/* SPDX-License-Identifier: MIT */
/* Sessions in SQLite files of other programs; see foreign.h. */
#include "store/foreign.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/ckpt.h"
#include "store/msgpack.h"
#include "store/row.h"

static int
fail(sqlite3 *db, struct ctx_err *err)
{
	int rc = sqlite3_errcode(db);

	return ctx_fail(err, rc == SQLITE_NOTADB || rc == SQLITE_ERROR ?
	    CTX_EINPUT : CTX_ESYSTEM, "%s", sqlite3_errmsg(db));
}

static sqlite3_stmt *
prepare(sqlite3 *db, const char *sql, struct ctx_err *err)
{
	sqlite3_stmt *q;

	if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK)
		return q;
	fail(db, err);
	return NULL;
}

/* 1: a row, 0: no more, -1. */
static int
step(sqlite3 *db, sqlite3_stmt *q, struct ctx_err *err)
{
	int rc = sqlite3_step(q);

	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : fail(db, err);
}

static const char *
text(sqlite3_stmt *q, int col)
{
	return (const char *)sqlite3_column_text(q, col);
}

/* Does the database have such a table? */
static int
has_table(sqlite3 *db, const char *name)
{
	sqlite3_stmt *q;
	int found = 0;

	if (sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_schema WHERE type ="
	    " 'table' AND name = ?1", -1, &q, NULL) != SQLITE_OK)
		return 0;
	if (sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC) == SQLITE_OK)
		found = sqlite3_step(q) == SQLITE_ROW;
	sqlite3_finalize(q);
	return found;
}

static int
store_thread(struct ctx_store *st, const char *name, struct ctx_batch *b,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	static const struct ctx_make make = { .parent_seq = -1 };
	struct ctx_where w = { name, "main" };

	if (ctx_store_name_check("thread", name, strlen(name), err) == -1 ||
	    ctx_foreign_store(st, &w, &make, b, sum, err) == -1)
		return -1;
	sum->threads++;
	return 0;
}

/*
 * Rows of (thread, ...) in the order of threads: made into lines by one
 * function, stored when the thread changes.
 */
typedef int row_fn(sqlite3 *db, sqlite3_stmt *q, struct ctx_batch *b,
	    struct ctx_err *err);

static int
by_thread(struct ctx_store *st, sqlite3 *db, const char *sql, row_fn *fn,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	sqlite3_stmt *q = prepare(db, sql, err);
	struct ctx_batch b = { 0 };
	char *name = NULL;
	int rc = -1;

	while (q != NULL && (rc = step(db, q, err)) == 1) {
		const char *thread = text(q, 0);

		if (thread == NULL)
			thread = "";
		if (name != NULL && strcmp(name, thread) != 0) {
			rc = store_thread(st, name, &b, sum, err);
			ctx_batch_done(&b);
			free(name);
			name = NULL;
		}
		if (rc != -1 && name == NULL &&
		    (name = strdup(thread)) == NULL)
			rc = ctx_fail_nomem(err);
		if (rc == -1 || (rc = fn(db, q, &b, err)) == -1)
			break;
	}
	if (rc == 0 && name != NULL)
		rc = store_thread(st, name, &b, sum, err);
	ctx_batch_done(&b);
	free(name);
	sqlite3_finalize(q);
	return rc;
}

static int
agents_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_batch *b,
    struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	int rc;

	(void)db;
	ctx_buf_add(&line, sqlite3_column_blob(q, 1),
	    (size_t)sqlite3_column_bytes(q, 1));
	ctx_buf_addc(&line, '\n');
	rc = ctx_buf_fail(&line, err) == -1 ? -1 :
	    ctx_batch_add(b, line.data, line.len, err);
	ctx_buf_done(&line);
	return rc;
}

/* {"role":..,"content":..,"id":..,"timestamp":..} */
static int
add_message(struct ctx_batch *b, const char *role, const char *content,
    const char *id, const char *when, struct ctx_err *err)
{
	struct ctx_buf row = { 0 };
	int rc;

	ctx_row_begin(&row);
	ctx_row_text(&row, "role", role);
	ctx_row_text(&row, "content", content);
	if (id != NULL)
		ctx_row_text(&row, "tool_call_id", id);
	if (when != NULL)
		ctx_row_text(&row, "timestamp", when);
	ctx_row_end(&row);
	rc = ctx_buf_fail(&row, err) == -1 ? -1 :
	    ctx_batch_add(b, row.data, row.len, err);
	ctx_buf_done(&row);
	return rc;
}

/* The results that came in with a prompt. */
static int
llm_results(sqlite3 *db, const char *response, struct ctx_batch *b,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	if (!has_table(db, "tool_results"))
		return 0;
	q = prepare(db, "SELECT output, tool_call_id FROM tool_results WHERE"
	    " response_id = ?1 ORDER BY id", err);
	if (q == NULL)
		return -1;
	rc = sqlite3_bind_text(q, 1, response, -1, SQLITE_STATIC) ==
	    SQLITE_OK ? 0 : fail(db, err);
	while (rc != -1 && (rc = step(db, q, err)) == 1)
		rc = add_message(b, "tool", text(q, 0) != NULL ? text(q, 0) :
		    "", text(q, 1), NULL, err);
	sqlite3_finalize(q);
	return rc;
}

/* The calls of a response, as OpenAI has them; empty if there are none. */
static int
llm_calls(sqlite3 *db, const char *response, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_buf call = { 0 };
	sqlite3_stmt *q;
	int rc;

	if (!has_table(db, "tool_calls"))
		return 0;
	q = prepare(db, "SELECT tool_call_id, name, arguments FROM tool_calls"
	    " WHERE response_id = ?1 ORDER BY id", err);
	if (q == NULL)
		return -1;
	rc = sqlite3_bind_text(q, 1, response, -1, SQLITE_STATIC) ==
	    SQLITE_OK ? 0 : fail(db, err);
	while (rc != -1 && (rc = step(db, q, err)) == 1) {
		ctx_buf_adds(out, out->len == 0 ? "[" : ",");
		ctx_row_begin(&call);
		ctx_row_text(&call, "id", text(q, 0));
		ctx_row_text(&call, "type", "function");
		ctx_row_json(&call, "function", "{", 1);
		ctx_row_text(&call, "name", text(q, 1));
		ctx_row_text(&call, "arguments", text(q, 2));
		ctx_buf_adds(&call, "}}");
		ctx_buf_add(out, call.data, call.len);
	}
	if (out->len > 0)
		ctx_buf_addc(out, ']');
	ctx_buf_done(&call);
	sqlite3_finalize(q);
	return rc == -1 ? -1 : ctx_buf_fail(out, err);
}

/* conversation, id, prompt, system, response, time. */
static int
llm_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_batch *b,
    struct ctx_err *err)
{
	const char *id = text(q, 1), *prompt = text(q, 2);
	const char *system = text(q, 3), *when = text(q, 5);
	struct ctx_buf calls = { 0 }, row = { 0 };
	int rc = -1;

	if (system != NULL && *system != '\0' && b->n == 0 &&
	    add_message(b, "system", system, NULL, NULL, err) == -1)
		return -1;
	if (llm_results(db, id, b, err) == -1 || (prompt != NULL &&
	    *prompt != '\0' && add_message(b, "user", prompt, NULL, when,
	    err) == -1) || llm_calls(db, id, &calls, err) == -1)
		goto out;
	ctx_row_begin(&row);
	ctx_row_text(&row, "role", "assistant");
	ctx_row_text(&row, "content", text(q, 4));
	if (calls.len > 0)
		ctx_row_json(&row, "tool_calls", calls.data, calls.len);
	ctx_row_text(&row, "timestamp", when);
	ctx_row_end(&row);
	if (ctx_buf_fail(&row, err) == 0)
		rc = ctx_batch_add(b, row.data, row.len, err);
out:
	ctx_buf_done(&calls);
	ctx_buf_done(&row);
	return rc;
}

/* A value of LangGraph's serializers as JSON. */
static int
langgraph_json(const char *type, const void *p, size_t len,
    struct ctx_buf *out, struct ctx_err *err)
{
	char quoted[60];

	ctx_buf_reset(out);
	if (type == NULL || strcmp(type, "json") == 0) {
		ctx_buf_add(out, p, len);
		return ctx_buf_fail(out, err);
	}
	if (strcmp(type, "msgpack") == 0)
		return ctx_msgpack_json(p, len, out, err);
	if (strcmp(type, "null") == 0)
		return ctx_buf_adds(out, "null") == -1 ?
		    ctx_fail_nomem(err) : 0;
	return ctx_fail(err, CTX_EINPUT, "a checkpoint in the serializer "
	    "'%s', which cannot be read", ctx_err_quote(quoted,
	    sizeof(quoted), type, strlen(type)));
}

static int
langgraph_ckpt(struct ctx_store *st, sqlite3_stmt *q, struct ctx_buf *state,
    struct ctx_buf *meta, struct ctx_err *err)
{
	struct ctx_where w = { text(q, 0), "main" };
	struct ctx_ckpt c = { .upto_seq = -1 };

	if (w.thread == NULL)
		return ctx_fail(err, CTX_EINPUT, "a row without a thread");
	c.ns = text(q, 1);
	c.name = text(q, 2);
	c.parent = text(q, 3);
	if (langgraph_json(text(q, 4), sqlite3_column_blob(q, 5),
	    (size_t)sqlite3_column_bytes(q, 5), state, err) == -1)
		return -1;
	c.state = state->data;
	c.state_len = state->len;
	ctx_buf_reset(meta);
	/* Python writes JSON here whatever the checkpoint is in. */
	if (sqlite3_column_bytes(q, 6) > 0) {
		const char *p = sqlite3_column_blob(q, 6);
		size_t n = (size_t)sqlite3_column_bytes(q, 6);

		if (langgraph_json(*p == '{' ? "json" : text(q, 4), p, n,
		    meta, err) == -1)
			return -1;
		c.meta = meta->data;
		c.meta_len = meta->len;
	}
	return ctx_ckpt_put(st, &w, &c, NULL, err);
}

static int
langgraph_write(struct ctx_store *st, sqlite3_stmt *q, struct ctx_buf *value,
    struct ctx_err *err)
{
	struct ctx_where w = { text(q, 0), "main" };
	struct ctx_ref ref;
	int64_t body;

	if (langgraph_json(text(q, 6), sqlite3_column_blob(q, 7),
	    (size_t)sqlite3_column_bytes(q, 7), value, err) == -1 ||
	    ctx_thread_find(st, &w, &ref, err) == -1 ||
	    ctx_body_put(st, value->data, value->len, &body, err) == -1)
		return -1;
	return ctx_db_run(st, err, "INSERT INTO ckpt_write VALUES(?1, ?2, ?3,"
	    " ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING", "iisssissi",
	    ref.thread, ref.context, text(q, 1), text(q, 2), text(q, 3),
	    (int64_t)sqlite3_column_int64(q, 4), text(q, 5), "json", body);
}

/*
 * Rows ordered by thread, in a transaction a thread: a checkpoint each would
 * cost a sync each.
 */
static int
langgraph_rows(struct ctx_store *st, sqlite3 *db, const char *sql, int ckpts,
    struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	sqlite3_stmt *q = prepare(db, sql, err);
	struct ctx_buf a = { 0 }, b = { 0 }, last = { 0 };
	int rc = -1, open = 0;

	while (q != NULL && (rc = step(db, q, err)) == 1) {
		const char *thread = text(q, 0) != NULL ? text(q, 0) : "";

		if (open && strcmp(last.data, thread) != 0) {
			open = 0;
			if ((rc = ctx_db_end(st, 1, err)) == -1)
				break;
		}
		if (!open) {
			sum->threads += ckpts;
			ctx_buf_reset(&last);
			ctx_buf_adds(&last, thread);
			if (ctx_buf_str(&last) == NULL)
				rc = ctx_fail_nomem(err);
			if (rc == -1 || (rc = ctx_db_begin(st, err)) == -1)
				break;
			open = 1;
		}
		rc = ckpts ? langgraph_ckpt(st, q, &a, &b, err) :
		    langgraph_write(st, q, &a, err);
		if (rc == -1)
			break;
		sum->checkpoints += ckpts;
	}
	if (open && ctx_db_end(st, rc == 0, err) == -1)
		rc = -1;
	sqlite3_finalize(q);
	ctx_buf_done(&a);
	ctx_buf_done(&b);
	ctx_buf_done(&last);
	return rc;
}

static int
langgraph(struct ctx_store *st, sqlite3 *db, struct ctx_foreign_sum *sum,
    struct ctx_err *err)
{
	if (langgraph_rows(st, db, "SELECT thread_id, checkpoint_ns,"
	    " checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata"
	    " FROM checkpoints ORDER BY thread_id, checkpoint_id", 1, sum,
	    err) == -1)
		return -1;
	if (!has_table(db, "writes"))
		return 0;
	return langgraph_rows(st, db, "SELECT thread_id, checkpoint_ns,"
	    " checkpoint_id, task_id, idx, channel, type, value FROM writes"
	    " ORDER BY thread_id, checkpoint_id, task_id, idx", 0, sum, err);
}

int
ctx_foreign_database(struct ctx_store *st, enum ctx_foreign kind,
    const char *path, struct ctx_foreign_sum *sum, struct ctx_err *err)
{
	struct stat sb;
	sqlite3 *db;
	int rc;

	if (stat(path, &sb) == -1 || !S_ISREG(sb.st_mode))
		return ctx_fail(err, CTX_ESYSTEM, "cannot open: no such file");
	rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	sqlite3_busy_timeout(db, CTX_DB_BUSY_MS);
	if (rc != SQLITE_OK)
		rc = fail(db, err);
	else if (kind == CTX_FOREIGN_LANGGRAPH)
		rc = langgraph(st, db, sum, err);
	else if (kind == CTX_FOREIGN_AGENTS)
		rc = by_thread(st, db, "SELECT session_id, message_data FROM"
		    " agent_messages ORDER BY session_id, id", agents_row,
		    sum, err);
	else
		rc = by_thread(st, db, "SELECT conversation_id, id, prompt,"
		    " system, response, datetime_utc FROM responses ORDER BY"
		    " conversation_id, datetime_utc, id", llm_row, sum, err);
	sqlite3_close(db);
	return rc;
}
