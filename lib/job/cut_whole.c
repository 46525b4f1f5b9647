/* SPDX-License-Identifier: MIT */
/* The cut of conversation lines; see cut_impl.h. */
#include "job/cut_impl.h"

#include "job/revise.h"

/* The current conversation. */
struct whole {
	struct ctx_cut *cut;
	const struct ctx_convo *c;
};

static int
items_of(struct ctx_cut *k, const struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_cut_history *h = &k->whole;
	struct ctx_cut_msgs of = { .c = c };
	struct ctx_win_item item;
	const int refer = ctx_refs_any(c);
	int must = 0;	/* what replaces all before it cannot go */

	ctx_refs_reset(&h->refs);
	ctx_window_reset(&h->win);
	h->stays = (struct ctx_stays){ .pin = k->opts.pin };
	h->turn = h->also = 0;
	h->sent = ctx_convo_sent(c);
	h->win.opts = k->opts.win;
	h->win.opts.start_user = ctx_cut_from_user(k, c->dialect);
	if (ctx_cut_request(k, h, c, err) == -1)
		return -1;
	for (; of.m < c->nmsg; of.m = of.end) {
		ctx_cut_extent(&of);
		if (ctx_cut_item(k, h, &of, &item, err) == -1)
			return -1;
		if (c->msg[of.m].flags & CTX_AS_LINE) {
			if (c->msg[of.m].flags & CTX_BOUNDARY)
				must = ctx_convo_replaces(c, of.m);
			item.flags |= must ? CTX_WIN_MUST : 0;
		}
		item.handle = (void *)(uintptr_t)of.m;
		if (ctx_window_add(&h->win, &item, err) == -1 ||
		    (refer && ctx_cut_refer(k, h, &of, err) == -1))
			return -1;
	}
	h->win.total += h->turn;
	return 0;
}

/* The first message of item i. */
static uint32_t
first_of(const struct ctx_cut *k, size_t i)
{
	return (uint32_t)(uintptr_t)k->whole.win.item[i].handle;
}

/* Does anything of item i, which is one message, fit? */
static int
fits_part(void *arg, size_t i, uint64_t room, struct ctx_err *err)
{
	const struct whole *w = arg;
	const struct ctx_revise by = ctx_cut_revise(w->cut);
	struct ctx_plan *plan = &w->cut->plan;

	if (ctx_plan_reset(plan, w->c, err) == -1)
		return -1;
	return ctx_revise_plan(&by, plan, w->c, first_of(w->cut, i), room,
	    err);
}

/* Plan the note before item i, if it belongs there. */
static int
plan_note(struct ctx_cut *k, const struct ctx_win_cut *cut, size_t i,
    struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_TEXT, .role = CTX_USER };
	int rc = ctx_cut_note(k, cut, i, err);
	uint32_t n;

	if (rc != 1)
		return rc;
	if (ctx_plan_insert(&k->plan, &in, k->note.data, k->note.len, &n,
	    err) == -1)
		return -1;
	return ctx_plan_order(&k->plan, n | CTX_INSERTED, err);
}

/*
 * Plan what becomes of item i: drop what is not kept or, for what is put aside,
 * what is kept.  What is kept in part or without results is put aside whole.
 */
static int
plan_item(struct ctx_cut *k, const struct ctx_cut_msgs *of,
    const struct ctx_win_cut *cut, size_t i, int aside, struct ctx_err *err)
{
	const struct ctx_revise by = ctx_cut_revise(k);
	const uint32_t flags = k->whole.win.item[i].flags;
	const int stays = (flags & CTX_WIN_KEPT) != 0;
	const int revised = stays && (flags & CTX_WIN_LEAN || i == cut->part);
	uint32_t m;

	for (m = of->m; m < of->end; m++) {
		if (revised && !aside && ctx_revise_plan(&by, &k->plan, of->c,
		    m, i == cut->part ? cut->room : 0, err) == -1)
			return -1;
		if ((aside ? stays && !revised : !stays) &&
		    !(of->c->msg[m].flags & CTX_FIXED))
			ctx_plan_drop_msg(&k->plan, m);
		if (ctx_plan_order(&k->plan, m, err) == -1)
			return -1;
	}
	return 0;
}

