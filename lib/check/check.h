/* SPDX-License-Identifier: MIT */
/*
 * The rules of APIs that nobody can repair without knowing what was meant:
 * roles, kinds of content, ids, and the request around the messages.  They are
 * only found, for `ctx-clean --check`; decide/links.h finds and repairs the rest.
 *
 * A finding is an error if the model that is named refuses the history, or every
 * current model of the API does, and a warning if some do.
 *
 * All zero is a valid struct ctx_check and struct ctx_check_seen.
 */
#ifndef CTX_CHECK_CHECK_H
#define CTX_CHECK_CHECK_H

#include "decide/api.h"

struct ctx_check {
	/* set by the caller */
	const struct ctx_api *api;	/* NULL: the dialect's maker */
	const char *model;		/* NULL: what a request names, if any */

	/* of the turn at hand */
	struct ctx_plan *plan;
	const struct ctx_convo *c;
	const struct ctx_api *rules;
	struct ctx_str named;		/* the model; .p is NULL if unknown */
};

/* What is remembered of a conversation between its turns. */
struct ctx_check_seen {
	int begun;		/* a message that is not system was kept */
	int result;		/* the last message that was kept is a result */
};

/*
 * Add the findings on c, a whole turn or conversation whose links were planned,
 * to plan.  last means that the conversation ends with it.  Returns 0, or -1
 * with CTX_ENOMEM.
 */
int	ctx_check_turn(struct ctx_check *k, struct ctx_plan *plan,
	    const struct ctx_convo *c, struct ctx_check_seen *seen, int last,
	    struct ctx_err *err) CTX_CHECKED;

/* --- for the files of this folder -------------------------------------- */

/* Add a finding at node of record rec that no message has. */
int	ctx_check_found(struct ctx_check *k, enum ctx_fault fault,
	    uint32_t rec, uint32_t node, struct ctx_err *err) CTX_CHECKED;

/* Check the members of request c->rec[rec] but its messages. */
int	ctx_check_request(struct ctx_check *k, uint32_t rec,
	    struct ctx_err *err) CTX_CHECKED;

#endif
