/* SPDX-License-Identifier: MIT */
/* Find messages by words; see search.h. */
#include "store/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "store/search/called.h"
#include "store/search/fts.h"
#include "store/search/index.h"
#include "store/search/note_find.h"
#include "store/search/score.h"
#include "store/search/snippet.h"
#include "store/search/trigram.h"

/*
 * How much is examined for the wide parts of a query (query.h) before the
 * index is queried for all parts.
 */
#define PEEK		300	/* messages */
#define PEEK_BYTES	(2u << 20)

/*
 * Threads of at most SMALL messages are read to be ranked.  With wide parts, or
 * if they are too many for a query, those of at most this share of the store
 * are read in any case: the index has the words of all threads, and all places
 * of those with a prefix would be read.
 */
#define SMALL		1000
#define SHARE		8

/*
 * Of all matches, so many more than are wanted are sorted at first: to sort all
 * of them takes longer than to rank them.
 */
#define BEST		200

#define ALL		1000000000	/* messages; a store has no more */

/* What a server is first asked for: numbers of messages, and messages. */
#define FIRST		4096
#define BATCH		64

/* The state of one search. */
struct find {
	struct ctx_store *st;
	const struct ctx_search *how;
	struct ctx_query query;
	struct ctx_among among;
	struct ctx_called called;
	struct ctx_buf line, text, cut, snippet;
	struct ctx_found found;		/* notes */
	size_t given;			/* of them, passed to fn */
	ctx_hit_fn *fn;
	void *arg;
	int64_t left, looked;
	int small;			/* these are; see SMALL */
	int peek;			/* examine texts for the wide parts */
	int64_t peeked;
	uint64_t peeked_bytes;
	int64_t *next;			/* messages to be looked at */
	size_t nnext, next_cap;
};

/* May the text of what was found not match? */
static int
in_doubt(const struct find *f)
{
	return f->peek || (!ctx_fts_exact() && !f->how->rank &&
	    f->how->like == NULL);
}

/* Does the text of the message in q match?  Returns 1, 0, or -1. */
static int
text_fits(struct find *f, sqlite3_stmt *q, struct ctx_err *err)
{
	if (ctx_index_line_of(f->st, q, 7, &f->line, err) == -1)
		return -1;
	ctx_buf_reset(&f->text);
	if (ctx_index_words(f->line.data, f->line.len, CTX_INDEX_CUT,
	    &f->text, err) == -1)
		return -1;
	if (f->how->substring)
		return ctx_snippet_find(f->text.data, f->text.len,
		    f->how->words, strlen(f->how->words)) != NULL;
	if (!in_doubt(f))
		return 1;
	f->peeked_bytes += f->line.len;
	ctx_buf_reset(&f->cut);
	ctx_index_text(&f->cut, f->text.data, f->text.len);
	if (ctx_buf_fail(&f->cut, err) == -1)
		return -1;
	return ctx_query_holds(&f->query, f->small || !ctx_fts_exact(),
	    f->cut.data != NULL ? f->cut.data : "", f->cut.len, err);
}

/*
 * Pass on the notes that are not older than since, as far as the limit allows.
 */
static int
give_notes(struct find *f, int64_t since, struct ctx_err *err)
{
	const struct ctx_found_note *note;

	while (f->given < f->found.n && f->left > 0) {
		note = &f->found.note[f->given];
		if (note->ts < since)
			break;
		if (ctx_note_give(f->st, f->how, note->id, f->fn, f->arg,
		    err) == -1)
			return -1;
		f->given++;
		f->left--;
	}
	return 0;
}

/*
 * Pass on the message in q, whose columns are thread, context, seq, turn, ts,
 * mid, role, json, body, the rows of the first two, and seq again.
 */
