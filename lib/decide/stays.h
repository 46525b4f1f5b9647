/* SPDX-License-Identifier: MIT */
/*
 * How a cut must treat a message: whether it always stays (system messages, a
 * running summary at the head, what the caller pinned), and whether it belongs
 * with the one before it.
 */
#ifndef CTX_DECIDE_STAYS_H
#define CTX_DECIDE_STAYS_H

#include "view/convo.h"

/* All zero, except for pin, at the start of a conversation. */
struct ctx_stays {
	const char *pin;	/* member that keeps a message, or NULL */
	int begun;		/* a message that is not system was seen */
	int in_summary;		/* the last message was a summary */
};

/*
 * The CTX_WIN_* flags of message m, the next one of its conversation.  more is
 * its mark in ctx_groups.
 */
unsigned ctx_stays_flags(struct ctx_stays *s, const struct ctx_convo *c,
	    uint32_t m, int more);

/*
 * The flags of a record with several messages: combines those so far with those
 * of its next message.  A record with a system message among others stays
 * whole.
 */
unsigned ctx_stays_join(unsigned flags, unsigned next);

#endif
