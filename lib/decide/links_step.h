/* SPDX-License-Identifier: MIT */
/*
 * What the steps of links.c and order.c on one turn share.  Nobody else's.
 *
 * Names: ctx_step_.
 */
#ifndef CTX_DECIDE_LINKS_STEP_H
#define CTX_DECIDE_LINKS_STEP_H

#include "decide/links.h"

/* A message or an insert of a turn and where it belongs. */
struct ctx_place_in_turn {
	uint64_t key;
	uint32_t pos;		/* equal keys keep this order */
	uint32_t entry;		/* for plan->order */
};

/* What all steps on one turn look at. */
struct step {
	struct ctx_linker *w;
	struct ctx_plan *plan;
	struct ctx_convo *c;
	struct ctx_links *seen;
	const struct ctx_links_opts *opts;
	unsigned rules;
	struct ctx_span_of_turn t;
	int last;		/* the conversation ends with this turn */
	int pending;		/* calls that wait at the end stay */
};

#define FOR_PARTS(c, m, i) \
	for ((i) = (c)->msg[m].part; \
	    (i) < (c)->msg[m].part + (c)->msg[m].npart; (i)++)

/*
 * Keys of a turn's order.  Results directly behind their message: message m
 * has m * 2, its results m * 2 + 1.  Results in the next user turn: all
 * assistant messages, then messages of results, then made ones, then the rest.
 */
#define KEY_RESULTS(s, m) \
	((s)->rules & CTX_RULE_IN_USER ? 1 : (uint64_t)(m) * 2 + 1)
#define KEY_MOVED	2
#define KEY_REST	UINT64_MAX

/* Does message m still say something? */
int	ctx_step_speaks(const struct step *s, uint32_t m);

/* Put an entry into the turn's order. */
int	ctx_step_place(const struct step *s, uint64_t key, uint32_t entry,
	    struct ctx_err *err) CTX_CHECKED;

/* Place all of the turn, and append it to the plan's order. */
int	ctx_step_order(const struct step *s, struct ctx_err *err) CTX_CHECKED;

#endif
