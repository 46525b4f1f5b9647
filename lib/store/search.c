/* SPDX-License-Identifier: MIT */
/* The index of words; see search.h. */
#include "store/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "store/body.h"
#include "store/cut.h"
#include "store/text.h"

#define BATCH		2000	/* messages of a transaction of reindex */
#define SNIPPET		60	/* characters on each side of a word */

/* The words of a line, as they come (cut 0) or for the index. */
static int
words_of(const char *raw, size_t len, int cut, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct ctx_buf text = { 0 };
	int rc = ctx_doc_scan(&doc, raw, len, err);

	if (rc == 0) {
		ctx_text_words(&doc, cut ? &text : out);
		if (cut)
			ctx_cut_text(out, text.data, text.len);
		rc = ctx_buf_fail(&text, err) == -1 ? -1 :
		    ctx_buf_fail(out, err);
	}
	ctx_buf_done(&text);
	ctx_doc_done(&doc);
	return rc;
}

static int
change(struct ctx_store *st, int64_t id, const char *raw, size_t len,
    int delete, struct ctx_err *err)
{
	struct ctx_buf words = { 0 };
	int rc = words_of(raw, len, 1, &words, err);

	if (rc == 0 && delete)
		rc = ctx_db_run(st, err, "INSERT INTO search(search, rowid,"
		    " text) VALUES('delete', ?1, ?2)", "it", id,
		    words.data != NULL ? words.data : "", words.len);
	else if (rc == 0)
		rc = ctx_db_run(st, err, "INSERT INTO search(rowid, text)"
		    " VALUES(?1, ?2)", "it", id,
		    words.data != NULL ? words.data : "", words.len);
	ctx_buf_done(&words);
	return rc;
}

int
ctx_search_add(struct ctx_store *st, int64_t id, const char *raw, size_t len,
    struct ctx_err *err)
{
	return change(st, id, raw, len, 0, err);
}

/* A message's line from the columns json, body of q, col on. */
static int
line_of(struct ctx_store *st, sqlite3_stmt *q, int col, struct ctx_buf *out,
    struct ctx_err *err)
{
	ctx_buf_reset(out);
	if (sqlite3_column_type(q, col + 1) != SQLITE_NULL)
		return ctx_body_get(st, sqlite3_column_int64(q, col + 1), out,
		    err);
	ctx_buf_add(out, sqlite3_column_blob(q, col),
	    (size_t)sqlite3_column_bytes(q, col));
	return ctx_buf_fail(out, err);
}

int
ctx_search_forget(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT id, json, body FROM message WHERE"
	    " thread = ?1 AND context IN temp.gone AND words <> 0", "i",
	    thread);
	if (q == NULL)
		return -1;
	while ((rc = ctx_db_row(st, q, err)) == 1)
		if (line_of(st, q, 1, &line, err) == -1 ||
		    change(st, sqlite3_column_int64(q, 0), line.data,
		    line.len, 1, err) == -1) {
			sqlite3_reset(q);
			rc = -1;
			break;
		}
	ctx_buf_done(&line);
	return rc;
}

/* Up to BATCH messages that are not indexed.  How many, -1. */
static int
index_some(struct ctx_store *st, struct ctx_buf *line, struct ctx_err *err)
{
	int64_t id[BATCH];
	sqlite3_stmt *q;
	int i, n = 0, rc;

	q = ctx_db_query(st, err, "SELECT id FROM message WHERE words < 2 AND"
	    " words = 0 ORDER BY id LIMIT ?1", "i", (int64_t)BATCH);
	if (q == NULL)
		return -1;
	while ((rc = ctx_db_row(st, q, err)) == 1 && n < BATCH)
		id[n++] = sqlite3_column_int64(q, 0);
	sqlite3_reset(q);
	for (i = 0; i < n && rc != -1; i++) {
		q = ctx_db_query(st, err, "SELECT json, body FROM message"
		    " WHERE id = ?1", "i", id[i]);
		if (q == NULL || ctx_db_row(st, q, err) != 1)
			return -1;
		rc = line_of(st, q, 0, line, err);
		sqlite3_reset(q);
		if (rc == -1 || ctx_search_add(st, id[i], line->data,
		    line->len, err) == -1 || ctx_db_run(st, err,
		    "UPDATE message SET words = ?2 WHERE id = ?1", "ii", id[i],
		    (int64_t)CTX_SEARCH_CUT) == -1)
			return -1;
	}
	return rc == -1 ? -1 : n;
}

