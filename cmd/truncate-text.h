/* SPDX-License-Identifier: MIT */
/* ctx-truncate --text: a plain text in a number of tokens. */
#ifndef CTX_CMD_TRUNCATE_TEXT_H
#define CTX_CMD_TRUNCATE_TEXT_H

#include "job/cost.h"
#include "cli.h"
#include "text/marker.h"

enum truncate_part {
	TRUNCATE_HEAD, TRUNCATE_TAIL,
	TRUNCATE_ENDS		/* both, with a note between them */
};

/*
 * Write of each operand, or standard input, that part of at most max tokens.
 * Errors are reported.
 */
void	truncate_text(struct ctx_cost *k, enum truncate_part part,
	    uint64_t max, const struct ctx_markers *notes, struct cli *c);

#endif
