/* SPDX-License-Identifier: MIT */
/*
 * Choosing sets that together cover most: each item has features (terms and
 * facts of a passage), each feature a weight that counts fully the first time
 * it is covered and by a set share after that.  Greedy, best gain for its size
 * first; ties go to the earlier item.
 *
 * A gain can only shrink while others are taken, so an item whose gain was
 * found smaller is put back and the rest is not looked at again.  Each time
 * that happens one of its features was covered in between: the work is bounded
 * by the features of all items, whatever they are.
 */
#ifndef CTX_EXTRACT_COVER_H
#define CTX_EXTRACT_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* An item's features are those from first up to the next item's first. */
struct ctx_cover_item {
	size_t first;
	uint32_t size;		/* what its gain is divided by, to the 2/3 */
	uint32_t factor;	/* of its terms' weight, in 1/256 */
	uint8_t out;		/* taken, or not to be taken */
};

/* Weights in 1/1024; an id of a fact is its number plus nterm. */
struct ctx_cover {
	struct ctx_cover_item *item;	/* n + 1 of them, the last an end */
	size_t n;
	const uint32_t *feature;	/* ids, none twice in an item */
	const uint32_t *weight;		/* by id */
	uint8_t *covered;		/* by id, 0 or 1 */
	uint32_t nterm;			/* ids under this are terms */
	/* an item of fewer terms than this, and without a fact that is not
	   covered, is not taken */
	uint32_t min_terms;
};

/*
 * Take items until none fits.  fits(arg, i) says whether item i does, and
 * charges for it if so; it may be asked about an item only once a run.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or if fits returned -1.
 */
int	ctx_cover_run(struct ctx_cover *c,
	    int (*fits)(void *arg, size_t i, struct ctx_err *err), void *arg,
	    struct ctx_err *err);

#endif
