/* SPDX-License-Identifier: MIT */
/*
 * What goes out with each conversation, in files of its own: definitions of
 * tools, and a system prompt.
 */
#ifndef CTX_CMD_CLI_TOOLS_H
#define CTX_CMD_CLI_TOOLS_H

#include "cli_cost.h"
#include "cli_prompt.h"
#include "job/charge.h"

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

struct cli_along {
	struct cli_tools tools;
	struct cli_prompt system;	/* the prompt, */
	struct ctx_buf line;		/* and its message */
	struct ctx_convo message;
	struct ctx_along along;		/* after cli_along_open */
};

/* --tools and --system, for a struct cli_along. */
extern const struct cli_opt cli_along_opts[];

void	cli_along_open(struct cli_along *a, struct cli *c);
/* The tokens of the prompt; k must be open. */
uint64_t cli_along_system(const struct cli_along *a, struct ctx_cost *k,
	    struct cli *c);
void	cli_along_done(struct cli_along *a);

#endif
