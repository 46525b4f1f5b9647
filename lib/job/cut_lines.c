/* SPDX-License-Identifier: MIT */
/* The cut of message lines; see cut_impl.h. */
#include "job/cut_held.h"

#include <stdlib.h>
#include <string.h>

#include "decide/ties.h"
#include "job/revise.h"

/*
 * How much is held back of messages that could go, since later ones may refer
 * to them: some windows' worth.  A window is examined when it has grown by
 * half, so half as much again may be held.
 */
#define HELD_MAX	(2u * 1024 * 1024)
#define HELD_EACH	160	/* additional bytes that a record takes */

/* A conversation.  The handles in its window are held records. */
struct thread {
	struct ctx_cut *cut;
	const struct ctx_strand *strand;
	struct ctx_chain *chain;	/* the strand's */
	struct ctx_cut_history h;
	unsigned last_flags;	/* flags of the last message, inherited by
				   riders */
	struct ctx_cut_held *run;	/* the last item, if riders can be added
					   to it */
	uint64_t run_seq;	/* number of the last record in it */
	struct ctx_cut_held *part;	/* at the end: for the item kept in
					   part */
	/* of a session: calls and results in other branches; seq of records */
	struct tie {
		uint64_t seq[2];
	} *tie;
	size_t ntie, captie;
};

/* --- a turn ------------------------------------------------------------ */

