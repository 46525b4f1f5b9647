/* SPDX-License-Identifier: MIT */
/*
 * The part of a thread that a question needs and that fits a budget: its
 * messages as the units of decide/choose, which stand or fall together, scored
 * by a list of hits.
 */
#ifndef CTX_SESSION_RELEVANT_H
#define CTX_SESSION_RELEVANT_H

#include "decide/choose.h"
#include "job/cost.h"
#include "store/log.h"
#include "store/search/rank.h"

/* All zero but what the caller sets is ready. */
struct ctx_relevant {
	/* set by the caller */
	struct ctx_store *st;
	struct ctx_where where;
	struct ctx_cost *cost;		/* ready */
	const char *pin;		/* member that keeps a message, NULL */
	struct ctx_choose choose;	/* its opts; the answer's figures */

	size_t nrow;			/* messages of the thread */
	uint64_t kept;			/* and those that were written */

	/* its own */
	struct ctx_relevant_row *row;	/* in the order of the log */
	size_t caprow;
	struct ctx_relevant_walk *walk;
};

/* Read the thread.  0, or -1 with *err. */
int	ctx_relevant_read(struct ctx_relevant *r, struct ctx_err *err);

/*
 * Choose by the scores of hits, a unit's the best of its messages', and hand
 * the messages that go in to fn, read once more.  0, or -1 with *err: CTX_ENO
 * if what must stay does not fit.
 */
int	ctx_relevant_write(struct ctx_relevant *r, const struct ctx_rank *hits,
	    ctx_message_fn *fn, void *arg, struct ctx_err *err);

void	ctx_relevant_done(struct ctx_relevant *r);

#endif
