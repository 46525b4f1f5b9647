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

unsigned
ctx_cut_flags(const struct ctx_cut *k, const struct ctx_convo *c, uint32_t m,
    struct ctx_stays *stays)
{
	unsigned flags = ctx_stays_flags(stays, c, m, k->more[m]);

	if (!(flags & CTX_WIN_SYSTEM) && ctx_revise_may_part(c, m))
		flags |= CTX_WIN_TEXT;
	return flags;
}

int
ctx_cut_weigh(struct ctx_cut *k, const struct ctx_convo *c, uint32_t m,
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
ctx_cut_refer(struct ctx_cut *k, const struct ctx_cut_refs *what,
    struct ctx_err *err)
{
	const struct ctx_convo *c = what->c;
	struct referring f = { k, what->win, c->rec[c->msg[what->m].rec].line };
	struct ctx_refs_sent sent = { what->win->added - 1, c, what->m,
	    what->end, what->raw };

	return ctx_refs_scan(what->refs, &sent, refer, &f, err);
}
