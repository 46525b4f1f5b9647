/* SPDX-License-Identifier: MIT */
/*
 * What becomes of a call in another branch of a session, and of its result:
 * they stay or go together.
 */
#ifndef CTX_DECIDE_TIES_H
#define CTX_DECIDE_TIES_H

#include "view/convo.h"

#define CTX_TIES_KEPT	1	/* the record stays */
#define CTX_TIES_BESIDE	2	/* it is not in the branch, so it may go */

/*
 * Let each record beside the branch go whose call or result goes, and what is
 * tied to that.  fate[0 .. n) has the records, by the numbers in the ties; n is
 * one that is gone already.  Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_ties_settle(const struct ctx_tie *tie, size_t ntie,
	    unsigned char *fate, uint32_t n, struct ctx_err *err) CTX_CHECKED;

#endif
