/* SPDX-License-Identifier: MIT */
/* Add messages to the index of words; see index.h. */
#include "store/search/index.h"

#include <string.h>

#include "base/crc32c.h"
#include "store/body.h"
#include "store/search/called.h"
#include "store/search/fts.h"
#include "store/search/lex.h"
#include "store/search/query.h"
#include "store/search/text.h"
#include "store/search/trigram.h"

#define MISSING_MAX	10000	/* most messages counted as not indexed */
#define DAY		INT64_C(86400000000)	/* microseconds */
#define MONTH		32	/* days covered by one word */
#define MONTHS		300	/* most that a query names; 26 years */

/*
 * Get the texts of a line as that version of the cut does.  Returns 1 if it has
 * tools that are named by a type, 0, or -1.
 */
static int
take_words(const char *raw, size_t len, int cut, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	int rc = ctx_doc_scan(&doc, raw, len, err);

	if (rc == 0) {
		ctx_text_words(&doc, cut, out);
		rc = ctx_buf_fail(out, err);
	}
	if (rc == 0)
		rc = ctx_text_typed(&doc);
	ctx_doc_done(&doc);
	return rc;
}

int
ctx_index_words(const char *raw, size_t len, int cut, struct ctx_buf *out,
    struct ctx_err *err)
{
	return take_words(raw, len, cut, out, err) == -1 ? -1 : 0;
}

/* A time as a number of days; nothing was recorded before 1970. */
static int64_t
day_of(int64_t ts)
{
	return ts > 0 ? ts / DAY : 0;
}

/* Append a filter word: the mark, a letter, and at least so many digits. */
static void
add_filter(struct ctx_buf *out, char letter, uint64_t n, unsigned base,
    size_t digits)
{
	char word[24];
	size_t i = sizeof(word);

	while (n > 0 || sizeof(word) - i < digits) {
		word[--i] = "0123456789abcdef"[n % base];
		n /= base;
	}
	ctx_buf_adds(out, CTX_LEX_MARK);
	ctx_buf_addc(out, letter);
	ctx_buf_add(out, word + i, sizeof(word) - i);
}

static void
add_thread(struct ctx_buf *out, int64_t thread)
{
	add_filter(out, 't', (uint64_t)thread, 10, 1);
}

static void
add_role(struct ctx_buf *out, const char *role)
{
	add_filter(out, 'r', ctx_crc32c(0, role, strlen(role)), 16, 8);
}

static void
add_day(struct ctx_buf *out, int64_t day)
{
	add_filter(out, 'd', (uint64_t)day, 10, 9);
}

static void
add_month(struct ctx_buf *out, int64_t month)
{
	add_filter(out, 'm', (uint64_t)month, 10, 9);
}

static void
add_filters(struct ctx_buf *out, const struct ctx_index_line *m)
{
	ctx_buf_addc(out, '\n');
	add_thread(out, m->thread);
	ctx_buf_addc(out, ' ');
	add_role(out, m->role != NULL ? m->role : "");
	ctx_buf_addc(out, ' ');
	add_day(out, day_of(m->ts));
	ctx_buf_addc(out, ' ');
	add_month(out, day_of(m->ts) / MONTH);
}

void
ctx_index_of_threads(struct ctx_buf *out, const int64_t *thread, size_t n)
{
	size_t i;

	ctx_buf_adds(out, out->len > 0 ? " AND (" : "(");
	for (i = 0; i < n; i++) {
		ctx_buf_adds(out, i > 0 ? " OR \"" : "\"");
		add_thread(out, thread[i]);
		ctx_buf_addc(out, '"');
	}
	ctx_buf_addc(out, ')');
}

void
ctx_index_of_role(struct ctx_buf *out, const char *role)
{
	ctx_buf_adds(out, out->len > 0 ? " AND \"" : "\"");
	add_role(out, role);
	ctx_buf_addc(out, '"');
}

/* First the days of that month, then the months after it. */
int
ctx_index_since(struct ctx_store *st, struct ctx_buf *out, int64_t ts,
    struct ctx_err *err)
{
	int64_t day = day_of(ts), month = day / MONTH + 1;
	struct ctx_buf low = { 0 }, words = { 0 };
	const char *p;
	int i, n;

