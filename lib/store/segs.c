/* SPDX-License-Identifier: MIT */
/* Find the rows of a range; see segs.h. */
#include "store/log.h"
#include "store/segs.h"

#include <stdlib.h>
#include <string.h>

#include "store/body.h"
#include "store/ckpt.h"
#include "store/view.h"

/* Limits of what one read transaction reads. */
#define CHUNK_ROWS	512
#define CHUNK_BYTES	(4u << 20)

int
ctx_segs_add(struct ctx_segs *s, const struct ctx_seg *seg,
    struct ctx_err *err)
{
	if (seg->body == 0 && seg->from > seg->to)
		return 0;
	if (CTX_ROOM(s->seg, s->n, &s->cap) == -1)
		return ctx_fail_nomem(err);
	s->seg[s->n++] = *seg;
	return 0;
}

void
ctx_segs_done(struct ctx_segs *s)
{
	free(s->seg);
	memset(s, 0, sizeof(*s));
}

int
ctx_segs_has(const struct ctx_segs *s, int64_t context, int64_t seq)
{
	const struct ctx_seg *seg;

	for (seg = s->seg; seg < s->seg + s->n; seg++)
		if (seg->body == 0 && seg->context == context &&
		    seq >= seg->from && seq <= seg->to)
			return 1;
	return 0;
}

static void
reverse(struct ctx_seg *seg, size_t n)
{
	struct ctx_seg t;
	size_t i;

	for (i = 0; i < n / 2; i++) {
		t = seg[i];
		seg[i] = seg[n - 1 - i];
		seg[n - 1 - i] = t;
	}
}

int
ctx_segs_range(struct ctx_store *st, struct ctx_segs *s,
    const struct ctx_ref *ref, int64_t from, int64_t to, struct ctx_err *err)
{
	struct ctx_ref at = *ref;
	struct ctx_seg seg = { 0 };
	size_t first = s->n;
	int64_t begin;

	/* Walk from the fork up to its ancestors, then reverse the list. */
	for (;;) {
		begin = at.kind == CTX_CONTEXT_FORK ? at.parent_seq + 1 : 1;
		seg.context = at.context;
		seg.mark = at.created;
		seg.from = from > begin ? from : begin;
		seg.to = to;
		if (ctx_segs_add(s, &seg, err) == -1)
			return -1;
		if (begin <= from || at.kind != CTX_CONTEXT_FORK)
			break;
		if (to > at.parent_seq)
			to = at.parent_seq;
		if (ctx_context_by_id(st, at.thread, at.parent, &at,
		    err) == -1)
			return -1;
	}
	if (s->n > first)
		reverse(s->seg + first, s->n - first);
	return 0;
}

/*
 * The first seq of a run whose turn is at least turn; to + 1 if there is
 * none.  Turns never decrease, so a binary search finds it.
 */
static int
find_turn(struct ctx_store *st, int64_t thread, const struct ctx_seg *seg,
    int64_t turn, int64_t *out, struct ctx_err *err)
{
	int64_t lo = seg->from, hi = seg->to + 1, mid, t;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		t = 0;
		if (ctx_db_int(st, &t, err, "SELECT turn FROM message WHERE"
		    " thread = ?1 AND context = ?2 AND seq = ?3", "iii",
		    thread, seg->context, mid) == -1)
			return -1;
		if (t >= turn)
			hi = mid;
		else
			lo = mid + 1;
	}
	*out = lo;
	return 0;
}

static int
limit_turns(struct ctx_store *st, struct ctx_segs *s, int64_t thread,
    const struct ctx_range *r, struct ctx_err *err)
{
	int64_t from, to;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->seg[i].body != 0)
			continue;
		from = s->seg[i].from;
		to = s->seg[i].to + 1;
		if ((r->from_turn >= 0 && find_turn(st, thread, &s->seg[i],
		    r->from_turn, &from, err) == -1) ||
		    (r->to_turn >= 0 && r->to_turn < INT64_MAX &&
		    find_turn(st, thread, &s->seg[i], r->to_turn + 1, &to,
		    err) == -1))
			return -1;
		s->seg[i].from = from;
		s->seg[i].to = to - 1;
	}
	return 0;
}

