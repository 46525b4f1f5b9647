/* SPDX-License-Identifier: MIT */
/* A log that grows, for ctx-show --follow. */
#ifndef CTX_CMD_SHOW_FOLLOW_H
#define CTX_CMD_SHOW_FOLLOW_H

#include "cli.h"

/*
 * Make standard input what the file operand has and will have, from its
 * beginning: a child of the process copies it.  Without an operand, or for "-",
 * standard input stays as it is.  Lines are copied once they are whole.  Returns
 * the name of the file, or NULL; if that fails, the process ends.
 */
const char *show_follow(struct cli *c);

#endif