	add_month(&low, month);
	if (ctx_buf_str(&low) == NULL)
		return ctx_fail_nomem(err);
	n = ctx_query_words(st, low.data, CTX_LEX_MARK "m", MONTHS, &words,
	    err);
	if (n >= 0 && n <= MONTHS && ts > 0) {
		ctx_buf_adds(out, out->len > 0 ? " AND (" : "(");
		for (; day < month * MONTH; day++) {
			ctx_buf_addc(out, '"');
			add_day(out, day);
			ctx_buf_adds(out, day + 1 < month * MONTH ? "\" OR " :
			    "\"");
		}
		for (i = 0, p = words.data; i < n; i++, p += strlen(p) + 1) {
			ctx_buf_adds(out, " OR \"");
			ctx_buf_adds(out, p);
			ctx_buf_addc(out, '"');
		}
		ctx_buf_addc(out, ')');
	}
	ctx_buf_done(&low);
	ctx_buf_done(&words);
	return n == -1 ? -1 : ctx_buf_fail(out, err);
}

int
ctx_index_text(struct ctx_buf *out, const char *text, size_t len)
{
	size_t start = out->len;

	ctx_lex_text(out, text, len);
	if (!out->failed && out->len > start)
		ctx_lex_unmark(out->data + start, out->len - start);
	return ctx_lex_names(out, text, len);
}

int
ctx_index_made(const struct ctx_index_line *m, struct ctx_buf *words,
    struct ctx_buf *out, struct ctx_err *err)
{
	int typed = take_words(m->raw, m->len, m->cut, words, err);

	if (typed == -1)
		return -1;
	if (m->cut == 1)
		ctx_lex_text(out, words->data, words->len);
	else
		ctx_index_text(out, words->data, words->len);
	if (m->cut > 1)
		add_filters(out, m);
	return ctx_buf_fail(out, err) == -1 ? -1 : typed;
}

static int
write_row(struct ctx_store *st, int64_t row, const struct ctx_buf *text,
    int delete, struct ctx_err *err)
{
	return delete ? ctx_fts_remove(st, CTX_FTS_WORDS, row, text, err) :
	    ctx_fts_add(st, CTX_FTS_WORDS, row, text, err);
}

int
ctx_index_change(struct ctx_store *st, int64_t row, const char *text,
    size_t len, int delete, struct ctx_err *err)
{
	struct ctx_buf cut = { 0 };
	int rc = -1;

	ctx_index_text(&cut, text, len);
	if (ctx_buf_fail(&cut, err) == 0)
		rc = write_row(st, row, &cut, delete, err);
	ctx_buf_done(&cut);
	return rc;
}

static int
change(struct ctx_store *st, const struct ctx_index_line *m, int delete,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 }, words = { 0 };
	int rc = ctx_index_made(m, &words, &text, err);

	if (rc == 1)
		rc = ctx_called_typed(st, m->id, delete, err);
	if (rc == 0)
		rc = write_row(st, m->id, &text, delete, err);
	if (rc == 0 && m->cut >= CTX_INDEX_FULL)
		rc = ctx_trigram_change(st, m->id, &words, delete, err);
	ctx_buf_done(&words);
	ctx_buf_done(&text);
	return rc;
}

int
ctx_index_add(struct ctx_store *st, const struct ctx_index_line *m,
    struct ctx_err *err)
{
	return change(st, m, 0, err);
}

int
ctx_index_line_of(struct ctx_store *st, sqlite3_stmt *q, int col,
    struct ctx_buf *out, struct ctx_err *err)
{
	ctx_buf_reset(out);
	return ctx_body_line(st, q, col, out, err);
}

#define COLUMNS "SELECT id, thread, ts, words, role, " CTX_BODY_LINE \
	" FROM message"

