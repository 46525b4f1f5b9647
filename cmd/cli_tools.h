/* SPDX-License-Identifier: MIT */
/* A file of tool definitions. */
#ifndef CTX_CMD_CLI_TOOLS_H
#define CTX_CMD_CLI_TOOLS_H

#include "cli_cost.h"
#include "edit/tools.h"

struct cli_tools {
	struct ctx_tools list;	/* points into the members below */
	struct ctx_doc doc;
	struct ctx_buf file;
};

/*
 * For OPT_CALL with a struct cli_tools: read a JSON list in any provider's
 * format.  Ends the process on an error.
 */
void	cli_tools_read(struct cli *c, void *place);
void	cli_tools_done(struct cli_tools *t);

#endif
