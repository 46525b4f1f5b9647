/* SPDX-License-Identifier: MIT */
/*
 * Which messages stand or fall together: a call's message, those of its
 * results, and what stands between them; messages that are one to the API.
 */
#ifndef CTX_DECIDE_GROUP_H
#define CTX_DECIDE_GROUP_H

#include "decide/pair.h"

/*
 * more[m] becomes 1 where message m belongs to the group of the message before
 * it, else 0; more has room for c->nmsg.  c has been paired.  Linear.
 */
void	ctx_group_marks(const struct ctx_convo *c, unsigned char *more);

/*
 * May a history begin with message m: is it a user's, and no tool result?
 */
int	ctx_group_begins(const struct ctx_convo *c, uint32_t m);

#endif
