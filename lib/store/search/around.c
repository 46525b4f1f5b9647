/* SPDX-License-Identifier: MIT */
/* Messages around hits; see around.h. */
#include "store/search/around.h"

#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/search/index.h"
#include "store/segs.h"

#define RESULTS		1000	/* for the calls of one message, at most */

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

/* Sort by the order of the logs, which all of their places have by now. */
static int
by_order(const void *a, const void *b)
{
	const struct ctx_around_place *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return sign(x->seq, y->seq);
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

/* Does message seq have tool results, in any dialect?  Returns 1, 0, or -1. */
static int
is_result(struct ctx_store *st, const struct ctx_around_place *p, int64_t seq,
    struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_entry entry;
	sqlite3_stmt *q;
	int rc;

	q = ctx_db_query(st, err, "SELECT " CTX_BODY_LINE " FROM message WHERE"
	    " thread = ?1 AND context = ?2 AND seq = ?3", "iii", p->thread,
	    p->context, seq);
	if ((rc = ctx_db_row(st, q, err)) != 1)
		return rc;
	rc = ctx_index_line_of(st, q, 0, &line, err);
	sqlite3_reset(q);
	if (rc == 0)
		rc = ctx_entry_scan(&entry, line.data, line.len, NULL, &doc,
		    err);
	if (rc == 0)
		rc = strcmp(entry.role, "tool") == 0 ||
		    (strcmp(entry.role, "user") == 0 && !entry.opens_turn);
	ctx_doc_done(&doc);
	ctx_buf_done(&line);
	return rc;
}

/* Extend a range from its first message back to the calls that it answers. */
static int
to_call(struct ctx_store *st, struct ctx_around_place *p, struct ctx_err *err)
{
	int i, rc = 1;

	for (i = 0; i < RESULTS && p->from > 1 && rc == 1; i++)
		if ((rc = is_result(st, p, p->from, err)) == 1)
			p->from--;
	return rc == -1 ? -1 : 0;
}

/*
 * Take n messages on each side and extend the range so that results follow
 * their calls: without those they would be dropped from a history.
 */
static int
set_range(struct ctx_store *st, struct ctx_around_place *p, int64_t n,
    struct ctx_err *err)
{
	int i, rc;

	p->from = p->seq > n ? p->seq - n : 1;
	p->to = p->seq + n;
	if (to_call(st, p, err) == -1)
		return -1;
	for (i = 0, rc = 1; i < RESULTS && rc == 1; i++)
		if ((rc = is_result(st, p, p->to + 1, err)) == 1)
			p->to++;
	return rc == -1 ? -1 : 0;
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

	sort(a);
	for (i = 0; i < a->n; i++)
		if (set_range(st, &a->place[i], n, err) == -1)
			return -1;
	for (i = 0; i < a->n; i++) {
		range = a->place[i];
		/* Merge ranges that touch. */
		while (i + 1 < a->n && same_log(&range, &a->place[i + 1]) &&
		    a->place[i + 1].from <= range.to + 1)
			range.to = a->place[++i].to;
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
	struct ctx_buf line = { 0 };
	sqlite3_stmt *q;
	int rc = 0;

	p.from = p.seq;
	if (to_call(st, &p, err) == -1)
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
