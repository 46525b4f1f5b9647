/* SPDX-License-Identifier: MIT */
/*
 * The log database of llm (simonw/llm), up to 0.31 and from 0.32 on.
 *
 * Up to 0.31, a row of responses is a prompt and its answer; their fragments,
 * attachments, calls and results are in other tables.  From 0.32 on, messages
 * form a tree in which each row has the hash of its parent, and a thread names
 * the newest message of its branch.  Older conversations stay in the old
 * tables until they are continued; then their thread has all of their
 * messages.
 */
#include "store/port/foreign_db.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "store/row.h"

/* A message being built in OpenAI's form. */
struct made {
	struct ctx_buf list;	/* its parts, if it is not a single text */
	struct ctx_buf text, think, calls, row;
	size_t texts, others;	/* parts in list */
};

static void
made_reset(struct made *m)
{
	ctx_buf_reset(&m->list);
	ctx_buf_reset(&m->text);
	ctx_buf_reset(&m->think);
	ctx_buf_reset(&m->calls);
	m->texts = m->others = 0;
}

static void
made_done(struct made *m)
{
	ctx_buf_done(&m->list);
	ctx_buf_done(&m->text);
	ctx_buf_done(&m->think);
	ctx_buf_done(&m->calls);
	ctx_buf_done(&m->row);
}

/* Append the object in m->row as an element. */
static void
add_element(struct ctx_buf *list, struct ctx_buf *row)
{
	ctx_row_end(row);
	ctx_buf_adds(list, list->len == 0 ? "[" : ",");
	if (row->len > 0)
		ctx_buf_add(list, row->data, row->len - 1);
	list->failed |= row->failed;
}

static void
add_text(struct made *m, const char *text)
{
	m->texts++;
	ctx_buf_adds(&m->text, text);
	ctx_row_begin(&m->row);
	ctx_row_text(&m->row, "type", "text");
	ctx_row_text(&m->row, "text", text);
	add_element(&m->list, &m->row);
}

/* Arguments are a string in OpenAI's form. */
static void
add_call(struct made *m, const char *id, const char *name,
    const char *arguments)
{
	ctx_row_begin(&m->row);
	ctx_row_text(&m->row, "id", id);
	ctx_row_text(&m->row, "type", "function");
	ctx_row_json(&m->row, "function", "{", 1);
	ctx_row_text(&m->row, "name", name);
	ctx_row_text(&m->row, "arguments", arguments);
	ctx_buf_addc(&m->row, '}');
	add_element(&m->calls, &m->row);
}

/*
 * The columns are type, path, url, content.  A path is mentioned, but the file
 * is never opened.
 */
static void
add_attachment(struct made *m, sqlite3_stmt *q)
{
	const char *type = ctx_foreign_text(q, 0), *url = ctx_foreign_text(q,
	    2);
	int image = type != NULL && strncmp(type, "image/", 6) == 0;
	struct ctx_buf where = { 0 };
	size_t n = (size_t)sqlite3_column_bytes(q, 3);

	if (url != NULL)
		ctx_buf_adds(&where, url);
	else if (n > 0) {
		ctx_buf_addf(&where, "data:%s;base64,", type != NULL ? type :
		    "application/octet-stream");
		ctx_base64_encode(&where, sqlite3_column_blob(q, 3), n);
	}
	m->others++;
	ctx_row_begin(&m->row);
	ctx_row_text(&m->row, "type", image && where.len > 0 ? "image_url" :
	    "file");
	ctx_row_json(&m->row, image && where.len > 0 ? "image_url" : "file",
	    "{", 1);
	if (where.len == 0)
		ctx_row_text(&m->row, "filename", ctx_foreign_text(q, 1));
	else
		ctx_row_bytes(&m->row, image ? "url" : "file_data", where.data,
		    where.len);
	ctx_buf_addc(&m->row, '}');
	m->list.failed |= where.failed;
	ctx_buf_done(&where);
	add_element(&m->list, &m->row);
}

