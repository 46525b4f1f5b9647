/* SPDX-License-Identifier: MIT */
/*
 * Finds where any of a few hundred short literals occurs in a text.  While none
 * does, this takes one pass at some gigabytes per second: the rarest three or
 * four bytes of each literal are searched for all at once, by nibble tables in
 * vector registers.  What passes is looked up in a hash table and compared.
 *
 * A literal without upper-case letters matches in any case; one with upper-case
 * letters matches only as spelled.
 */
#ifndef CTX_REDACT_ANCHOR_H
#define CTX_REDACT_ANCHOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CTX_ANCHOR_MIN	3	/* least length of a literal, in bytes ... */
#define CTX_ANCHOR_MAX	64	/* ... and greatest */

struct ctx_anchors;

struct ctx_anchors *ctx_anchors_new(struct ctx_err *err) CTX_CHECKED;
void	ctx_anchors_free(struct ctx_anchors *a);

/*
 * Add a literal.  tag is the caller's and is passed to fn with each occurrence.
 * Literals may be equal.  text is borrowed as long as a lives.  Returns 0, or
 * -1 with *err.
 */
int	ctx_anchors_add(struct ctx_anchors *a, const char *text, size_t len,
	    unsigned tag, struct ctx_err *err) CTX_CHECKED;

/* Call this once, after the last addition and before the first walk. */
void	ctx_anchors_ready(struct ctx_anchors *a);

/*
 * Call fn for each occurrence in p[0 .. len), including overlapping ones; off
 * is the offset of the literal's first byte and n is its length.  Occurrences
 * are in the order of their rarest bytes, so offsets may go back by up to
 * CTX_ANCHOR_MAX.  If fn returns anything but 0, the walk ends and returns that
 * value; otherwise it returns 0.
 */
typedef int ctx_anchor_fn(void *arg, size_t off, size_t n, unsigned tag);

int	ctx_anchors_walk(const struct ctx_anchors *a, const char *p,
	    size_t len, ctx_anchor_fn *fn, void *arg);

#endif
