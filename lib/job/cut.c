/* SPDX-License-Identifier: MIT */
/* The job of ctx-truncate; see cut.h. */
#include "job/cut_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/group.h"
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

/* A conversation of message lines. */
struct thread {
	struct ctx_cut *cut;
	struct ctx_window win;
	struct ctx_refs refs;
	unsigned last_flags;	/* of its last message, for what rides on it */
	struct ctx_cut_held *run;	/* the last item, if riders may be put to it */
	uint64_t run_seq;	/* of the last record in it */
	struct ctx_stays stays;
	const struct ctx_dialect *dialect;
};

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

static void
cut_free(void *state)
{
	struct thread *t = state;
	size_t i;

	for (i = 0; i < t->win.n; i++)
		release(t->cut, t->win.item[i].handle);
	ctx_window_done(&t->win);
	ctx_refs_done(&t->refs);
	free(t);
}

static void
cut_give_up(struct ctx_job *job)
{
	struct ctx_cut *k = (struct ctx_cut *)job;

	while (k->nkept > 0)
		release(k, k->kept[--k->nkept]);
	ctx_spill_done(&k->spill);
}

static void
cut_done(struct ctx_job *job)
{
	struct ctx_cut *k = (struct ctx_cut *)job;

	cut_give_up(job);
	free(k->kept);
	free(k->more);
	ctx_window_done(&k->whole);
	ctx_refs_done(&k->refs);
	ctx_convo_done(&k->again);
	ctx_pairer_done(&k->pairer);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	ctx_cost_done(&k->own_cost);
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

/* Pair and group c's messages; k->more is filled. */
static int
prepare(struct ctx_cut *k, struct ctx_convo *c, struct ctx_err *err)
{
	unsigned char *more;

	if (ctx_pair(&k->pairer, c, err) == -1)
		return -1;
	more = ctx_grow(k->more, c->nmsg, &k->capmore, 1);
	if (more == NULL)
		return ctx_fail_nomem(err);
	k->more = more;
	ctx_group_marks(c, more);
	return 0;
}

static int
begins_with_user(const struct ctx_cut *k, const struct ctx_dialect *d)
{
	return k->opts.start == CTX_CUT_USER ||
	    (k->opts.start == CTX_CUT_AUTO && d != NULL &&
	    d->rules & CTX_RULE_FIRST_USER);
}

/* --- message lines ------------------------------------------------------ */

/* For a window that slides: the job, and where an error goes. */
struct leaving {
	struct ctx_cut *k;
	struct ctx_err *err;
};

/* An item that is not kept: 0, or -1 with an error. */
static int
gone(void *handle, void *arg)
{
	const struct leaving *l = arg;
	struct ctx_cut_held *h = handle;
	struct ctx_cut *k = l->k;
	const char *p;
	int rc = 0;

	if (k->opts.put_aside) {
		p = bytes_of(k, h, l->err);
		rc = p == NULL ? -1 : ctx_job_put(&k->job, CTX_TO_SIDE, p,
		    h->own.len, h->block, l->err);
	}
	release(k, h);
	return rc;
}

static int
add_item(struct ctx_cut *k, struct thread *t, const struct ctx_rec *r,
    struct ctx_win_item *item, struct ctx_err *err)
{
	t->run = NULL;
	item->bytes = r->len + HELD_EACH;
	if ((item->handle = hold(k, r, item->flags, err)) == NULL)
		return -1;
	if (ctx_window_add(&t->win, item, err) == -1) {
		release(k, item->handle);
		return -1;
	}
	return 0;
}

/*
 * One more of a run of records that are no messages: blank lines, say, of which
 * there may be millions.  1; 0: it needs an item of its own; or -1.
 */
static int
add_to_run(struct ctx_cut *k, struct thread *t, const struct ctx_rec *r,
    unsigned flags, struct ctx_err *err)
{
	struct ctx_win_item *last;
	unsigned kind = CTX_WIN_SYSTEM | CTX_WIN_MORE;
	int rc;

	if (t->run == NULL || t->win.n == 0 || r->seq != t->run_seq + 1)
		return 0;
	last = &t->win.item[t->win.n - 1];
	if (last->handle != t->run || (last->flags & kind) != (flags & kind))
		return 0;
	rc = ctx_spill_more(&k->spill, &t->run->own, r->raw, r->len, err);
	if (rc == 1) {
		last->bytes += r->len;
		t->run_seq++;
	}
	return rc;
}

/* A record that is no message shares the fate of the one before it. */
static int
add_rider(struct ctx_cut *k, struct thread *t, const struct ctx_rec *r,
    struct ctx_err *err)
{
	struct ctx_win_item item = { .flags = CTX_WIN_FREE };
	int rc;

	if (!t->stays.begun && !(t->last_flags & CTX_WIN_SYSTEM))
		item.flags |= CTX_WIN_MUST;
	else if (t->last_flags & CTX_WIN_SYSTEM)
		item.flags |= CTX_WIN_SYSTEM;
	else
		item.flags |= CTX_WIN_MORE;
	if ((rc = add_to_run(k, t, r, item.flags, err)) != 0)
		return rc == 1 ? 0 : -1;
	if (add_item(k, t, r, &item, err) == -1)
		return -1;
	t->run = item.handle;
	t->run_seq = r->seq;
	return 0;
}

static int
add_record(struct ctx_cut *k, struct thread *t, struct ctx_convo *c,
    uint32_t r, struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[r];
	struct ctx_win_item item = { 0 };
	struct ctx_cut_refs refs;
	unsigned flags;
	uint32_t m;

	if (rec->nmsg == 0)
		return add_rider(k, t, rec, err);
	for (m = rec->msg; m < rec->msg + rec->nmsg; m++) {
		flags = ctx_cut_flags(k, c, m, &t->stays);
		item.flags = m == rec->msg ? flags :
		    ctx_stays_join(item.flags, flags);
		if (ctx_cut_weigh(k, c, m, &item, err) == -1)
			return -1;
	}
	if (rec->nmsg > 1)
		item.flags &= ~(uint32_t)CTX_WIN_TEXT;
	t->last_flags = item.flags;
	if (add_item(k, t, rec, &item, err) == -1)
		return -1;
	refs = (struct ctx_cut_refs){ &t->win, &t->refs, c, rec->msg,
	    rec->msg + rec->nmsg, rec->raw };
	return ctx_cut_refer(k, &refs, err);
}

/* The bytes of the window's item of that number. */
static const char *
record(void *arg, uint64_t no, struct ctx_err *err)
{
	const struct thread *t = arg;
	size_t i = ctx_window_find(&t->win, no);

	if (i == SIZE_MAX) {
		ctx_fail(err, CTX_ERANGE, "a text that is gone is wanted");
		return NULL;
	}
	return bytes_of(t->cut, t->win.item[i].handle, err);
}

static struct thread *
thread_of(struct ctx_cut *k, struct ctx_strand *thread)
{
	struct thread *t = thread->state;

	if (t == NULL && (t = calloc(1, sizeof(*t))) != NULL) {
		t->cut = k;
		t->stays.pin = k->opts.pin;
		t->refs.record = record;
		t->refs.arg = t;
		ctx_window_init(&t->win, &k->opts.win);
		t->win.opts.held = &k->held;
		t->win.opts.held_max = HELD_MAX;
		thread->state = t;
	}
	return t;
}

static int
compare_held(const void *a, const void *b)
{
	const struct ctx_cut_held *const *x = a, *const *y = b;

	return (*x)->place < (*y)->place ? -1 : (*x)->place > (*y)->place;
}

static int
keep(struct ctx_cut *k, struct ctx_cut_held *h, struct ctx_err *err)
{
	struct ctx_cut_held **p;

	p = ctx_grow(k->kept, k->nkept, &k->capkept, sizeof(*p));
	if (p == NULL) {
		release(k, h);
		return ctx_fail_nomem(err);
	}
	k->kept = p;
	p[k->nkept++] = h;
	return 0;
}

/* "[12 earlier messages (3456 tokens) left out here]" */
static size_t
note_text(const struct ctx_cut *k, const struct ctx_win_cut *cut, char *out,
    size_t size)
{
	int n;

	if (k->opts.counting)
		n = snprintf(out, size, "[%" PRIu64 " earlier message%s (%"
		    PRIu64 " tokens) left out here]", cut->missing,
		    cut->missing == 1 ? "" : "s", cut->missing_cost);
	else
		n = snprintf(out, size, "[%" PRIu64
		    " earlier message%s left out here]", cut->missing,
		    cut->missing == 1 ? "" : "s");
	return (size_t)n;
}

/* In a side conversation a note must not look like one of the main one. */
static int
note_like(struct ctx_cut *k, const struct ctx_strand *thread,
    struct ctx_str before, struct ctx_new *what, struct ctx_doc *doc,
    struct ctx_err *err)
{
	if (thread->sublen == 0)
		return 0;
	ctx_convo_reset(&k->again);
	if (ctx_doc_scan(&k->again.doc, before.p, before.len, err) == -1)
		return -1;
	*doc = k->again.doc;
	doc->raw = before.p;
	doc->len = before.len;
	what->doc = doc;
	what->like = 0;
	return 0;
}

/* The note as a line in front of the record before. */
static int
keep_note(struct ctx_cut *k, const struct ctx_strand *thread,
    const struct ctx_win_cut *cut, const struct ctx_cut_held *before,
    struct ctx_err *err)
{
	const struct ctx_dialect *d = thread->dialect != NULL ?
	    thread->dialect : &ctx_dialect_openai;
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_USER };
	const char *raw = bytes_of(k, before, err);
	size_t len = before->own.len;
	struct ctx_buf b = { 0 };
	struct ctx_doc doc;
	struct ctx_cut_held *h;
	char text[128];
	int rc = -1, crlf;

	if (raw == NULL || note_like(k, thread, (struct ctx_str){ raw,
	    (uint32_t)len }, &what, &doc, err) == -1)
		return -1;
	crlf = len > 1 && raw[len - 2] == '\r';
	what.text = text;
	what.textlen = note_text(k, cut, text, sizeof(text));
	d->emit(&b, &what);
	if (ctx_edit_add_by(&b, k->job.turns.by, thread->key,
	    thread->keylen) == -1 ||
	    ctx_buf_adds(&b, crlf ? "\r\n" : "\n") == -1)
		ctx_fail_nomem(err);
	else if ((h = hold_bytes(k, b.data, b.len, before->place - 1,
	    err)) != NULL)
		rc = keep(k, h, err);
	ctx_buf_done(&b);
	return rc;
}