/* Store the message that was built as a line. */
static int
store_made(struct ctx_batch *b, struct made *m, const char *role,
    const char *call, const char *when, struct ctx_err *err)
{
	struct ctx_buf *row = &m->row;

	ctx_row_begin(row);
	ctx_row_text(row, "role", role);
	if (m->others == 0 && m->texts <= 1)
		ctx_row_bytes(row, "content", m->texts == 1 ||
		    m->calls.len == 0 ? ctx_buf_str(&m->text) : NULL,
		    m->text.len);
	else {
		ctx_buf_addc(&m->list, ']');
		ctx_row_json(row, "content", m->list.data, m->list.len);
	}
	if (call != NULL)
		ctx_row_text(row, "tool_call_id", call);
	if (m->think.len > 0)
		ctx_row_bytes(row, "reasoning_content", m->think.data,
		    m->think.len);
	if (m->calls.len > 0) {
		ctx_buf_addc(&m->calls, ']');
		ctx_row_json(row, "tool_calls", m->calls.data, m->calls.len);
	}
	if (when != NULL)
		ctx_row_text(row, "timestamp", when);
	ctx_row_end(row);
	if (ctx_buf_fail(&m->list, err) == -1 || ctx_buf_fail(&m->text,
	    err) == -1 || ctx_buf_fail(&m->think, err) == -1 ||
	    ctx_buf_fail(&m->calls, err) == -1 || ctx_buf_fail(row,
	    err) == -1)
		return -1;
	return ctx_batch_add(b, row->data, row->len, err);
}

/* Prepare a query about a response or a message. */
static sqlite3_stmt *
about(sqlite3 *db, const char *sql, const char *id, struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_foreign_prepare(db, sql, err);

	if (q == NULL || sqlite3_bind_text(q, 1, id, -1, SQLITE_TRANSIENT) ==
	    SQLITE_OK)
		return q;
	ctx_foreign_fail(db, err);
	sqlite3_finalize(q);
	return NULL;
}

/* Add the attachments that sql finds for an id. */
static int
add_attachments(sqlite3 *db, struct made *m, const char *sql, const char *id,
    struct ctx_err *err)
{
	sqlite3_stmt *q = about(db, sql, id, err);
	int rc = -1;

	while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1)
		add_attachment(m, q);
	sqlite3_finalize(q);
	return rc;
}

/* --- up to 0.31 ------------------------------------------------- */

/* Where to find the fragments of a response, and what separates them. */
struct fragments {
	const char *sql, *sep;
};

/* Append a prompt after its fragments. */
static int
with_fragments(sqlite3 *db, const struct fragments *f, const char *id,
    const char *text, struct ctx_buf *out, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = ctx_foreign_has(db, "fragments", err);

	ctx_buf_reset(out);
	if (rc == 1) {
		rc = -1;
		q = about(db, f->sql, id, err);
		while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1) {
			if (out->len > 0)
				ctx_buf_adds(out, f->sep);
			ctx_buf_adds(out, ctx_foreign_text(q, 0) != NULL ?
			    ctx_foreign_text(q, 0) : "");
		}
		sqlite3_finalize(q);
	}
	if (text != NULL && *text != '\0') {
		if (out->len > 0)
			ctx_buf_adds(out, f->sep);
		ctx_buf_adds(out, text);
	}
	return rc == -1 || ctx_buf_str(out) != NULL ? rc :
	    ctx_fail_nomem(err);
}

/* Add the results that were sent with a prompt. */
static int
response_results(sqlite3 *db, const char *id, struct made *m,
    struct ctx_batch *b, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc, has;

	if ((rc = ctx_foreign_has(db, "tool_results", err)) != 1 ||
	    (rc = has = ctx_foreign_has(db, "tool_results_attachments",
	    err)) == -1)
		return rc;
	rc = -1;
	q = about(db, "SELECT r.output, r.tool_call_id, r.id FROM"
	    " temp.of_tool_results o JOIN tool_results r ON r.id = o.id WHERE"
	    " o.owner = ?1 ORDER BY o.id", id, err);
	while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1) {
		const char *output = ctx_foreign_text(q, 0);

		made_reset(m);
		add_text(m, output != NULL ? output : "");
		if (has && add_attachments(db, m, "SELECT a.type, a.path,"
		    " a.url, a.content FROM tool_results_attachments r JOIN"
		    " attachments a ON a.id = r.attachment_id WHERE"
		    " r.tool_result_id = CAST(?1 AS INTEGER)"
		    " ORDER BY r.\"order\"", ctx_foreign_text(q, 2),
		    err) == -1)
			rc = -1;
		if (rc == -1 || (rc = store_made(b, m, "tool",
		    ctx_foreign_text(q, 1), NULL, err)) == -1)
			break;
	}
	sqlite3_finalize(q);
	return rc;
}

