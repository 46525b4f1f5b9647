/* SPDX-License-Identifier: MIT */
/*
 * Results of calls as messages, without the history that has the calls: one turn
 * of them, in one message where the target has it so.
 */
#ifndef CTX_EDIT_RESULTS_H
#define CTX_EDIT_RESULTS_H

#include "edit/target.h"

/* All zero but for to, which has results of its own, is empty. */
struct ctx_results {
	const struct ctx_target *to;
	struct ctx_script script;
};

/*
 * Add a result, of which id, name and text are copied; flags may have CTX_RAW and
 * CTX_ERROR.  Returns 0, or -1 with CTX_EINPUT (what the target needs is missing,
 * or its call already has a result) or CTX_ENOMEM.
 */
int	ctx_results_add(struct ctx_results *r, const struct ctx_said *result,
	    struct ctx_err *err) CTX_CHECKED;
/* Append the messages, each on a line.  Returns 0, or -1 with *err. */
int	ctx_results_put(struct ctx_results *r, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_results_done(struct ctx_results *r);

#endif
