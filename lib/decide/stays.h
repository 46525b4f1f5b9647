/* SPDX-License-Identifier: MIT */
/*
 * What a message is to a cut: whether it stays whatever is cut (the system's,
 * a running summary at the head, what the caller pinned), and whether it
 * stands with the one before it.
 */
#ifndef CTX_DECIDE_STAYS_H
#define CTX_DECIDE_STAYS_H

#include "view/convo.h"

/* All zero at the start of a conversation, but for pin. */
struct ctx_stays {
	const char *pin;	/* member that keeps a message; NULL: none */
	int begun;		/* a message that is not system was seen */
	int in_summary;		/* the last message was a summary */
};

/*
 * The CTX_WIN_* flags of message m, the next one of its conversation; more is
 * its mark by ctx_group_marks.
 */
unsigned ctx_stays_flags(struct ctx_stays *s, const struct ctx_convo *c,
	    uint32_t m, int more);

/*
 * The flags of a record of several messages: those so far and its next one's.
 * One that holds a system message beside others stays whole.
 */
unsigned ctx_stays_join(unsigned flags, unsigned next);

#endif
