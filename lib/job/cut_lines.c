/* SPDX-License-Identifier: MIT */
/*
 * The cut of message lines: they are held until the end of their conversation, which
 * is in cut_settle.c.
 */
#include "job/cut_thread.h"

#include <stdlib.h>

/*
 * How much is held back of messages that could go, since later ones may refer
 * to them: some windows' worth.  A window is examined when it has grown by
 * half, so half as much again may be held.
 */
#define HELD_MAX	(2u * 1024 * 1024)
#define HELD_EACH	160	/* additional bytes that a record takes */

/* Add what was held for the item to the window; h is NULL after an error. */
static int
add_held(struct ctx_cut_thread *t, struct ctx_cut_held *h,
    struct ctx_win_item *item, struct ctx_err *err)
{
	t->run = NULL;
	if ((item->handle = h) == NULL)
		return -1;
	item->bytes = h->own.len + HELD_EACH;
	if (ctx_window_add(&t->h.win, item, err) == -1) {
		ctx_cut_release(t->cut, h);
		return -1;
	}
	return 0;
}

static int
add_item(struct ctx_cut_thread *t, const struct ctx_rec *r,
    struct ctx_win_item *item, struct ctx_err *err)
{
	return add_held(t, ctx_cut_hold(t->cut, r, item->flags, err), item,
	    err);
}

/*
 * Append to a run of records that are not messages, such as blank lines, of
 * which there may be millions.  Returns 1, 0 if it needs an item of its own, -1
 * with *err.
 */
static int
add_to_run(struct ctx_cut_thread *t, const struct ctx_rec *r, unsigned flags,
    struct ctx_err *err)
{
	const struct ctx_window *w = &t->h.win;
	struct ctx_win_item *last;
	unsigned kind = CTX_WIN_SYSTEM | CTX_WIN_MORE;
	int rc;

	if (t->run == NULL || w->n == 0 || r->seq != t->run_seq + 1)
		return 0;
	last = &w->item[w->n - 1];
	if (last->handle != t->run || (last->flags & kind) != (flags & kind))
		return 0;
	rc = ctx_spill_more(&t->cut->spill, &t->run->own, r->raw, r->len, err);
	if (rc == 1) {
		last->bytes += r->len;
		t->run_seq++;
	}
	return rc;
}

/*
 * Add a record that is not a message, or is beside the branch; it shares the
 * fate of the one before.
 */
static int
add_rider(struct ctx_cut_thread *t, const struct ctx_rec *r, int beside,
    struct ctx_err *err)
{
	struct ctx_win_item item = { .flags = CTX_WIN_FREE };
	struct ctx_cut_held *h;
	int rc;

	if (!t->h.stays.begun && !(t->last_flags & CTX_WIN_SYSTEM))
		item.flags |= CTX_WIN_MUST;
	else if (t->last_flags & CTX_WIN_SYSTEM)
		item.flags |= CTX_WIN_SYSTEM;
	else
		item.flags |= CTX_WIN_MORE;
	if (!beside && (rc = add_to_run(t, r, item.flags, err)) != 0)
		return rc == 1 ? 0 : -1;
	if (add_item(t, r, &item, err) == -1)
		return -1;
	h = item.handle;
	h->beside = beside;
	t->run = beside ? NULL : h;
	t->run_seq = r->seq;
	return 0;
}

/* Add these messages of record r, which are all or a half of it. */
static int
add_messages(struct ctx_cut_thread *t, const struct ctx_rec *r,
    const struct ctx_cut_msgs *of, struct ctx_err *err)
{
	struct ctx_win_item item;
	struct ctx_cut_held *h;

	if (of->c->msg[of->m].flags & CTX_BOUNDARY) {
		ctx_window_forget(&t->h.win);
		t->h.turn = 0;
	}
	if (ctx_cut_item(t->cut, &t->h, of, &item, err) == -1)
		return -1;
	t->last_flags = item.flags;
	if (add_item(t, r, &item, err) == -1)
		return -1;
	if (of->end - of->m < r->nmsg) {
		h = item.handle;
		h->from = of->m - r->msg;
		h->to = of->end - r->msg;
		h->place.rec += h->from > 0;
	}
	return ctx_cut_refer(t->cut, &t->h, of, err);
}

/* Add the messages of one element of a record's list, as a record of its own. */
static int
add_element(struct ctx_cut_thread *t, const struct ctx_cut_msgs *of,
    struct ctx_cut_place place, struct ctx_err *err)
{
	const struct ctx_doc doc = ctx_convo_doc(of->c, of->c->msg[of->m].rec);
	const struct ctx_str raw = ctx_node_json(&doc,
	    of->c->msg[of->m].elem);
	struct ctx_buf *b = &t->cut->element;
	struct ctx_win_item item;

	ctx_buf_reset(b);
	ctx_buf_add(b, raw.p, raw.len);
	if (ctx_buf_addc(b, '\n') == -1)
		return ctx_fail_nomem(err);
	if (ctx_cut_item(t->cut, &t->h, of, &item, err) == -1)
		return -1;
	t->last_flags = item.flags;
	if (add_held(t, ctx_cut_hold_bytes(t->cut, b->data, b->len, place,
	    err), &item, err) == -1)
		return -1;
	return ctx_cut_refer(t->cut, &t->h, of, err);
}

