/* SPDX-License-Identifier: MIT */
/*
 * --max-memory: an allocation that would exceed it fails, as if there were
 * none.
 */
#ifndef CTX_CMD_CLI_MEMORY_H
#define CTX_CMD_CLI_MEMORY_H

#include "base/err.h"
#include "cli.h"

/* For the table of options. */
void	cli_memory_limit(struct cli *c, void *place);

/*
 * The text of an error, with the option if that may be why; it is err's or in
 * out.
 */
const char *cli_memory_text(const struct cli *c, const struct ctx_err *err,
	    char *out, size_t size);

#endif
