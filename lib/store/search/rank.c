/* SPDX-License-Identifier: MIT */
/* Find messages by their relation to a question; see rank.h. */
#include "store/search/rank.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"
#include "base/utf8.h"
#include "store/body.h"
#include "store/search/index.h"
#include "store/search/score.h"
#include "store/segs.h"

#define TERMS_MAX	256	/* distinct words of a question */
#define PREFIX_MIN	4	/* letters of a word that is used as a prefix */
#define FAINT		10	/* drop scores below a tenth of best */

void
ctx_rank_done(struct ctx_rank *r)
{
	free(r->hit);
	memset(r, 0, sizeof(*r));
}

int
ctx_rank_add(struct ctx_rank *r, const struct ctx_rank_hit *hit,
    struct ctx_err *err)
{
	if (CTX_ROOM(r->hit, r->n, &r->cap) == -1)
		return ctx_fail_nomem(err);
	r->hit[r->n++] = *hit;
	return 0;
}

static int
compare_hits(const void *a, const void *b)
{
	const struct ctx_rank_hit *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return x->id < y->id ? 1 : x->id > y->id ? -1 : 0;
}

void
ctx_rank_sort(struct ctx_rank *r)
{
	if (r->n > 1)
		qsort(r->hit, r->n, sizeof(*r->hit), compare_hits);
}

/* --- the question ----------------------------------------------- */

static int
is_word(char c)
{
	return (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') ||
	    ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/*
 * The part of a word that is searched for.  English adds an s to words;
 * without it, both forms are found.
 */
static size_t
stem(const char *word, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((unsigned char)word[i] >= 0x80)
			return len;
	if (len > PREFIX_MIN && (word[len - 1] | 0x20) == 's' &&
	    (word[len - 2] | 0x20) != 's')
		return len - 1;
	return len;
}

/*
 * Collect the distinct words of a text that was cut like the index.  A single
 * character of a run is its last one: the pairs tell more, unless there are
 * none.
 */
static int
find_terms(struct ctx_strmap *terms, const char *text, size_t len, int single)
{
	size_t i = 0, n;

	while (i < len && terms->n < TERMS_MAX) {
		for (n = 0; i + n < len && is_word(text[i + n]); n++)
			continue;
		if (n > 0 && (single || (unsigned char)text[i] < 0x80 ||
		    ctx_utf8_step(text + i, n, NULL) < n) &&
		    ctx_strmap_add(terms, text + i, stem(text + i, n)) ==
		    CTX_STRMAP_FULL)
			return -1;
		i += n + 1;
	}
	return 0;
}

/* A long word is a prefix. */
static int
add_term(struct ctx_query *q, const char *word, size_t len,
    struct ctx_err *err)
{
	return ctx_query_term(q, word, len, len >= PREFIX_MIN &&
	    (unsigned char)word[0] < 0x80, err);
}

/* Add any word of the question to the query, which may stay empty. */
static int
add_terms(struct ctx_query *q, const char *question, struct ctx_err *err)
{
	struct ctx_strmap terms = { 0 };
	struct ctx_buf cut = { 0 };
	size_t i, len;
	const char *s;
	int rc;

	ctx_index_text(&cut, question, strlen(question));
	if ((rc = ctx_buf_fail(&cut, err)) == 0 &&
	    (find_terms(&terms, cut.data, cut.len, 0) == -1 ||
	    (terms.n == 0 && find_terms(&terms, cut.data, cut.len, 1) == -1)))
		rc = ctx_fail_nomem(err);
	for (i = 0; i < terms.n && rc == 0; i++) {
		s = ctx_strmap_at(&terms, i, &len);
		rc = add_term(q, s, len, err);
	}
	ctx_strmap_done(&terms);
	ctx_buf_done(&cut);
	return rc;
}

/* --- the messages ----------------------------------------------- */

/* Consider the messages of a piece of that thread, the hit's context. */
static int
score_piece(struct ctx_score *score, struct ctx_rank_hit at, int64_t thread,
    const struct ctx_seg *seg, struct ctx_err *err)
{
	struct ctx_store *st = score->query->st;
	struct ctx_buf line = { 0 };
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT id, seq, " CTX_BODY_LINE " FROM"
	    " message WHERE thread = ?1 AND context = ?2 AND seq BETWEEN ?3"
	    " AND ?4", "iiii", thread, seg->context, seg->from, seg->to);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		at.id = sqlite3_column_int64(q, 0);
		at.seq = sqlite3_column_int64(q, 1);
		if ((rc = ctx_index_line_of(st, q, 2, &line, err)) == 0)
			rc = ctx_score_line(score, &at, line.data, line.len,
			    err);
	}
	ctx_buf_done(&line);
	return rc;
}

