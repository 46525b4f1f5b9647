/* SPDX-License-Identifier: MIT */
/* A number that a message carries, as ctx-count --annotate leaves it there. */
#ifndef CTX_CMD_CLI_CARRIED_H
#define CTX_CMD_CLI_CARRIED_H

#include "view/convo.h"

/*
 * The member key of message m, or of the record around it (a session file's):
 * 1 and *n, or 0 if there is none that is a number.
 */
int	cli_carried(const struct ctx_convo *c, uint32_t m, const char *key,
	    uint64_t *n);

#endif
