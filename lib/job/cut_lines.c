/* SPDX-License-Identifier: MIT */
/* The cut of message lines; see cut_impl.h. */
#include "job/cut_impl.h"

#include <stdlib.h>
#include <string.h>

#include "job/revise.h"

/*
 * What is held back of messages that could go, for references to come: some
 * windows' worth.  A window is looked at when it has grown by half, so there
 * may be half as much again.
 */
#define HELD_MAX	(2u * 1024 * 1024)
#define HELD_EACH	160	/* bytes that a record takes besides its own */

/* A record, or a run of them, that waits for the verdict. */
struct ctx_cut_held {
	struct ctx_spilled own;	/* with a block: off and len are in it */
	struct ctx_block *block;	/* NULL: the bytes are in the spill */
	uint64_t place;		/* in the file: a record's is odd */
};

/* A conversation; its window's handles are records that are held. */
struct thread {
	struct ctx_cut *cut;
	struct ctx_cut_history h;
	unsigned last_flags;	/* of its last message, for what rides on it */
	struct ctx_cut_held *run;	/* the last item, if riders may be put to it */
	uint64_t run_seq;	/* of the last record in it */
};

/* --- records that are held --------------------------------------------- */

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

/* The bytes of h, until others are asked for or held; NULL with *err. */
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

/* A copy of the bytes. */
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
 * Hold a record.  What stays for long, or waits among many conversations, or
 * may be of any number, is copied, so that it does not pin a block of others.
 */
static struct ctx_cut_held *
hold(struct ctx_cut *k, const struct ctx_rec *r, unsigned flags,
    struct ctx_err *err)
{
	struct ctx_cut_held *h;