int
ctx_search_reindex(struct ctx_store *st, int all, int64_t *n,
    struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	int some = 0;

	*n = 0;
	if (all) {
		if (ctx_db_begin(st, err) == -1)
			return -1;
		if (ctx_db_end(st, ctx_db_run(st, err, "INSERT INTO"
		    " search(search) VALUES('delete-all')", "") == 0 &&
		    ctx_db_run(st, err, "UPDATE message SET words = 0 WHERE"
		    " words <> 0", "") == 0, err) == -1)
			return -1;
	}
	do {
		if (ctx_db_begin(st, err) == -1) {
			some = -1;
			break;
		}
		some = index_some(st, &line, err);
		if (ctx_db_end(st, some != -1, err) == -1)
			some = -1;
		else
			*n += some;
	} while (some > 0);
	ctx_buf_done(&line);
	return some;
}

/* What one search carries along. */
struct find {
	struct ctx_store *st;
	const struct ctx_search *how;
	struct ctx_buf query, line, text, snippet;
	ctx_hit_fn *fn;
	void *arg;
	int64_t left;
};

static int
same_letter(char a, char b)
{
	if (a >= 'A' && a <= 'Z')
		a = (char)(a | 0x20);
	if (b >= 'A' && b <= 'Z')
		b = (char)(b | 0x20);
	return a == b;
}

/* Where needle is in text, case aside for ASCII; NULL. */
static const char *
find_text(const char *text, size_t len, const char *needle, size_t n)
{
	size_t i, j;

	for (i = 0; n > 0 && i + n <= len; i++) {
		for (j = 0; j < n && same_letter(text[i + j], needle[j]); j++)
			continue;
		if (j == n)
			return text + i;
	}
	return NULL;
}

/* The first of the words that is in the text, else its beginning. */
static const char *
find_word(const struct find *f, size_t *n)
{
	const char *p = f->how->words, *found;

	if (f->how->substring) {
		*n = strlen(p);
		return find_text(f->text.data, f->text.len, p, *n);
	}
	while (*(p += strspn(p, " \t\r\n\"")) != '\0') {
		*n = strcspn(p, " \t\r\n\"");
		found = find_text(f->text.data, f->text.len, p, *n);
		if (found != NULL)
			return found;
		p += *n;
	}
	*n = 0;
	return f->text.data;
}

/* The text around a word, on one line, "..." where it is cut. */
static int
make_snippet(struct find *f, struct ctx_err *err)
{
	const char *begin = f->text.data, *end = begin + f->text.len, *p, *q;
	size_t n, i;

	ctx_buf_reset(&f->snippet);
	if (f->text.len == 0 || (p = find_word(f, &n)) == NULL)
		return 0;
	for (i = 0, q = p + n; i < SNIPPET && q < end; i++)
		q += ctx_utf8_step(q, (size_t)(end - q), NULL) + !ctx_utf8_step(
		    q, (size_t)(end - q), NULL);
	for (i = 0; i < SNIPPET && p > begin; i++)
		for (p--; p > begin && ((unsigned char)*p & 0xc0) == 0x80; p--)
			continue;
	if (p > begin)
		ctx_buf_adds(&f->snippet, "...");
	for (; p < q; p++)
		ctx_buf_addc(&f->snippet, (unsigned char)*p < ' ' ? ' ' : *p);
	if (q < end)
		ctx_buf_adds(&f->snippet, "...");
	return ctx_buf_fail(&f->snippet, err);
}

/* The message in q: thread, context, seq, turn, ts, mid, role, json, body. */
static int
give(struct find *f, sqlite3_stmt *q, struct ctx_err *err)
{
	struct ctx_hit h = { 0 };
	const char *s;

	if (line_of(f->st, q, 7, &f->line, err) == -1)
		return -1;
	ctx_buf_reset(&f->text);
	if (words_of(f->line.data, f->line.len, 0, &f->text, err) == -1)
		return -1;
	if (f->how->substring && find_text(f->text.data, f->text.len,
	    f->how->words, strlen(f->how->words)) == NULL)
		return 0;
	if (make_snippet(f, err) == -1)
		return -1;
	h.thread = (const char *)sqlite3_column_text(q, 0);
	h.context = (const char *)sqlite3_column_text(q, 1);
	h.message.seq = sqlite3_column_int64(q, 2);
	h.message.turn = sqlite3_column_int64(q, 3);
	h.message.ts = sqlite3_column_int64(q, 4);
	s = (const char *)sqlite3_column_text(q, 5);
	h.message.mid = s != NULL ? s : "";
	s = (const char *)sqlite3_column_text(q, 6);
	h.message.role = s != NULL ? s : "";
	h.message.raw = f->line.data;
	h.message.len = f->line.len;
	h.snippet = f->snippet.data;
	h.snippet_len = f->snippet.len;
	f->left--;
	return f->fn(&h, f->arg, err);
}

