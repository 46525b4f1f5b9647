/* SPDX-License-Identifier: MIT */
/*
 * Which elements of one sequence are those of another, in order: what a
 * comparison of two lists of lines or messages needs.
 *
 * Elements that occur once in both are anchors, as in Bram Cohen's patience
 * diff, and so are their equal neighbours; the same is done between anchors.
 * Where nothing occurs once, the occurrences of an element are paired from the
 * end.  Time is O(n log n) for any input, by a bound on the depth; the result
 * need not be the longest possible.
 *
 * Names: ctx_align.
 */
#ifndef CTX_COMPARE_ALIGN_H
#define CTX_COMPARE_ALIGN_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx_align_seq {
	const uint32_t *v;	/* numbers below the kinds of ctx_align */
	uint32_t n;
};

/*
 * Set mate[i], for each element i of a, to its place in b, or to UINT32_MAX if
 * it has none.  Places increase with i.  Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_align(struct ctx_align_seq a, struct ctx_align_seq b,
	    uint32_t kinds, uint32_t *mate, struct ctx_err *err) CTX_CHECKED;

#endif
