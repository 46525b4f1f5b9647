/* SPDX-License-Identifier: MIT */
/*
 * Merges consecutive messages of the same role: the texts of two strings are
 * joined with a blank line, otherwise the elements of both lists are combined.
 */
#ifndef CTX_EDIT_MERGE_H
#define CTX_EDIT_MERGE_H

#include "decide/plan.h"
#include "edit/edit.h"

/*
 * Add to a settled plan what merges adjacent kept messages of c that are all
 * the user's or all the assistant's, and settle it again.  Messages with
 * anything besides their content (tool calls of OpenAI chat, a speaker's name)
 * are not merged, unless the plan drops it; nor is one with a member that the
 * first of them does not have as well, unless it is empty.  e renders contents;
 * tell: record changes in the plan.  Returns 0, or -1 with *err.
 */
int	ctx_merge_runs(struct ctx_edit *e, struct ctx_plan *plan,
	    const struct ctx_convo *c, int tell,
	    struct ctx_err *err) CTX_CHECKED;

#endif
