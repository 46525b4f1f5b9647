/* SPDX-License-Identifier: MIT */
/*
 * What the definitions of a conversation's tools cost where the rule of their API
 * is not known or not wanted; charge.h has the others.
 */
#ifndef CTX_JOB_TOOLCOST_H
#define CTX_JOB_TOOLCOST_H

#include "edit/tools.h"
#include "job/cost.h"

/*
 * Add the estimated tokens of one definition to *n.  For OpenAI's models this
 * is the rule of its Cookbook, "How to count tokens with tiktoken", section 7,
 * which covers names, descriptions, types and enums; it is applied to inner
 * objects too.  For others, the texts of name, description and schema are
 * counted.
 */
int	ctx_toolcost_add(struct ctx_cost *k, const struct ctx_tool *tool,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/* Add to *n what a request with tools pays once to OpenAI, for their list. */
void	ctx_toolcost_frame(const struct ctx_cost *k, uint64_t *n);

#endif
