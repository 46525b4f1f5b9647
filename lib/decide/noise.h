/* SPDX-License-Identifier: MIT */
/*
 * What a history can do without: bodies that are too long.  Lengths are
 * characters (code points), not bytes.
 */
#ifndef CTX_DECIDE_NOISE_H
#define CTX_DECIDE_NOISE_H

#include "decide/plan.h"

struct ctx_noise_opts {
	uint64_t max_result;	/* characters of a result's text; 0: any */
	uint64_t max_message;	/* of a user's or assistant's; 0: any */
};

/*
 * Shorten texts of c that the plan so far keeps: the head of at most N
 * characters stays, followed by "\n... (truncated, M chars total)", M being
 * the length of the whole text.  A text that was shortened to N or less before
 * is left, so shortening twice is shortening once.
 * *nchars grows by the characters that went.  0, or -1 out of memory.
 */
int	ctx_noise_plan(struct ctx_plan *plan, const struct ctx_convo *c,
	    const struct ctx_noise_opts *opts, uint64_t *nchars,
	    struct ctx_err *err);

#endif