/* Message h as it is written otherwise; 0 if it cannot be. */
static int
revise(struct ctx_cut *k, const struct ctx_strand *thread,
    struct ctx_cut_held *h, uint64_t room, struct ctx_cut_held **new,
    struct ctx_err *err)
{
	const char *raw = bytes_of(k, h, err);
	struct ctx_convo *c = &k->again;
	uint32_t m;
	int rc;

	if (raw == NULL)
		return -1;
	if (ctx_dialect_line(c, thread->dialect, raw, h->own.len, err) == -1 ||
	    ctx_plan_reset(&k->plan, c, err) == -1)
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

/* A conversation that cannot be made to fit is named and left out. */
static int
left_out(struct ctx_cut *k, const struct ctx_strand *strand, uint64_t line,
    struct ctx_err *err)
{
	struct ctx_row row = { .what = CTX_CUT_LEFT_OUT, .line = line };
	struct ctx_err why = *err;

	if (why.code != CTX_ENO)
		return -1;
	if (strand != NULL && strand->keylen > 0) {
		row.name = strand->key;
		row.namelen = strand->keylen;
	}
	row.text = why.text;
	row.textlen = strlen(why.text);
	ctx_err_clear(err);
	return ctx_job_put_row(&k->job, &row, err);
}

/* Nothing of the message to be kept in part fits: it goes. */
static int
no_part(struct ctx_window *w, struct ctx_win_cut *cut, struct ctx_err *err)
{
	if (cut->part_must)
		return ctx_fail(err, CTX_ENO,
		    "nothing of a message fits the budget");
	w->item[cut->part].flags &= ~(uint32_t)CTX_WIN_KEPT;
	cut->kept--;
	cut->dropped++;
	cut->dropped_cost += w->item[cut->part].cost;
	cut->missing++;
	cut->missing_cost += w->item[cut->part].cost;
	cut->part = SIZE_MAX;
	return 0;
}

static void
tally(struct ctx_cut *k, const struct ctx_win_cut *cut)
{
	int changed = cut->dropped + cut->lean > 0 || cut->part != SIZE_MAX;

	k->sums.conversations++;
	k->sums.cut += (uint64_t)changed;
	k->sums.kept += cut->kept;
	k->sums.dropped += cut->dropped;
	k->sums.tokens += cut->dropped_cost;
	k->sums.lean += cut->lean;
	k->job.changed |= changed;
}

/* Item i of the conversation goes where the cut says; h is taken. */
static int
settle_item(struct ctx_cut *k, const struct ctx_strand *thread,
    struct ctx_cut_held *h, unsigned flags, struct ctx_cut_held *part,
    struct ctx_err *err)
{
	struct ctx_cut_held *lean = NULL;
	struct leaving l = { k, err };