	if (k->job.turns.by != NULL ||
	    flags & (CTX_WIN_SYSTEM | CTX_WIN_MUST | CTX_WIN_FREE))
		return hold_bytes(k, r->raw, r->len, r->seq * 2 + 1, err);
	if ((h = calloc(1, sizeof(*h))) == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	h->block = r->block;
	h->own.off = (uint64_t)(r->raw - r->block->data);
	h->own.len = r->len;
	h->place = r->seq * 2 + 1;
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
 * One more of a run of records that are no messages: blank lines, say, of which
 * there may be millions.  1; 0: it needs an item of its own; or -1.
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

/* A record that is no message shares the fate of the one before it. */
static int
add_rider(struct thread *t, const struct ctx_rec *r, struct ctx_err *err)
{
	struct ctx_win_item item = { .flags = CTX_WIN_FREE };
	int rc;

	if (!t->h.stays.begun && !(t->last_flags & CTX_WIN_SYSTEM))
		item.flags |= CTX_WIN_MUST;
	else if (t->last_flags & CTX_WIN_SYSTEM)
		item.flags |= CTX_WIN_SYSTEM;
	else
		item.flags |= CTX_WIN_MORE;
	if ((rc = add_to_run(t, r, item.flags, err)) != 0)
		return rc == 1 ? 0 : -1;
	if (add_item(t, r, &item, err) == -1)
		return -1;
	t->run = item.handle;
	t->run_seq = r->seq;
	return 0;
}

static int
add_record(struct thread *t, const struct ctx_convo *c, uint32_t r,
    struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[r];
	struct ctx_cut_msgs of = { c, rec->msg, rec->msg + rec->nmsg };
	struct ctx_win_item item;

	if (rec->nmsg == 0)
		return add_rider(t, rec, err);
	if (ctx_cut_item(t->cut, &t->h, &of, &item, err) == -1)
		return -1;
	t->last_flags = item.flags;
	if (add_item(t, rec, &item, err) == -1)
		return -1;
	return ctx_cut_refer(t->cut, &t->h, &of, err);
}

/* The bytes of the window's item of that number. */
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

/* For a window that slides: the job, and where an error goes. */
struct leaving {
	struct ctx_cut *k;
	struct ctx_err *err;
};

/* An item that is not kept, and is taken: 0, or -1 with an error. */
static int
gone(void *handle, void *arg)
{
	const struct leaving *l = arg;
	int rc = 0;

	if (l->k->opts.put_aside)
		rc = put_held(l->k, CTX_TO_SIDE, handle, l->err);
	release(l->k, handle);
	return rc;
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
	struct leaving leaving = { k, err };
	struct ctx_window *w;
	uint32_t r;
	size_t n;

	if (t == NULL)
		return ctx_fail_nomem(err);
	for (r = 0; r < turn->convo->nrec; r++)
		if (add_record(t, turn->convo, r, err) == -1)
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
	ctx_window_done(&t->h.win);
	ctx_refs_done(&t->h.refs);
	free(t);
}

/* --- the end of a conversation ----------------------------------------- */

struct ending {
	struct thread *t;
	const struct ctx_strand *strand;
	struct ctx_cut_held *part;	/* what is left of the item in part */
};

/* To be written at the end of the file; h is taken. */
static int
keep(struct ctx_cut *k, struct ctx_cut_held *h, struct ctx_err *err)
{
	if (CTX_ROOM(k->kept, k->nkept, &k->capkept) == -1) {
		release(k, h);
		return ctx_fail_nomem(err);
	}
	k->kept[k->nkept++] = h;
	return 0;
}

/* The messages of h as k->again, which a plan is made for. */
static int
view_again(struct ctx_cut *k, const struct ctx_cut_held *h,
    const struct ctx_dialect *d, struct ctx_err *err)
{
	struct ctx_convo *c = &k->again;
	const char *raw = bytes_of(k, h, err);

	if (raw == NULL ||
	    ctx_dialect_line(c, d, raw, h->own.len, err) == -1)
		return -1;
	return ctx_plan_reset(&k->plan, c, err);
}

/*
 * Message h as it is written otherwise: within room, or if that is 0 without
 * the bodies of results.  1 and *new; 0 if it cannot be; -1 with *err.
 */
static int
revise(struct ctx_cut *k, const struct ctx_strand *strand,
    struct ctx_cut_held *h, uint64_t room, struct ctx_cut_held **new,
    struct ctx_err *err)
{
	struct ctx_convo *c = &k->again;
	uint32_t m;
	int rc;

	if (view_again(k, h, strand->dialect, err) == -1)
		return -1;
	if (c->nmsg == 0)
		return 0;
	for (m = 0; m < c->nmsg; m++)
		if ((rc = ctx_revise_plan(k->opts.cost, &k->plan, c, m, room,
		    err)) != 1)
			return rc;
	if (ctx_plan_order(&k->plan, 0, err) == -1)
		return -1;
	ctx_plan_settle(&k->plan);
	if (ctx_edit_turn(&k->edit, &k->plan, c, err) == -1)
		return -1;
	*new = hold_bytes(k, k->edit.text.data + k->edit.piece[0].off,
	    k->edit.piece[0].len, h->place, err);
	return *new == NULL ? -1 : 1;
}

static int
fits_part(void *arg, size_t i, uint64_t room, struct ctx_err *err)
{
	struct ending *e = arg;

	return revise(e->t->cut, e->strand, e->t->h.win.item[i].handle, room,
	    &e->part, err);
}

/* In a side conversation a note must not look like one of the main one. */
static int
note_like(struct ctx_cut *k, const struct ctx_strand *strand,
    struct ctx_str before, struct ctx_new *what, struct ctx_err *err)
{
	struct ctx_doc *doc = &k->again.doc;

	if (strand->sublen == 0)
		return 0;
	ctx_convo_reset(&k->again);
	if (ctx_doc_scan(doc, before.p, before.len, err) == -1)
		return -1;
	what->doc = doc;
	what->like = 0;
	return 0;
}

/* The note, if there is to be one, as a line in front of the item. */
static int
keep_note(const struct ending *e, const struct ctx_win_cut *cut, size_t i,
    struct ctx_err *err)
{
	const struct ctx_cut_held *before = e->t->h.win.item[i].handle;
	const struct ctx_dialect *d = e->strand->dialect != NULL ?
	    e->strand->dialect : &ctx_dialect_openai;
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_USER };
	size_t len = before->own.len;
	struct ctx_cut *k = e->t->cut;
	struct ctx_buf b = { 0 };
	struct ctx_cut_held *h;
	char text[CTX_CUT_NOTE];
	const char *raw;
	int rc = -1, crlf;

	what.text = text;
	if ((what.textlen = ctx_cut_note(k, cut, i, text)) == 0)
		return 0;
	if ((raw = bytes_of(k, before, err)) == NULL || note_like(k, e->strand,
	    (struct ctx_str){ raw, (uint32_t)len }, &what, err) == -1)
		return -1;
	crlf = len > 1 && raw[len - 2] == '\r';
	d->emit(&b, &what);
	if (ctx_edit_add_by(&b, k->job.turns.by, e->strand->key,
	    e->strand->keylen) == -1 ||
	    ctx_buf_adds(&b, crlf ? "\r\n" : "\n") == -1)
		ctx_fail_nomem(err);
	else if ((h = hold_bytes(k, b.data, b.len, before->place - 1,
	    err)) != NULL)
		rc = keep(k, h, err);
	ctx_buf_done(&b);
	return rc;
}

/* Item i of the conversation goes where the cut says; h is taken. */
static int
settle_item(struct ending *e, size_t i, int in_part, struct ctx_cut_held *h,
    struct ctx_err *err)
{
	unsigned flags = e->t->h.win.item[i].flags;
	struct ctx_cut *k = e->t->cut;
	struct leaving l = { k, err };
	struct ctx_cut_held *new = NULL;

