/* SPDX-License-Identifier: MIT */
/* The job of ctx-truncate; see cut.h. */
#include "job/cut_impl.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/charge.h"
#include "job/revise.h"

#define NOTE_COST	24	/* the most tokens that an English note takes */
#define LONGEST		999999999	/* a number that is as long as any */
#define PART_LEAST	32	/* a part must have room for its marker and some
				   words */

/* --- what a message is to the window ----------------------------------- */

/* Passed to refer. */
struct referring {
	struct ctx_cut *cut;
	struct ctx_window *win;
	uint64_t line;
};

static unsigned
flags_of(const struct ctx_cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_stays *stays)
{
	unsigned flags = ctx_stays_flags(stays, c, m,
	    k->groups.more[m]);

	if (k->opts.win.partial > 0 && !(flags & CTX_WIN_SYSTEM) &&
	    ctx_revise_may_part(c, m))
		flags |= CTX_WIN_TEXT;
	return flags;
}

static int
weigh(struct ctx_cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_win_item *item, struct ctx_err *err)
{
	const struct ctx_revise by = ctx_cut_revise(k);
	uint64_t cost = 0, less = 0;

	if (!k->opts.counting)
		return 0;
	if (ctx_cost_msg(k->opts.cost, c, m, &cost, err) == -1 ||
	    (k->opts.win.results_first &&
	    ctx_revise_gain(&by, c, m, &less, err) == -1))
		return -1;
	item->cost += cost;
	/* a number in the message may be of another tokenizer */
	item->lean += cost > less ? cost - less : 0;
	return 0;
}

void
ctx_cut_extent(struct ctx_cut_msgs *of)
{
	const uint32_t all = ctx_convo_unit_end(of->c, of->m);
	const struct ctx_msg *msg = of->c->msg;
	uint32_t m = of->m;

	if (msg[m].flags & CTX_AS_LINE) {
		while (m < all && msg[m].elem == msg[of->m].elem)
			m++;
		of->end = m;
		return;
	}
	while (m < all && msg[m].role == CTX_SYSTEM)
		m++;
	of->end = m == of->m ? all : m;
}

/*
 * Whatever the cut takes, thoughts that are charged until the user says more are
 * those of one turn.  Only those of a message that stays anyhow can join another
 * turn's; see window.h for the rest.
 */
static void
weigh_thoughts(const struct ctx_cut *k, struct ctx_cut_history *h,
    const struct ctx_convo *c, uint32_t m, struct ctx_win_item *item)
{
	const struct ctx_win_opts *o = &h->win.opts;
	const struct ctx_msg *msg = &c->msg[m];
	const uint64_t n = k->opts.cost->thoughts;

	if (msg->role == CTX_USER && msg->npart > 0 &&
	    c->part[msg->part].kind == CTX_TEXT &&
	    ctx_part_text(c, msg->part).len > 0)
		h->turn = 0;
	if (item->flags & CTX_WIN_MUST || h->win.messages < o->keep_first ||
	    (o->step > 0 && o->results_first)) {
		item->cost += n;
		item->lean += n;
		return;
	}
	item->thoughts += n;
	h->turn += n;
	if (h->turn > h->win.thoughts)
		h->win.thoughts = h->turn;
}

int
ctx_cut_item(struct ctx_cut *k, struct ctx_cut_history *h,
    const struct ctx_cut_msgs *of, struct ctx_win_item *item,
    struct ctx_err *err)
{
	unsigned flags;
	uint32_t m;

	*item = (struct ctx_win_item){ 0 };
	for (m = of->m; m < of->end; m++) {
		flags = flags_of(k, of->c, m, &h->stays);
		item->flags = m == of->m ? flags :
		    ctx_stays_join(item->flags, flags);
		if (m < h->sent && !(flags & CTX_WIN_SYSTEM))
			continue;
		if (weigh(k, of->c, m, item, err) == -1)
			return -1;
		if (k->opts.counting)
			weigh_thoughts(k, h, of->c, m, item);
	}
	if (of->end - of->m > 1)
		item->flags &= ~(uint32_t)CTX_WIN_TEXT;
	return 0;
}

int
ctx_cut_request(struct ctx_cut *k, struct ctx_cut_history *h,
    const struct ctx_convo *c, struct ctx_err *err)
{
	struct ctx_charges more;
	uint64_t also;

	if (!k->opts.counting)
		return 0;
	if (ctx_charge_request(k->opts.cost, c, k->opts.along, &more, NULL,
	    err) == -1)
		return -1;
	also = ctx_charges_sum(&more) +
	    (k->opts.cost->to_cut == CTX_COST_CUT_ANY ? more.begun : 0);
	/* never less: what is left may not show which rule is its own */
	if (also > h->also) {
		ctx_window_also(&h->win, also - h->also);
		h->also = also;
	}
	h->win.opts.reserve = k->opts.win.reserve + more.cut;
	return 0;
}