static int
give(struct find *f, sqlite3_stmt *q, struct ctx_err *err)
{
	struct ctx_hit h = { .kind = "message" };
	const char *s;
	int rc;

	if ((rc = text_fits(f, q, err)) != 1)
		return rc;
	h.ts = sqlite3_column_int64(q, 4);
	if (!f->how->rank && f->how->like == NULL &&
	    give_notes(f, h.ts, err) == -1)
		return -1;
	if (f->left == 0)
		return 0;
	h.thread = (const char *)sqlite3_column_text(q, 0);
	h.context = (const char *)sqlite3_column_text(q, 1);
	h.message.seq = sqlite3_column_int64(q, 2);
	h.message.turn = sqlite3_column_int64(q, 3);
	h.message.ts = h.ts;
	s = (const char *)sqlite3_column_text(q, 5);
	h.message.mid = s != NULL ? s : "";
	s = (const char *)sqlite3_column_text(q, 6);
	h.message.role = s != NULL ? s : "";
	h.message.raw = f->line.data;
	h.message.len = f->line.len;
	h.row.thread = sqlite3_column_int64(q, 9);
	h.row.context = sqlite3_column_int64(q, 10);
	if (f->how->accept != NULL &&
	    (rc = f->how->accept(&h, f->how->accept_arg, err)) != 1)
		return rc;
	if (ctx_snippet_make(&f->snippet, f->text.data, f->text.len,
	    f->how->words, f->how->substring) == -1)
		return ctx_fail_nomem(err);
	h.snippet = f->snippet.data;
	h.snippet_len = f->snippet.len;
	f->left--;
	return f->fn(&h, f->arg, err);
}

/* A message's row, as give takes it, and its number. */
#define ROW	"SELECT t.name, c.name, m.seq, m.turn, m.ts, m.mid, m.role," \
	" m.json, m.body, m.thread, m.context, m.seq, m.id FROM message m" \
	" JOIN thread t ON t.id = m.thread" \
	" JOIN context c ON c.thread = m.thread AND c.id = m.context"
#define WANTED	" (?2 IS NULL OR m.role = ?2) AND m.ts >= ?3"

/*
 * The rows of those of n messages that are wanted and may have the tool, in
 * that order.  Returns 1, 0 if there are none, or -1.
 */
static int
ask_together(struct find *f, const int64_t *id, size_t n, sqlite3_stmt **q,
    struct ctx_err *err)
{
	struct ctx_buf list = { 0 };
	size_t i;
	int rc = 0;

	for (i = 0; i < n && rc != -1; i++)
		if ((rc = ctx_called_may(&f->called, id[i], err)) == 1)
			ctx_buf_addf(&list, "%c%lld", list.len == 0 ? '{' :
			    ',', (long long)id[i]);
	if (rc != -1 && (rc = list.len > 0)) {
		ctx_buf_addc(&list, '}');
		if ((rc = ctx_buf_fail(&list, err)) == 0) {
			*q = ctx_db_query(f->st, err, ROW " JOIN"
			    " unnest(?1::text::bigint[]) WITH ORDINALITY AS"
			    " u(id, n) ON u.id = m.id WHERE" WANTED " ORDER BY"
			    " u.n", "tsi", list.data, list.len, f->how->role,
			    f->how->since);
			rc = ctx_db_row(f->st, *q, err);
		}
	}
	ctx_buf_done(&list);
	return rc;
}

static int
ask(struct find *f, const int64_t *id, size_t n, sqlite3_stmt **q,
    struct ctx_err *err)
{
	int rc;

	*q = NULL;
	if (ctx_db_batch() > 1)
		return ask_together(f, id, n, q, err);
	if ((rc = ctx_called_may(&f->called, *id, err)) != 1)
		return rc;
	*q = ctx_db_query(f->st, err, ROW " WHERE m.id = ?1 AND" WANTED, "isi",
	    *id, f->how->role, f->how->since);
	return ctx_db_row(f->st, *q, err);
}

/*
 * Examine the messages that were gathered, as far as the limit allows; *below
 * gets the last one.  Returns 1 if enough were examined, 0, or -1.
 */
static int
look_at(struct find *f, int64_t *below, struct ctx_err *err)
{
	size_t i, n = f->nnext;
	sqlite3_stmt *q;
	int row = ask(f, f->next, n, &q, err), rc = row == -1 ? -1 : 0;

	f->nnext = 0;
	for (i = 0; i < n && f->left > 0 && rc == 0; i++) {
		*below = f->next[i];
		f->looked++;
		if (row == 1 && sqlite3_column_int64(q, 12) == *below) {
			rc = ctx_among_has(&f->among,
			    sqlite3_column_int64(q, 9)) ? give(f, q, err) : 0;
			if (rc == 0 && i + 1 < n &&
			    (row = ctx_db_row(f->st, q, err)) == -1)
				rc = -1;
		}
		if (rc == 0 && f->peek && !f->small)
			rc = ++f->peeked >= PEEK ||
			    f->peeked_bytes >= PEEK_BYTES;
	}
	if (row == 1)
		sqlite3_reset(q);
	return rc;
}

