/* SPDX-License-Identifier: MIT */
/* The cut of ctx-truncate; see truncate-cut.h. */
#include "truncate-cut.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/group.h"
#include "decide/summary.h"

/* A record that waits for the verdict. */
struct cut_held {
	struct ctx_block *block;
	const char *raw;
	size_t len;
	uint64_t place;		/* in the file: a record's is odd */
};

/* A conversation of message lines. */
struct cut_thread {
	struct cut *cut;
	struct ctx_window win;
	unsigned last_flags;	/* of its last message, for what rides on it */
	int begun;		/* a message that is not system was seen */
	int in_summary;		/* the last message was a summary */
	const struct ctx_dialect *dialect;
};

static void
release(struct cut_held *h)
{
	if (h != NULL)
		ctx_block_drop(h->block);
	free(h);
}

void
cut_free(void *state)
{
	struct cut_thread *t = state;
	size_t i;

	for (i = 0; i < t->win.n; i++)
		release(t->win.item[i].handle);
	ctx_window_done(&t->win);
	free(t);
}

void
cut_done(struct cut *k)
{
	size_t i;

	for (i = 0; i < k->nkept; i++)
		release(k->kept[i]);
	free(k->kept);
	free(k->more);
	ctx_window_done(&k->whole);
	ctx_pairer_done(&k->pairer);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	cli_cost_done(&k->cost);
}

/*
 * Hold a record.  What stays for long, or waits among many conversations, gets
 * memory of its own, so that it does not pin a block of others.
 */
static struct cut_held *
hold(const struct cut *k, const struct ctx_rec *r, unsigned flags)
{
	struct cut_held *h = malloc(sizeof(*h));

	if (h == NULL)
		return NULL;
	h->len = r->len;
	h->place = r->seq * 2 + 1;
	if (k->stream.turns.by == NULL &&
	    !(flags & (CTX_WIN_SYSTEM | CTX_WIN_MUST))) {
		h->block = r->block;
		h->raw = r->raw;
		ctx_block_hold(h->block);
		return h;
	}
	if ((h->block = ctx_block_new(r->len)) == NULL) {
		free(h);
		return NULL;
	}
	memcpy(h->block->data, r->raw, r->len);
	h->raw = h->block->data;
	return h;
}

static int
pinned(const struct cut *k, const struct ctx_convo *c, uint32_t m)
{
	struct ctx_doc doc;
	uint32_t v;

	if (k->pin == NULL)
		return 0;
	doc = ctx_convo_doc(c, c->msg[m].rec);
	v = ctx_doc_get(&doc, c->msg[m].node, k->pin, strlen(k->pin));
	return v != CTX_NONE && ctx_node_type(&doc, v) != 'f' &&
	    ctx_node_type(&doc, v) != 'n';
}

/* The flags of message m; begun and in_summary are the conversation's. */
static unsigned
flags_of(const struct cut *k, const struct ctx_convo *c, uint32_t m,
    int *begun, int *in_summary)
{
	const struct ctx_msg *msg = &c->msg[m];
	unsigned flags = 0;

	if (msg->role == CTX_SYSTEM)
		return CTX_WIN_SYSTEM;
	if (k->more[m])
		flags |= CTX_WIN_MORE;
	/* of the message before it, which may have come a turn ago */
	if (msg->flags & CTX_JOINED)
		flags |= CTX_WIN_FREE | CTX_WIN_MORE;
	if (ctx_group_begins(c, m))
		flags |= CTX_WIN_USER;
	if (pinned(k, c, m))
		flags |= CTX_WIN_MUST;
	if (msg->flags & CTX_SUMMARY)
		flags |= CTX_WIN_MUST;
	if (!*begun && ctx_summary_is(c, m, NULL, NULL)) {
		flags |= CTX_WIN_MUST;
		*in_summary = 1;
	} else {
		if (*in_summary && ctx_summary_is_reply(c, m))
			flags |= CTX_WIN_MUST;
		*in_summary = 0;
	}
	*begun = 1;
	return flags;
}

/* Pair and group c's messages; k->more is filled. */
static int
prepare(struct cut *k, struct ctx_convo *c, struct ctx_err *err)
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
begins_with_user(const struct cut *k, const struct ctx_dialect *d)
{
	return k->start == CUT_USER || (k->start == CUT_AUTO && d != NULL &&
	    d->rules & CTX_RULE_FIRST_USER);
}

