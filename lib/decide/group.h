/* SPDX-License-Identifier: MIT */
/*
 * Which messages are kept or dropped together: a call's message, the messages
 * of its results and everything between them, and messages that are one to the
 * API.
 */
#ifndef CTX_DECIDE_GROUP_H
#define CTX_DECIDE_GROUP_H

#include "decide/pair.h"

/*
 * Set more[m] to 1 if message m belongs to the group of the message before it,
 * else to 0; more has room for c->nmsg.  c must be paired.  Takes linear time.
 */
void	ctx_group_marks(const struct ctx_convo *c, unsigned char *more);

/* May a history begin with m: is it a user's message and not a result? */
int	ctx_group_begins(const struct ctx_convo *c, uint32_t m);

#endif
