/* SPDX-License-Identifier: MIT */
/*
 * Internals that the steps of links.c and order.c on one turn share.
 *
 * Names: ctx_step_.
 */
#ifndef CTX_DECIDE_LINKS_STEP_H
#define CTX_DECIDE_LINKS_STEP_H

#include "decide/links.h"

/* A message or insert of a turn, and its position. */
struct ctx_place_in_turn {
	uint64_t key;
	uint32_t pos;		/* keeps equal keys in this order */
	uint32_t entry;		/* for plan->order */
};

/* The arguments of all steps on one turn. */
struct step {
	struct ctx_linker *w;
	struct ctx_plan *plan;
	struct ctx_convo *c;
	struct ctx_links *seen;
	const struct ctx_links_opts *opts;
	unsigned rules;
	struct ctx_span_of_turn t;
	int last;		/* the conversation ends with this turn */
	int waits;		/* it may, and its calls for their results */
	int pending;		/* unanswered calls at the end stay */
	int after_run;		/* added results come after the run of calls */
};

/*
 * Sort keys for the order of a turn.  Where results come directly after their
 * message, message m has the key m * 2 and its results m * 2 + 1.  Where they
 * come in the next user turn, all assistant messages are first, then messages
 * of results, then added ones, then the rest.
 */
#define KEY_RESULTS(s, m) \
	((s)->rules & CTX_RULE_IN_USER ? 1 : (uint64_t)(m) * 2 + 1)
#define KEY_MOVED	2
#define KEY_REST	UINT64_MAX

/* The last assistant message before other messages of the turn, from m on. */
uint32_t ctx_step_end_of_run(const struct step *s, uint32_t m);

/*
 * Does a message have kept results of several messages of the run, as the AI SDK
 * allows?  Then all results of the turn come after the run.
 */
int	ctx_step_shares(const struct step *s);

/* Does message m have any content left? */
int	ctx_step_speaks(const struct step *s, uint32_t m);

/*
 * May a text block not be sent?  To most APIs, white space may, beside other
 * content.
 */
int	ctx_step_empty_text(const struct step *s, uint32_t i);

/* Was message m empty when it was read, in a way that the API refuses? */
int	ctx_step_empty(const struct step *s, uint32_t m);

/*
 * If nothing in the turn has to change, append its messages to the plan's
 * order.  Returns 1, 0 if it must be looked at by the steps (it may yet be
 * right), or -1 if out of memory.
 */
int	ctx_step_plain(const struct step *s, struct ctx_err *err) CTX_CHECKED;

/* Add an entry to the turn's order. */
int	ctx_step_place(const struct step *s, uint64_t key, uint32_t entry,
	    struct ctx_err *err) CTX_CHECKED;

/* Place everything in the turn and append it to the plan's order. */
int	ctx_step_order(const struct step *s, struct ctx_err *err) CTX_CHECKED;

#endif