static int
plan_cut(struct ctx_cut *k, const struct ctx_convo *c,
    const struct ctx_win_cut *cut, enum ctx_to to, struct ctx_err *err)
{
	const int aside = to == CTX_TO_SIDE;
	struct ctx_cut_msgs of = { .c = c };
	size_t i;

	if (ctx_plan_reset(&k->plan, c, err) == -1)
		return -1;
	k->plan.riders = aside ? CTX_RIDERS_ASIDE : CTX_RIDERS_FOLLOW;
	for (i = 0; i < k->whole.win.n; i++) {
		of.m = first_of(k, i);
		ctx_cut_extent(&of);
		if ((!aside && plan_note(k, cut, i, err) == -1) ||
		    plan_item(k, &of, cut, i, aside, err) == -1)
			return -1;
	}
	return 0;
}

static int
write_cut(struct ctx_cut *k, const struct ctx_convo *c,
    const struct ctx_win_cut *cut, enum ctx_to to, struct ctx_err *err)
{
	const struct ctx_rec *r = &c->rec[0];
	const struct ctx_piece *p;

	if (plan_cut(k, c, cut, to, err) == -1)
		return -1;
	ctx_plan_settle(&k->plan);
	if (ctx_edit_turn(&k->edit, &k->plan, c, err) == -1)
		return -1;
	p = &k->edit.piece[0];
	if (p->is_text)
		return ctx_job_put(&k->job, to, k->edit.text.data + p->off,
		    p->len, NULL, err);
	return ctx_job_put(&k->job, to, r->raw, r->len, r->block, err);
}

/*
 * Do all messages fit, whatever they are?  Then it need not be known what they
 * are to the window.
 */
static int
all_fit(const struct ctx_cut *k, const struct ctx_convo *c,
    struct ctx_win_cut *cut)
{
	const struct ctx_win_opts *o = &k->opts.win;
	uint32_t m, unit, before = CTX_NONE;

	*cut = (struct ctx_win_cut){ .part = SIZE_MAX };
	if (k->opts.counting || (o->last > 0 && c->nmsg > o->last) ||
	    o->exclude_last > 0 || o->end_on != CTX_WIN_END_ANY)
		return 0;
	for (m = 0; m < c->nmsg; m++, before = unit) {
		unit = ctx_convo_unit(c, m);
		if (unit != CTX_NONE && unit == before)
			return 0;	/* they may count as one */
		if (c->msg[m].role == CTX_SYSTEM)
			cut->system++;
		else
			cut->kept += !(c->msg[m].flags & CTX_JOINED);
	}
	return !ctx_refs_any(c);
}

int
ctx_cut_whole(struct ctx_cut *k, struct ctx_convo *c, struct ctx_err *err)
{
	struct whole w = { k, c };
	struct ctx_cut_asked asked = { .part = fits_part, .arg = &w,
	    .line = c->rec[0].line };
	struct ctx_win_cut cut;
	int rc;

	if (all_fit(k, c, &cut)) {
		ctx_cut_sum(k, &cut);
		return ctx_job_put(&k->job, CTX_TO_OUT, c->rec[0].raw,
		    c->rec[0].len, c->rec[0].block, err);
	}
	if (ctx_groups_find(&k->groups, c, err) == -1)
		return -1;
	if (items_of(k, c, err) == -1)
		return -1;
	if ((rc = ctx_cut_choose(k, &k->whole, &asked, &cut, err)) != 1)
		return rc;
	if (!ctx_cut_changed(&cut))
		return ctx_job_put(&k->job, CTX_TO_OUT, c->rec[0].raw,
		    c->rec[0].len, c->rec[0].block, err);
	if (write_cut(k, c, &cut, CTX_TO_OUT, err) == -1)
		return -1;
	if (!k->opts.put_aside)
		return 0;
	return write_cut(k, c, &cut, CTX_TO_SIDE, err);
}