/* Link the window's last item to the one that sent the text first. */
static int
refer(void *arg, uint64_t to, struct ctx_err *err)
{
	struct referring *f = arg;
	struct ctx_row row = { .what = CTX_CUT_DANGLING, .line = f->line };

	if (to != CTX_REFS_GONE)
		return ctx_window_link(f->win, to, err);
	return ctx_job_put_row(&f->cut->job, &row, err);
}

int
ctx_cut_refer(struct ctx_cut *k, struct ctx_cut_history *h,
    const struct ctx_cut_msgs *of, struct ctx_err *err)
{
	const struct ctx_msg *m = &of->c->msg[of->m];
	const struct ctx_rec *rec = &of->c->rec[m->rec];
	const struct ctx_doc doc = ctx_convo_doc(of->c, m->rec);
	struct referring f = { k, &h->win, rec->line };
	struct ctx_refs_sent sent = { h->win.added - 1, of->c, of->m, of->end,
	    rec->raw, m->flags & CTX_AS_LINE ? doc.node[m->elem].off : 0 };

	return ctx_refs_scan(&h->refs, &sent, refer, &f, err);
}

/* --- what becomes of a conversation ------------------------------------ */

int
ctx_cut_from_user(const struct ctx_cut *k, const struct ctx_dialect *d)
{
	return k->opts.start == CTX_CUT_USER ||
	    (k->opts.start == CTX_CUT_AUTO && !k->opts.win.first && d != NULL &&
	    d->rules & CTX_RULE_FIRST_USER);
}

static int
write_note(struct ctx_cut *k, uint64_t messages, uint64_t tokens,
    struct ctx_err *err)
{
	const struct ctx_marker_said said = { messages, tokens, { NULL, 0 } };

	ctx_buf_reset(&k->note);
	ctx_marker_put(&k->note, k->opts.notes, k->opts.counting ?
	    CTX_MARKER_MISSING_TOKENS : CTX_MARKER_MISSING, &said);
	return ctx_buf_fail(&k->note, err) == -1 ? -1 : 1;
}

int
ctx_cut_note(struct ctx_cut *k, const struct ctx_win_cut *cut, size_t i,
    struct ctx_err *err)
{
	if (!k->opts.note || i != cut->gap || cut->missing == 0)
		return 0;
	return write_note(k, cut->missing, cut->missing_cost, err);
}

/* Report a conversation that cannot be made to fit; it is left out. */
static int
left_out(struct ctx_cut *k, const struct ctx_cut_asked *asked,
    struct ctx_err *err)
{
	struct ctx_err why = *err;
	struct ctx_row row = { .what = CTX_CUT_LEFT_OUT, .line = asked->line,
	    .name = asked->name, .namelen = asked->namelen,
	    .text = why.text, .textlen = strlen(why.text) };

	if (why.code != CTX_ENO)
		return -1;
	ctx_err_clear(err);
	return ctx_job_put_row(&k->job, &row, err);
}

/* Nothing fits of the message to be kept in part: drop it. */
static int
no_part(struct ctx_window *w, struct ctx_win_cut *cut, struct ctx_err *err)
{
	size_t i;

	if (cut->part_must)
		return ctx_fail(err, CTX_ENO,
		    "no part of a message fits the budget");
	for (i = cut->part; i < cut->part_end; i++)
		if (!(w->item[i].flags & CTX_WIN_SYSTEM))
			w->item[i].flags &= ~(uint32_t)CTX_WIN_KEPT;
	cut->kept--;
	cut->dropped++;
	cut->dropped_cost += w->item[cut->part].cost;
	cut->missing++;
	cut->missing_cost += w->item[cut->part].cost;
	cut->part = SIZE_MAX;
	return 0;
}

/* Cut, and check whether anything fits of what is to be kept in part. */
static int
decide(struct ctx_window *w, const struct ctx_cut_asked *asked,
    struct ctx_win_cut *cut, struct ctx_err *err)
{
	int rc;

	if (ctx_window_end(w, cut, err) == -1)
		return -1;
	if (cut->part == SIZE_MAX)
		return 0;
	rc = asked->part(asked->arg, cut->part, cut->room, err);
	return rc == 0 ? no_part(w, cut, err) : rc == -1 ? -1 : 0;
}

void
ctx_cut_sum(struct ctx_cut *k, const struct ctx_win_cut *cut)
{
	const int changed = ctx_cut_changed(cut);

	k->sums.conversations++;
	k->sums.cut += (uint64_t)changed;
	k->sums.kept += cut->kept;
	k->sums.dropped += cut->dropped;
	k->sums.system += cut->system;
	k->sums.tokens += cut->dropped_cost;
	k->sums.lean += cut->lean;
	k->job.changed |= changed;
}

int
ctx_cut_choose(struct ctx_cut *k, struct ctx_cut_history *h,
    const struct ctx_cut_asked *asked, struct ctx_win_cut *cut,
    struct ctx_err *err)
{
	if (decide(&h->win, asked, cut, err) == -1)
		return left_out(k, asked, err);
	ctx_cut_sum(k, cut);
	return 1;
}

/* --- the job ------------------------------------------------------------ */