/* --- message lines ------------------------------------------------------ */

static int
gone(void *handle, void *arg)
{
	struct cut *k = arg;
	struct cut_held *h = handle;
	int rc = 0;

	if (k->dropped != NULL)
		rc = ctx_out_line(k->dropped, h->raw, h->len, NULL, NULL);
	release(h);
	return rc;
}

static int
add_item(struct cut *k, struct cut_thread *t, const struct ctx_rec *r,
    struct ctx_win_item *item, struct ctx_err *err)
{
	if ((item->handle = hold(k, r, item->flags)) == NULL)
		return ctx_fail_nomem(err);
	if (ctx_window_add(&t->win, item, err) == -1) {
		release(item->handle);
		return -1;
	}
	return 0;
}

/* A record that is no message shares the fate of the one before it. */
static int
add_rider(struct cut *k, struct cut_thread *t, const struct ctx_rec *r,
    struct ctx_err *err)
{
	struct ctx_win_item item = { .flags = CTX_WIN_FREE };

	if (!t->begun && !(t->last_flags & CTX_WIN_SYSTEM))
		item.flags |= CTX_WIN_MUST;
	else if (t->last_flags & CTX_WIN_SYSTEM)
		item.flags |= CTX_WIN_SYSTEM;
	else
		item.flags |= CTX_WIN_MORE;
	return add_item(k, t, r, &item, err);
}

/*
 * The flags of a record of several messages: those so far and its next one's.
 * One that holds a system message beside others stays whole.
 */
static unsigned
with_next(unsigned flags, unsigned next)
{
	if ((flags ^ next) & CTX_WIN_SYSTEM)
		return (next & CTX_WIN_SYSTEM ? flags : next) | CTX_WIN_MUST;
	return (flags & (next | ~(unsigned)CTX_WIN_FREE)) |
	    (next & CTX_WIN_MUST);
}

static int
add_record(struct cut *k, struct cut_thread *t, struct ctx_convo *c,
    uint32_t r, struct ctx_err *err)
{
	const struct ctx_rec *rec = &c->rec[r];
	struct ctx_win_item item = { 0 };
	unsigned flags;
	uint32_t m;
	uint64_t n;

	if (rec->nmsg == 0)
		return add_rider(k, t, rec, err);
	for (m = rec->msg; m < rec->msg + rec->nmsg; m++) {
		flags = flags_of(k, c, m, &t->begun, &t->in_summary);
		item.flags = m == rec->msg ? flags :
		    with_next(item.flags, flags);
		if (k->counting) {
			if (cli_cost_msg(&k->cost, c, m, &n, err) == -1)
				return -1;
			item.cost += n;
		}
	}
	t->last_flags = item.flags;
	return add_item(k, t, rec, &item, err);
}

static struct cut_thread *
thread_of(struct cut *k, struct ctx_thread *thread)
{
	struct cut_thread *t = thread->state;

	if (t == NULL && (t = calloc(1, sizeof(*t))) != NULL) {
		t->cut = k;
		ctx_window_init(&t->win, &k->win);
		thread->state = t;
	}
	return t;
}

static int
compare_held(const void *a, const void *b)
{
	const struct cut_held *const *x = a, *const *y = b;

	return (*x)->place < (*y)->place ? -1 : (*x)->place > (*y)->place;
}

static int
keep(struct cut *k, struct cut_held *h, struct ctx_err *err)
{
	struct cut_held **p;

	p = ctx_grow(k->kept, k->nkept, &k->capkept, sizeof(*p));
	if (p == NULL) {
		release(h);
		return ctx_fail_nomem(err);
	}
	k->kept = p;
	p[k->nkept++] = h;
	return 0;
}

/* "[12 earlier messages (3456 tokens) left out here]" */
static size_t
note_text(const struct cut *k, const struct ctx_win_cut *cut, char *out,
    size_t size)
{
	int n;

	if (k->counting)
		n = snprintf(out, size, "[%" PRIu64 " earlier message%s (%"
		    PRIu64 " tokens) left out here]", cut->missing,
		    cut->missing == 1 ? "" : "s", cut->missing_cost);
	else
		n = snprintf(out, size, "[%" PRIu64
		    " earlier message%s left out here]", cut->missing,
		    cut->missing == 1 ? "" : "s");
	return (size_t)n;
}

