/* SPDX-License-Identifier: MIT */
/* Messages around hits; see around.h. */
#include "store/search/around.h"

#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/search/index.h"
#include "store/segs.h"

#define LOOKED	2000	/* messages, for the calls and results of one range */

int
ctx_around_add(struct ctx_store *st, struct ctx_around *a,
    const struct ctx_around_place *place, struct ctx_err *err)
{
	struct ctx_around_place *new;
	struct ctx_ref ref;

	if (ctx_context_by_id(st, place->thread, place->context, &ref,
	    err) == -1)
		return -1;
	if (CTX_ROOM(a->place, a->n, &a->cap) == -1)
		return ctx_fail_nomem(err);
	new = &a->place[a->n];
	*new = *place;
	new->created = ref.created;
	new->order = a->n;
	a->n++;
	return 0;
}

void
ctx_around_done(struct ctx_around *a)
{
	free(a->place);
	a->place = NULL;
	a->n = a->cap = 0;
}

static int
sign(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
same_log(const struct ctx_around_place *x, const struct ctx_around_place *y)
{
	return x->thread == y->thread && x->context == y->context;
}

/* Sort by log, and within a log in the order in which they were added. */
static int
by_log(const void *a, const void *b)
{
	const struct ctx_around_place *x = a, *y = b;
	int c = sign(x->thread, y->thread);

	if (c == 0)
		c = sign(x->context, y->context);
	return c != 0 ? c : (x->order > y->order) - (x->order < y->order);
}

/*
 * Sort the ranges by the order of the logs, which all of their places have by
 * now.
 */
static int
by_order(const void *a, const void *b)
{
	const struct ctx_around_place *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return sign(x->from, y->from);
}

static void
sort(struct ctx_around *a)
{
	size_t i;

	if (a->n == 0)
		return;
	qsort(a->place, a->n, sizeof(*a->place), by_log);
	for (i = 1; i < a->n; i++)
		if (same_log(&a->place[i - 1], &a->place[i]))
			a->place[i].order = a->place[i - 1].order;
	qsort(a->place, a->n, sizeof(*a->place), by_order);
}

/* What a row is to calls of tools and their results. */
enum kind {
	END,		/* what a user asked, or there is no such row */
	CALL,		/* an assistant's message, which may have calls */
	RESULT,
	ASIDE		/* a record of the program that wrote it, or system */
};

/* Of a user's message the line tells whether it has tool results. */
static int
kind_of(struct ctx_store *st, sqlite3_stmt *q, enum kind *kind,
    struct ctx_err *err)
{
	const char *role = (const char *)sqlite3_column_text(q, 0);
	struct ctx_buf line = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_entry entry;
	int rc = 0;

	*kind = role == NULL ? ASIDE :
	    strcmp(role, "assistant") == 0 ? CALL :
	    strcmp(role, "tool") == 0 ? RESULT :
	    strcmp(role, "user") == 0 ? END : ASIDE;
	if (*kind == END) {
		if ((rc = ctx_index_line_of(st, q, 1, &line, err)) == 0)
			rc = ctx_entry_scan(&entry, line.data, line.len, NULL,
			    &doc, err);
		if (rc == 0 && strcmp(entry.role, "user") == 0 &&
		    !entry.opens_turn)
			*kind = RESULT;
	}
	ctx_doc_done(&doc);
	ctx_buf_done(&line);
	return rc;
}

/* A look at the messages near a place, one after another. */
struct walk {
	struct ctx_store *st;
	const struct ctx_around_place *place;
	int64_t seq;
	int left;			/* so many may still be looked at */
	enum kind kind;			/* of seq; END after a failure */
	struct ctx_err *err;
	int failed;
};

static void
look_at(struct walk *w, int64_t seq)
{
	sqlite3_stmt *q;
	int rc;

	w->seq = seq;
	w->kind = END;
	if (w->failed || seq < 1 || w->left-- <= 0)
		return;
	q = ctx_db_query(w->st, w->err, "SELECT role, " CTX_BODY_LINE
	    " FROM message WHERE thread = ?1 AND context = ?2 AND seq = ?3",
	    "iii", w->place->thread, w->place->context, seq);
	if ((rc = ctx_db_row(w->st, q, w->err)) == 1) {
		rc = kind_of(w->st, q, &w->kind, w->err);
		sqlite3_reset(q);
	}
	w->failed = rc == -1;
}

/*
 * Go on from w->seq over rows of one kind and those aside.  Returns the last
 * row of that kind, or the given one if there is none.
 */
static int64_t
pass(struct walk *w, enum kind kind, int step, int64_t last)
{
	while (w->kind == kind || w->kind == ASIDE) {
		if (w->kind != ASIDE)
			last = w->seq;
		look_at(w, w->seq + step);
	}
	return last;
}

/*
 * Extend a range back to the calls that its first results answer.  Each of
 * several calls may be a message of its own, so all messages of an assistant
 * that stand directly before the results belong to them.
 */
static void
to_calls(struct walk *w, struct ctx_around_place *p)
{
	int64_t first;

	look_at(w, p->from);
	while (w->kind == ASIDE && w->seq < p->to)
		look_at(w, w->seq + 1);
	first = w->seq;
	if (w->kind == ASIDE || (w->kind == CALL && first == p->to))
		return;
	if (w->kind == CALL) {
		pass(w, CALL, 1, 0);
		if (w->kind != RESULT || w->seq > p->to)
			return;
		look_at(w, first);
	}
	pass(w, RESULT, -1, 0);
	first = pass(w, CALL, -1, p->from);
	if (first < p->from)
		p->from = first;
}

/* Extend a range to the results of its last calls. */
static void
to_results(struct walk *w, struct ctx_around_place *p)
{
	int64_t last;

	look_at(w, p->to);
	while (w->kind == ASIDE && w->seq > p->from)
		look_at(w, w->seq - 1);
	if (w->kind == ASIDE)
		return;
	pass(w, CALL, 1, 0);
	last = pass(w, RESULT, 1, p->to);
	if (last > p->to)
		p->to = last;
}

/*
 * Take n messages on each side and extend the range so that results follow
 * their calls: without those they would be dropped from a history.
 */
static int
set_range(struct ctx_store *st, struct ctx_around_place *p, int64_t n,
    struct ctx_err *err)
{
	struct walk w = { .st = st, .place = p, .left = LOOKED, .err = err };

	p->from = p->seq > n ? p->seq - n : 1;
	p->to = p->seq + n;
	to_results(&w, p);
	w.left = LOOKED;
	to_calls(&w, p);
	return w.failed ? -1 : 0;
}

/* Read those of a context's own messages that are in p's range. */
static int
read_range(struct ctx_store *st, const struct ctx_around_place *p,
    ctx_message_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_seg seg = { .context = p->context, .mark = p->created };
	struct ctx_segs segs = { 0 };
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT min(seq), max(seq) FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND seq BETWEEN ?3 AND ?4 AND EXISTS"
	    " (SELECT 1 FROM context c WHERE c.thread = ?1 AND c.id = ?2 AND"
	    " c.created = ?5)", "iiiii", p->thread, p->context, p->from, p->to,
	    p->created);
	if (ctx_db_need(st, q, err) == -1)
		return -1;
	seg.from = sqlite3_column_int64(q, 0);
	seg.to = sqlite3_column_int64(q, 1);
	rc = sqlite3_column_type(q, 0) == SQLITE_NULL;
	sqlite3_reset(q);
	if (rc)
		return 0;		/* removed meanwhile */
	if ((rc = ctx_segs_add(&segs, &seg, err)) == 0)
		rc = ctx_segs_read(st, &segs, p->thread, fn, arg, err);
	ctx_segs_done(&segs);
	return rc;
}