static void
limit_seqs(struct ctx_segs *s, const struct ctx_range *r)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (s->seg[i].body != 0)
			continue;
		if (r->from_seq > 0 && s->seg[i].from < r->from_seq)
			s->seg[i].from = r->from_seq;
		if (r->to_seq > 0 && s->seg[i].to > r->to_seq)
			s->seg[i].to = r->to_seq;
	}
}

static void
limit_last(struct ctx_segs *s, int64_t last)
{
	struct ctx_seg *seg;
	size_t i;
	int64_t n;

	for (i = s->n; i-- > 0;) {
		seg = &s->seg[i];
		n = seg->body != 0 ? 1 : seg->to - seg->from + 1;
		if (n < 0)
			n = 0;
		if (n >= last) {
			if (seg->body == 0)
				seg->from = seg->to - last + 1;
			memmove(s->seg, s->seg + i,
			    (s->n - i) * sizeof(*s->seg));
			s->n -= i;
			return;
		}
		last -= n;
	}
}

/* Put a subagent's ancestors before it, up to where each started it. */
static int
add_parents(struct ctx_store *st, struct ctx_segs *s,
    const struct ctx_ref *ref, struct ctx_err *err)
{
	struct ctx_ref parent, top = *ref;

	while (top.kind == CTX_CONTEXT_FORK)
		if (ctx_context_by_id(st, top.thread, top.parent, &top,
		    err) == -1)
			return -1;
	if (top.parent == -1)
		return 0;
	if (ctx_context_by_id(st, top.thread, top.parent, &parent,
	    err) == -1 || add_parents(st, s, &parent, err) == -1)
		return -1;
	return ctx_segs_range(st, s, &parent, 1, top.parent_seq, err);
}

int
ctx_segs_of(struct ctx_store *st, struct ctx_segs *s,
    const struct ctx_where *w, const struct ctx_range *r,
    struct ctx_ref *ref, struct ctx_err *err)
{
	struct ctx_view_at view;
	int64_t end;

	if (ctx_thread_find(st, w, ref, err) == -1)
		return -1;
	end = ref->next_seq - 1;
	if (r->ckpt != NULL && ctx_ckpt_locate(st, w, r->ckpt, ref, &end,
	    err) == -1)
		return -1;
	if (r->view != NULL) {
		view.name = r->view;
		view.n = r->view_n;
		view.end = end;
		if (ctx_view_segs(st, s, ref, &view, err) == -1)
			return -1;
	} else {
		if (r->with_parent && add_parents(st, s, ref, err) == -1)
			return -1;
		if (ctx_segs_range(st, s, ref, 1, end, err) == -1)
			return -1;
	}
	limit_seqs(s, r);
	if ((r->from_turn >= 0 || r->to_turn >= 0) &&
	    limit_turns(st, s, ref->thread, r, err) == -1)
		return -1;
	if (r->last > 0)
		limit_last(s, r->last);
	return 0;
}

/* Messages read in a transaction, to be passed on after its end. */
struct chunk {
	struct ctx_message msg[CHUNK_ROWS];
	struct texts {
		size_t mid, role, line;
	} off[CHUNK_ROWS];	/* in text */
	size_t n;
	struct ctx_buf text;
};

/* The reading position: piece i, from its message next on. */
struct place {
	size_t i;
	int64_t next;
};

static int
is_full(const struct chunk *c)
{
	return c->n == CHUNK_ROWS || c->text.len >= CHUNK_BYTES;
}

/* Append the row's texts.  Those of a damaged store may contain NUL. */
static int
take_row(struct ctx_store *st, struct chunk *c, sqlite3_stmt *q,
    const struct ctx_body_place *at, struct ctx_err *err)
{
	struct ctx_message *m = &c->msg[c->n];
	struct texts *off = &c->off[c->n];

	m->seq = at->seq;
	m->turn = sqlite3_column_int64(q, 1);
	m->ts = sqlite3_column_int64(q, 2);
	off->mid = c->text.len;
	ctx_db_add(&c->text, q, 3);
	ctx_buf_addc(&c->text, '\0');
	off->role = c->text.len;
	ctx_db_add(&c->text, q, 4);
	ctx_buf_addc(&c->text, '\0');
	off->line = c->text.len;
	if (ctx_body_line_at(st, q, 5, at, &c->text, err) == -1)
		return -1;
	m->len = c->text.len - off->line;
	if (ctx_log_line_sum(c->text.data + off->line, m->len, m->seq) !=
	    (uint32_t)sqlite3_column_int64(q, 7))
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: damaged: message %lld does not match its checksum",
		    st->path, (long long)m->seq);
	c->n++;
	return 0;
}

