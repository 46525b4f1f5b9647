/* SPDX-License-Identifier: MIT */
/* What a shell command prints; see command.h. */
#include "text/command.h"

#include <string.h>

enum ctx_command
ctx_command_kind(const char *command, size_t len)
{
	(void)command;
	(void)len;
	return CTX_COMMAND_UNKNOWN;
}

int
ctx_command_ranks(enum ctx_command kind, const char *text, size_t len,
    struct ctx_buf *ranks)
{
	const char *p = text, *end = text + len, *nl;

	(void)kind;
	for (; p < end; p = nl + 1) {
		ctx_buf_addc(ranks, CTX_LINE_PLAIN);
		if ((nl = memchr(p, '\n', (size_t)(end - p))) == NULL)
			break;
	}
	return ranks->failed ? -1 : 0;
}
