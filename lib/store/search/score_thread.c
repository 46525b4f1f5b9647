/* SPDX-License-Identifier: MIT */
/* Rank the messages of threads with all parts of a query; see score.h. */
#include "store/search/score.h"

#include "store/body.h"
#include "store/search/fts.h"
#include "store/search/index.h"
#include "store/search/note.h"

/* Consider the messages of q, whose columns are id and CTX_BODY_LINE. */
static int
take_rows(struct ctx_score *s, sqlite3_stmt *q, struct ctx_err *err)
{
	struct ctx_store *st = s->query->st;
	struct ctx_rank_hit at = { 0 };
	struct ctx_buf line = { 0 };
	int rc = 0;

	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		at.id = sqlite3_column_int64(q, 0);
		if ((rc = ctx_index_line_of(st, q, 1, &line, err)) == 0)
			rc = ctx_score_line(s, &at, line.data, line.len, err);
	}
	ctx_buf_done(&line);
	return rc;
}

static int
read_all(struct ctx_score *s, const struct ctx_among *among,
    struct ctx_err *err)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < among->n && rc == 0; i++)
		rc = take_rows(s, ctx_db_query(s->query->st, err, "SELECT id, "
		    CTX_BODY_LINE " FROM message WHERE thread = ?1 AND"
		    " words <> 0", "i", among->id[i]), err);
	return rc;
}

/* Count the messages of the threads that expr, which may be empty, finds. */
static int
count(struct ctx_score *s, const struct ctx_among *among, struct ctx_buf *expr,
    int64_t *n, struct ctx_err *err)
{
	ctx_among_filter(among, expr);
	if (ctx_buf_fail(expr, err) == -1)
		return -1;
	if (expr->len == 0)
		return ctx_db_int(s->query->st, n, err, "SELECT count(*) FROM"
		    " message WHERE words <> 0", "") == -1 ? -1 : 0;
	return ctx_db_int(s->query->st, n, err, "SELECT count(*) FROM search"
	    " WHERE search MATCH ?1 AND rowid < ?2", "ti", expr->data,
	    expr->len, CTX_NOTE_TEXT) == -1 ? -1 : 0;
}

/*
 * Read what the index finds, then count what else has the parts.  If it does
 * not know which texts have a phrase, all with a part are read and counted,
 * unless they are those of the whole store.
 */
static int
read_found(struct ctx_score *s, const struct ctx_among *among,
    struct ctx_buf *expr, struct ctx_err *err)
{
	int any = !ctx_fts_exact() && !among->all, rc;
	size_t i;

	if (any)
		ctx_query_any(s->query, expr);
	else
		ctx_query_all(s->query, 1, expr);
	ctx_among_filter(among, expr);
	if (ctx_buf_fail(expr, err) == -1)
		return -1;
	rc = take_rows(s, ctx_db_query(s->query->st, err, "SELECT m.id, m.json,"
	    " m.body, m.thread, m.context, m.seq FROM search s CROSS JOIN"
	    " message m ON m.id = s.rowid WHERE s.search MATCH ?1", "t",
	    expr->data, expr->len), err);
	for (i = 0; i < s->query->n && rc == 0 && !any; i++) {
		ctx_buf_reset(expr);
		ctx_query_one(&s->query->part[i], expr);
		rc = count(s, among, expr, &s->with[i], err);
	}
	ctx_buf_reset(expr);
	return rc == -1 ? -1 : count(s, among, expr, &s->texts, err);
}

int
ctx_score_threads(struct ctx_query *query, const struct ctx_among *among,
    int by_reading, struct ctx_rank *r, struct ctx_err *err)
{
	struct ctx_score score = { .query = query, .all = 1 };
	struct ctx_buf expr = { 0 };
	int rc = by_reading ? read_all(&score, among, err) :
	    read_found(&score, among, &expr, err);

	if (rc == 0)
		rc = ctx_score_end(&score, r, err);
	ctx_score_done(&score);
	ctx_buf_done(&expr);
	return rc;
}
