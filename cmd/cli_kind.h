/* SPDX-License-Identifier: MIT */
/* What a file is that was not meant so, and what to type then. */
#ifndef CTX_CMD_CLI_KIND_H
#define CTX_CMD_CLI_KIND_H

#include <stddef.h>

#include "cli.h"
#include "view/apart.h"

/*
 * Recognize a file by its first line, with its line end, which is not JSON at
 * the column col.  Returns 1 with a text for people in text, which ends with the
 * command that reads standard input, or 0 with nothing done.
 */
int	cli_kind(const char *raw, size_t len, size_t col, const char *command,
	    char *text, size_t size);

/* Warn if the messages of the file are those of several conversations. */
void	cli_kind_apart(struct cli *c, const char *file,
	    const struct ctx_apart *a);

#endif
