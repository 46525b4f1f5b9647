/* SPDX-License-Identifier: MIT */
/* What a request has besides its messages. */
#ifndef CTX_EDIT_REQUEST_H
#define CTX_EDIT_REQUEST_H

#include "base/set.h"
#include "edit/tools.h"

struct ctx_request {		/* what is asked for; all zero is valid */
	const char *model;
	/* a prompt in place of the history's, escaped; .p may be NULL */
	struct ctx_str system;
	const struct ctx_tools *tools;	/* in place of the history's; may be
					   NULL */
	const char *choice;	/* which of them: auto, none, required or a
				   name; NULL: not said */
	uint64_t max_output;	/* in tokens; 0: not said */
	int stream;
	int cache;		/* say what to keep in a cache */
	const struct ctx_set *set;	/* more members */
	size_t nset;
};

/* Has the target's request its messages, model or system prompt in that member? */
int	ctx_request_owns(const struct ctx_target *t, const char *name);
/* Are the definitions of tools in a request, if any, as the target's API has them? */
int	ctx_request_takes_tools(const struct ctx_target *t, const char *api,
	    const struct ctx_doc *doc, uint32_t request);
/* Can the target's API be told this choice of tools? */
int	ctx_request_can_choose(const struct ctx_target *t, const char *choice);

/*
 * Write the members of a request that come after its messages.  c is the conversation
 * that w's script was read from; a request of the same API keeps its members, except
 * those that its model refuses.  used is working storage.  Returns 0, or -1 with *err.
 */
int	ctx_request_put(struct ctx_writer *w, const struct ctx_request *r,
	    const struct ctx_convo *c, struct ctx_tools *used,
	    struct ctx_err *err) CTX_CHECKED;

#endif