/* Add what was held for the item to the window; h is NULL after an error. */
static int
add_held(struct thread *t, struct ctx_cut_held *h, struct ctx_win_item *item,
    struct ctx_err *err)
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
add_item(struct thread *t, const struct ctx_rec *r, struct ctx_win_item *item,
    struct ctx_err *err)
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
add_to_run(struct thread *t, const struct ctx_rec *r, unsigned flags,
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
add_rider(struct thread *t, const struct ctx_rec *r, int beside,
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
add_messages(struct thread *t, const struct ctx_rec *r,
    const struct ctx_cut_msgs *of, struct ctx_err *err)
{
	struct ctx_win_item item;
	struct ctx_cut_held *h;

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
add_element(struct thread *t, const struct ctx_cut_msgs *of,
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
add_list(struct thread *t, const struct ctx_convo *c, const struct ctx_rec *r,
    struct ctx_err *err)
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
add_record(struct thread *t, const struct ctx_convo *c, uint32_t r,
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
	const struct thread *t = arg;
	size_t i = ctx_window_find(&t->h.win, no);

	if (i == SIZE_MAX) {
		ctx_fail(err, CTX_ERANGE, "a text that is gone is wanted");
		return NULL;
	}
	return ctx_cut_bytes(t->cut, t->h.win.item[i].handle, err);
}

static struct thread *
thread_of(struct ctx_cut *k, struct ctx_strand *strand)
{
	struct thread *t = strand->state;

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

/* View the record of h as k->again, and plan to take out what is not of h. */
static int
view_again(struct ctx_cut *k, const struct ctx_cut_held *h,
    const struct ctx_dialect *d, struct ctx_err *err)
{
	struct ctx_convo *c = &k->again;
	const char *raw = ctx_cut_bytes(k, h, err);
	uint32_t m;

	if (raw == NULL ||
	    ctx_dialect_line(c, d, raw, h->own.len, err) == -1 ||
	    ctx_pair(&k->groups.pairer, c, err) == -1 ||
	    ctx_plan_reset(&k->plan, c, err) == -1)
		return -1;
	for (m = 0; h->to > 0 && m < c->nmsg; m++)
		if (m < h->from || m >= h->to)
			ctx_plan_drop_msg(&k->plan, m);
	return 0;
}

/*
 * Make the bytes of the message that was viewed again, in k->edit; those of its
 * record if nothing changes.
 */
static int
edit_again(struct ctx_cut *k, struct ctx_str *bytes, struct ctx_err *err)
{
	const struct ctx_rec *rec = &k->again.rec[0];
	const struct ctx_piece *p;

	if (ctx_plan_order(&k->plan, 0, err) == -1)
		return -1;
	ctx_plan_settle(&k->plan);
	if (ctx_edit_turn(&k->edit, &k->plan, &k->again, err) == -1)
		return -1;
	p = &k->edit.piece[0];
	*bytes = (struct ctx_str){ rec->raw, (uint32_t)rec->len };
	if (p->is_text)
		*bytes = (struct ctx_str){ k->edit.text.data + p->off,
		    (uint32_t)p->len };
	return 0;
}

/* Passed to gone when a window slides: the job, and where to put an error. */
struct leaving {
	struct ctx_cut *k;
	const struct ctx_dialect *dialect;
	struct ctx_err *err;
};

static int
put_aside(const struct leaving *l, const struct ctx_cut_held *h)
{
	struct ctx_str bytes;

	if (h->to == 0)
		return ctx_cut_put(l->k, CTX_TO_SIDE, h, l->err);
	if (view_again(l->k, h, l->dialect, l->err) == -1 ||
	    edit_again(l->k, &bytes, l->err) == -1)
		return -1;
	return ctx_job_put(&l->k->job, CTX_TO_SIDE, bytes.p, bytes.len, NULL,
	    l->err);
}

/* Drop and free an item that is not kept.  Returns 0, or -1 with an error. */
static int
gone(void *handle, void *arg)
{
	const struct leaving *l = arg;
	int rc = 0;

	if (l->k->opts.put_aside)
		rc = put_aside(l, handle);
	ctx_cut_release(l->k, handle);
	return rc;
}

/* Remember the ties of a session's records. */
static int
take_ties(struct thread *t, const struct ctx_convo *c, struct ctx_err *err)
{
	const uint32_t *r;
	uint32_t i;

	for (i = 0; i < c->ntie; i++) {
		if (CTX_ROOM(t->tie, t->ntie, &t->captie) == -1)
			return ctx_fail_nomem(err);
		r = c->tie[i].rec;
		t->tie[t->ntie++] = (struct tie){ { c->rec[r[0]].seq,
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
	struct thread *t = thread_of(k, turn->strand);
	struct leaving leaving = { k, turn->strand->dialect, err };
	struct ctx_window *w;
	uint32_t r;
	size_t n;

	if (t == NULL)
		return ctx_fail_nomem(err);
	if (t->h.win.added == 0 && t->h.win.total == 0 &&
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
	if (ctx_window_slide(w, gone, &leaving) != 0)
		return -1;
	if (w->n < n)
		ctx_refs_prune(&t->h.refs, alive, w);
	return 0;
}

void
ctx_cut_lines_free(void *state)
{
	struct thread *t = state;
	size_t i;

	for (i = 0; i < t->h.win.n; i++)
		ctx_cut_release(t->cut, t->h.win.item[i].handle);
	ctx_cut_release(t->cut, t->part);
	ctx_window_done(&t->h.win);
	ctx_refs_done(&t->h.refs);
	free(t->tie);
	free(t);
}

/* --- the end of a conversation ----------------------------------------- */

/* Link what is held of a session to what is written before; may replace *h. */
static int
relink(const struct thread *t, struct ctx_cut_held **h, enum ctx_relink_as as,
    struct ctx_err *err)
{
	struct ctx_cut_held *new = NULL;
	struct ctx_buf b = { 0 };
	const char *raw;
	int rc;

	if (t->chain->form == NULL)
		return 0;
	if ((raw = ctx_cut_bytes(t->cut, *h, err)) == NULL)
		return -1;
	rc = ctx_relink_lines(t->chain, raw, (*h)->own.len, as, &b, err);
	if (rc == 1 && (new = ctx_cut_hold_bytes(t->cut, b.data, b.len,
	    (*h)->place, err)) == NULL)
		rc = -1;
	ctx_buf_done(&b);
	if (new != NULL) {
		ctx_cut_release(t->cut, *h);
		*h = new;
	}
	return rc == -1 ? -1 : 0;
}

/* Keep h to be written at the end of the file; takes h. */
static int
keep(const struct thread *t, struct ctx_cut_held *h, enum ctx_relink_as as,
    struct ctx_err *err)
{
	struct ctx_cut *k = t->cut;

	if (relink(t, &h, as, err) == -1) {
		ctx_cut_release(k, h);
		return -1;
	}
	if (CTX_ROOM(k->kept, k->nkept, &k->capkept) == -1) {
		ctx_cut_release(k, h);
		return ctx_fail_nomem(err);
	}
	k->kept[k->nkept++] = h;
	return 0;
}

/*
 * Rewrite message h to fit room or, if room is 0, without the bodies of
 * results.  Returns 1 with *new, 0 if that is impossible, -1 with *err.
 */
static int
revise(const struct thread *t, const struct ctx_cut_held *h, uint64_t room,
    struct ctx_cut_held **new, struct ctx_err *err)
{
	struct ctx_cut *k = t->cut;
	const struct ctx_revise by = ctx_cut_revise(k);
	struct ctx_convo *c = &k->again;
	struct ctx_str bytes;
	uint32_t m;
	int rc;

	if (view_again(k, h, t->strand->dialect, err) == -1)
		return -1;
	if (c->nmsg == 0)
		return 0;
	for (m = 0; m < c->nmsg; m++)
		if (!k->plan.drop_msg[m] && (rc = ctx_revise_plan(&by, &k->plan,
		    c, m, room, err)) != 1)
			return rc;
	if (!k->plan.changed)
		return 0;
	if (edit_again(k, &bytes, err) == -1)
		return -1;
	*new = ctx_cut_hold_bytes(k, bytes.p, bytes.len, h->place, err);
	return *new == NULL ? -1 : 1;
}

static int
fits_part(void *arg, size_t i, uint64_t room, struct ctx_err *err)
{
	struct thread *t = arg;

	return revise(t, t->h.win.item[i].handle, room, &t->part, err);
}

/* Add the note, if there is one, as a line before the item. */
static int
keep_note(const struct thread *t, const struct ctx_win_cut *cut, size_t i,
    struct ctx_err *err)
{
	const struct ctx_cut_held *before = t->h.win.item[i].handle;
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_USER };
	struct ctx_cut *k = t->cut;
	struct ctx_buf b = { 0 };
	struct ctx_cut_place place = before->place;
	struct ctx_cut_held *h;
	const char *raw;
	int rc;

	if ((rc = ctx_cut_note(k, cut, i, err)) != 1)
		return rc;
	if (place.nth > 0)
		place.nth--;
	else
		place.rec--;
	what.text = k->note.data;
	what.textlen = k->note.len;
	rc = -1;
	if ((raw = ctx_cut_bytes(k, before, err)) != NULL && ctx_job_new_line(
	    &k->job, t->strand, &what, (struct ctx_str){ raw,
	    (uint32_t)before->own.len }, &b, err) == 0 &&
	    (h = ctx_cut_hold_bytes(k, b.data, b.len, place, err)) != NULL)
		rc = keep(t, h, CTX_RELINK_NEW, err);
	ctx_buf_done(&b);
	return rc;
}

/* Keep the half h of a record as a record of its own; takes h. */
static int
keep_half(const struct thread *t, struct ctx_cut_held *h, struct ctx_err *err)
{
	struct ctx_cut *k = t->cut;
	struct ctx_cut_held *half = NULL;
	struct ctx_str bytes;

	if (view_again(k, h, t->strand->dialect, err) == 0 &&
	    edit_again(k, &bytes, err) == 0)
		half = ctx_cut_hold_bytes(k, bytes.p, bytes.len, h->place, err);
	ctx_cut_release(k, h);
	return half == NULL ? -1 : keep(t, half, CTX_RELINK_OLD, err);
}

/* Send item i of the conversation where the cut says; takes h. */
static int
settle_item(struct thread *t, size_t i, int in_part, struct ctx_cut_held *h,
    struct ctx_err *err)
{
	unsigned flags = t->h.win.item[i].flags;
	struct ctx_cut *k = t->cut;
	struct leaving l = { k, t->strand->dialect, err };
	struct ctx_cut_held *new = NULL;

	if (!(flags & CTX_WIN_KEPT))
		return gone(h, &l);
	if (in_part) {
		new = t->part;
		t->part = NULL;
	} else if (flags & CTX_WIN_LEAN && revise(t, h, 0, &new, err) == -1) {
		ctx_cut_release(k, h);
		return -1;
	}
	if (new == NULL)
		return h->to > 0 ? keep_half(t, h, err) : keep(t, h, CTX_RELINK_OLD, err);
	if (gone(h, &l) == -1) {
		ctx_cut_release(k, new);
		return -1;
	}
	return keep(t, new, CTX_RELINK_OLD, err);
}

static int
same_record(const struct ctx_cut_held *a, const struct ctx_cut_held *b)
{
	return a->place.rec == b->place.rec;
}

static int
stays_as_it_is(const struct ctx_window *w, const struct ctx_win_cut *cut,
    size_t i)
{
	return i < w->n && i != cut->part &&
	    (w->item[i].flags & (CTX_WIN_KEPT | CTX_WIN_LEAN)) == CTX_WIN_KEPT;
}

/* The record of h without the messages in its list, or NULL with *err. */
static struct ctx_cut_held *
hold_empty(const struct thread *t, const struct ctx_cut_held *h,
    struct ctx_err *err)
{
	struct ctx_cut *k = t->cut;
	const struct ctx_convo *c = &k->again;
	struct ctx_buf *b = &k->element;
	const struct ctx_node *list;
	struct ctx_doc doc;
	uint32_t e, m = 0;
	size_t end;

	if (view_again(k, h, t->strand->dialect, err) == -1)
		return NULL;
	doc = ctx_convo_doc(c, 0);
	list = &doc.node[c->msg[0].list];
	ctx_buf_reset(b);
	ctx_buf_add(b, doc.raw, list->off + 1);
	end = b->len;
	CTX_FOR_LIST(&doc, e, c->msg[0].list) {
		if (m < c->nmsg && c->msg[m].elem == e) {
			while (m < c->nmsg && c->msg[m].elem == e)
				m++;
			continue;
		}
		ctx_buf_adds(b, b->len > end ? "," : "");
		ctx_node_put(b, &doc, e);
	}
	end = list->off + list->len - 1;
	if (ctx_buf_add(b, doc.raw + end, c->rec[0].len - end) == -1) {
		ctx_fail_nomem(err);
		return NULL;
	}
	return ctx_cut_hold_bytes(k, b->data, b->len, h->place, err);
}

/*
 * Item i is a record that takes the place of all before it.  If all elements of
 * its list stay as they are, so does it; otherwise they follow its empty list.
 */
static int
settle_list(struct thread *t, const struct ctx_win_cut *cut, size_t i,
    struct ctx_err *err)
{
	const struct ctx_window *w = &t->h.win;
	struct ctx_cut_held *h = w->item[i].handle, *empty;
	const size_t end = i + 1 + h->elements;
	size_t j = i + 1;

	while (j < end && j != cut->gap && stays_as_it_is(w, cut, j) &&
	    same_record(h, w->item[j].handle))
		j++;
	if (j == end) {
		while (--j > i) {
			ctx_cut_release(t->cut, w->item[j].handle);
			w->item[j].handle = NULL;
		}
		return 0;
	}
	if ((empty = hold_empty(t, h, err)) == NULL)
		return -1;
	ctx_cut_release(t->cut, h);
	w->item[i].handle = empty;
	return 0;
}

/* If item i and the next are a record's halves and both stay, make one of them. */
static void
join_halves(struct thread *t, const struct ctx_win_cut *cut, size_t i)
{
	const struct ctx_window *w = &t->h.win;
	struct ctx_cut_held *h = w->item[i].handle, *next;

	if (h == NULL || h->to == 0 || !stays_as_it_is(w, cut, i) ||
	    !stays_as_it_is(w, cut, i + 1))
		return;
	next = w->item[i + 1].handle;
	if (next->place.rec != h->place.rec + 1)
		return;
	h->to = 0;
	ctx_cut_release(t->cut, next);
	w->item[i + 1].handle = NULL;
}

/*
 * Where the end of the branch goes, drop what is beside it there: programs go
 * on from the last message of a session.
 */
static void
drop_beside(struct ctx_window *w)
{
	const struct ctx_cut_held *h;
	size_t i = w->n;
	int ends = 1;

	for (; i > 0 && (w->item[i - 1].flags & CTX_WIN_FREE ||
	    !(w->item[i - 1].flags & CTX_WIN_KEPT)); i--)
		ends &= (w->item[i - 1].flags & CTX_WIN_FREE) != 0;
	for (; !ends && i < w->n; i++) {
		h = w->item[i].handle;
		if (h->beside)
			w->item[i].flags &= ~(unsigned)CTX_WIN_KEPT;
	}
}

/* The item of the record with this number; w->n if it is gone. */
static uint32_t
item_of(const struct ctx_window *w, uint64_t seq)
{
	const struct ctx_cut_held *h;
	size_t lo = 0, hi = w->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		h = w->item[mid].handle;
		if (h->place.rec / 4 < seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	h = lo < w->n ? w->item[lo].handle : NULL;
	return (uint32_t)(h != NULL && h->place.rec / 4 == seq ? lo : w->n);
}

/* Let calls of other branches go without results, and results without calls. */
static int
drop_tied(const struct thread *t, struct ctx_err *err)
{
	const struct ctx_window *w = &t->h.win;
	unsigned char *fate = calloc(w->n + 1, 1);
	struct ctx_tie *tie = malloc((t->ntie + 1) * sizeof(*tie));
	const struct ctx_cut_held *h;
	size_t i;
	int rc = fate == NULL || tie == NULL ? ctx_fail_nomem(err) : 0;

	for (i = 0; i < t->ntie && rc == 0; i++)
		tie[i] = (struct ctx_tie){ { item_of(w, t->tie[i].seq[0]),
		    item_of(w, t->tie[i].seq[1]) } };
	for (i = 0; i < w->n && rc == 0; i++) {
		h = w->item[i].handle;
		fate[i] = (w->item[i].flags & CTX_WIN_KEPT ? CTX_TIES_KEPT :
		    0) | (h->beside ? CTX_TIES_BESIDE : 0);
	}
	if (rc == 0)
		rc = ctx_ties_settle(tie, t->ntie, fate, (uint32_t)w->n, err);
	for (i = 0; i < w->n && rc == 0; i++)
		if (!(fate[i] & CTX_TIES_KEPT))
			w->item[i].flags &= ~(unsigned)CTX_WIN_KEPT;
	free(fate);
	free(tie);
	return rc;
}

/* Note which records of a session are written. */
static int
note_kept(const struct thread *t, struct ctx_err *err)
{
	const struct ctx_win_item *it = t->h.win.item, *end = it + t->h.win.n;
	const struct ctx_cut_held *h;
	const char *raw;

	for (; it < end && t->chain->form != NULL; it++) {
		h = it->handle;
		if (!(it->flags & CTX_WIN_KEPT))
			continue;
		if ((raw = ctx_cut_bytes(t->cut, h, err)) == NULL ||
		    ctx_relink_note(t->chain, raw, h->own.len, err) == -1)
			return -1;
	}
	return 0;
}

int
ctx_cut_lines_end(struct ctx_strand *strand, void *job, struct ctx_err *err)
{
	struct thread *t = strand->state;
	struct ctx_cut_asked asked = { .part = fits_part, .arg = t,
	    .name = strand->keylen > 0 ? strand->key : NULL,
	    .namelen = strand->keylen };
	struct ctx_win_cut cut;
	struct ctx_cut *k = job;
	struct ctx_win_item *it;
	size_t i;
	int rc;

	/* after a bad line, nothing of the conversation is written */
	if (t == NULL || k->job.cut_off)
		return 0;
	t->h.win.opts.start_user = ctx_cut_from_user(k, strand->dialect);
	if ((rc = ctx_cut_choose(k, &t->h, &asked, &cut, err)) != 1)
		return rc;
	if (t->chain->form != NULL)
		drop_beside(&t->h.win);
	if (t->ntie > 0 && drop_tied(t, err) == -1)
		return -1;
	rc = note_kept(t, err);
	for (i = 0; rc == 0 && i < t->h.win.n; i++) {
		it = &t->h.win.item[i];
		if (it->handle == NULL)
			continue;
		if (((struct ctx_cut_held *)it->handle)->elements > 0 &&
		    (rc = settle_list(t, &cut, i, err)) == -1)
			break;
		join_halves(t, &cut, i);
		if ((rc = keep_note(t, &cut, i, err)) == -1)
			break;
		rc = settle_item(t, i, i == cut.part, it->handle, err);
		it->handle = NULL;
	}
	if (rc == 0)
		t->h.win.n = 0;
	return rc;
}
