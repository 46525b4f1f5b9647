/* SPDX-License-Identifier: MIT */
/* A log that grows, for ctx-show --follow. */
#ifndef CTX_CMD_SHOW_FOLLOW_H
#define CTX_CMD_SHOW_FOLLOW_H

#include "cli.h"

/*
 * Make standard input what the file operand has and will have, from its
 * beginning: a child of the process copies it.  Without an operand, or for "-",
 * standard input stays as it is.  If that fails, the process ends.
 */
void	show_follow(struct cli *c);

#endif
