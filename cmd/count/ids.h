/* SPDX-License-Identifier: MIT */
/* What a text is cut into: ids, texts of ids, tokens to look at. */
#ifndef CTX_CMD_COUNT_IDS_H
#define CTX_CMD_COUNT_IDS_H

#include "cli_cost.h"

enum count_ids { COUNT_ENCODE = 1, COUNT_DECODE, COUNT_SHOW };

/*
 * Every operand, or standard input: a text to a line of ids in JSON, such
 * lines to text, or a text with its borders shown.  Errors are reported.
 */
void	count_ids(struct ctx_cost *k, struct cli *c, enum count_ids what);

/* Compile the vocabulary file in into a table file out. */
void	count_prepare(struct cli *c, const char *in, const char *out);

#endif