	if (!(flags & CTX_WIN_KEPT))
		return gone(h, &l);
	if (flags & CTX_WIN_LEAN && revise(k, thread, h, 0, &lean,
	    err) == -1) {
		release(k, h);
		return -1;
	}
	if (part == NULL)
		part = lean;
	if (part == NULL)
		return keep(k, h, err);
	if (gone(h, &l) == -1) {
		release(k, part);
		return -1;
	}
	return keep(k, part, err);
}

/* The oldest message in part, as a record of its own. */
static int
partial(struct ctx_cut *k, const struct ctx_strand *thread, struct thread *t,
    struct ctx_win_cut *cut, struct ctx_cut_held **part, struct ctx_err *err)
{
	int rc;

	if (cut->part == SIZE_MAX)
		return 0;
	rc = revise(k, thread, t->win.item[cut->part].handle, cut->room, part,
	    err);
	return rc == 0 ? no_part(&t->win, cut, err) : rc == -1 ? -1 : 0;
}

static int
cut_end(struct ctx_strand *thread, void *job, struct ctx_err *err)
{
	struct thread *t = thread->state;
	struct ctx_cut_held *h, *part = NULL;
	struct ctx_win_cut cut;
	struct ctx_cut *k = job;
	size_t i;

	/* behind a bad line: nothing of the conversation is written */
	if (t == NULL || k->job.cut_off)
		return 0;
	t->win.opts.start_user = begins_with_user(k, thread->dialect);
	if (ctx_window_end(&t->win, &cut, err) == -1 ||
	    partial(k, thread, t, &cut, &part, err) == -1)
		return left_out(k, thread, 0, err);
	tally(k, &cut);
	for (i = 0; i < t->win.n; i++) {
		h = t->win.item[i].handle;
		if (i == cut.gap && k->opts.note && cut.missing > 0 &&
		    keep_note(k, thread, &cut, h, err) == -1)
			return -1;
		t->win.item[i].handle = NULL;
		if (settle_item(k, thread, h, t->win.item[i].flags,
		    i == cut.part ? part : NULL, err) == -1)
			return -1;
	}
	t->win.n = 0;
	return 0;
}

static int
cut_file_end(struct ctx_job *job, struct ctx_job *const *all, unsigned n,
    struct ctx_err *err)
{
	struct ctx_cut *k = (struct ctx_cut *)job;
	const char *p;
	size_t i;
	int rc = 0;

