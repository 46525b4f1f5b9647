/* SPDX-License-Identifier: MIT */
/* The end of a conversation of message lines in a cut; see cut_thread.h. */
#include "job/cut_thread.h"

#include <stdlib.h>

#include "decide/ties.h"
#include "job/revise.h"

/* Link what is held of a session to what is written before; may replace *h. */
static int
relink(const struct ctx_cut_thread *t, struct ctx_cut_held **h,
    enum ctx_relink_as as, struct ctx_err *err)
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
keep(const struct ctx_cut_thread *t, struct ctx_cut_held *h,
    enum ctx_relink_as as, struct ctx_err *err)
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
revise(const struct ctx_cut_thread *t, const struct ctx_cut_held *h,
    uint64_t room, struct ctx_cut_held **new, struct ctx_err *err)
{
	struct ctx_cut *k = t->cut;
	const struct ctx_revise by = ctx_cut_revise(k);
	struct ctx_convo *c = &k->again;
	struct ctx_str bytes;
	uint32_t m;
	int rc;

	if (ctx_cut_view_again(k, h, t->strand->dialect, err) == -1)
		return -1;
	if (c->nmsg == 0)
		return 0;
	for (m = 0; m < c->nmsg; m++)
		if (!k->plan.drop_msg[m] && (rc = ctx_revise_plan(&by, &k->plan,
		    c, m, room, err)) != 1)
			return rc;
	if (!k->plan.changed)
		return 0;
	if (ctx_cut_edit_again(k, &bytes, err) == -1)
		return -1;
	*new = ctx_cut_hold_bytes(k, bytes.p, bytes.len, h->place, err);
	return *new == NULL ? -1 : 1;
}

static int
fits_part(void *arg, size_t i, uint64_t room, struct ctx_err *err)
{
	struct ctx_cut_thread *t = arg;

	return revise(t, t->h.win.item[i].handle, room, &t->part, err);
}

/* Add the note, if there is one, as a line before the item. */
static int
keep_note(const struct ctx_cut_thread *t, const struct ctx_win_cut *cut,
    size_t i, struct ctx_err *err)
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
keep_half(const struct ctx_cut_thread *t, struct ctx_cut_held *h,
    struct ctx_err *err)
{
	struct ctx_cut *k = t->cut;
	struct ctx_cut_held *half = NULL;
	struct ctx_str bytes;

	if (ctx_cut_view_again(k, h, t->strand->dialect, err) == 0 &&
	    ctx_cut_edit_again(k, &bytes, err) == 0)
		half = ctx_cut_hold_bytes(k, bytes.p, bytes.len, h->place, err);
	ctx_cut_release(k, h);
	return half == NULL ? -1 : keep(t, half, CTX_RELINK_OLD, err);
}

/* Send item i of the conversation where the cut says; takes h. */
static int
settle_item(struct ctx_cut_thread *t, size_t i, int in_part,
    struct ctx_cut_held *h, struct ctx_err *err)
{
	unsigned flags = t->h.win.item[i].flags;
	struct ctx_cut *k = t->cut;
	struct ctx_cut_leaving l = { k, t->strand->dialect, err };
	struct ctx_cut_held *new = NULL;

	if (!(flags & CTX_WIN_KEPT))
		return ctx_cut_gone(h, &l);
	if (in_part) {
		new = t->part;
		t->part = NULL;
	} else if (flags & CTX_WIN_LEAN && revise(t, h, 0, &new, err) == -1) {
		ctx_cut_release(k, h);
		return -1;
	}
	if (new == NULL)
		return h->to > 0 ? keep_half(t, h, err) :
		    keep(t, h, CTX_RELINK_OLD, err);
	if (ctx_cut_gone(h, &l) == -1) {
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
hold_empty(const struct ctx_cut_thread *t, const struct ctx_cut_held *h,
    struct ctx_err *err)
{
	struct ctx_cut *k = t->cut;
	const struct ctx_convo *c = &k->again;
	struct ctx_buf *b = &k->element;
	const struct ctx_node *list;
	struct ctx_doc doc;
	uint32_t e, m = 0;
	size_t end;

	if (ctx_cut_view_again(k, h, t->strand->dialect, err) == -1)
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
settle_list(struct ctx_cut_thread *t, const struct ctx_win_cut *cut, size_t i,
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
join_halves(struct ctx_cut_thread *t, const struct ctx_win_cut *cut, size_t i)
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
drop_tied(const struct ctx_cut_thread *t, struct ctx_err *err)
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
note_kept(const struct ctx_cut_thread *t, struct ctx_err *err)
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
	struct ctx_cut_thread *t = strand->state;
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
	t->h.win.total += t->h.turn;
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
