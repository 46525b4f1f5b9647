/* SPDX-License-Identifier: MIT */
/* What a message is to the window; see cut_impl.h. */
#include "job/cut_impl.h"

#include "job/revise.h"

/* For a reference that was found. */
struct referring {
	struct ctx_cut *cut;
	struct ctx_window *win;
	uint64_t line;
};

static unsigned
flags_of(const struct ctx_cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_stays *stays)
{
	unsigned flags = ctx_stays_flags(stays, c, m, k->more[m]);

	if (!(flags & CTX_WIN_SYSTEM) && ctx_revise_may_part(c, m))
		flags |= CTX_WIN_TEXT;
	return flags;
}

static int
weigh(struct ctx_cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_win_item *item, struct ctx_err *err)
{
	uint64_t cost = 0, less = 0;

	if (!k->opts.counting)
		return 0;
	if (ctx_cost_msg(k->opts.cost, c, m, &cost, err) == -1 ||
	    (k->opts.win.results_first &&
	    ctx_revise_gain(k->opts.cost, c, m, &less, err) == -1))
		return -1;
	item->cost += cost;
	item->lean += cost - less;
	return 0;
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
		if (weigh(k, of->c, m, item, err) == -1)
			return -1;
	}
	if (of->end - of->m > 1)
		item->flags &= ~(uint32_t)CTX_WIN_TEXT;
	return 0;
}

/* A reference of the window's last item, and who sent the text first. */
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
	const struct ctx_rec *rec = &of->c->rec[of->c->msg[of->m].rec];
	struct referring f = { k, &h->win, rec->line };
	struct ctx_refs_sent sent = { h->win.added - 1, of->c, of->m, of->end,
	    rec->raw };

	return ctx_refs_scan(&h->refs, &sent, refer, &f, err);
}
