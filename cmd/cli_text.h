/* SPDX-License-Identifier: MIT */
/* Operands that are plain texts, each read as a whole. */
#ifndef CTX_CMD_CLI_TEXT_H
#define CTX_CMD_CLI_TEXT_H

#include "base/buf.h"
#include "cli.h"

/*
 * Call one for each operand, or standard input, with its text, which is
 * terminated.  name is as in messages.  What one returns -1 for is reported.
 */
void	cli_text_each(struct cli *c, int (*one)(void *arg, const char *name,
	    struct ctx_buf *text, struct ctx_err *err), void *arg);

/*
 * Must the text be UTF-8?  Returns 0, or -1 with CTX_EINPUT, which says where
 * it is not.
 */
int	cli_text_check(const struct ctx_buf *text, struct ctx_err *err)
	    CTX_CHECKED;

#endif