/*
 * A message that shares only the commonest word of the question is not an
 * answer.
 */
static void
drop_faint(struct ctx_rank *r)
{
	double best = 0;
	size_t i, n = 0;

	for (i = 0; i < r->n; i++)
		if (r->hit[i].score > best)
			best = r->hit[i].score;
	for (i = 0; i < r->n; i++)
		if (r->hit[i].score > 0 && r->hit[i].score * FAINT >= best)
			r->hit[n++] = r->hit[i];
	r->n = n;
}

/* Consider the messages of context number of. */
static int
score_context(struct ctx_score *score, const struct ctx_where *w, size_t of,
    struct ctx_err *err)
{
	struct ctx_range all = CTX_RANGE_ALL;
	struct ctx_rank_hit at = { .of = of };
	struct ctx_segs segs = { 0 };
	struct ctx_ref ref;
	size_t i;
	int rc = ctx_segs_of(score->query->st, &segs, w, &all, &ref, err);

	for (i = 0; i < segs.n && rc == 0; i++)
		rc = score_piece(score, at, ref.thread, &segs.seg[i], err);
	ctx_segs_done(&segs);
	return rc;
}

static int
rank(const struct ctx_where *w, size_t n, struct ctx_query *query,
    struct ctx_rank *r, struct ctx_err *err)
{
	struct ctx_score score = { .query = query };
	size_t i;
	int rc = 0;

	for (i = 0; i < n && rc == 0; i++)
		rc = score_context(&score, &w[i], i, err);
	if (rc == 0)
		rc = ctx_score_end(&score, r, err);
	ctx_score_done(&score);
	return rc;
}

int
ctx_rank_words(struct ctx_store *st, const struct ctx_where *w, size_t n,
    const char *question, struct ctx_rank *r, struct ctx_err *err)
{
	struct ctx_query query;
	int rc;

	if (ctx_utf8_check(question, strlen(question)) != strlen(question))
		return ctx_fail(err, CTX_EUSAGE, "the question is not UTF-8");
	if (ctx_db_read(st, err) == -1)
		return -1;
	if ((rc = ctx_query_begin(&query, st, err)) == 0 &&
	    (rc = add_terms(&query, question, err)) == 0 && query.n > 0)
		rc = rank(w, n, &query, r, err);
	ctx_query_done(&query);
	ctx_db_read_end(st);
	drop_faint(r);
	return rc;
}

/*
 * The n-th message of a list scores 1 / (60 + n), as in Cormack, Clarke and
 * Buettcher's reciprocal rank fusion.
 */
#define FUSE_K	60

static int
compare_ids(const void *a, const void *b)
{
	const struct ctx_rank_hit *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

int
ctx_rank_fuse(struct ctx_rank *r, const struct ctx_rank *more,
    struct ctx_err *err)
{
	size_t i, n = 0;

	for (i = 0; i < r->n; i++)
		r->hit[i].score = 1.0 / (double)(FUSE_K + 1 + i);
	for (i = 0; i < more->n; i++) {
		if (ctx_rank_add(r, &more->hit[i], err) == -1)
			return -1;
		r->hit[r->n - 1].score = 1.0 / (double)(FUSE_K + 1 + i);
	}
	if (r->n == 0)
		return 0;
	qsort(r->hit, r->n, sizeof(*r->hit), compare_ids);
	for (i = 1; i < r->n; i++)
		if (r->hit[i].id == r->hit[n].id)
			r->hit[n].score += r->hit[i].score;
		else
			r->hit[++n] = r->hit[i];
	r->n = n + 1;
	ctx_rank_sort(r);
	return 0;
}