/* The note as a line in front of the record with this place. */
static int
keep_note(struct cut *k, const struct ctx_thread *thread,
    const struct ctx_win_cut *cut, uint64_t place, int crlf,
    struct ctx_err *err)
{
	const struct ctx_dialect *d = thread->dialect != NULL ?
	    thread->dialect : &ctx_openai;
	struct ctx_new what = { .kind = CTX_NEW_TEXT, .role = CTX_USER };
	struct ctx_buf b = { 0 };
	struct cut_held *h;
	char text[128];
	int rc = -1;

	what.text = text;
	what.textlen = note_text(k, cut, text, sizeof(text));
	d->emit(&b, &what);
	if (ctx_edit_add_by(&b, k->stream.turns.by, thread->key,
	    thread->keylen) == -1 ||
	    ctx_buf_adds(&b, crlf ? "\r\n" : "\n") == -1 ||
	    (h = malloc(sizeof(*h))) == NULL) {
		ctx_fail_nomem(err);
		goto out;
	}
	if ((h->block = ctx_block_new(b.len)) == NULL) {
		free(h);
		ctx_fail_nomem(err);
		goto out;
	}
	memcpy(h->block->data, b.data, b.len);
	h->raw = h->block->data;
	h->len = b.len;
	h->place = place - 1;
	rc = keep(k, h, err);
out:
	ctx_buf_done(&b);
	return rc;
}

/*
 * A conversation that cannot be made to fit is named and left out; in place
 * that would lose it, so the file stays as it is.
 */
static int
left_out(struct cut *k, const struct ctx_thread *thread, uint64_t line,
    struct ctx_err *why)
{
	struct ctx_err named = *why;
	char quoted[64];

	if (why->code != CTX_ENO)
		return -1;
	named.line = line;
	if (thread != NULL && thread->keylen > 0)
		snprintf(named.text, sizeof(named.text), "%s: %.180s",
		    ctx_err_quote(quoted, sizeof(quoted), thread->key,
		    thread->keylen), why->text);
	cli_report(k->stream.cli, k->stream.file, &named);
	ctx_err_clear(why);
	if (k->stream.in_place)
		k->stream.hold_back = 1;
	return 0;
}

static void
tally(struct cut *k, const struct ctx_win_cut *cut)
{
	k->nconvo++;
	k->ncut += cut->dropped > 0;
	k->messages += cut->kept;
	k->dropped_messages += cut->dropped;
	k->dropped_tokens += cut->dropped_cost;
	k->stream.changed |= cut->dropped > 0;
}

int
cut_end(struct ctx_thread *thread, void *arg, struct ctx_err *err)
{
	struct cut_thread *t = thread->state;
	struct cut *k = arg;
	struct ctx_win_cut cut;
	struct cut_held *h;
	size_t i;

	/* behind a bad line: nothing of the conversation is written */
	if (t == NULL || k->stream.hold_back)
		return 0;
	t->win.opts.start_user = begins_with_user(k, thread->dialect);
	if (ctx_window_end(&t->win, &cut, err) == -1)
		return left_out(k, thread, 0, err);
	tally(k, &cut);
	for (i = 0; i < t->win.n; i++) {
		h = t->win.item[i].handle;
		t->win.item[i].handle = NULL;
		if (i == cut.gap && k->note && cut.missing > 0 &&
		    keep_note(k, thread, &cut, h->place, h->len > 1 &&
		    h->raw[h->len - 2] == '\r', err) == -1) {
			release(h);
			return -1;
		}
		if (t->win.item[i].flags & CTX_WIN_KEPT) {
			if (keep(k, h, err) == -1)
				return -1;
		} else if (gone(h, k) == -1)
			return ctx_fail(err, CTX_ESYSTEM,
			    "cannot write what was dropped");
	}
	t->win.n = 0;
	return 0;
}

int
cut_file_end(struct cli_stream *s, struct ctx_err *err)
{
	struct cut *k = (struct cut *)s;
	size_t i;
	int rc = 0;

	/* interleaved conversations end one by one: back into input order */
	for (i = 1; i < k->nkept; i++)
		if (compare_held(&k->kept[i - 1], &k->kept[i]) > 0) {
			qsort(k->kept, k->nkept, sizeof(*k->kept),
			    compare_held);
			break;
		}
	for (i = 0; i < k->nkept; i++) {
		if (rc == 0)
			rc = ctx_out_line(&s->out, k->kept[i]->raw,
			    k->kept[i]->len, k->kept[i]->block, err);
		release(k->kept[i]);
	}
	k->nkept = 0;
	if (rc == 0 && k->dropped != NULL)
		rc = ctx_out_flush(k->dropped, err);
	return rc;
}

