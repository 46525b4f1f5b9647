/* SPDX-License-Identifier: MIT */
/*
 * Which messages are kept or dropped together: a call's message, the messages
 * of its results and everything between them, results in a session that no call
 * asks for with what is before them, and messages that are one to the API.
 */
#ifndef CTX_DECIDE_GROUP_H
#define CTX_DECIDE_GROUP_H

#include "decide/pair.h"

struct ctx_groups {		/* all zero is valid */
	struct ctx_pairer pairer;
	unsigned char *more;	/* by message: is it in the group of the message
				   before it? */
	size_t capmore;
};

void	ctx_groups_done(struct ctx_groups *g);

/*
 * Pair the calls and results of c, and find its groups.  Takes linear time.
 * Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_groups_find(struct ctx_groups *g, struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

/* May a history begin with m: is it a user's message and not a result? */
static inline int
ctx_group_begins(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	if (c->msg[m].role != CTX_USER)
		return 0;
	CTX_FOR_PARTS(c, m, i)
		if (c->part[i].kind == CTX_RESULT)
			return 0;
	return 1;
}

/* Has m a call that nobody has answered?  Calls and results must be paired. */
static inline int
ctx_group_waits(const struct ctx_convo *c, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(c, m, i)
		if (c->part[i].kind == CTX_CALL &&
		    c->part[i].mate == CTX_NONE &&
		    !(c->part[i].flags & CTX_SERVER))
			return 1;
	return 0;
}

#endif