/*
 * Gather a message, and examine those that were if they are as many as are
 * asked for at once, the first time a few.  Returns as look_at.
 */
static int
look_later(struct find *f, int64_t id, int64_t *below, struct ctx_err *err)
{
	size_t max = ctx_db_batch(), size = f->looked == 0 ? BATCH : max;

	if (CTX_ROOM(f->next, f->nnext, &f->next_cap) == -1)
		return ctx_fail_nomem(err);
	f->next[f->nnext++] = id;
	if (f->looked == 0 && f->left > BATCH)
		size = f->left < (int64_t)max ? (size_t)f->left : max;
	return f->nnext < size && f->nnext < max ? 0 : look_at(f, below, err);
}

/*
 * Examine the rows of q; *below gets the last one.  Returns 1 if enough were
 * examined, 0, or -1.
 */
static int
look_at_all(struct find *f, sqlite3_stmt *q, int64_t *below,
    struct ctx_err *err)
{
	int row = 1, rc = 0;

	f->nnext = 0;
	while (f->left > 0 && rc == 0 &&
	    (row = ctx_db_row(f->st, q, err)) == 1)
		rc = look_later(f, sqlite3_column_int64(q, 0), below, err);
	if (row == 1)
		sqlite3_reset(q);
	if (row == 0 && f->nnext > 0)
		rc = look_at(f, below, err);
	return row == -1 ? -1 : rc;
}

/* Are there messages that are indexed without words for filters? */
static int
has_old(struct find *f, struct ctx_err *err)
{
	int64_t old;

	return ctx_db_int(f->st, &old, err, "SELECT 1 FROM message WHERE"
	    " words < 2 AND words = 1 LIMIT 1", "");
}

/* Add the filters, if all messages are indexed with their words. */
static int
add_filters(struct find *f, struct ctx_buf *expr, struct ctx_err *err)
{
	int rc = has_old(f, err);

	if (rc != 0)
		return rc == 1 ? 0 : -1;
	ctx_among_filter(&f->among, expr);
	if (f->how->role != NULL)
		ctx_index_of_role(expr, f->how->role);
	return f->how->since == INT64_MIN ? 0 :
	    ctx_index_since(f->st, expr, f->how->since, err);
}

/* Examine the rows of a list, the best first. */
static int
look_at_ranked(struct find *f, const struct ctx_rank *r, struct ctx_err *err)
{
	int64_t last;
	size_t i;
	int rc = 0;

	f->nnext = 0;
	for (i = 0; i < r->n && f->left > 0 && rc == 0; i++)
		rc = look_later(f, r->hit[i].id, &last, err);
	if (rc == 0 && f->left > 0 && f->nnext > 0)
		rc = look_at(f, &last, err);
	return rc;
}

/* Examine all messages of the threads, the newest first. */
static int
read_threads(struct find *f, int indexed, struct ctx_err *err)
{
	struct ctx_rank r = { 0 };
	int rc = ctx_among_rows(&f->among, f->st, indexed, &r, err);

	ctx_rank_sort(&r);
	if (rc == 0)
		rc = look_at_ranked(f, &r, err);
	ctx_rank_done(&r);
	return rc;
}

/* The next n messages, or all for -1, that a query of the index finds. */
static sqlite3_stmt *
matching(struct find *f, const struct ctx_buf *expr, int64_t below, int64_t n,
    struct ctx_err *err)
{
	if (ctx_fts_exact() || f->how->since == INT64_MIN)
		return ctx_db_query(f->st, err, "SELECT rowid FROM search"
		    " WHERE search MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC"
		    " LIMIT ?3", "tii", expr->data, expr->len, below, n);
	return ctx_db_query(f->st, err, "SELECT rowid FROM search s WHERE"
	    " s.search MATCH ?1 AND rowid < ?2 AND EXISTS (SELECT 1 FROM"
	    " message m WHERE m.thread = s.thread AND m.id = s.rowid AND m.ts"
	    " >= ?4) ORDER BY rowid DESC LIMIT ?3", "tiii", expr->data,
	    expr->len, below, n, f->how->since);
}

/*
 * Examine what a query of the index finds.  A server is first asked for what
 * is probably enough: all that it finds would be sent.
 */
