/* SPDX-License-Identifier: MIT */
/* The budget of a history; see budget.h. */
#include "job/budget.h"

#include <inttypes.h>

int
ctx_budget_tokens(const struct ctx_budget *b, uint64_t *tokens,
    struct ctx_err *err)
{
	if (b->window <= b->reserve + b->system)
		return ctx_fail(err, CTX_EUSAGE, "a window of %" PRIu64
		    " tokens leaves no room for the history after %" PRIu64
		    " for the answer and %" PRIu64 " for system messages",
		    b->window, b->reserve, b->system);
	*tokens = ctx_ratio_of(b->ratio, b->window - b->reserve - b->system);
	return 0;
}
