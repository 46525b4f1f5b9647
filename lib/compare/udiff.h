/* SPDX-License-Identifier: MIT */
/*
 * How the lines of two texts differ, as diff -u says it: hunks of lines with
 * " ", "-" or "+" and three equal lines around them, each after a line such as
 * "@@ -1,4 +1,3 @@".  A line end that is missing at the end of a text is not
 * looked at.
 *
 * Names: ctx_udiff.
 */
#ifndef CTX_COMPARE_UDIFF_H
#define CTX_COMPARE_UDIFF_H

#include "read/span.h"

/* Takes a line, whose sign is one of "@ -+". */
typedef void ctx_udiff_fn(void *arg, char sign, struct ctx_str line);

/* Call fn for each line.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_udiff(struct ctx_str old, struct ctx_str new, ctx_udiff_fn *fn,
	    void *arg, struct ctx_err *err) CTX_CHECKED;

#endif
