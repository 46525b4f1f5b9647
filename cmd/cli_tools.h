/* SPDX-License-Identifier: MIT */
/* A file of tool definitions: read, and counted. */
#ifndef CTX_CMD_CLI_TOOLS_H
#define CTX_CMD_CLI_TOOLS_H

#include "cli_cost.h"
#include "edit/tools.h"

struct cli_tools {
	struct ctx_tools list;	/* points into what follows */
	struct ctx_doc doc;
	struct ctx_buf file;
};

/* Read a JSON list in any provider's form.  Ends the process on an error. */
void	cli_tools_read(struct cli_tools *t, const char *path, struct cli *c);
void	cli_tools_done(struct cli_tools *t);

/*
 * Tokens of one definition, added to *n: an estimate.  For OpenAI's models the
 * rule of its Cookbook, "How to count tokens with tiktoken", section 7, which
 * knows names, descriptions, types and enums, here also of inner objects; for
 * others the texts of name, description and schema.
 */
int	cli_tools_one(struct ctx_cost *k, const struct ctx_tool *tool,
	    uint64_t *n, struct ctx_err *err);

/*
 * What a request that has tools pays once, added to *n: for OpenAI the frame of
 * the list, for Anthropic the system prompt of its page "Tool use", Pricing,
 * for tool choice "auto".
 */
void	cli_tools_frame(const struct ctx_cost *k, uint64_t *n);

#endif
