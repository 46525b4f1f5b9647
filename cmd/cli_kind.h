/* SPDX-License-Identifier: MIT */
/* What a file is that is not lines of JSON, and what to type then. */
#ifndef CTX_CMD_CLI_KIND_H
#define CTX_CMD_CLI_KIND_H

#include <stddef.h>

/*
 * Recognize a file by its first line, with its line end.  Returns 1 with a text
 * for people in text, which names the command, or 0 with nothing done.
 */
int	cli_kind(const char *raw, size_t len, const char *command, char *text,
	    size_t size);

#endif