/*
 * Add record r, whose list takes the place of all messages before it.  If there
 * are any, it stays, since they would be back without it; its elements need not.
 */
static int
add_list(struct ctx_cut_thread *t, const struct ctx_convo *c, const
    struct ctx_rec *r, struct ctx_err *err)
{
	struct ctx_win_item item = { .flags = CTX_WIN_FREE |
	    (ctx_convo_replaces(c, r->msg) ? CTX_WIN_MUST : 0) };
	struct ctx_cut_msgs of = { c, r->msg, r->msg };
	const uint32_t end = r->msg + r->nmsg;
	struct ctx_cut_place place;
	struct ctx_cut_held *h;

	if (add_item(t, r, &item, err) == -1)
		return -1;
	h = item.handle;
	place = h->place;
	for (; of.m < end; of.m = of.end) {
		ctx_cut_extent(&of);
		place.nth += 2;
		h->elements++;
		if (add_element(t, &of, place, err) == -1)
			return -1;
	}
	return 0;
}

static int
add_record(struct ctx_cut_thread *t, const struct ctx_convo *c, uint32_t r,
    struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[r];
	struct ctx_cut_msgs of = { c, rec->msg, rec->msg };

	if (rec->nmsg == 0)
		return add_rider(t, rec, ctx_branch_is_beside(c, r,
		    rec->root), err);
	if (c->msg[rec->msg].flags & CTX_AS_LINE)
		return add_list(t, c, rec, err);
	for (; of.m < rec->msg + rec->nmsg; of.m = of.end) {
		ctx_cut_extent(&of);
		if (add_messages(t, rec, &of, err) == -1)
			return -1;
	}
	return 0;
}

/* The bytes of the window's item number no. */
static const char *
record(void *arg, uint64_t no, struct ctx_err *err)
{
	const struct ctx_cut_thread *t = arg;
	size_t i = ctx_window_find(&t->h.win, no);

	if (i == SIZE_MAX) {
		ctx_fail(err, CTX_ERANGE, "a text that is gone is wanted");
		return NULL;
	}
	return ctx_cut_bytes(t->cut, t->h.win.item[i].handle, err);
}

static struct ctx_cut_thread *
thread_of(struct ctx_cut *k, struct ctx_strand *strand)
{
	struct ctx_cut_thread *t = strand->state;

	if (t == NULL && (t = calloc(1, sizeof(*t))) != NULL) {
		t->cut = k;
		t->strand = strand;
		t->chain = &strand->chain;
		t->h.stays.pin = k->opts.pin;
		t->h.refs.record = record;
		t->h.refs.arg = t;
		ctx_window_init(&t->h.win, &k->opts.win);
		t->h.win.opts.held = &k->held;
		t->h.win.opts.held_max = HELD_MAX;
		strand->state = t;
	}
	return t;
}

/* Remember the ties of a session's records. */
static int
take_ties(struct ctx_cut_thread *t, const struct ctx_convo *c,
    struct ctx_err *err)
{
	const uint32_t *r;
	uint32_t i;

	for (i = 0; i < c->ntie; i++) {
		if (CTX_ROOM(t->tie, t->ntie, &t->captie) == -1)
			return ctx_fail_nomem(err);
		r = c->tie[i].rec;
		t->tie[t->ntie++] = (struct ctx_cut_tie){ { c->rec[r[0]].seq,
		    c->rec[r[1]].seq } };
	}
	return 0;
}

static int
alive(uint64_t no, const void *win)
{
	return ctx_window_find(win, no) != SIZE_MAX;
}

int
ctx_cut_lines_turn(struct ctx_cut *k, const struct ctx_turn *turn,
    struct ctx_err *err)
{
	struct ctx_cut_thread *t = thread_of(k, turn->strand);
	struct ctx_cut_leaving leaving = { k, turn->strand->dialect, err };
	struct ctx_window *w;
	uint32_t r;
	size_t n;

	if (t == NULL)
		return ctx_fail_nomem(err);
	if (k->opts.counting &&
	    ctx_charge_turn(k->opts.cost, &t->h.charged, turn->convo) &&
	    ctx_cut_request(k, &t->h, turn->convo, err) == -1)
		return -1;
	for (r = 0; r < turn->convo->nrec; r++)
		if (add_record(t, turn->convo, r, err) == -1)
			return -1;
	if (take_ties(t, turn->convo, err) == -1)
		return -1;
	w = &t->h.win;
	w->opts.start_user = ctx_cut_from_user(k, turn->strand->dialect);
	n = w->n;
	if (ctx_window_slide(w, ctx_cut_gone, &leaving) != 0)
		return -1;
	if (w->n < n)
		ctx_refs_prune(&t->h.refs, alive, w);
	return 0;
}

void
ctx_cut_lines_free(void *state)
{
	struct ctx_cut_thread *t = state;
	size_t i;

	for (i = 0; i < t->h.win.n; i++)
		ctx_cut_release(t->cut, t->h.win.item[i].handle);
	ctx_cut_release(t->cut, t->part);
	ctx_window_done(&t->h.win);
	ctx_refs_done(&t->h.refs);
	free(t->tie);
	free(t);
}
