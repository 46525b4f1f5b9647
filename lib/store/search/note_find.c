/* SPDX-License-Identifier: MIT */
/* Find the notes for a search; see note_find.h. */
#include "store/search/note_find.h"

#include <stdlib.h>
#include <string.h>

#include "store/search/snippet.h"

/* A note with its names and time; only the newest version of a file. */
#define COLUMNS "SELECT n.id, n.kind, n.thread, n.context, n.n, n.name," \
	" t.name, c.name, coalesce(" \
	"(SELECT ts FROM summary s WHERE n.kind = 'summary' AND s.thread =" \
	" n.thread AND s.context = n.context AND s.n = n.n)," \
	"(SELECT ts FROM snapshot s WHERE n.kind = 'memory' AND s.thread =" \
	" n.thread AND s.context = n.context AND s.turn = n.n AND s.name =" \
	" n.name)," \
	"(SELECT ts FROM file f WHERE f.thread = n.thread AND f.kind =" \
	" n.kind AND f.name = n.name AND f.version = n.n)) AS ts" \
	" FROM note n JOIN thread t ON t.id = n.thread" \
	" LEFT JOIN context c ON c.thread = n.thread AND c.id = n.context" \
	" WHERE (n.kind IN ('summary', 'memory') OR NOT EXISTS (SELECT 1" \
	" FROM file f WHERE f.thread = n.thread AND f.kind = n.kind AND" \
	" f.name = n.name AND f.version > n.n))"

static unsigned
kind_of(const char *kind)
{
	static const struct {
		const char *name;
		unsigned in;
	} kinds[] = {
		{ "summary", CTX_IN_SUMMARIES }, { "memory", CTX_IN_MEMORY },
		{ "code", CTX_IN_CODE }, { "upload", CTX_IN_UPLOADS },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, kind) == 0)
			return kinds[i].in;
	return 0;
}

/* Get its own text and, if contents is set, its contents. */
static int
take_text(struct ctx_store *st, const struct ctx_note *note, int contents,
    struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_reset(out);
	if (ctx_note_text(st, note, out, err) == -1 ||
	    (contents && ctx_note_contents(st, note, out, err) == -1))
		return -1;
	return ctx_buf_fail(out, err);
}

/* Add the note in q if it matches. */
static int
look_at(struct ctx_store *st, const struct ctx_search *how, sqlite3_stmt *q,
    struct ctx_buf *text, struct ctx_found *out, struct ctx_err *err)
{
	struct ctx_note note;

	ctx_note_fill(&note, q);
	if ((kind_of(note.kind) & how->in) == 0 ||
	    sqlite3_column_int64(q, 8) < how->since)
		return 0;
	if (how->substring) {
		if (take_text(st, &note, 1, text, err) == -1)
			return -1;
		if (ctx_snippet_find(text->data, text->len, how->words,
		    strlen(how->words)) == NULL)
			return 0;
	}
	if (CTX_ROOM(out->note, out->n, &out->cap) == -1)
		return ctx_fail_nomem(err);
	out->note[out->n].id = note.id;
	out->note[out->n++].ts = sqlite3_column_int64(q, 8);
	return 0;
}

static int
newer(const void *a, const void *b)
{
	const struct ctx_found_note *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? 1 : -1;
	return (x->id < y->id) - (x->id > y->id);
}

/* Look at all notes of q. */
static int
look_at_all(struct ctx_store *st, const struct ctx_search *how,
    sqlite3_stmt *q, struct ctx_buf *text, struct ctx_found *out,
    struct ctx_err *err)
{
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		rc = look_at(st, how, q, text, out, err);
	return rc;
}

/* Look at a note that the index found, if its thread is searched. */
static int
look_at_one(struct ctx_store *st, const struct ctx_search *how,
    const struct ctx_among *among, int64_t id, struct ctx_found *out,
    struct ctx_err *err)
{
	sqlite3_stmt *q = ctx_db_query(st, err, COLUMNS " AND n.id = ?1", "i",
	    id);
	int rc = ctx_db_row(st, q, err);

	if (rc != 1)
		return rc;
	rc = ctx_among_has(among, sqlite3_column_int64(q, 2)) ?
	    look_at(st, how, q, NULL, out, err) : 0;
	sqlite3_reset(q);
	return rc;
}

/* Find the notes with a substring; each text is read. */
static int
find_substring(struct ctx_store *st, const struct ctx_search *how,
    const struct ctx_among *among, struct ctx_buf *text,
    struct ctx_found *out, struct ctx_err *err)
{
	size_t i;
	int rc = 0;

	if (among->all)
		return look_at_all(st, how, ctx_db_query(st, err, COLUMNS,
		    ""), text, out, err);
	for (i = 0; i < among->n && rc == 0; i++)
		rc = look_at_all(st, how, ctx_db_query(st, err, COLUMNS
		    " AND n.thread = ?1", "i", among->id[i]), text, out, err);
	return rc;
}

int
ctx_note_find(struct ctx_store *st, const struct ctx_search *how,
    struct ctx_query *q, const struct ctx_among *among,
    struct ctx_found *out, struct ctx_err *err)
{
	struct ctx_note_ids ids = { 0 };
	struct ctx_buf text = { 0 };
	size_t i;
	int rc = 0;

	if (how->substring)
		rc = find_substring(st, how, among, &text, out, err);
	else
		rc = ctx_note_match(q, &ids, err);
	for (i = 0; i < ids.n && rc == 0; i++)
		rc = look_at_one(st, how, among, ids.id[i], out, err);
	if (rc == 0 && out->n > 0)
		qsort(out->note, out->n, sizeof(*out->note), newer);
	ctx_note_ids_done(&ids);
	ctx_buf_done(&text);
	return rc;
}

/* Make a note's snippet, from its own text or else from its contents. */
static int
snippet_of(struct ctx_store *st, const struct ctx_search *how,
    const struct ctx_note *note, struct ctx_buf *out, struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	int contents, rc = 0;

	for (contents = 0; contents < 2 && rc == 0; contents++)
		if ((rc = take_text(st, note, contents, &text, err)) == 0)
			rc = ctx_snippet_make(out, text.data, text.len,
			    how->words, how->substring);
	ctx_buf_done(&text);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* Pass on the note in q. */
static int
give(struct ctx_store *st, const struct ctx_search *how, sqlite3_stmt *q,
    ctx_hit_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_buf snippet = { 0 };
	struct ctx_hit h = { 0 };
	struct ctx_note note;
	int rc;

	ctx_note_fill(&note, q);
	if ((rc = snippet_of(st, how, &note, &snippet, err)) == 0) {
		h.kind = note.kind;
		h.thread = (const char *)sqlite3_column_text(q, 6);
		h.context = (const char *)sqlite3_column_text(q, 7);
		h.ts = sqlite3_column_int64(q, 8);
		h.n = note.n;
		h.name = note.name;
		h.snippet = snippet.data;
		h.snippet_len = snippet.len;
		rc = fn(&h, arg, err);
	}
	ctx_buf_done(&snippet);
	return rc;
}

int
ctx_note_give(struct ctx_store *st, const struct ctx_search *how, int64_t id,
    ctx_hit_fn *fn, void *arg, struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, COLUMNS " AND n.id = ?1", "i", id);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	rc = give(st, how, q, fn, arg, err);
	sqlite3_reset(q);
	return rc;
}
