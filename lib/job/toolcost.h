/* SPDX-License-Identifier: MIT */
/* What the definitions of tools cost that a conversation carries. */
#ifndef CTX_JOB_TOOLCOST_H
#define CTX_JOB_TOOLCOST_H

#include "edit/tools.h"
#include "job/cost.h"

/*
 * Tokens of one definition, added to *n: an estimate.  For OpenAI's models the
 * rule of its Cookbook, "How to count tokens with tiktoken", section 7, which
 * knows names, descriptions, types and enums, here also of inner objects; for
 * others the texts of name, description and schema.
 */
int	ctx_toolcost_add(struct ctx_cost *k, const struct ctx_tool *tool,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * What a request that has tools pays once, added to *n: for OpenAI the frame of
 * the list, for Anthropic the system prompt of its page "Tool use", Pricing,
 * for tool choice "auto".
 */
void	ctx_toolcost_frame(const struct ctx_cost *k, uint64_t *n);

#endif
