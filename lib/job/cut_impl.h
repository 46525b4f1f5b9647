/* SPDX-License-Identifier: MIT */
/*
 * What the parts of job/cut share; for cut.c and cut_weigh.c only, which says
 * what a message is to the window: its flags, what it costs, what it refers to.
 */
#ifndef CTX_JOB_CUT_IMPL_H
#define CTX_JOB_CUT_IMPL_H

#include "decide/links.h"
#include "decide/refs.h"
#include "decide/stays.h"
#include "job/cut.h"
#include "write/spill.h"

struct ctx_cut {
	struct ctx_job job;
	struct ctx_cut_opts opts;
	struct ctx_cut_sums sums;
	struct ctx_cost own_cost;	/* of another's; opts.cost is it */

	/* working storage */
	struct ctx_pairer pairer;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_window whole;	/* of a conversation line */
	struct ctx_refs refs;		/* the same */
	struct ctx_convo again;		/* a message to be written otherwise */
	size_t held;			/* bytes held back, see window.h */
	struct ctx_spill spill;		/* records of their own memory */
	unsigned char *more;
	size_t capmore;
	struct ctx_cut_held **kept;	/* of this file, to be written */
	size_t nkept, capkept;
};

/* The flags of message m, whose marks are in k->more. */
unsigned ctx_cut_flags(const struct ctx_cut *k, const struct ctx_convo *c,
	    uint32_t m, struct ctx_stays *stays);

/* Add what message m costs to the item, where costs are wanted. */
int	ctx_cut_weigh(struct ctx_cut *k, const struct ctx_convo *c, uint32_t m,
	    struct ctx_win_item *item, struct ctx_err *err) CTX_CHECKED;

/*
 * Note what messages m to end of c say that may be referred to, and refer to.
 * They are the window's last item; its text will stay at raw.
 */
struct ctx_cut_refs {
	struct ctx_window *win;
	struct ctx_refs *refs;
	const struct ctx_convo *c;
	uint32_t m, end;
	const char *raw;
};
int	ctx_cut_refer(struct ctx_cut *k, const struct ctx_cut_refs *what,
	    struct ctx_err *err) CTX_CHECKED;

#endif