	(void)all;
	(void)n;
	/* interleaved conversations end one by one: back into input order */
	for (i = 1; i < k->nkept; i++)
		if (compare_held(&k->kept[i - 1], &k->kept[i]) > 0) {
			qsort(k->kept, k->nkept, sizeof(*k->kept),
			    compare_held);
			break;
		}
	for (i = 0; i < k->nkept && rc == 0; i++)
		rc = (p = bytes_of(k, k->kept[i], err)) == NULL ? -1 :
		    ctx_job_put(job, CTX_TO_OUT, p, k->kept[i]->own.len,
		    k->kept[i]->block, err);
	cut_give_up(job);
	return rc;
}

/* --- conversation lines -------------------------------------------------- */

static int
items_of_whole(struct ctx_cut *k, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_stays stays = { .pin = k->opts.pin };
	struct ctx_win_item item = { 0 };
	uint32_t m;

	ctx_refs_reset(&k->refs);
	ctx_window_reset(&k->whole);
	k->whole.opts = k->opts.win;
	k->whole.opts.start_user = begins_with_user(k, c->dialect);
	for (m = 0; m < c->nmsg; m++) {
		item.flags = ctx_cut_flags(k, c, m, &stays);
		item.cost = item.lean = 0;
		if (ctx_cut_weigh(k, c, m, &item, err) == -1 ||
		    ctx_window_add(&k->whole, &item, err) == -1 ||
		    ctx_cut_refer(k, &(struct ctx_cut_refs){ &k->whole,
		    &k->refs, c, m, m + 1, c->rec[0].raw }, err) == -1)
			return -1;
	}
	return 0;
}

/* A plan that drops what is not kept (or, inverse, what is). */
static int
plan_whole(struct ctx_cut *k, const struct ctx_convo *c,
    const struct ctx_win_cut *cut, int inverse, struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_TEXT, .role = CTX_USER };
	char text[128];
	uint32_t m, n, flags;
	size_t len;
	int stays;

