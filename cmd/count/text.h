/* SPDX-License-Identifier: MIT */
/* ctx-count --text: plain texts instead of messages. */
#ifndef CTX_CMD_COUNT_TEXT_H
#define CTX_CMD_COUNT_TEXT_H

#include "cmd/count/rows.h"

/* Every operand, or standard input: tokens, bytes, and lines as messages. */
void	count_text(struct count_rows *r, struct cli *c);

#endif
