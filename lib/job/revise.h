/* SPDX-License-Identifier: MIT */
/*
 * Messages that a cut keeps, but not whole: without the bodies of tool results,
 * or only the end of a text.
 */
#ifndef CTX_JOB_REVISE_H
#define CTX_JOB_REVISE_H

#include "text/marker.h"
#include "decide/plan.h"
#include "job/cost.h"

struct ctx_revise {
	struct ctx_cost *cost;
	const struct ctx_markers *notes;
};

/* Is message m only plain text of a user or an assistant? */
int	ctx_revise_may_part(const struct ctx_convo *c, uint32_t m);

/* Set *less to the tokens that m loses with the bodies of its results. */
int	ctx_revise_gain(const struct ctx_revise *by, const struct ctx_convo *c,
	    uint32_t m, uint64_t *less, struct ctx_err *err);

/*
 * Plan the removal of the bodies of message m's results or, if room is not 0,
 * keep only as much of its text as fits room tokens; a number in the message
 * that says what it costs is made to say what it costs then.
 * Returns: 1; 0 if nothing of the text fits; -1 with *err.
 */
int	ctx_revise_plan(const struct ctx_revise *by, struct ctx_plan *plan,
	    const struct ctx_convo *c, uint32_t m, uint64_t room,
	    struct ctx_err *err);

#endif