	if (ctx_plan_reset(&k->plan, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++) {
		if (m == cut->gap && k->opts.note && !inverse && cut->missing > 0) {
			len = note_text(k, cut, text, sizeof(text));
			if (ctx_plan_insert(&k->plan, &in, text, len, &n,
			    err) == -1 || ctx_plan_order(&k->plan,
			    n | CTX_INSERTED, err) == -1)
				return -1;
		}
		flags = k->whole.item[m].flags;
		stays = (flags & CTX_WIN_KEPT) != 0;
		if (stays && (flags & CTX_WIN_LEAN || m == cut->part)) {
			/* whole among the dropped */
			stays = !inverse;
			if (!inverse && ctx_revise_plan(k->opts.cost, &k->plan, c, m,
			    m == cut->part ? cut->room : 0, err) == -1)
				return -1;
		}
		if (stays == inverse && !(c->msg[m].flags & CTX_FIXED))
			ctx_plan_drop_msg(&k->plan, m);
		if (ctx_plan_order(&k->plan, m, err) == -1)
			return -1;
	}
	return 0;
}

static int
write_whole(struct ctx_cut *k, const struct ctx_convo *c, enum ctx_to to,
    struct ctx_err *err)
{
	const struct ctx_piece *p;

	ctx_plan_settle(&k->plan);
	if (ctx_edit_turn(&k->edit, &k->plan, c, err) == -1)
		return -1;
	p = &k->edit.piece[0];
	if (p->is_text)
		return ctx_job_put(&k->job, to, k->edit.text.data + p->off,
		    p->len, NULL, err);
	return ctx_job_put(&k->job, to, c->rec[0].raw, c->rec[0].len,
	    c->rec[0].block, err);
}

/* Does anything of the message to be kept in part fit? */
static int
partial_whole(struct ctx_cut *k, const struct ctx_convo *c,
    struct ctx_win_cut *cut, struct ctx_err *err)
{
	int rc;

