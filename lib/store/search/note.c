/* SPDX-License-Identifier: MIT */
/* Notes in the index of words; see note.h. */
#include "store/search/note.h"

#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/search/fts.h"
#include "store/search/index.h"

#define BATCH	100	/* notes in each transaction */
#define CUT	2	/* of their texts; see index.h */

#define COLUMNS	"SELECT id, kind, thread, context, n, name, words FROM note"

void
ctx_note_fill(struct ctx_note *note, sqlite3_stmt *q)
{
	note->id = sqlite3_column_int64(q, 0);
	note->kind = (const char *)sqlite3_column_text(q, 1);
	note->thread = sqlite3_column_int64(q, 2);
	note->context = sqlite3_column_int64(q, 3);
	note->n = sqlite3_column_int64(q, 4);
	note->name = (const char *)sqlite3_column_text(q, 5);
}

static void
add_column(struct ctx_buf *out, sqlite3_stmt *q, int col)
{
	ctx_db_add(out, q, col);
	ctx_buf_addc(out, '\n');
}

static int
summary_text(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	int64_t body;
	int rc;

	rc = ctx_db_int(st, &body, err, "SELECT body FROM summary WHERE"
	    " thread = ?1 AND context = ?2 AND n = ?3", "iii", note->thread,
	    note->context, note->n);
	if (rc == 1 && (rc = ctx_body_get(st, body, &line, err)) == 0)
		rc = ctx_index_words(line.data, line.len, CUT, out, err);
	ctx_buf_done(&line);
	return rc == -1 ? -1 : 0;
}

static int
memory_text(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_buf *out, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT name, summary, insights FROM"
	    " snapshot WHERE thread = ?1 AND context = ?2 AND turn = ?3 AND"
	    " name = ?4", "iiis", note->thread, note->context, note->n,
	    note->name);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	add_column(out, q, 0);
	add_column(out, q, 1);
	rc = sqlite3_column_type(q, 2) == SQLITE_NULL ? 0 :
	    ctx_index_words(sqlite3_column_blob(q, 2),
	    (size_t)sqlite3_column_bytes(q, 2), CUT, out, err);
	sqlite3_reset(q);
	if (rc == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT name FROM snapshot_part WHERE"
	    " thread = ?1 AND context = ?2 AND turn = ?3 AND snapshot = ?4"
	    " AND name IS NOT NULL ORDER BY pos", "iiis", note->thread,
	    note->context, note->n, note->name);
	while ((rc = ctx_db_next(st, q, 0, err)) == 1)
		add_column(out, q, 0);
	return rc;
}

static int
file_text(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_buf *out, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int i, rc;

	q = ctx_db_query(st, err, "SELECT name, lang, descr FROM file WHERE"
	    " thread = ?1 AND kind = ?2 AND name = ?3 AND version = ?4",
	    "issi", note->thread, note->kind, note->name, note->n);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	for (i = 0; i < 3; i++)
		add_column(out, q, i);
	sqlite3_reset(q);
	return 0;
}

int
ctx_note_text(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_buf *out, struct ctx_err *err)
{
	int rc;

	if (strcmp(note->kind, "summary") == 0)
		rc = summary_text(st, note, out, err);
	else if (strcmp(note->kind, "memory") == 0)
		rc = memory_text(st, note, out, err);
	else
		rc = file_text(st, note, out, err);
	return rc == -1 ? -1 : ctx_buf_fail(out, err);
}

/*
 * The pieces of a note's contents, as rows of body: id, words.  For uploads,
 * only the digest is indexed.
 */
static sqlite3_stmt *
pieces(struct ctx_store *st, const struct ctx_note *note, struct ctx_err *err)
{
	return ctx_db_query(st, err, "SELECT b.id, b.words FROM (SELECT body,"
	    " pos FROM snapshot_part WHERE ?1 = 'memory' AND thread = ?2 AND"
	    " context = ?3 AND turn = ?4 AND snapshot = ?5 UNION ALL"
	    " SELECT body, 0 FROM file WHERE ?1 = 'code' AND thread = ?2 AND"
	    " kind = ?1 AND name = ?5 AND version = ?4) c"
	    " LEFT JOIN body_part p ON p.body = c.body"
	    " CROSS JOIN body b ON b.id = coalesce(p.part, c.body)"
	    " ORDER BY c.pos, p.pos", "siiis", note->kind, note->thread,
	    note->context, note->n, note->name);
}

int
ctx_note_contents(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_buf *out, struct ctx_err *err)
{
	sqlite3_stmt *q = pieces(st, note, err);
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = ctx_body_get(st, sqlite3_column_int64(q, 0), out,
		    err);
	return rc;
}

/* Add contents to the index, or remove them. */
static int
change_body(struct ctx_store *st, int64_t body, int delete,
    struct ctx_err *err)
{
	struct ctx_buf data = { 0 };
	int rc = ctx_body_get(st, body, &data, err);

	if (rc == 0)
		rc = ctx_index_change(st, CTX_NOTE_BODY + body,
		    data.data != NULL ? data.data : "", data.len, delete, err);
	ctx_buf_done(&data);
	return rc;
}

/* Add a note's own text to the index, or remove it. */
static int
change_text(struct ctx_store *st, const struct ctx_note *note, int delete,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	int rc = ctx_note_text(st, note, &text, err);

	if (rc == 0)
		rc = ctx_index_change(st, CTX_NOTE_TEXT + note->id,
		    text.data != NULL ? text.data : "", text.len, delete, err);
	ctx_buf_done(&text);
	return rc;
}

