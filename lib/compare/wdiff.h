/* SPDX-License-Identifier: MIT */
/*
 * How the words of two texts differ: what both have, what only the old one has,
 * and what only the new one has, one after another.  Words are runs of letters
 * and digits; of scripts without spaces each character is one.  What both have
 * between two changes counts as changed if it is so short that it says nothing.
 *
 * Names: ctx_wdiff.
 */
#ifndef CTX_COMPARE_WDIFF_H
#define CTX_COMPARE_WDIFF_H

#include "read/span.h"

/* Takes a part of a text, whose sign is one of " -+". */
typedef void ctx_wdiff_fn(void *arg, char sign, struct ctx_str text);

/* Call fn for each part.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_wdiff(struct ctx_str old, struct ctx_str new, ctx_wdiff_fn *fn,
	    void *arg, struct ctx_err *err) CTX_CHECKED;

#endif
