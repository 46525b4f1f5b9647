/* SPDX-License-Identifier: MIT */
/*
 * How many tokens a history may have in a model's window:
 * (window - reserve - system) * ratio.
 */
#ifndef CTX_JOB_BUDGET_H
#define CTX_JOB_BUDGET_H

#include "base/num.h"

#define CTX_BUDGET_WINDOW	128000	/* of a model that is not known */

struct ctx_budget {
	uint64_t window;	/* 0: not known yet */
	uint64_t reserve;	/* for the answer */
	uint64_t system;	/* for system messages */
	struct ctx_ratio ratio;
};

#define CTX_BUDGET_DEFAULT	{ 0, 4096, 2000, { 60, 100 } }

/* Returns 0, or -1 with CTX_EUSAGE if nothing is left of the window. */
int	ctx_budget_tokens(const struct ctx_budget *b, uint64_t *tokens,
	    struct ctx_err *err) CTX_CHECKED;

#endif
