/* SPDX-License-Identifier: MIT */
/* Old tool results without their bodies: a note says how long each was. */
#ifndef CTX_DECIDE_CLEAR_H
#define CTX_DECIDE_CLEAR_H

#include "decide/plan.h"

/*
 * Append to out what stands for a result's text, both escaped:
 * "[tool result cleared: 5321 chars]".
 * Returns: 1; 0 if the text is such a note or no longer than one; -1 out of
 *          memory.
 */
int	ctx_clear_note(struct ctx_buf *out, struct ctx_str text);

/* Is part p the text of a result, or of a block in one, that may be cleared? */
int	ctx_clear_may(const struct ctx_convo *c, uint32_t p);

/*
 * Plan notes for the texts of all results in message m.  Results that the
 * provider gave stay, and so do images.  0, or -1 out of memory.
 */
int	ctx_clear_plan(struct ctx_plan *plan, const struct ctx_convo *c,
	    uint32_t m, struct ctx_err *err) CTX_CHECKED;

#endif