int
ctx_around_read(struct ctx_store *st, struct ctx_around *a, int64_t n,
    ctx_message_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_around_place range;
	size_t i;

	for (i = 0; i < a->n; i++)
		if (set_range(st, &a->place[i], n, err) == -1)
			return -1;
	sort(a);
	for (i = 0; i < a->n; i++) {
		range = a->place[i];
		/* Merge ranges that touch. */
		while (i + 1 < a->n && same_log(&range, &a->place[i + 1]) &&
		    a->place[i + 1].from <= range.to + 1)
			if (a->place[++i].to > range.to)
				range.to = a->place[i].to;
		if (read_range(st, &range, fn, arg, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_around_answered(struct ctx_store *st, const struct ctx_around_place *at,
    ctx_message_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_message m = { .mid = "", .role = "" };
	struct ctx_around_place p = *at;
	struct walk w = { .st = st, .place = &p, .left = LOOKED, .err = err };
	struct ctx_buf line = { 0 };
	sqlite3_stmt *q;
	int rc = 0;

	p.from = p.to = p.seq;
	to_calls(&w, &p);
	if (w.failed)
		return -1;
	q = ctx_db_query(st, err, "SELECT seq, turn, ts, " CTX_BODY_LINE
	    " FROM message WHERE thread = ?1 AND context = ?2 AND seq BETWEEN"
	    " ?3 AND ?4 ORDER BY seq", "iiii", p.thread, p.context, p.from,
	    p.seq);
	while ((rc = ctx_db_next(st, q, rc, err)) == 1) {
		m.seq = sqlite3_column_int64(q, 0);
		m.turn = sqlite3_column_int64(q, 1);
		m.ts = sqlite3_column_int64(q, 2);
		if ((rc = ctx_index_line_of(st, q, 3, &line, err)) == -1)
			continue;
		m.raw = line.data;
		m.len = line.len;
		rc = fn(&m, arg, err);
	}
	ctx_buf_done(&line);
	return rc;
}
