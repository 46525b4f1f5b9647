/* SPDX-License-Identifier: MIT */
/*
 * Import a database of another program, which the first letter selects.  Each
 * of the other lines is a row: a list with the name of its table and its
 * columns. What is not a string or a number is MessagePack of it, as in a
 * checkpoint of LangGraph.  Only a message may come of it, or an import that
 * can be read.  Checkpoints are exported again; with 'd', those of LangGraph
 * and checkpoints of our own, whose states are the lines.  What was imported
 * comes out as it went in, and every export can be imported.
 */
#include "fuzz.h"

#include <stdio.h>
#include <unistd.h>

#include "read/node.h"
#include "store/ckpt.h"
#include "store/port/foreign_db.h"
#include "store/store.h"

#define COLUMNS	12

static const char schema[] =
"CREATE TABLE checkpoints(a, b, c, d, type, checkpoint, metadata);"
"CREATE TABLE writes(a, b, c, task_id, idx, channel, type, value);"
"CREATE TABLE agent_messages(id, session_id, message_data);"
"CREATE TABLE responses(id, prompt, system, response, conversation_id,"
" datetime_utc, reasoning);"
"CREATE TABLE tool_calls(id, response_id, name, arguments, tool_call_id);"
"CREATE TABLE tool_results(id, response_id, output, tool_call_id);"
"CREATE TABLE attachments(id, type, path, url, content);"
"CREATE TABLE prompt_attachments(response_id, attachment_id, \"order\");"
"CREATE TABLE tool_results_attachments(tool_result_id, attachment_id,"
" \"order\");"
"CREATE TABLE fragments(id, content);"
"CREATE TABLE prompt_fragments(response_id, fragment_id, \"order\");"
"CREATE TABLE system_fragments(response_id, fragment_id, \"order\");";
/* of later versions */
static const char trees[] =
"CREATE TABLE messages(hash, parent_hash, role);"
"CREATE TABLE parts(id, message_hash, position, type, text, tool_name,"
" payload);"
"CREATE TABLE part_attachments(part_id, attachment_id, \"order\");"
"CREATE TABLE threads(id, tip_message_hash);"
"CREATE TABLE turns(id, thread_id, tip_message_hash, datetime_utc);";
static const char names[] =
"ALTER TABLE checkpoints RENAME a TO thread_id;"
"ALTER TABLE checkpoints RENAME b TO checkpoint_ns;"
"ALTER TABLE checkpoints RENAME c TO checkpoint_id;"
"ALTER TABLE checkpoints RENAME d TO parent_checkpoint_id;"
"ALTER TABLE writes RENAME a TO thread_id;"
"ALTER TABLE writes RENAME b TO checkpoint_ns;"
"ALTER TABLE writes RENAME c TO checkpoint_id;";

/* --- MessagePack ------------------------------------------------------- */

static void
put_size(struct ctx_buf *out, int small, uint8_t large, uint32_t n)
{
	int shift;

	if (n < 16)
		ctx_buf_addc(out, (char)(small + (int)n));
	else {
		ctx_buf_addc(out, (char)large);
		for (shift = 24; shift >= 0; shift -= 8)
			ctx_buf_addc(out, (char)(n >> shift & 0xff));
	}
}

static void
put_text(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t i)
{
	struct ctx_buf text = { 0 };

	ctx_node_decode(&text, doc, i);
	put_size(out, 0xa0, 0xdb, (uint32_t)text.len);
	ctx_buf_add(out, text.data, text.len);
	ctx_buf_done(&text);
}

static void
put_value(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t i)
{
	uint32_t e, n = 0;

	switch (ctx_node_type(doc, i)) {
	case '{':
		CTX_FOR_KEYS(doc, e, i)
			n++;
		put_size(out, 0x80, 0xdf, n);
		for (e = i + 1; e < doc->node[i].next;
		    e = ctx_node_is_key(doc, e) ? e + 1 : doc->node[e].next)
			put_value(out, doc, e);
		break;
	case '[':
		CTX_FOR_LIST(doc, e, i)
			n++;
		put_size(out, 0x90, 0xdd, n);
		CTX_FOR_LIST(doc, e, i)
			put_value(out, doc, e);
		break;
	case '"':
		put_text(out, doc, i);
		break;
	case 'n': case 't': case 'f':
		ctx_buf_addc(out, ctx_node_type(doc, i) == 'n' ? '\xc0' :
		    ctx_node_type(doc, i) == 't' ? '\xc3' : '\xc2');
		break;
	default:
		ctx_buf_addc(out, '\x07');
	}
}

/* --- rows -------------------------------------------------------------- */

static void
bind(sqlite3_stmt *q, int col, const struct ctx_doc *doc, uint32_t i)
{
	struct ctx_buf b = { 0 };
	char type = ctx_node_type(doc, i);

	if (strchr("{[\"tfn", type) == NULL) {
		sqlite3_bind_int64(q, col, strtoll(doc->raw +
		    doc->node[i].off, NULL, 10));
		return;
	}
	if (type == '"')
		ctx_node_decode(&b, doc, i);
	else if (type != 'n')
		put_value(&b, doc, i);
	MUST(!b.failed);
	if (type == '"')
		sqlite3_bind_text(q, col, b.len > 0 ? b.data : "", (int)b.len,
		    SQLITE_TRANSIENT);
	else if (type == 't' || type == 'f')
		sqlite3_bind_int(q, col, type == 't');
	else if (type != 'n')
		sqlite3_bind_blob(q, col, b.data, (int)b.len,
		    SQLITE_TRANSIENT);
	ctx_buf_done(&b);
}

