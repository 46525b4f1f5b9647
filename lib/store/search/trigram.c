/* SPDX-License-Identifier: MIT */
/* The index of texts by three characters; see trigram.h. */
#include "store/search/trigram.h"

#include <string.h>

#include "base/utf8.h"
#include "store/body.h"
#include "store/search/fts.h"
#include "store/search/index.h"

#define TERMS	32	/* most that a query has */

int
ctx_trigram_from(struct ctx_store *st, int64_t *row, struct ctx_err *err)
{
	int rc;

	if (st->trigram == CTX_DB_UNKNOWN) {
		rc = ctx_db_int(st, row, err, "SELECT value FROM meta WHERE"
		    " key = 'trigram'", "");
		if (rc == -1)
			return -1;
		st->trigram = rc == 1 ? *row : CTX_DB_NONE;
	}
	*row = st->trigram;
	return st->trigram != CTX_DB_NONE;
}

static int
set_from(struct ctx_store *st, int64_t row, struct ctx_err *err)
{
	st->trigram = row;
	return ctx_db_run(st, err, "INSERT INTO meta VALUES('trigram', ?1)"
	    " ON CONFLICT(key) DO UPDATE SET value = excluded.value", "i", row);
}

void
ctx_trigram_text(struct ctx_buf *text)
{
	char *p = text->data;

	while (p != NULL && (p = memchr(p, '\0',
	    (size_t)(text->data + text->len - p))) != NULL)
		*p = ' ';
}

static int
write_row(struct ctx_store *st, int64_t row, struct ctx_buf *text, int delete,
    struct ctx_err *err)
{
	ctx_trigram_text(text);
	return delete ? ctx_fts_remove(st, CTX_FTS_TRIGRAMS, row, text, err) :
	    ctx_fts_add(st, CTX_FTS_TRIGRAMS, row, text, err);
}

int
ctx_trigram_change(struct ctx_store *st, int64_t row, struct ctx_buf *text,
    int delete, struct ctx_err *err)
{
	int64_t from;
	int rc = ctx_trigram_from(st, &from, err);

	if (rc != 1 || row < from)
		return rc == -1 ? -1 : 0;
	return write_row(st, row, text, delete, err);
}

int
ctx_trigram_empty(struct ctx_store *st, struct ctx_err *err)
{
	int64_t from;
	int rc = ctx_trigram_from(st, &from, err);

	return rc != 1 ? rc : ctx_fts_empty(st, CTX_FTS_TRIGRAMS, err);
}

int
ctx_trigram_merge(struct ctx_store *st, struct ctx_err *err)
{
	int64_t from;
	int rc = ctx_trigram_from(st, &from, err);

	return rc != 1 ? rc : ctx_fts_merge(st, CTX_FTS_TRIGRAMS, err);
}

/* --- making it --------------------------------------------------- */

static int
create(struct ctx_store *st, struct ctx_err *err)
{
	int64_t last = 0;

	if (ctx_fts_make_trigrams(st, err) == -1 || ctx_db_int(st, &last, err,
	    "SELECT max(id) FROM message", "") == -1)
		return -1;
	return set_from(st, last + 1, err);
}

static int
add_line(struct ctx_store *st, sqlite3_stmt *q, struct ctx_buf *line,
    struct ctx_err *err)
{
	struct ctx_buf text = { 0 };
	int rc = ctx_index_line_of(st, q, 2, line, err);

	if (rc == 0)
		rc = ctx_index_words(line->data, line->len,
		    sqlite3_column_int(q, 1), &text, err);
	if (rc == 0)
		rc = write_row(st, sqlite3_column_int64(q, 0), &text, 0, err);
	ctx_buf_done(&text);
	return rc;
}

/*
 * Add the next messages below *from, and move it down.  FTS5 takes rows in
 * ascending order; each that is not begins a segment.  Returns how many.
 */
static int
add_some(struct ctx_store *st, int64_t *from, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	int64_t low = 0, id[CTX_INDEX_BATCH];
	sqlite3_stmt *q;
	int n = 0, rc = 0;

	if (ctx_db_int(st, &low, err, "SELECT min(id) FROM (SELECT id FROM"
	    " message WHERE id < ?1 ORDER BY id DESC LIMIT ?2) t", "ii", *from,
	    (int64_t)CTX_INDEX_BATCH) == -1 || ctx_db_hold_rows(st,
	    ctx_db_query(st, err, "SELECT id, thread FROM message WHERE id >="
	    " ?1 AND id < ?2", "ii", low, *from), id, CTX_INDEX_BATCH,
	    err) == -1)
		return -1;
	q = ctx_db_query(st, err, "SELECT id, words, " CTX_BODY_LINE " FROM"
	    " message WHERE id >= ?1 AND id < ?2 AND words >= ?3 ORDER BY id",
	    "iii", low, *from, (int64_t)CTX_INDEX_FULL);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		rc = add_line(st, q, &line, err);
		n++;
	}
	ctx_buf_done(&line);
	*from = low > 1 ? low : 0;
	return rc == -1 || set_from(st, *from, err) == -1 ? -1 : n;
}

/* Returns 1 if there is more to do, 0, or -1. */
static int
make_some(struct ctx_store *st, int64_t *n, struct ctx_err *err)
{
	int64_t from = 0;
	int rc = ctx_trigram_from(st, &from, err), some;

	/* a server locks a table for this, so threads are held after it */
	if (rc == 0)
		return create(st, err) == -1 ? -1 : 1;
	if (rc == -1)
		return -1;
	if (from == 0)
		return 0;
	if ((some = add_some(st, &from, err)) == -1)
		return -1;
	*n += some;
	return from > 0;
}

int
ctx_trigram_make(struct ctx_store *st, int64_t *n, struct ctx_err *err)
{
	int64_t before;
	int more;

	*n = 0;
	do {
		before = *n;
		if (ctx_db_begin(st, err) == -1)
			return -1;
		more = make_some(st, n, err);
		if (ctx_db_end(st, more != -1, err) == -1) {
			*n = before;
			return -1;
		}
	} while (more == 1);
	return 0;
}

int
ctx_trigram_drop(struct ctx_store *st, struct ctx_err *err)
{
	int64_t from;
	int rc;

	if (ctx_db_begin(st, err) == -1)
		return -1;
	rc = ctx_trigram_from(st, &from, err);
	if (rc == 1) {
		rc = ctx_db_exec(st, "DROP TABLE trigram;"
		    "DELETE FROM meta WHERE key = 'trigram'", err);
		st->trigram = CTX_DB_UNKNOWN;
	}
	return ctx_db_end(st, rc == 0, err);
}

/* --- a query ------------------------------------------------------ */

static void
add_term(struct ctx_buf *expr, const char *text, size_t len)
{
	size_t i;

	ctx_buf_adds(expr, expr->len > 0 ? " AND \"" : "\"");
	for (i = 0; i < len; i++) {
		if (text[i] == '"')
			ctx_buf_addc(expr, '"');
		ctx_buf_addc(expr, text[i]);
	}
	ctx_buf_addc(expr, '"');
}

int
ctx_trigram_query(const char *needle, struct ctx_buf *expr)
{
	size_t len = strlen(needle), i = 0, n, step[3], k = 0;
	int terms = 0;

	/* step has the lengths of the last three characters */
	while (i < len && terms < TERMS &&
	    (n = ctx_utf8_step(needle + i, len - i, NULL)) > 0) {
		i += n;
		step[k++ % 3] = n;
		if (k < 3)
			continue;
		n = step[0] + step[1] + step[2];
		add_term(expr, needle + i - n, n);
		terms++;
	}
	return terms > 0;
}
