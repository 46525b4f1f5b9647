/* SPDX-License-Identifier: MIT */
/*
 * Faults in what links the records of a session; see view/chain.h.
 *
 * Names: ctx_session_.
 */
#ifndef CTX_DECIDE_SESSION_H
#define CTX_DECIDE_SESSION_H

#include "decide/plan.h"

/*
 * Add to plan the findings on c, a whole conversation of message lines, if its
 * records are linked by chain, which has seen them.  A record whose parent is not there, or that follows from
 * itself, gets the record before it as its parent, if that is not later by its
 * time, in chain too.  check: also find what is only reported; tell: add changes for reports.
 * Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_session_plan(struct ctx_plan *plan, const struct ctx_convo *c,
	    struct ctx_chain *chain, int check, int tell,
	    struct ctx_err *err) CTX_CHECKED;

#endif
