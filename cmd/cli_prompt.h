/* SPDX-License-Identifier: MIT */
/* A file with a prompt: plain text. */
#ifndef CTX_CMD_CLI_PROMPT_H
#define CTX_CMD_CLI_PROMPT_H

#include "cli_cost.h"
#include "read/span.h"

struct cli_prompt {		/* all zero is none */
	struct ctx_buf text;	/* terminated, without line ends at its end */
	struct ctx_buf escaped;
	struct ctx_str str;	/* that; .p is NULL for none */
};

/*
 * For OPT_CALL with a struct cli_prompt: read the file, which is UTF-8 and not empty.
 * Ends the process on an error.
 */
void	cli_prompt_read(struct cli *c, void *place);
void	cli_prompt_done(struct cli_prompt *p);

#endif
