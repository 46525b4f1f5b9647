/* SPDX-License-Identifier: MIT */
/* --in-place-prompt: a request for a summary that goes on with the history. */
#ifndef CTX_CMD_SUMMARIZE_IN_PLACE_H
#define CTX_CMD_SUMMARIZE_IN_PLACE_H

#include "base/set.h"
#include "edit/tools.h"
#include "job/fold_job.h"

struct summarize_in_place {
	const char *api;		/* of the endpoint: a target's name */
	const char *model;
	const char *instructions;
	const struct ctx_set *set;
	size_t nset;
	int stream;
	/* what the history's own system prompt and tools are not: .p and tools
	   may be NULL */
	struct ctx_str system;
	const struct ctx_tools *tools;
};

/*
 * Append the request's body.  Returns 1; 0 if the history cannot be written for
 * this API; or -1 with *err.
 */
int	summarize_in_place(const struct summarize_in_place *p,
	    const struct ctx_fold_question *q, unsigned max_tokens,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

#endif
