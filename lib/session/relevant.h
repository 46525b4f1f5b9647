/* SPDX-License-Identifier: MIT */
/*
 * The part of a thread that a question needs and that fits a budget, and what
 * the question needs of other threads.  Messages are grouped into the units of
 * decide/choose, which are kept or dropped as a whole and scored by a list of
 * hits.
 */
#ifndef CTX_SESSION_RELEVANT_H
#define CTX_SESSION_RELEVANT_H

#include "decide/choose.h"
#include "job/cost.h"
#include "store/log.h"
#include "store/search/rank.h"
#include "view/chain.h"

/* Ready when all zero except what the caller sets. */
struct ctx_relevant {
	/* set by the caller */
	struct ctx_store *st;
	/*
	 * the thread that goes on, and others; ctx_relevant_read drops those
	 * that have the log of one before them
	 */
	struct ctx_where *where;
	size_t nwhere;
	struct ctx_cost *cost;		/* ready for use */
	const char *pin;		/* pinning member, or NULL */
	struct ctx_choose choose;	/* opts are set by the caller */
	int all_branches;		/* not only that which goes on */

	uint64_t beside;	/* messages of other branches */
	size_t nrow;			/* messages of the threads */
	uint64_t kept;			/* those of them that were written */

	/* private */
	struct ctx_log_same *same;	/* the logs, which are read twice */
	struct ctx_relevant_row *row;	/* thread by thread, in log order */
	size_t caprow;
	size_t own;			/* rows of the first thread */
	size_t lead;			/* its first rows, which come before
					   the other threads */
	struct ctx_chain chain;
	struct ctx_relevant_walk *walk;
};

/* Read the threads.  Returns 0, or -1 with *err set. */
int	ctx_relevant_read(struct ctx_relevant *r, struct ctx_err *err);

/*
 * Choose units by the scores of hits, where a unit has the best score of its
 * messages, and pass the chosen messages, which are read again, to fn: what
 * begins the first thread, then the others, then the rest of the first one.
 * Records of a session follow records that are chosen.
 * Returns 0, or -1 with *err set: CTX_ENO if what must be kept does not fit.
 */
int	ctx_relevant_write(struct ctx_relevant *r, const struct ctx_rank *hits,
	    ctx_message_fn *fn, void *arg, struct ctx_err *err);

void	ctx_relevant_done(struct ctx_relevant *r);

#endif