static int
look_at_matching(struct find *f, const struct ctx_buf *expr, int64_t *below,
    struct ctx_err *err)
{
	int64_t n = ctx_db_batch() == 1 || f->left > FIRST ? -1 : FIRST;
	int rc;

	f->looked = 0;
	rc = look_at_all(f, matching(f, expr, *below, n, err), below, err);
	if (rc != 0 || n == -1 || f->looked < n)
		return rc;
	return look_at_all(f, matching(f, expr, *below, -1, err), below, err);
}

/*
 * The newest first: examine those found by the parts that are not wide, as
 * long as that yields hits, then query for all parts.
 */
static int
find_newest(struct find *f, struct ctx_buf *expr, struct ctx_err *err)
{
	int64_t below = CTX_NOTE_TEXT;
	int rc;

	f->peek = f->query.wide > 0 || f->small;
	if (f->small)
		return read_threads(f, 1, err);
	ctx_query_all(&f->query, 0, expr);
	if (add_filters(f, expr, err) == -1 || ctx_buf_fail(expr, err) == -1)
		return -1;
	rc = expr->len > 0 ? look_at_matching(f, expr, &below, err) :
	    look_at_all(f, ctx_db_query(f->st, err, "SELECT id FROM message"
	    " WHERE words <> 0 ORDER BY id DESC LIMIT ?1", "i", (int64_t)PEEK),
	    &below, err);
	if (rc != 1 || f->left == 0)
		return rc == -1 ? -1 : 0;
	f->peek = 0;
	ctx_buf_reset(expr);
	ctx_query_all(&f->query, 1, expr);
	if (add_filters(f, expr, err) == -1 || ctx_buf_fail(expr, err) == -1)
		return -1;
	return look_at_matching(f, expr, &below, err);
}

/* Rank the messages of the threads with all words. */
static int
rank_threads(struct find *f, struct ctx_rank *r, struct ctx_err *err)
{
	int rc = f->small || f->among.n > CTX_AMONG_FILTER ? 1 :
	    has_old(f, err);

	if (rc != -1)
		rc = ctx_score_threads(&f->query, &f->among, rc, r, err);
	ctx_rank_sort(r);
	return rc;
}

static int
find_best_in_threads(struct find *f, struct ctx_err *err)
{
	struct ctx_rank r = { 0 };
	int rc = rank_threads(f, &r, err);

	if (rc == 0)
		rc = look_at_ranked(f, &r, err);
	ctx_rank_done(&r);
	return rc;
}

/* The best first; among equals, the newest first. */
static int
find_best(struct find *f, struct ctx_buf *expr, struct ctx_err *err)
{
	int64_t from = 0, n = f->left < INT64_MAX - BEST ? f->left + BEST :
	    INT64_MAX, last;
	int rc = 0;

	if (!f->among.all || !ctx_fts_exact())
		return find_best_in_threads(f, err);
	ctx_query_all(&f->query, 1, expr);
	if (ctx_buf_fail(expr, err) == -1)
		return -1;
	/* the first ones, then the rest */
	for (; from != INT64_MAX && f->left > 0 && rc == 0; n = INT64_MAX) {
		f->looked = 0;
		rc = look_at_all(f, ctx_db_query(f->st, err, "SELECT rowid"
		    " FROM search WHERE search MATCH ?1 AND rowid < ?2"
		    " ORDER BY rank, rowid DESC LIMIT ?3 OFFSET ?4", "tiii",
		    expr->data, expr->len, CTX_NOTE_TEXT, n, from), &last,
		    err);
		from = f->looked == n ? from + n : INT64_MAX;
	}
	return rc;
}

/* Add the rows that the words find, the best first. */
static int
add_best(struct find *f, struct ctx_buf *expr, struct ctx_rank *r,
    struct ctx_err *err)
{
	const size_t most = ctx_search_most(f->how);
	struct ctx_rank_hit h = { 0 };
	sqlite3_stmt *q;
	int rc = 0;

	if (!f->among.all || !ctx_fts_exact()) {
		rc = rank_threads(f, r, err);
		if (r->n > most)
			r->n = most;
		return rc;
	}
	ctx_query_all(&f->query, 1, expr);
	if (add_filters(f, expr, err) == -1 || ctx_buf_fail(expr, err) == -1)
		return -1;
	q = ctx_db_query(f->st, err, "SELECT rowid FROM search WHERE search"
	    " MATCH ?1 AND rowid < ?2 ORDER BY rank, rowid DESC LIMIT ?3",
	    "tii", expr->data, expr->len, CTX_NOTE_TEXT, (int64_t)most);
	while ((rc = ctx_db_next(f->st, q, rc, err)) == 1) {
		h.id = sqlite3_column_int64(q, 0);
		rc = ctx_rank_add(r, &h, err);
	}
	return rc;
}