static int
response_prompt(sqlite3 *db, sqlite3_stmt *q, struct made *m,
    struct ctx_batch *b, struct ctx_err *err)
{
	static const struct fragments before = { "SELECT f.content FROM"
	    " prompt_fragments p JOIN fragments f ON f.id = p.fragment_id"
	    " WHERE p.response_id = ?1 ORDER BY p.\"order\"", "\n" };
	const char *id = ctx_foreign_text(q, 1);
	struct ctx_buf whole = { 0 };
	int rc;

	made_reset(m);
	rc = with_fragments(db, &before, id, ctx_foreign_text(q, 2), &whole,
	    err);
	if (rc != -1 && whole.len > 0)
		add_text(m, whole.data);
	if (rc != -1)
		rc = ctx_foreign_has(db, "prompt_attachments", err);
	if (rc == 1)
		rc = add_attachments(db, m, "SELECT a.type, a.path, a.url,"
		    " a.content FROM prompt_attachments p JOIN attachments a"
		    " ON a.id = p.attachment_id WHERE p.response_id = ?1"
		    " ORDER BY p.\"order\"", id, err);
	if (rc != -1 && m->texts + m->others > 0)
		rc = store_made(b, m, "user", NULL, ctx_foreign_text(q, 5),
		    err);
	ctx_buf_done(&whole);
	return rc;
}

/* Add the calls of a response. */
static int
response_calls(sqlite3 *db, const char *id, struct made *m,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	if ((rc = ctx_foreign_has(db, "tool_calls", err)) != 1)
		return rc;
	rc = -1;
	q = about(db, "SELECT c.tool_call_id, c.name, c.arguments FROM"
	    " temp.of_tool_calls o JOIN tool_calls c ON c.id = o.id WHERE"
	    " o.owner = ?1 ORDER BY o.id", id, err);
	while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1)
		add_call(m, ctx_foreign_text(q, 0), ctx_foreign_text(q, 1),
		    ctx_foreign_text(q, 2));
	sqlite3_finalize(q);
	return rc;
}

/* Is the line that was added last the system prompt that is in use? */
static int
same_system(const struct ctx_batch *b)
{
	const struct ctx_entry *was, *is = &b->line[b->n - 1];

	if (b->system == 0)
		return 0;
	was = &b->line[b->system - 1];
	return was->len == is->len && memcmp(b->text.data + was->seq,
	    b->text.data + is->seq, is->len) == 0;
}

/* A prompt that changes within a conversation counts from there on. */
static int
response_system(sqlite3 *db, const char *id, const char *text, struct made *m,
    struct ctx_batch *b, struct ctx_err *err)
{
	static const struct fragments before = { "SELECT f.content FROM"
	    " system_fragments s JOIN fragments f ON f.id = s.fragment_id"
	    " WHERE s.response_id = ?1 ORDER BY s.\"order\"", "\n\n" };
	struct ctx_buf whole = { 0 };
	int rc;

	made_reset(m);
	rc = with_fragments(db, &before, id, text, &whole, err);
	if (rc != -1 && whole.len > 0) {
		add_text(m, whole.data);
		rc = store_made(b, m, "system", NULL, NULL, err);
		if (rc == 0 && same_system(b))
			b->text.len -= b->line[--b->n].len;
		else if (rc == 0)
			b->system = b->n;
	}
	ctx_buf_done(&whole);
	return rc;
}

/* conversation, id, prompt, system, response, time, reasoning. */
static int
response_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_batch *b,
    struct ctx_err *err)
{
	const char *id = ctx_foreign_text(q, 1), *when = ctx_foreign_text(q, 5);
	const char *said = ctx_foreign_text(q, 4);
	const char *think = ctx_foreign_text(q, 6);
	const char *asked = ctx_foreign_text(q, 2);
	struct made m = { 0 };
	int rc = -1;