static int
add_bodies(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_err *err)
{
	struct ctx_note_ids new = { 0 };
	sqlite3_stmt *q = pieces(st, note, err);
	int rc = 0;
	size_t i;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		if (sqlite3_column_int(q, 1) == 0)
			rc = ctx_note_ids_add(&new, sqlite3_column_int64(q, 0),
			    err);
	for (i = 0; i < new.n && rc == 0; i++) {
		/* A piece that occurs twice is indexed once. */
		rc = ctx_db_run(st, err, "UPDATE body SET words = ?2 WHERE"
		    " id = ?1 AND words = 0", "ii", new.id[i],
		    (int64_t)CUT);
		if (rc == 0 && sqlite3_changes(st->db) > 0)
			rc = change_body(st, new.id[i], 0, err);
	}
	free(new.id);
	return rc;
}

static int
index_note(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_err *err)
{
	if (change_text(st, note, 0, err) == -1 ||
	    add_bodies(st, note, err) == -1)
		return -1;
	return ctx_db_run(st, err, "UPDATE note SET words = ?2 WHERE id = ?1",
	    "ii", note->id, (int64_t)CUT);
}

int
ctx_note_add(struct ctx_store *st, const struct ctx_note *note,
    struct ctx_err *err)
{
	struct ctx_note new = *note;

	if (ctx_db_run(st, err, "INSERT INTO note(kind, thread, context, n,"
	    " name) VALUES(?1, ?2, ?3, ?4, ?5)", "siiis", note->kind,
	    note->thread, note->context, note->n, note->name) == -1)
		return -1;
	new.id = sqlite3_last_insert_rowid(st->db);
	return index_note(st, &new, err);
}

/* Index up to BATCH notes.  Returns their number, or -1. */
static int
index_some(struct ctx_store *st, struct ctx_err *err)
{
	struct ctx_note note;
	int64_t id[BATCH];
	sqlite3_stmt *q;
	int i, rc = 0, n = ctx_db_hold_rows(st, ctx_db_query(st, err, "SELECT"
	    " id, thread FROM note WHERE words = 0 LIMIT ?1", "i",
	    (int64_t)BATCH), id, BATCH, err);

	for (i = 0; i < n && rc != -1; i++) {
		q = ctx_db_query(st, err, COLUMNS " WHERE id = ?1", "i",
		    id[i]);
		if ((rc = ctx_db_row(st, q, err)) != 1)
			continue;
		ctx_note_fill(&note, q);
		rc = index_note(st, &note, err);
		sqlite3_reset(q);
	}
	return rc == -1 ? -1 : n;
}

int
ctx_note_add_thread(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	int n;

	if (ctx_db_run(st, err, "INSERT OR IGNORE INTO note(kind, thread,"
	    " context, n, name) SELECT 'summary', thread, context, n, '' FROM"
	    " summary WHERE thread = ?1", "i", thread) == -1 ||
	    ctx_db_run(st, err, "INSERT OR IGNORE INTO note(kind, thread,"
	    " context, n, name) SELECT 'memory', thread, context, turn, name"
	    " FROM snapshot WHERE thread = ?1 ORDER BY id", "i",
	    thread) == -1 ||
	    ctx_db_run(st, err, "INSERT OR IGNORE INTO note(kind, thread,"
	    " context, n, name) SELECT kind, thread, 0, version, name FROM"
	    " file WHERE thread = ?1 AND body IS NOT NULL", "i",
	    thread) == -1)
		return -1;
	do
		n = index_some(st, err);
	while (n == BATCH);
	return n == -1 ? -1 : 0;
}

int
ctx_note_add_all(struct ctx_store *st, int64_t *n, struct ctx_err *err)
{
	int some;

	*n = 0;
	do {
		if (ctx_db_begin(st, err) == -1)
			return -1;
		some = index_some(st, err);
		if (ctx_db_end(st, some != -1, err) == -1)
			return -1;
		*n += some;
	} while (some == BATCH);
	return 0;
}

/* Remove the notes in q, which has COLUMNS, from the index. */
static int
forget(struct ctx_store *st, sqlite3_stmt *q, struct ctx_err *err)
{
	struct ctx_note note;
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		ctx_note_fill(&note, q);
		if (sqlite3_column_int(q, 6) != 0)
			rc = change_text(st, &note, 1, err);
	}
	return rc;
}

#define GONE	" WHERE thread = ?1 AND CASE WHEN kind IN ('summary'," \
	" 'memory') THEN context ELSE -1 END IN temp.gone"
#define THESE	" WHERE thread = ?1 AND kind = ?2 AND context = ?3 AND" \
	" name = ?4 AND (?5 = -1 OR n = ?5)"

int
ctx_note_forget(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	int rc = ctx_fts_forget(st, CTX_FTS_NOTES, thread, err);

	if (rc == 0)
		rc = forget(st, ctx_db_query(st, err, COLUMNS GONE, "i",
		    thread), err);
	if (rc == -1)
		return -1;
	return ctx_db_run(st, err, "DELETE FROM note" GONE, "i", thread);
}

int
ctx_note_forget_these(struct ctx_store *st, const struct ctx_note *w,
    struct ctx_err *err)
{
	if (forget(st, ctx_db_query(st, err, COLUMNS THESE, "isisi",
	    w->thread, w->kind, w->context, w->name, w->n), err) == -1)
		return -1;
	return ctx_db_run(st, err, "DELETE FROM note" THESE, "isisi",
	    w->thread, w->kind, w->context, w->name, w->n);
}

int
ctx_note_forget_bodies(struct ctx_store *st, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc = ctx_fts_forget(st, CTX_FTS_BODIES, 0, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	q = ctx_db_query(st, err, "SELECT b.id FROM temp.loose l"
	    " JOIN body b ON b.id = l.id WHERE b.words <> 0", "");
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = change_body(st, sqlite3_column_int64(q, 0), 1,
		    err);
	return rc;
}