/* --- conversation lines -------------------------------------------------- */

static int
items_of_whole(struct cut *k, struct ctx_convo *c, struct ctx_err *err)
{
	int begun = 0, in_summary = 0;
	struct ctx_win_item item = { 0 };
	uint32_t m;

	ctx_window_reset(&k->whole);
	k->whole.opts = k->win;
	k->whole.opts.start_user = begins_with_user(k, c->dialect);
	for (m = 0; m < c->nmsg; m++) {
		item.flags = flags_of(k, c, m, &begun, &in_summary);
		item.cost = 0;
		if (k->counting && cli_cost_msg(&k->cost, c, m, &item.cost,
		    err) == -1)
			return -1;
		if (ctx_window_add(&k->whole, &item, err) == -1)
			return -1;
	}
	return 0;
}

/* A plan that drops what is kept (or, inverse, what is not). */
static int
plan_whole(struct cut *k, const struct ctx_convo *c,
    const struct ctx_win_cut *cut, int inverse, struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_TEXT, .role = CTX_USER };
	char text[128];
	uint32_t m, n;
	size_t len;
	int stays;

	if (ctx_plan_reset(&k->plan, c, err) == -1)
		return -1;
	for (m = 0; m < c->nmsg; m++) {
		if (m == cut->gap && k->note && !inverse && cut->missing > 0) {
			len = note_text(k, cut, text, sizeof(text));
			if (ctx_plan_insert(&k->plan, &in, text, len, &n,
			    err) == -1 || ctx_plan_order(&k->plan,
			    n | CTX_INSERTED, err) == -1)
				return -1;
		}
		stays = (k->whole.item[m].flags & CTX_WIN_KEPT) != 0;
		if (stays == inverse && !(c->msg[m].flags & CTX_FIXED))
			ctx_plan_drop_msg(&k->plan, m);
		if (ctx_plan_order(&k->plan, m, err) == -1)
			return -1;
	}
	return 0;
}

static int
write_whole(struct cut *k, const struct ctx_convo *c, struct ctx_out *out,
    struct ctx_err *err)
{
	const struct ctx_piece *p;

	if (ctx_edit_turn(&k->edit, &k->plan, c, err) == -1)
		return -1;
	p = &k->edit.piece[0];
	if (p->is_text)
		return ctx_out_line(out, k->edit.text.data + p->off, p->len,
		    NULL, err);
	return ctx_out_line(out, c->rec[0].raw, c->rec[0].len,
	    c->rec[0].block, err);
}

static int
cut_whole(struct cut *k, struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_win_cut cut;

	if (items_of_whole(k, c, err) == -1)
		return -1;
	if (ctx_window_end(&k->whole, &cut, err) == -1)
		return left_out(k, NULL, c->rec[0].line, err);
	tally(k, &cut);
	if (plan_whole(k, c, &cut, 0, err) == -1 ||
	    write_whole(k, c, &k->stream.out, err) == -1)
		return -1;
	if (k->dropped == NULL || cut.dropped == 0)
		return 0;
	if (plan_whole(k, c, &cut, 1, err) == -1)
		return -1;
	return write_whole(k, c, k->dropped, err);
}

int
cut_turn(const struct ctx_turn *turn, void *arg, struct ctx_err *err)
{
	struct ctx_convo *c = turn->convo;
	struct cut_thread *t;
	struct cut *k = arg;
	uint32_t r;

	if (prepare(k, c, err) == -1)
		return -1;
	if (turn->thread == NULL)
		return cut_whole(k, c, err);
	if ((t = thread_of(k, turn->thread)) == NULL)
		return ctx_fail_nomem(err);
	for (r = 0; r < c->nrec; r++)
		if (add_record(k, t, c, r, err) == -1)
			return -1;
	t->win.opts.start_user = begins_with_user(k, turn->thread->dialect);
	if (ctx_window_slide(&t->win, gone, k) != 0)
		return ctx_fail(err, CTX_ESYSTEM,
		    "cannot write what was dropped");
	return 0;
}
