/* SPDX-License-Identifier: MIT */
/*
 * Halves of surrogate pairs in the strings of messages, as in "\ud83d" where an
 * emoji was cut in two.  They are no text, and some APIs refuse a request with one as
 * invalid JSON.
 */
#ifndef CTX_DECIDE_SURROGATE_H
#define CTX_DECIDE_SURROGATE_H

#include "decide/plan.h"

/*
 * Find the strings with such halves and, where the API refuses them, replace each half
 * with U+FFFD.  To be called
 * after all that gives texts new contents; tell records changes for a report.  Returns
 * 0, or -1 with CTX_ENOMEM.
 */
int	ctx_surrogate_plan(struct ctx_plan *p, const struct ctx_convo *c,
	    int tell, struct ctx_err *err) CTX_CHECKED;

#endif