/*
 * Merge the messages that the words find with those of how->like, the best
 * first.
 */
static int
find_like(struct find *f, struct ctx_buf *expr, struct ctx_err *err)
{
	struct ctx_rank r = { 0 };
	int rc = f->how->only_like ? 0 : add_best(f, expr, &r, err);

	if (rc == 0)
		rc = ctx_rank_fuse(&r, f->how->like, err);
	if (rc == 0)
		rc = look_at_ranked(f, &r, err);
	ctx_rank_done(&r);
	return rc;
}

/* Examine all messages below a row, the newest first. */
static int
read_below(struct find *f, int64_t *below, struct ctx_err *err)
{
	return look_at_all(f, ctx_db_query(f->st, err, "SELECT id FROM message"
	    " WHERE id < ?1 AND ts >= ?2 ORDER BY id DESC", "ii", *below,
	    f->how->since), below, err);
}

/*
 * The index has the messages from row from on.  What is frequent is found in
 * the newest, which are read before it is asked; then what it finds, or does
 * not have, is examined, and then the rest.
 */
static int
find_by_trigrams(struct find *f, const struct ctx_buf *expr, int64_t from,
    struct ctx_err *err)
{
	int64_t below = CTX_NOTE_TEXT, last;
	int rc;

	f->peek = 1;
	rc = read_below(f, &below, err);
	f->peek = 0;
	if (rc != 1 || f->left == 0)
		return rc;
	rc = look_at_all(f, ctx_db_query(f->st, err, "SELECT rowid FROM trigram"
	    " WHERE trigram MATCH ?1 AND rowid < ?3 UNION ALL SELECT id FROM"
	    " message WHERE words < 2 AND id >= ?2 AND id < ?3 ORDER BY 1"
	    " DESC", "tii", expr->data, expr->len, from, below), &last, err);
	if (below > from)
		below = from;
	return rc == -1 ? -1 : read_below(f, &below, err);
}

static int
find_substring(struct find *f, struct ctx_err *err)
{
	struct ctx_buf expr = { 0 };
	int64_t from, below = CTX_NOTE_TEXT;
	int rc;

	if (!f->among.all)
		return read_threads(f, 0, err);
	rc = ctx_trigram_from(f->st, &from, err);
	if (rc == 1)
		rc = ctx_trigram_query(f->how->words, &expr);
	if (rc != -1 && ctx_buf_fail(&expr, err) == -1)
		rc = -1;
	if (rc != -1)
		rc = rc == 1 ? find_by_trigrams(f, &expr, from, err) :
		    read_below(f, &below, err);
	ctx_buf_done(&expr);
	return rc;
}

static int
find_messages(struct find *f, struct ctx_err *err)
{
	struct ctx_buf expr = { 0 };
	int rc;

	if (f->how->substring)
		return find_substring(f, err);
	rc = f->how->like != NULL ? find_like(f, &expr, err) :
	    f->how->rank ? find_best(f, &expr, err) :
	    find_newest(f, &expr, err);
	ctx_buf_done(&expr);
	return rc;
}

/* Count what a search cannot find; a substring search sees everything. */
static int
count_missing(struct find *f, int64_t *missing, struct ctx_err *err)
{
	if (f->how->substring)
		return 0;
	if ((f->how->in & CTX_IN_MESSAGES) &&
	    ctx_index_missing(f->st, missing, err) == -1)
		return -1;
	if (*missing > 0 || f->how->in == CTX_IN_MESSAGES)
		return 0;
	return ctx_db_int(f->st, missing, err, "SELECT count(*) FROM note"
	    " WHERE words = 0", "") == -1 ? -1 : 0;
}

