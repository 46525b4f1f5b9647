/* SPDX-License-Identifier: MIT */
/*
 * Faults in what links the records of a session (view/chain.h), and its branches.
 *
 * Memory: some 20 bytes for each record.
 *
 * Names: ctx_session_, struct ctx_session.
 */
#ifndef CTX_DECIDE_SESSION_H
#define CTX_DECIDE_SESSION_H

#include "decide/plan.h"

/* Record rec is made to follow record to; CTX_NONE: none. */
struct ctx_session_join {
	enum ctx_fault fault;
	uint32_t rec, to;
};

struct ctx_session {		/* all zero is valid */
	const struct ctx_convo *c;
	struct ctx_chain *chain;	/* NULL: it is no session */
	struct ctx_session_join *join;
	uint32_t njoin;

	/* internal */
	uint32_t *rec_of;	/* by number: the first record of that id */
	uint32_t *parent;	/* by record: the number of what it follows, or
				   CTX_NONE */
	uint32_t *end;		/* by record: one that it follows, up to where
				   its chain ends */
	size_t capjoin, caprec_of, capparent, capend;
};

void	ctx_session_done(struct ctx_session *s);

/*
 * Read c, a whole conversation of message lines, whose records are linked by
 * chain, which has seen them; NULL: by nothing.  A record whose parent is not there, or that
 * follows from itself, gets a record before it as its parent, one that is not later
 * by its time, in chain too: s->join lists them.  c and chain must outlive what
 * follows.  Returns 0, or -1 with CTX_ENOMEM; so do the others.
 */
int	ctx_session_read(struct ctx_session *s, const struct ctx_convo *c,
	    struct ctx_chain *chain, struct ctx_err *err) CTX_CHECKED;

/* Drop the records of branches that are not resumed.  Once. */
int	ctx_session_drop_branches(struct ctx_session *s, struct ctx_plan *plan,
	    int tell, struct ctx_err *err) CTX_CHECKED;

/*
 * After the plan has its order: where the end of the branch that is resumed
 * goes, what is left of that comes last, not a message of another branch.
 */
int	ctx_session_end(const struct ctx_session *s, struct ctx_plan *plan,
	    int tell, struct ctx_err *err) CTX_CHECKED;

/*
 * Add to plan the findings, and the new parents.  check: also find what is only
 * reported; tell: add changes for reports.
 */
int	ctx_session_plan(const struct ctx_session *s, struct ctx_plan *plan,
	    int check, int tell, struct ctx_err *err) CTX_CHECKED;

#endif
