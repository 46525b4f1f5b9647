/* SPDX-License-Identifier: MIT */
/*
 * How much two histories share from the start, which is what a provider's
 * prompt cache can save.  Messages are compared as spelled; records that are
 * not messages are ignored.
 */
#ifndef CTX_JOB_PREFIX_H
#define CTX_JOB_PREFIX_H

#include "base/buf.h"
#include "view/convo.h"

struct ctx_prefix {
	struct ctx_buf old;	/* a digest of each message of the old
				   history */
	int in_new;		/* the new history is being read */
	size_t next;		/* place of its next message in old */
	int differs;
};

void	ctx_prefix_done(struct ctx_prefix *p);

/*
 * Add the next message of the old history, or compare the next one of the new
 * history.  In the new one, the result says whether all messages up to this one
 * are shared.  Returns -1 if out of memory.
 */
int	ctx_prefix_msg(struct ctx_prefix *p, const struct ctx_convo *c,
	    uint32_t m, struct ctx_err *err);

#endif