/* Read at most a chunk of seg's rows, from seq *next on. */
static int
take_rows(struct ctx_store *st, struct chunk *c, int64_t thread,
    const struct ctx_seg *seg, int64_t *next, struct ctx_err *err)
{
	struct ctx_body_place at = { thread, seg->context, 0 };
	sqlite3_stmt *q;
	int rc = 0;

	q = ctx_db_query(st, err, "SELECT seq, turn, ts, mid, role, json, body,"
	    " crc FROM message WHERE thread = ?1 AND context = ?2"
	    " AND seq BETWEEN ?3 AND ?4 AND EXISTS (SELECT 1 FROM context c"
	    " WHERE c.thread = ?1 AND c.id = ?2 AND c.created = ?6)"
	    " ORDER BY seq LIMIT ?5", "iiiiii", thread, seg->context, *next,
	    seg->to, (int64_t)CHUNK_ROWS, seg->mark);
	while (!is_full(c) && (rc = ctx_db_row(st, q, err)) == 1) {
		if ((at.seq = sqlite3_column_int64(q, 0)) != *next)
			break;
		if (take_row(st, c, q, &at, err) == -1) {
			rc = -1;
			break;
		}
		++*next;
	}
	sqlite3_reset(q);
	if (rc == -1)
		return -1;
	if (*next <= seg->to && !is_full(c))
		return ctx_fail(err, CTX_ESYSTEM,
		    "%s: message %lld is missing; it was removed meanwhile, or "
		    "the store is damaged", st->path,
		    (long long)*next);
	return 0;
}

static int
take_text(struct ctx_store *st, struct chunk *c, const struct ctx_seg *seg,
    struct ctx_err *err)
{
	struct ctx_message *m = &c->msg[c->n];
	struct texts *off = &c->off[c->n];

	memset(m, 0, sizeof(*m));
	off->mid = off->role = c->text.len;
	ctx_buf_addc(&c->text, '\0');
	off->line = c->text.len;
	if (ctx_body_get_same(st, seg->body, seg->mark, &c->text, err) == -1)
		return -1;
	m->len = c->text.len - off->line;
	c->n++;
	return ctx_buf_fail(&c->text, err);
}

static int
hand_out(struct chunk *c, ctx_message_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_message *m;
	size_t i;

	for (i = 0; i < c->n; i++) {
		m = &c->msg[i];
		m->mid = c->text.data + c->off[i].mid;
		m->role = c->text.data + c->off[i].role;
		m->raw = c->text.data + c->off[i].line;
		if (fn(m, arg, err) == -1)
			return -1;
	}
	c->n = 0;
	ctx_buf_reset(&c->text);
	return 0;
}

/* Fill a chunk from that position on and advance it. */
static int
fill(struct ctx_store *st, struct chunk *c, const struct ctx_segs *s,
    int64_t thread, struct place *at, struct ctx_err *err)
{
	const struct ctx_seg *seg;

	while (at->i < s->n && !is_full(c)) {
		seg = &s->seg[at->i];
		if (seg->body != 0) {
			if (take_text(st, c, seg, err) == -1)
				return -1;
		} else {
			if (at->next < seg->from)
				at->next = seg->from;
			if (at->next <= seg->to && take_rows(st, c, thread,
			    seg, &at->next, err) == -1)
				return -1;
			if (at->next <= seg->to)
				return 0;
		}
		at->i++;
		at->next = 0;
	}
	return 0;
}

int
ctx_segs_read(struct ctx_store *st, const struct ctx_segs *s, int64_t thread,
    ctx_message_fn *fn, void *arg, struct ctx_err *err)
{
	struct chunk *c = calloc(1, sizeof(*c));
	struct place at = { 0 };
	int rc = 0;

	if (c == NULL)
		return ctx_fail_nomem(err);
	/* What was read before a failure is still passed on. */
	while (at.i < s->n && rc == 0) {
		if ((rc = ctx_db_read(st, err)) == 0) {
			rc = fill(st, c, s, thread, &at, err);
			ctx_db_read_end(st);
		}
		if (hand_out(c, fn, arg, err) == -1)
			rc = -1;
	}
	ctx_buf_done(&c->text);
	free(c);
	return rc;
}