static int
cut_turn(const struct ctx_turn *turn, void *job, struct ctx_err *err)
{
	struct ctx_cut *k = job;

	if (turn->strand == NULL)
		return ctx_cut_whole(k, turn->convo, err);
	if (ctx_groups_find(&k->groups, turn->convo, err) == -1)
		return -1;
	return ctx_cut_lines_turn(k, turn, err);
}

static int
cut_file_end(struct ctx_job *job, struct ctx_job *const *all, unsigned n,
    struct ctx_err *err)
{
	(void)all;
	(void)n;
	return ctx_cut_lines_write((struct ctx_cut *)job, err);
}

static void
cut_give_up(struct ctx_job *job)
{
	ctx_cut_lines_forget((struct ctx_cut *)job);
}

static void
cut_add(struct ctx_job *to, struct ctx_job *from)
{
	const struct ctx_cut *f = (const struct ctx_cut *)from;
	const struct ctx_cut *t = (const struct ctx_cut *)to;

	if (f->opts.counting)
		ctx_charge_learn(t != NULL ? t->opts.cost : NULL, f->opts.cost);
}

static void
cut_done(struct ctx_job *job)
{
	struct ctx_cut *k = (struct ctx_cut *)job;

	cut_give_up(job);
	free(k->kept);
	ctx_window_done(&k->whole.win);
	ctx_refs_done(&k->whole.refs);
	ctx_convo_done(&k->again);
	ctx_groups_done(&k->groups);
	ctx_plan_done(&k->plan);
	ctx_edit_done(&k->edit);
	ctx_buf_done(&k->note);
	ctx_buf_done(&k->element);
	ctx_cost_done(&k->own_cost);
}

static struct ctx_job *
cut_another(const struct ctx_job *job, struct ctx_err *err)
{
	const struct ctx_cut *from = (const struct ctx_cut *)job;
	struct ctx_job *j = ctx_cut_new(&from->opts, err);
	struct ctx_cut *k = (struct ctx_cut *)j;

	if (j == NULL || !from->opts.counting)
		return j;
	if (ctx_cost_like(&k->own_cost, from->opts.cost, err) == -1) {
		ctx_job_free(j);
		return NULL;
	}
	k->opts.cost = &k->own_cost;
	return j;
}

static const struct ctx_job_kind kind = {
	.turn = cut_turn,
	.end = ctx_cut_lines_end,
	.free_state = ctx_cut_lines_free,
	.file_end = cut_file_end,
	.give_up = cut_give_up,
	.another = cut_another,
	.sums = offsetof(struct ctx_cut, sums),
	.nsums = sizeof(struct ctx_cut_sums) / sizeof(uint64_t),
	.add = cut_add,
	.done = cut_done,
	.by_alone = 1
};

/* What the cut may take away. */
static enum ctx_cost_cut
cuts(const struct ctx_cut_opts *o)
{
	const struct ctx_win_opts *win = &o->win;

	return win->step > 0 || win->first || win->exclude_last > 0 ||
	    win->end_on != CTX_WIN_END_ANY || win->keep_first > 0 ||
	    o->pin != NULL ? CTX_COST_CUT_ANY : CTX_COST_CUT_FRONT;
}

/*
 * Reserve what a note takes at most.  In other words than the English ones that
 * depends on the tokenizer, so the longest is counted.
 */
static int
reserve_note(struct ctx_cut *k, struct ctx_err *err)
{
	const struct ctx_markers *notes = k->opts.notes;
	struct ctx_cost *cost = k->opts.cost;
	const uint64_t texts = cost->texts;
	uint64_t n = 0;

	if (notes != NULL && (notes->lang != CTX_EN ||
	    notes->own[CTX_MARKER_MISSING_TOKENS] != NULL)) {
		if (write_note(k, LONGEST, LONGEST, err) == -1 ||
		    ctx_cost_add(cost, ctx_str_of(&k->note), &n, err) == -1)
			return -1;
		cost->texts = texts;	/* it is not of the conversation */
	}
	k->opts.win.reserve = (n > NOTE_COST ? n : NOTE_COST) + cost->overhead;
	return 0;
}

struct ctx_job *
ctx_cut_new(const struct ctx_cut_opts *opts, struct ctx_err *err)
{
	struct ctx_cut *k = ctx_job_new(sizeof(*k), &kind, err);
	struct ctx_win_opts *win;

	if (k == NULL)
		return NULL;
	k->opts = *opts;
	k->job.turns.chained = 1;
	k->job.turns.branch = CTX_BRANCH_LAST;
	k->job.turns.sent = 1;
	win = &k->opts.win;
	if (opts->counting)
		opts->cost->to_cut = cuts(opts);
	if (win->has_tokens)
		win->edge_drop = 1;
	if (opts->partial)
		win->partial = PART_LEAST + opts->cost->overhead;
	/* a copy of a job has it, and must not count with another's tokenizer */
	if (win->has_tokens && opts->note && win->reserve == 0 &&
	    reserve_note(k, err) == -1) {
		ctx_job_free(&k->job);
		return NULL;
	}
	return &k->job;
}

const struct ctx_cut_sums *
ctx_cut_figures(const struct ctx_job *j)
{
	return &((const struct ctx_cut *)j)->sums;
}
