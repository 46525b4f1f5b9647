/* SPDX-License-Identifier: MIT */
/* The cut of message lines; see cut_impl.h. */
#include "job/cut_impl.h"

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

/* A record, or a run of them, that waits for the decision. */
struct ctx_cut_held {
	struct ctx_spilled own;	/* with a block: off and len are relative to
				   it */
	struct ctx_block *block;	/* NULL: the bytes are in the spill */
	uint64_t place;		/* in the file: 4 for each record, which has 2,
				   with 1 for what is inserted before it */
	uint32_t from, to;	/* the messages of the record that it stands
				   for; to is 0 for all of them */
	int beside;		/* a message that is not in the branch */
};

#define PLACE(r)	((r)->seq * 4 + 2)

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

/* --- held records ------------------------------------------------------ */

static void
release(struct ctx_cut *k, struct ctx_cut_held *h)
{
	if (h == NULL)
		return;
	if (h->block != NULL)
		ctx_block_drop(h->block);
	else
		ctx_spill_drop(&k->spill, &h->own);
	free(h);
}

/* The bytes of h, valid until others are requested or held; NULL with *err. */
static const char *
bytes_of(struct ctx_cut *k, const struct ctx_cut_held *h, struct ctx_err *err)
{
	if (h->block != NULL)
		return h->block->data + h->own.off;
	return ctx_spill_get(&k->spill, &h->own, err);
}

static int
put_held(struct ctx_cut *k, enum ctx_to to, const struct ctx_cut_held *h,
    struct ctx_err *err)
{
	const char *p = bytes_of(k, h, err);

	return p == NULL ? -1 :
	    ctx_job_put(&k->job, to, p, h->own.len, h->block, err);
}

/* Hold a copy of the bytes. */
static struct ctx_cut_held *
hold_bytes(struct ctx_cut *k, const char *raw, size_t len, uint64_t place,
    struct ctx_err *err)
{
	struct ctx_cut_held *h = calloc(1, sizeof(*h));

	if (h == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	h->place = place;
	if (ctx_spill_add(&k->spill, &h->own, raw, len, err) == -1) {
		free(h);
		return NULL;
	}
	return h;
}

/*
 * Hold a record.  It is copied, so that it does not keep a whole block alive,
 * if it may stay for long, if it waits among many conversations, or if there
 * may be any number of its kind.
 */
static struct ctx_cut_held *
hold(struct ctx_cut *k, const struct ctx_rec *r, unsigned flags,
    struct ctx_err *err)
{
	struct ctx_cut_held *h;

	if (k->job.turns.by != NULL ||
	    flags & (CTX_WIN_SYSTEM | CTX_WIN_MUST | CTX_WIN_FREE))
		return hold_bytes(k, r->raw, r->len, PLACE(r), err);
	if ((h = calloc(1, sizeof(*h))) == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	h->block = r->block;
	h->own.off = (uint64_t)(r->raw - r->block->data);
	h->own.len = r->len;
	h->place = PLACE(r);
	ctx_block_hold(h->block);
	return h;
}

/* --- a turn ------------------------------------------------------------ */

static int
add_item(struct thread *t, const struct ctx_rec *r, struct ctx_win_item *item,
    struct ctx_err *err)
{
	t->run = NULL;
	item->bytes = r->len + HELD_EACH;
	if ((item->handle = hold(t->cut, r, item->flags, err)) == NULL)
		return -1;
	if (ctx_window_add(&t->h.win, item, err) == -1) {
		release(t->cut, item->handle);
		return -1;
	}
	return 0;
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
		h->place += h->from > 0;
	}
	return ctx_cut_refer(t->cut, &t->h, of, err);
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
	return bytes_of(t->cut, t->h.win.item[i].handle, err);
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
	const char *raw = bytes_of(k, h, err);
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
		return put_held(l->k, CTX_TO_SIDE, h, l->err);
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
	release(l->k, handle);
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
		release(t->cut, t->h.win.item[i].handle);
	release(t->cut, t->part);
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
	if ((raw = bytes_of(t->cut, *h, err)) == NULL)
		return -1;
	rc = ctx_relink_lines(t->chain, raw, (*h)->own.len, as, &b, err);
	if (rc == 1 && (new = hold_bytes(t->cut, b.data, b.len, (*h)->place,
	    err)) == NULL)
		rc = -1;
	ctx_buf_done(&b);
	if (new != NULL) {
		release(t->cut, *h);
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
		release(k, h);
		return -1;
	}
	if (CTX_ROOM(k->kept, k->nkept, &k->capkept) == -1) {
		release(k, h);
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
	*new = hold_bytes(k, bytes.p, bytes.len, h->place, err);
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
	struct ctx_cut_held *h;
	const char *raw;
	int rc;

	if ((rc = ctx_cut_note(k, cut, i, err)) != 1)
		return rc;
	what.text = k->note.data;
	what.textlen = k->note.len;
	rc = -1;
	if ((raw = bytes_of(k, before, err)) != NULL && ctx_job_new_line(
	    &k->job, t->strand, &what, (struct ctx_str){ raw,
	    (uint32_t)before->own.len }, &b, err) == 0 &&
	    (h = hold_bytes(k, b.data, b.len, before->place - 1, err)) != NULL)
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
		half = hold_bytes(k, bytes.p, bytes.len, h->place, err);
	release(k, h);
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
		release(k, h);
		return -1;
	}
	if (new == NULL)
		return h->to > 0 ? keep_half(t, h, err) : keep(t, h, CTX_RELINK_OLD, err);
	if (gone(h, &l) == -1) {
		release(k, new);
		return -1;
	}
	return keep(t, new, CTX_RELINK_OLD, err);
}

static int
stays_as_it_is(const struct ctx_window *w, const struct ctx_win_cut *cut,
    size_t i)
{
	return i < w->n && i != cut->part &&
	    (w->item[i].flags & (CTX_WIN_KEPT | CTX_WIN_LEAN)) == CTX_WIN_KEPT;
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
	if (next->place != h->place + 1)
		return;
	h->to = 0;
	release(t->cut, next);
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
		if (h->place / 4 < seq)
			lo = mid + 1;
		else
			hi = mid;
	}
	h = lo < w->n ? w->item[lo].handle : NULL;
	return (uint32_t)(h != NULL && h->place / 4 == seq ? lo : w->n);
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
		if ((raw = bytes_of(t->cut, h, err)) == NULL ||
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

/* --- the end of the file ----------------------------------------------- */

static int
compare_held(const void *a, const void *b)
{
	const struct ctx_cut_held *const *x = a, *const *y = b;

	/* no two have the same */
	return (*x)->place < (*y)->place ? -1 : 1;
}

int
ctx_cut_lines_write(struct ctx_cut *k, struct ctx_err *err)
{
	size_t i;
	int rc = 0;

	/* interleaved conversations end one by one: restore input order */
	for (i = 1; i < k->nkept; i++)
		if (compare_held(&k->kept[i - 1], &k->kept[i]) > 0) {
			qsort(k->kept, k->nkept, sizeof(*k->kept),
			    compare_held);
			break;
		}
	for (i = 0; i < k->nkept && rc == 0; i++)
		rc = put_held(k, CTX_TO_OUT, k->kept[i], err);
	ctx_cut_lines_forget(k);
	return rc;
}

void
ctx_cut_lines_forget(struct ctx_cut *k)
{
	while (k->nkept > 0)
		release(k, k->kept[--k->nkept]);
	ctx_spill_done(&k->spill);
}