	if (cut->part == SIZE_MAX)
		return 0;
	if (ctx_plan_reset(&k->plan, c, err) == -1)
		return -1;
	rc = ctx_revise_plan(k->opts.cost, &k->plan, c, (uint32_t)cut->part,
	    cut->room, err);
	return rc == 0 ? no_part(&k->whole, cut, err) : rc == -1 ? -1 : 0;
}

static int
cut_whole(struct ctx_cut *k, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_win_cut cut;

	if (items_of_whole(k, c, err) == -1)
		return -1;
	if (ctx_window_end(&k->whole, &cut, err) == -1 ||
	    partial_whole(k, c, &cut, err) == -1)
		return left_out(k, NULL, c->rec[0].line, err);
	tally(k, &cut);
	if (plan_whole(k, c, &cut, 0, err) == -1 ||
	    write_whole(k, c, CTX_TO_OUT, err) == -1)
		return -1;
	if (!k->opts.put_aside || (cut.dropped + cut.lean == 0 &&
	    cut.part == SIZE_MAX))
		return 0;
	if (plan_whole(k, c, &cut, 1, err) == -1)
		return -1;
	return write_whole(k, c, CTX_TO_SIDE, err);
}

static int
alive(uint64_t no, const void *win)
{
	return ctx_window_find(win, no) != SIZE_MAX;
}

static int
cut_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_convo *c = turn->convo;
	struct thread *t;
	struct ctx_cut *k = job;
	struct leaving leaving = { k, err };
	uint32_t r;
	size_t n;

	if (prepare(k, c, err) == -1)
		return -1;
	if (turn->strand == NULL)
		return cut_whole(k, c, err);
	if ((t = thread_of(k, turn->strand)) == NULL)
		return ctx_fail_nomem(err);
	for (r = 0; r < c->nrec; r++)
		if (add_record(k, t, c, r, err) == -1)
			return -1;
	t->win.opts.start_user = begins_with_user(k, turn->strand->dialect);
	n = t->win.n;
	if (ctx_window_slide(&t->win, gone, &leaving) != 0)
		return -1;
	if (t->win.n < n)
		ctx_refs_prune(&t->refs, alive, &t->win);
	return 0;
}

/* --- the job ------------------------------------------------------------ */

static struct ctx_job *
cut_another(const struct ctx_job *job, struct ctx_err *err)
{
	const struct ctx_cut *from = (const struct ctx_cut *)job;
	struct ctx_job *j = ctx_cut_new(&from->opts, err);
	struct ctx_cut *k = (struct ctx_cut *)j;

	if (j == NULL)
		return NULL;
	ctx_job_like(j, job);
	if (!from->opts.counting)
		return j;
	if (ctx_cost_like(&k->own_cost, from->opts.cost, err) == -1) {
		ctx_job_free(j);
		return NULL;
	}
	k->opts.cost = &k->own_cost;
	return j;
}

static void
cut_add(struct ctx_job *to, struct ctx_job *from)
{
	struct ctx_cut_sums *f = &((struct ctx_cut *)from)->sums, *t;

	if (to != NULL) {
		t = &((struct ctx_cut *)to)->sums;
		t->conversations += f->conversations;
		t->cut += f->cut;
		t->kept += f->kept;
		t->dropped += f->dropped;
		t->tokens += f->tokens;
		t->lean += f->lean;
	}
	memset(f, 0, sizeof(*f));
}

static const struct ctx_job_kind kind = {
	.turn = cut_turn,
	.end = cut_end,
	.free_state = cut_free,
	.file_end = cut_file_end,
	.give_up = cut_give_up,
	.another = cut_another,
	.add = cut_add,
	.done = cut_done,
	.by_alone = 1
};

struct ctx_job *
ctx_cut_new(const struct ctx_cut_opts *opts, struct ctx_err *err)
{
	struct ctx_cut *k = calloc(1, sizeof(*k));

	if (k == NULL) {
		ctx_fail_nomem(err);
		return NULL;
	}
	ctx_job_init(&k->job, &kind);
	k->opts = *opts;
	return &k->job;
}

const struct ctx_cut_sums *
ctx_cut_figures(const struct ctx_job *j)
{
	return &((const struct ctx_cut *)j)->sums;
}