	if (id == NULL)
		return ctx_fail(err, CTX_EINPUT, "a response has no id");
	/* with results nothing is asked */
	if (((b->n == 0 || (asked != NULL && *asked != '\0')) &&
	    response_system(db, id, ctx_foreign_text(q, 3), &m, b,
	    err) == -1) || response_results(db, id, &m, b, err) == -1 ||
	    response_prompt(db, q, &m, b, err) == -1)
		goto out;
	made_reset(&m);
	if (said != NULL)
		add_text(&m, said);
	if (think != NULL)
		ctx_buf_adds(&m.think, think);
	rc = response_calls(db, id, &m, err);
	if (rc != -1)
		rc = store_made(b, &m, "assistant", NULL, when, err);
out:
	made_done(&m);
	return rc;
}

/* --- from 0.32 on ----------------------------------------------- */

/* type, text, id of call, name, arguments */
static int
part_row(sqlite3 *db, sqlite3_stmt *q, struct made *m, struct ctx_err *err)
{
	const char *type = ctx_foreign_text(q, 0), *text = ctx_foreign_text(q,
	    1);

	if (type == NULL)
		return 0;
	if (strcmp(type, "text") == 0)
		add_text(m, text != NULL ? text : "");
	else if (strcmp(type, "reasoning") == 0)
		ctx_buf_adds(&m->think, text != NULL ? text : "");
	else if (strcmp(type, "tool_call") == 0)
		add_call(m, ctx_foreign_text(q, 2), ctx_foreign_text(q, 3),
		    ctx_foreign_text(q, 4));
	else if (strcmp(type, "attachment") == 0)
		return add_attachments(db, m, "SELECT a.type, a.path, a.url,"
		    " a.content FROM part_attachments p JOIN attachments a ON"
		    " a.id = p.attachment_id WHERE p.part_id ="
		    " CAST(?1 AS INTEGER) ORDER BY p.\"order\"",
		    ctx_foreign_text(q, 5), err);
	return 0;
}

/*
 * Add the contents of a message except its results; a text may consist of
 * fragments.
 */
static int
message_parts(sqlite3 *db, const char *hash, struct made *m,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = -1;

	made_reset(m);
	q = about(db, "SELECT p.type, coalesce(p.text, (SELECT group_concat("
	    "coalesce(json_extract(j.value, '$.literal'), f.content, ''), '')"
	    " FROM json_each(p.payload, '$.text_ref') j LEFT JOIN fragments f"
	    " ON f.id = json_extract(j.value, '$.fragment'))),"
	    " json_extract(p.payload, '$.tool_call_id'), p.tool_name,"
	    " json_extract(p.payload, '$.arguments'), p.id FROM temp.of_parts"
	    " o JOIN parts p ON p.id = o.id WHERE o.owner = ?1 ORDER BY"
	    " p.position", hash, err);
	while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1)
		if ((rc = part_row(db, q, m, err)) == -1)
			break;
	sqlite3_finalize(q);
	return rc;
}

/* Store each result as a message; *n counts them. */
static int
message_results(sqlite3 *db, const char *hash, struct ctx_batch *b,
    size_t *n, struct ctx_err *err)
{
	struct made m = { 0 };
	sqlite3_stmt *q;
	int rc = -1;

	q = about(db, "SELECT json_extract(p.payload, '$.output'),"
	    " json_extract(p.payload, '$.tool_call_id'), p.id FROM"
	    " temp.of_parts o JOIN parts p ON p.id = o.id WHERE o.owner = ?1"
	    " AND p.type = 'tool_result' ORDER BY p.position", hash, err);
	while (q != NULL && (rc = ctx_foreign_row(db, q, err)) == 1) {
		const char *output = ctx_foreign_text(q, 0);

		++*n;
		made_reset(&m);
		add_text(&m, output != NULL ? output : "");
		if ((rc = add_attachments(db, &m, "SELECT a.type, a.path,"
		    " a.url, a.content FROM part_attachments p JOIN"
		    " attachments a ON a.id = p.attachment_id WHERE p.part_id"
		    " = CAST(?1 AS INTEGER) ORDER BY p.\"order\"",
		    ctx_foreign_text(q, 2), err)) == -1 ||
		    (rc = store_made(b, &m, "tool", ctx_foreign_text(q, 1),
		    NULL, err)) == -1)
			break;
	}
	sqlite3_finalize(q);
	made_done(&m);
	return rc;
}

/*
 * The columns are thread, hash, role, time, parent.  The model's own calls
 * come before their results, and a user's results before the user's text.
 */