/* Are the threads small enough to be read rather than looked up? */
static int
see_size(struct find *f, struct ctx_err *err)
{
	int many = f->query.wide > 0 || f->among.n > CTX_AMONG_FILTER;
	int64_t left = SMALL, n;
	size_t i;

	if (f->among.all || f->how->substring || !(many || f->how->rank))
		return 0;
	if (many && ctx_db_int(f->st, &left, err,
	    "SELECT max(id) / ?1 FROM message", "i", (int64_t)SHARE) == -1)
		return -1;
	for (i = 0; i < f->among.n && left >= 0; i++) {
		if (ctx_db_int(f->st, &n, err, "SELECT count(*) FROM (SELECT 1"
		    " FROM message WHERE thread = ?1 LIMIT ?2) t", "ii",
		    f->among.id[i], left + 1) == -1)
			return -1;
		left -= n;
	}
	f->small = left >= 0;
	return 0;
}

size_t
ctx_search_most(const struct ctx_search *how)
{
	if (how->role != NULL || how->since != INT64_MIN || how->tool != NULL ||
	    how->limit > ALL)
		return ALL;
	return how->limit > CTX_SEARCH_BEST ? (size_t)how->limit :
	    CTX_SEARCH_BEST;
}

static int
find_all(struct find *f, int64_t *missing, struct ctx_err *err)
{
	int rc;

	if (ctx_among_make(&f->among, f->st, f->how->thread, f->how->nthread,
	    err) == -1)
		return -1;
	if (!f->how->substring && (rc = ctx_query_make(&f->query, f->st,
	    f->how->words, err)) != 1)
		return rc == -1 ? -1 :
		    ctx_fail(err, CTX_EUSAGE, "no words to search for");
	if (see_size(f, err) == -1 || count_missing(f, missing, err) == -1)
		return -1;
	if (!f->among.all && f->among.n == 0)
		return 0;
	if (f->how->in != CTX_IN_MESSAGES && ctx_note_find(f->st, f->how,
	    &f->query, &f->among, &f->found, err) == -1)
		return -1;
	if ((f->how->in & CTX_IN_MESSAGES) && find_messages(f, err) == -1)
		return -1;
	return give_notes(f, INT64_MIN, err);
}

int
ctx_search_find(struct ctx_store *st, const struct ctx_search *how,
    ctx_hit_fn *fn, void *arg, int64_t *missing, struct ctx_err *err)
{
	struct find f = { .st = st, .how = how, .fn = fn, .arg = arg,
	    .left = how->limit, .called = { .st = st, .tool = how->tool } };
	int rc;

	*missing = 0;
	if (ctx_utf8_check(how->words, strlen(how->words)) !=
	    strlen(how->words))
		return ctx_fail(err, CTX_EUSAGE, "the words are not UTF-8");
	if (how->substring && *how->words == '\0')
		return ctx_fail(err, CTX_EUSAGE, "no words to search for");
	if ((rc = ctx_db_read(st, err)) == 0) {
		rc = find_all(&f, missing, err);
		ctx_query_done(&f.query);
		ctx_db_read_end(st);
	}
	ctx_among_done(&f.among);
	ctx_called_done(&f.called);
	free(f.found.note);
	ctx_buf_done(&f.line);
	ctx_buf_done(&f.text);
	ctx_buf_done(&f.cut);
	ctx_buf_done(&f.snippet);
	free(f.next);
	return rc;
}

/* Nothing is indexed. */
static int
empty_index(struct ctx_store *st, struct ctx_err *err)
{
	if (ctx_db_begin(st, err) == -1)
		return -1;
	return ctx_db_end(st, ctx_fts_empty(st, CTX_FTS_WORDS, err) == 0 &&
	    ctx_trigram_empty(st, err) == 0 &&
	    ctx_called_empty(st, err) == 0 &&
	    ctx_db_run(st, err, "UPDATE message SET words = 0 WHERE words <> 0",
	    "") == 0 &&
	    ctx_db_run(st, err, "UPDATE note SET words = 0", "") == 0 &&
	    ctx_db_run(st, err, "UPDATE body SET words = 0 WHERE words <> 0",
	    "") == 0, err);
}

int
ctx_search_reindex(struct ctx_store *st, int all, int64_t *messages,
    int64_t *notes, struct ctx_err *err)
{
	if ((all && empty_index(st, err) == -1) ||
	    ctx_index_all(st, messages, err) == -1)
		return -1;
	return ctx_note_add_all(st, notes, err);
}

int
ctx_search_trigrams(struct ctx_store *st, int on, int64_t *n,
    struct ctx_err *err)
{
	*n = 0;
	return on ? ctx_trigram_make(st, n, err) : ctx_trigram_drop(st, err);
}