	if (!(flags & CTX_WIN_KEPT))
		return gone(h, &l);
	if (in_part) {
		new = e->part;
		e->part = NULL;
	} else if (flags & CTX_WIN_LEAN &&
	    revise(k, e->strand, h, 0, &new, err) == -1) {
		release(k, h);
		return -1;
	}
	if (new == NULL)
		return keep(k, h, err);
	if (gone(h, &l) == -1) {
		release(k, new);
		return -1;
	}
	return keep(k, new, err);
}

int
ctx_cut_lines_end(struct ctx_strand *strand, void *job, struct ctx_err *err)
{
	struct thread *t = strand->state;
	struct ending e = { t, strand, NULL };
	struct ctx_cut_asked asked = { .part = fits_part, .arg = &e,
	    .name = strand->keylen > 0 ? strand->key : NULL,
	    .namelen = strand->keylen };
	struct ctx_win_cut cut;
	struct ctx_cut *k = job;
	struct ctx_win_item *it;
	size_t i;
	int rc;

	/* after a bad line: nothing of the conversation is written */
	if (t == NULL || k->job.cut_off)
		return 0;
	t->h.win.opts.start_user = ctx_cut_from_user(k, strand->dialect);
	if ((rc = ctx_cut_choose(k, &t->h, &asked, &cut, err)) != 1)
		return rc;
	for (i = 0; rc != -1 && i < t->h.win.n; i++) {
		if ((rc = keep_note(&e, &cut, i, err)) == -1)
			break;
		it = &t->h.win.item[i];
		rc = settle_item(&e, i, i == cut.part, it->handle, err);
		it->handle = NULL;
	}
	if (rc == 0)
		t->h.win.n = 0;
	release(k, e.part);
	return rc;
}

/* --- the end of the file ----------------------------------------------- */

static int
compare_held(const void *a, const void *b)
{
	const struct ctx_cut_held *const *x = a, *const *y = b;

	return (*x)->place < (*y)->place ? -1 : (*x)->place > (*y)->place;
}

int
ctx_cut_lines_write(struct ctx_cut *k, struct ctx_err *err)
{
	size_t i;
	int rc = 0;

	/* interleaved conversations end one by one: back into input order */
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