static int
message_row(sqlite3 *db, sqlite3_stmt *q, struct ctx_batch *b,
    struct ctx_err *err)
{
	const char *hash = ctx_foreign_text(q, 1), *role = ctx_foreign_text(q,
	    2);
	struct made m = { 0 };
	size_t results = 0;
	int model, rc;

	if (b->n == 0 && sqlite3_column_type(q, 4) != SQLITE_NULL)
		return ctx_fail(err, CTX_EINPUT, "the beginning of a thread "
		    "is missing");
	if (role == NULL)
		role = "user";
	model = strcmp(role, "assistant") == 0;
	rc = message_parts(db, hash, &m, err);
	if (rc != -1 && !model)
		rc = message_results(db, hash, b, &results, err);
	if (rc != -1 && (results == 0 || m.texts + m.others > 0))
		rc = store_made(b, &m, role, NULL, ctx_foreign_text(q, 3),
		    err);
	if (rc != -1 && model)
		rc = message_results(db, hash, b, &results, err);
	made_done(&m);
	return rc;
}

/*
 * Walk each thread from its tip to its root.  A branch cannot have more
 * messages than there are; this limit is needed because a damaged file may
 * have cycles.
 */
static const char chains[] =
"WITH RECURSIVE chain(thread, hash, parent, depth) AS ("
" SELECT t.id, m.hash, m.parent_hash, 1 FROM threads t"
" JOIN messages m ON m.hash = t.tip_message_hash"
" UNION ALL SELECT c.thread, m.hash, m.parent_hash, c.depth + 1"
" FROM chain c JOIN messages m ON m.hash = c.parent"
" WHERE c.depth < (SELECT count(*) FROM messages))"
" SELECT c.thread, c.hash, m.role, u.at, c.parent"
" FROM chain c JOIN messages m ON m.hash = c.hash LEFT JOIN"
" (SELECT thread_id, tip_message_hash AS tip, min(datetime_utc) AS at"
" FROM turns GROUP BY 1, 2) u ON u.thread_id = c.thread AND u.tip = c.hash"
" ORDER BY c.thread, c.depth DESC";

/*
 * llm may have no index on the owner of a row, and searching the whole table
 * for each response or message would be quadratic, so temp.of_TABLE is created
 * as an index.
 */
static int
index_owners(sqlite3 *db, const char *table, const char *owner,
    struct ctx_err *err)
{
	char *sql;
	int rc;

	if ((rc = ctx_foreign_has(db, table, err)) != 1)
		return rc;
	sql = sqlite3_mprintf("CREATE TEMP TABLE of_%s(owner TEXT, id INTEGER,"
	    " PRIMARY KEY(owner, id)) WITHOUT ROWID; INSERT OR IGNORE INTO"
	    " of_%s SELECT %s, id FROM %s", table, table, owner, table);
	if (sql == NULL)
		return ctx_fail_nomem(err);
	rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_free(sql);
	return rc == SQLITE_OK ? 0 : ctx_foreign_fail(db, err);
}

int
ctx_llm_import(struct ctx_store *st, sqlite3 *db, struct ctx_foreign_sum *sum,
    struct ctx_err *err)
{
	int trees = ctx_foreign_has(db, "threads", err), thinks, rc;
	struct ctx_buf sql = { 0 };

	if (trees == -1 ||
	    index_owners(db, "tool_calls", "response_id", err) == -1 ||
	    index_owners(db, "tool_results", "response_id", err) == -1 ||
	    index_owners(db, "parts", "message_hash", err) == -1 ||
	    (trees && ctx_foreign_by_thread(st, db, chains, message_row, sum,
	    err) == -1))
		return -1;
	thinks = ctx_foreign_column(db, "responses", "reasoning", err);
	ctx_buf_addf(&sql, "SELECT conversation_id, id, prompt, system,"
	    " response, datetime_utc, %s FROM responses%s ORDER BY"
	    " conversation_id, datetime_utc, id", thinks == 1 ? "reasoning" :
	    "NULL", trees ? " WHERE conversation_id NOT IN (SELECT id FROM"
	    " threads WHERE tip_message_hash IS NOT NULL)" : "");
	rc = ctx_buf_str(&sql) == NULL ? ctx_fail_nomem(err) : thinks == -1 ?
	    -1 : ctx_foreign_by_thread(st, db, sql.data, response_row, sum,
	    err);
	ctx_buf_done(&sql);
	return rc;
}