/* Message row id, if it is what is looked for. */
static int
look_at(struct find *f, int64_t id, const int64_t *thread,
    struct ctx_err *err)
{
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(f->st, err, "SELECT t.name, c.name, m.seq, m.turn,"
	    " m.ts, m.mid, m.role, m.json, m.body FROM message m"
	    " JOIN thread t ON t.id = m.thread"
	    " JOIN context c ON c.thread = m.thread AND c.id = m.context"
	    " WHERE m.id = ?1 AND (?2 IS NULL OR m.thread = ?2)"
	    " AND (?3 IS NULL OR m.role = ?3) AND m.ts >= ?4", "iosi", id,
	    thread, f->how->role, f->how->since);
	if (q == NULL || (rc = ctx_db_row(f->st, q, err)) == -1)
		return -1;
	if (rc == 1) {
		rc = give(f, q, err);
		sqlite3_reset(q);
	}
	return rc;
}

/* Rows of messages that may be hits, in the order in which they are given. */
static sqlite3_stmt *
candidates(struct find *f, struct ctx_err *err)
{
	if (f->how->substring)
		return ctx_db_query(f->st, err, "SELECT id FROM message"
		    " ORDER BY id DESC", "");
	if (f->how->rank)
		return ctx_db_query(f->st, err, "SELECT rowid FROM search"
		    " WHERE search MATCH ?1 ORDER BY rank", "t", f->query.data,
		    f->query.len);
	return ctx_db_query(f->st, err, "SELECT rowid FROM search WHERE search"
	    " MATCH ?1 ORDER BY rowid DESC", "t", f->query.data,
	    f->query.len);
}

static int
find_all(struct find *f, int64_t *missing, struct ctx_err *err)
{
	struct ctx_where w = { f->how->thread, NULL };
	struct ctx_ref ref;
	sqlite3_stmt *q;
	int rc;

	if (w.thread != NULL && ctx_thread_find(f->st, &w, &ref, err) == -1)
		return -1;
	if (ctx_db_int(f->st, missing, err, "SELECT count(*) FROM message"
	    " WHERE words < 2 AND words = 0", "") == -1 ||
	    (q = candidates(f, err)) == NULL)
		return -1;
	while (f->left > 0 && (rc = ctx_db_row(f->st, q, err)) == 1)
		if (look_at(f, sqlite3_column_int64(q, 0), w.thread != NULL ?
		    &ref.thread : NULL, err) == -1) {
			rc = -1;
			break;
		}
	sqlite3_reset(q);
	return f->left == 0 || rc == 0 ? 0 : -1;
}

int
ctx_search_find(struct ctx_store *st, const struct ctx_search *how,
    ctx_hit_fn *fn, void *arg, int64_t *missing, struct ctx_err *err)
{
	struct find f = { .st = st, .how = how, .fn = fn, .arg = arg,
	    .left = how->limit };
	int rc;

	*missing = 0;
	if (ctx_utf8_check(how->words, strlen(how->words)) !=
	    strlen(how->words))
		return ctx_fail(err, CTX_EUSAGE, "the words are not UTF-8");
	rc = how->substring ? *how->words != '\0' :
	    ctx_cut_query(&f.query, how->words, strlen(how->words));
	if (rc == 0)
		rc = ctx_fail(err, CTX_EUSAGE, "no words to look for");
	else if (rc == 1 && (rc = ctx_db_read(st, err)) == 0) {
		rc = find_all(&f, missing, err);
		ctx_db_read_end(st);
	}
	if (f.query.failed)
		rc = ctx_fail_nomem(err);
	ctx_buf_done(&f.query);
	ctx_buf_done(&f.line);
	ctx_buf_done(&f.text);
	ctx_buf_done(&f.snippet);
	return rc;
}
