/* SPDX-License-Identifier: MIT */
/* Running summaries; see summaries.h. */
#include "store/summaries.h"

#include "base/when.h"
#include "read/span.h"
#include "store/body.h"
#include "store/search/note.h"

#define THESE	" FROM summary WHERE thread = ?1 AND context = ?2 AND" \
	" (?3 = 0 OR n = ?3)"

/* Add a row with the next number. */
static int
add(struct ctx_store *st, const struct ctx_ref *ref, int64_t body,
    int64_t *n, struct ctx_err *err)
{
	if (ctx_db_int(st, n, err, "SELECT coalesce(max(n), 0) + 1 FROM"
	    " summary WHERE thread = ?1 AND context = ?2", "ii", ref->thread,
	    ref->context) == -1)
		return -1;
	return ctx_db_run(st, err, "INSERT INTO summary VALUES(?1, ?2, ?3, ?4,"
	    " ?5, ?6)", "iiiiii", ref->thread, ref->context, *n,
	    ref->next_seq - 1, body, ctx_when_now());
}

/* Give a row another body; it still is about the same messages. */
static int
replace(struct ctx_store *st, const struct ctx_note *note, int64_t body,
    struct ctx_err *err)
{
	if (ctx_note_forget_these(st, note, err) == -1 ||
	    ctx_body_free_begin(st, err) == -1 ||
	    ctx_db_run(st, err, "INSERT OR IGNORE INTO temp.loose SELECT body"
	    THESE, "iii", note->thread, note->context, note->n) == -1 ||
	    ctx_db_run(st, err, "UPDATE summary SET body = ?4 WHERE thread ="
	    " ?1 AND context = ?2 AND n = ?3", "iiii", note->thread,
	    note->context, note->n, body) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 0)
		return ctx_fail(err, CTX_ENO, "no such summary");
	return ctx_body_free_end(st, NULL, err);
}

static int
put(struct ctx_store *st, const struct ctx_where *w, const char *line,
    size_t len, int64_t *n, struct ctx_err *err)
{
	struct ctx_note note = { .kind = "summary", .name = "", .n = *n };
	struct ctx_ref ref;
	int64_t body;

	if (ctx_thread_find(st, w, &ref, err) == -1 ||
	    ctx_body_put(st, line, len, &body, err) == -1)
		return -1;
	note.thread = ref.thread;
	note.context = ref.context;
	if ((*n == 0 ? add(st, &ref, body, &note.n, err) :
	    replace(st, &note, body, err)) == -1)
		return -1;
	*n = note.n;
	return ctx_note_add(st, &note, err) == -1 ? -1 :
	    ctx_thread_used(st, ref.thread, err);
}

int
ctx_summaries_put(struct ctx_store *st, const struct ctx_where *w,
    const char *line, size_t len, int64_t *n, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_ref ref;
	int rc;

	if (len == 0)	/* nothing was folded yet */
		return ctx_thread_find(st, w, &ref, err);
	rc = ctx_doc_scan(&doc, line, len, err);
	if (rc == 0 && ctx_node_type(&doc, 0) != '{')
		rc = ctx_fail(err, CTX_EINPUT, "not a JSON object");
	ctx_doc_done(&doc);
	if (rc == -1 || ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, put(st, w, line, len, n, err) == 0, err);
}

int
ctx_summaries_get(struct ctx_store *st, const struct ctx_where *w, int64_t n,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_ref ref;
	int64_t body;
	int rc = -1;

	if (ctx_db_read(st, err) == -1)
		return -1;
	if (ctx_thread_find(st, w, &ref, err) == 0)
		rc = ctx_db_int(st, &body, err, "SELECT body FROM summary"
		    " WHERE thread = ?1 AND context = ?2 AND"
		    " (?3 = 0 OR n = ?3) ORDER BY n DESC LIMIT 1", "iii",
		    ref.thread, ref.context, n);
	if (rc == 0)
		rc = ctx_fail(err, CTX_ENO, "no such summary");
	else if (rc == 1)
		rc = ctx_body_get(st, body, out, err);
	ctx_db_read_end(st);
	return rc;
}

static int
list(struct ctx_store *st, const struct ctx_where *w, ctx_summaries_fn *fn,
    void *arg, struct ctx_buf *line, struct ctx_err *err)
{
	struct ctx_summary s;
	struct ctx_ref ref;
	sqlite3_stmt *q;
	int rc = 0;

	if (ctx_thread_find(st, w, &ref, err) == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT n, upto_seq, ts, body FROM summary"
	    " WHERE thread = ?1 AND context = ?2 ORDER BY n", "ii",
	    ref.thread, ref.context);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		ctx_buf_reset(line);
		s.n = sqlite3_column_int64(q, 0);
		s.upto_seq = sqlite3_column_int64(q, 1);
		s.ts = sqlite3_column_int64(q, 2);
		rc = ctx_body_get(st, sqlite3_column_int64(q, 3), line, err);
		s.line = line->data;
		s.len = line->len;
		if (rc != -1)
			rc = fn(&s, arg, err);
	}
	return rc;
}

int
ctx_summaries_list(struct ctx_store *st, const struct ctx_where *w,
    ctx_summaries_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	int rc;

	if (ctx_db_read(st, err) == -1)
		return -1;
	rc = list(st, w, fn, arg, &line, err);
	ctx_db_read_end(st);
	ctx_buf_done(&line);
	return rc;
}

static int
remove_these(struct ctx_store *st, const struct ctx_where *w, int64_t n,
    struct ctx_err *err)
{
	struct ctx_note note = { .kind = "summary", .name = "",
	    .n = n != 0 ? n : -1 };
	struct ctx_ref ref;

	if (ctx_thread_find(st, w, &ref, err) == -1)
		return -1;
	note.thread = ref.thread;
	note.context = ref.context;
	if (ctx_note_forget_these(st, &note, err) == -1 ||
	    ctx_body_free_begin(st, err) == -1 ||
	    ctx_db_run(st, err, "INSERT OR IGNORE INTO temp.loose SELECT body"
	    THESE, "iii", ref.thread, ref.context, n) == -1 ||
	    ctx_db_run(st, err, "DELETE" THESE, "iii", ref.thread,
	    ref.context, n) == -1)
		return -1;
	if (sqlite3_changes(st->db) == 0)
		return ctx_fail(err, CTX_ENO, "no such summary");
	return ctx_thread_used(st, ref.thread, err) == -1 ? -1 :
	    ctx_body_free_end(st, NULL, err);
}

int
ctx_summaries_remove(struct ctx_store *st, const struct ctx_where *w,
    int64_t n, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, remove_these(st, w, n, err) == 0, err);
}
