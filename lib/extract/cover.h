/* SPDX-License-Identifier: MIT */
/*
 * Chooses sets that together cover the most.  Each item has features (the terms
 * and facts of a passage); each feature has a weight, which counts in full the
 * first time it is covered and at a fixed share after that.  The choice is
 * greedy: the best gain for its size first, of equal ones the earlier item.
 *
 * Gains only shrink as other items are taken.  So an item whose gain turns out
 * to be smaller is put back, and the rest need not be looked at again.  Each
 * time that happens, one of its features was covered in the meantime, so the
 * work is bounded by the number of features of all items.
 */
#ifndef CTX_EXTRACT_COVER_H
#define CTX_EXTRACT_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The features of an item run from first to the first of the next item. */
struct ctx_cover_item {
	size_t first;
	uint32_t size;		/* its gain is divided by this to the 2/3 */
	uint32_t factor;	/* multiplies the weight of its terms, in
				   1/256 */
	uint8_t out;		/* already taken, or not to be taken */
};

/* Weights are in 1/1024.  The id of a fact is its number plus nterm. */
struct ctx_cover {
	struct ctx_cover_item *item;	/* n + 1; the last marks the end */
	size_t n;
	const uint32_t *feature;	/* ids, each at most once per item */
	const uint32_t *weight;		/* by id */
	uint8_t *covered;		/* by id, 0 or 1 */
	uint32_t nterm;			/* ids below this are terms */
	/* fewer terms and no uncovered fact: the item is not taken */
	uint32_t min_terms;
};

/*
 * Take items until none fits.  fits(arg, i) returns whether item i fits, and if
 * so charges for it; it is called at most once per item in a run.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or if fits returned -1.
 */
int	ctx_cover_run(struct ctx_cover *c,
	    int (*fits)(void *arg, size_t i, struct ctx_err *err), void *arg,
	    struct ctx_err *err);

#endif