/* Fill in the message in q, which has COLUMNS; line holds its text. */
static int
fill(struct ctx_store *st, sqlite3_stmt *q, struct ctx_index_line *m,
    struct ctx_buf *line, struct ctx_err *err)
{
	if (ctx_index_line_of(st, q, 5, line, err) == -1)
		return -1;
	m->id = sqlite3_column_int64(q, 0);
	m->thread = sqlite3_column_int64(q, 1);
	m->ts = sqlite3_column_int64(q, 2);
	m->cut = sqlite3_column_int(q, 3);
	m->role = (const char *)sqlite3_column_text(q, 4);
	m->raw = line->data;
	m->len = line->len;
	return 0;
}

int
ctx_index_forget(struct ctx_store *st, int64_t thread, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	struct ctx_index_line m;
	sqlite3_stmt *q;
	int rc = ctx_fts_forget(st, CTX_FTS_MESSAGES, thread, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	q = ctx_db_query(st, err, COLUMNS " WHERE thread = ?1 AND context IN"
	    " temp.gone AND words <> 0", "i", thread);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1)
		if ((rc = fill(st, q, &m, &line, err)) == 0)
			rc = change(st, &m, 1, err);
	ctx_buf_done(&line);
	return rc;
}

int
ctx_index_each(struct ctx_store *st, ctx_index_fn *fn, void *arg,
    struct ctx_err *err)
{
	struct ctx_buf line = { 0 }, words = { 0 }, text = { 0 };
	struct ctx_index_line m;
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_many(st, err, COLUMNS " WHERE words <> 0", "");
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		ctx_buf_reset(&words);
		ctx_buf_reset(&text);
		if ((rc = fill(st, q, &m, &line, err)) == 0 &&
		    (rc = m.typed = ctx_index_made(&m, &words, &text,
		    err)) != -1)
			rc = fn(&m, &text, &words, arg, err);
	}
	ctx_buf_done(&line);
	ctx_buf_done(&words);
	ctx_buf_done(&text);
	return rc;
}

/* Take a message out of the index and add it in its new form, if it is there. */
static int
renew(struct ctx_store *st, int64_t id, struct ctx_buf *line,
    struct ctx_err *err)
{
	struct ctx_index_line m;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, COLUMNS " WHERE id = ?1", "i", id);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	rc = fill(st, q, &m, line, err);
	if (rc == 0 && m.cut != 0)
		rc = change(st, &m, 1, err);
	m.cut = CTX_INDEX_CUT;
	if (rc == 0)
		rc = change(st, &m, 0, err);
	sqlite3_reset(q);
	if (rc == -1)
		return -1;
	return ctx_db_run(st, err, "UPDATE message SET words = ?2 WHERE"
	    " id = ?1", "ii", id, (int64_t)CTX_INDEX_CUT);
}

/* Index up to CTX_INDEX_BATCH messages.  Returns their number, or -1. */
static int
index_some(struct ctx_store *st, struct ctx_buf *line, struct ctx_err *err)
{
	int64_t id[CTX_INDEX_BATCH];
	/* The 2 below is CTX_INDEX_FULL. */
	int i, n = ctx_db_hold_rows(st, ctx_db_query(st, err, "SELECT id,"
	    " thread FROM message WHERE words < 2 LIMIT ?1", "i",
	    (int64_t)CTX_INDEX_BATCH), id, CTX_INDEX_BATCH, err);

	for (i = 0; i < n; i++)
		if (renew(st, id[i], line, err) == -1)
			return -1;
	return n;
}

int
ctx_index_all(struct ctx_store *st, int64_t *n, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	int some;

	*n = 0;
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

int
ctx_index_missing(struct ctx_store *st, int64_t *n, struct ctx_err *err)
{
	return ctx_db_int(st, n, err, "SELECT count(*) FROM (SELECT 1 FROM"
	    " message WHERE words < 2 AND words = 0 LIMIT ?1) t", "i",
	    (int64_t)MISSING_MAX) == -1 ? -1 : 0;
}

int
ctx_index_merge(struct ctx_store *st, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, ctx_fts_merge(st, CTX_FTS_WORDS, err) == 0 &&
	    ctx_trigram_merge(st, err) == 0, err);
}
