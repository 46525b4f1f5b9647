/* SPDX-License-Identifier: MIT */
/*
 * How much of a history another one shares from the start: what a provider's
 * prompt cache can save.  Messages are compared as they are spelled; records
 * that are no messages are not looked at.
 */
#ifndef CTX_JOB_PREFIX_H
#define CTX_JOB_PREFIX_H

#include "base/buf.h"
#include "view/convo.h"

struct ctx_prefix {
	struct ctx_buf old;	/* a digest for each message of the old one */
	int in_new;		/* the new one is being read */
	size_t next;		/* where its next message stands in old */
	int differs;
};

void	ctx_prefix_done(struct ctx_prefix *p);

/*
 * The next message of the old history, or of the new one: then it says whether
 * all messages up to this one are shared.  -1 out of memory.
 */
int	ctx_prefix_msg(struct ctx_prefix *p, const struct ctx_convo *c,
	    uint32_t m, struct ctx_err *err);

#endif
