/* SPDX-License-Identifier: MIT */
/* Find the notes with the words of a query; see note.h. */
#include "store/search/note.h"

#include <stdlib.h>

#include "store/body.h"
#include "store/search/fts.h"
#include "store/search/index.h"

int
ctx_note_ids_add(struct ctx_note_ids *ids, int64_t id, struct ctx_err *err)
{
	if (CTX_ROOM(ids->id, ids->n, &ids->cap) == -1)
		return ctx_fail_nomem(err);
	ids->id[ids->n++] = id;
	return 0;
}

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
sort(struct ctx_note_ids *ids)
{
	size_t i, n = 0;

	if (ids->n > 0)
		qsort(ids->id, ids->n, sizeof(*ids->id), compare);
	for (i = 0; i < ids->n; i++)
		if (i == 0 || ids->id[i] != ids->id[n - 1])
			ids->id[n++] = ids->id[i];
	ids->n = n;
}

int
ctx_note_ids_has(const struct ctx_note_ids *ids, int64_t id)
{
	return ids->n > 0 && bsearch(&id, ids->id, ids->n, sizeof(id),
	    compare) != NULL;
}

void
ctx_note_ids_done(struct ctx_note_ids *ids)
{
	free(ids->id);
	ids->id = NULL;
	ids->n = ids->cap = 0;
}

/* Add the first column of all rows of q. */
static int
add_rows(struct ctx_store *st, sqlite3_stmt *q, struct ctx_note_ids *out,
    struct ctx_err *err)
{
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = ctx_note_ids_add(out, sqlite3_column_int64(q, 0), err);
	return rc;
}

/* Get the text that has a number in the index. */
static int
text_of(struct ctx_store *st, int64_t row, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_note note;
	sqlite3_stmt *q;
	int rc;

	if (row >= CTX_NOTE_BODY)
		return ctx_body_get(st, row - CTX_NOTE_BODY, out, err);
	q = ctx_db_query(st, err, "SELECT id, kind, thread, context, n, name"
	    " FROM note WHERE id = ?1", "i", row - CTX_NOTE_TEXT);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	ctx_note_fill(&note, q);
	rc = ctx_note_text(st, &note, out, err);
	sqlite3_reset(q);
	return rc;
}

/* If the index finds too much: does the text have the part? */
static int
has_part(struct ctx_query *q, size_t part, int64_t row, struct ctx_err *err)
{
	struct ctx_buf text = { 0 }, cut = { 0 };
	uint32_t count[CTX_QUERY_PARTS] = { 0 };
	int rc;

	if (ctx_fts_exact())
		return 1;
	if ((rc = text_of(q->st, row, &text, err)) == 0) {
		ctx_index_text(&cut, text.data, text.len);
		rc = ctx_buf_fail(&cut, err);
	}
	if (rc == 0 && cut.len > 0 &&
	    (rc = ctx_query_cut(q, cut.data, cut.len, err)) == 0)
		ctx_query_tally(q, count);
	ctx_buf_done(&text);
	ctx_buf_done(&cut);
	return rc == -1 ? -1 : count[part] > 0;
}

/* Run the query for a part, which finds notes by their own text, and bodies. */
static int
find_rows(struct ctx_query *of, size_t part, const struct ctx_buf *expr,
    struct ctx_note_ids *notes, struct ctx_note_ids *bodies,
    struct ctx_err *err)
{
	struct ctx_store *st = of->st;
	sqlite3_stmt *q;
	int64_t row;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT rowid FROM search WHERE search MATCH"
	    " ?1 AND rowid >= ?2", "ti", expr->data, expr->len, CTX_NOTE_TEXT);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		row = sqlite3_column_int64(q, 0);
		if ((rc = has_part(of, part, row, err)) == 1)
			rc = row < CTX_NOTE_BODY ?
			    ctx_note_ids_add(notes, row - CTX_NOTE_TEXT, err) :
			    ctx_note_ids_add(bodies, row - CTX_NOTE_BODY, err);
	}
	return rc;
}

/*
 * Find the notes that use one of the contents, or contents of which one is a
 * piece.
 */
static int
users_of(struct ctx_store *st, struct ctx_note_ids *bodies,
    struct ctx_note_ids *notes, struct ctx_err *err)
{
	size_t i, n = bodies->n;
	int rc = 0;

	for (i = 0; i < n && rc == 0; i++)
		rc = add_rows(st, ctx_db_query(st, err, "SELECT body FROM"
		    " body_part WHERE part = ?1", "i", bodies->id[i]), bodies,
		    err);
	sort(bodies);
	for (i = 0; i < bodies->n && rc == 0; i++)
		rc = add_rows(st, ctx_db_query(st, err, "SELECT n.id FROM"
		    " snapshot_part p CROSS JOIN note n ON n.thread = p.thread"
		    " AND n.kind = 'memory' AND n.context = p.context AND"
		    " n.n = p.turn AND n.name = p.snapshot WHERE p.body = ?1"
		    " UNION ALL SELECT n.id FROM file f CROSS JOIN note n ON"
		    " n.thread = f.thread AND n.kind = f.kind AND n.context ="
		    " 0 AND n.n = f.version AND n.name = f.name WHERE"
		    " f.body = ?1 AND f.kind = 'code'", "i", bodies->id[i]),
		    notes, err);
	return rc;
}

static int
match_part(struct ctx_query *q, size_t part, struct ctx_note_ids *out,
    struct ctx_err *err)
{
	struct ctx_note_ids bodies = { 0 };
	struct ctx_buf expr = { 0 };
	int rc;

	ctx_query_one(&q->part[part], &expr);
	if ((rc = ctx_buf_fail(&expr, err)) == 0 &&
	    (rc = find_rows(q, part, &expr, out, &bodies, err)) == 0)
		rc = users_of(q->st, &bodies, out, err);
	sort(out);
	ctx_note_ids_done(&bodies);
	ctx_buf_done(&expr);
	return rc;
}

int
ctx_note_match(struct ctx_query *q, struct ctx_note_ids *out,
    struct ctx_err *err)
{
	struct ctx_note_ids part = { 0 };
	size_t i, j, n;
	int rc = 0;

	/*
	 * The words of one note may be in different pieces, so search part by
	 * part.
	 */
	for (i = 0; i < q->n && rc == 0; i++) {
		if (i == 0) {
			rc = match_part(q, i, out, err);
			continue;
		}
		rc = match_part(q, i, &part, err);
		for (j = n = 0; j < out->n; j++)
			if (ctx_note_ids_has(&part, out->id[j]))
				out->id[n++] = out->id[j];
		out->n = n;
		ctx_note_ids_done(&part);
	}
	ctx_note_ids_done(&part);
	return rc;
}
