/* SPDX-License-Identifier: MIT */
/* ctx-count --text: a descriptor's tokens, bytes and lines. */
#ifndef CTX_CMD_COUNT_TEXT_H
#define CTX_CMD_COUNT_TEXT_H

#include "cmd/count/rows.h"
#include "token/crew.h"

/* All of fd into *sum, lines as its messages.  -1 with *err. */
int	count_text_fd(struct ctx_crew *crew, int fd, struct ctx_tally_sum *sum,
	    struct ctx_err *err);

#endif
