/* SPDX-License-Identifier: MIT */
/*
 * Messages of one role in a row become one: the texts of two strings with a
 * blank line between, else the elements of both lists.
 */
#ifndef CTX_EDIT_MERGE_H
#define CTX_EDIT_MERGE_H

#include "decide/plan.h"

/*
 * Add to a settled plan (and settle it again) what merges the users' and the
 * assistant's messages of c that stand side by side among those that are kept.
 * Messages with anything beside their content (tool calls of OpenAI chat, a
 * speaker's name), and those that other policies take parts from, stay apart.
 * Returns 0, or -1 with *err.
 */
int	ctx_merge_runs(struct ctx_plan *plan, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

#endif