/* Insert a row; one that does not fit its table is left out. */
static void
insert(sqlite3 *db, const struct ctx_doc *doc)
{
	struct ctx_str table = ctx_node_str(doc, doc->n > 1 ? 1 : CTX_NONE);
	sqlite3_stmt *q = NULL;
	char sql[200];
	int n = 0, col;
	uint32_t e;

	if (ctx_node_type(doc, 0) != '[' || table.p == NULL ||
	    table.len > 40 || memchr(table.p, '"', table.len) != NULL)
		return;
	for (e = doc->node[1].next; e < doc->n; e = doc->node[e].next)
		n++;
	if (n == 0 || n > COLUMNS)
		return;
	snprintf(sql, sizeof(sql), "INSERT INTO \"%.*s\" VALUES(%.*s)",
	    (int)table.len, table.p, 2 * n - 1, "?,?,?,?,?,?,?,?,?,?,?,?");
	if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK) {
		col = 1;
		for (e = doc->node[1].next; e < doc->n; e = doc->node[e].next)
			bind(q, col++, doc, e);
		sqlite3_step(q);
	}
	sqlite3_finalize(q);
}

static sqlite3 *
database(const char *p, size_t len, int later)
{
	struct ctx_doc doc = { 0 };
	sqlite3 *db;
	size_t at, n;

	MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
	MUST(sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK);
	MUST(sqlite3_exec(db, names, NULL, NULL, NULL) == SQLITE_OK);
	if (later)
		MUST(sqlite3_exec(db, trees, NULL, NULL, NULL) == SQLITE_OK);
	for (at = 0; at < len; at += n + 1) {
		n = ctx_scan_newline(p + at, len - at);
		if (ctx_doc_try(&doc, p + at, n) == 1)
			insert(db, &doc);
	}
	ctx_doc_done(&doc);
	return db;
}

/* --- export ------------------------------------------------------------ */

/* Store each line that is JSON as the state of a checkpoint of our own. */
static void
put_own(struct ctx_store *st, const char *p, size_t len)
{
	const struct ctx_where w = { "own", "main" };
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };
	char name[32];
	size_t at, n;

	for (at = 0; at < len; at += n + 1) {
		struct ctx_ckpt c = { .ns = "", .upto_seq = -1, .name = name,
		    .state = p + at };

		c.state_len = n = ctx_scan_newline(p + at, len - at);
		snprintf(name, sizeof(name), "own-%zu", at);
		if (ctx_doc_try(&doc, p + at, n) == 1)
			ctx_ckpt_put(st, &w, &c, NULL, &err);
	}
	ctx_doc_done(&doc);
}

/* How many rows does the export have that the database has not? */
static int
changed(sqlite3 *db, const char *path)
{
	static const char sql[] = "SELECT count(*) FROM (SELECT thread_id,"
	    " checkpoint_ns, checkpoint_id, type, CAST(checkpoint AS BLOB)"
	    " FROM export.checkpoints WHERE thread_id <> 'own' EXCEPT SELECT"
	    " CAST(thread_id AS TEXT), CAST(coalesce(checkpoint_ns, '') AS"
	    " TEXT), CAST(checkpoint_id AS TEXT), CAST(type AS TEXT),"
	    " CAST(checkpoint AS BLOB) FROM main.checkpoints)";
	sqlite3_stmt *q = NULL;
	char attach[80];
	int n;

	snprintf(attach, sizeof(attach), "ATTACH '%s' AS export", path);
	MUST(sqlite3_exec(db, attach, NULL, NULL, NULL) == SQLITE_OK);
	MUST(sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK);
	MUST(sqlite3_step(q) == SQLITE_ROW);
	n = sqlite3_column_int(q, 0);
	sqlite3_finalize(q);
	return n;
}

/* Export the checkpoints, and import that. */
static void
export(struct ctx_store *st, sqlite3 *from)
{
	struct ctx_foreign_sum sum = { 0 }, again = { 0 };
	struct ctx_store *other = NULL;
	struct ctx_err err = { 0 };
	char path[48];
	sqlite3 *db;
	int rc;

	snprintf(path, sizeof(path), "%s/fuzz_foreign.%ld",
	    getenv("TMPDIR") != NULL ? "/dev/shm" : "/tmp", (long)getpid());
	unlink(path);
	rc = ctx_langgraph_export(st, path, NULL, 0, &sum, &err);
	MUST(rc == 0 || err.code == CTX_EINPUT);
	if (rc == 0) {
		MUST(changed(from, path) == 0);
		MUST(sqlite3_open(path, &db) == SQLITE_OK);
		MUST(ctx_store_open_temp(&other, NULL, &err) == 0);
		MUST(ctx_langgraph_import(other, db, &again, &err) == 0);
		MUST(again.checkpoints == sum.checkpoints);
		MUST(ctx_store_close(other, &err) == 0);
		sqlite3_close(db);
	}
	unlink(path);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ctx_foreign_sum sum = { 0 };
	struct ctx_store *st = NULL;
	struct ctx_err err = { 0 };
	sqlite3 *db;
	int rc, langgraph;

	if (len < 3 || len > 1 << 16)
		return 0;
	/* a store in memory does not wait for a disk */
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 0);
	db = database((const char *)data + 2, len - 2, data[0] == 'c');
	MUST(ctx_store_open_temp(&st, NULL, &err) == 0);
	langgraph = data[0] == 'a' || data[0] == 'd';
	rc = langgraph ? ctx_langgraph_import(st, db, &sum, &err) :
	    ctx_llm_import(st, db, &sum, &err);
	if (rc == -1)
		MUST(err.text[0] != '\0' && err.code != CTX_ENOMEM);
	if (data[0] == 'd')
		put_own(st, (const char *)data + 2, len - 2);
	if (langgraph)
		export(st, db);
	MUST(ctx_store_close(st, &err) == 0);
	sqlite3_close(db);
	return 0;
}
