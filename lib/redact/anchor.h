/* SPDX-License-Identifier: MIT */
/*
 * Where does any of a few hundred short literals occur in a text?  One pass
 * at some gigabytes a second while none does: of each literal its rarest three
 * or four bytes are looked for, all at once, by nibble tables in vector
 * registers; what passes is looked up in a hash table and compared.
 *
 * A literal without upper-case letters matches in any case, one that has some
 * only as it is spelled.
 */
#ifndef CTX_REDACT_ANCHOR_H
#define CTX_REDACT_ANCHOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CTX_ANCHOR_MIN	3	/* bytes that a literal has at least ... */
#define CTX_ANCHOR_MAX	64	/* ... and at most */

struct ctx_anchors;

struct ctx_anchors *ctx_anchors_new(struct ctx_err *err) CTX_CHECKED;
void	ctx_anchors_free(struct ctx_anchors *a);

/*
 * One more literal.  tag is the caller's and comes back with each occurrence;
 * literals may be equal.  text is borrowed for the life of a.  0 or -1.
 */
int	ctx_anchors_add(struct ctx_anchors *a, const char *text, size_t len,
	    unsigned tag, struct ctx_err *err) CTX_CHECKED;

/* To be called once, after the last addition and before the first walk. */
void	ctx_anchors_ready(struct ctx_anchors *a);

/*
 * Call fn for each occurrence in p[0 .. len), overlapping ones too: off is the
 * literal's first byte, n its length.  Occurrences come in the order of their
 * rarest bytes, so offsets may step back by up to CTX_ANCHOR_MAX.  What fn
 * returns, unless 0, ends the walk and is returned; else 0.
 */
typedef int ctx_anchor_fn(void *arg, size_t off, size_t n, unsigned tag);

int	ctx_anchors_walk(const struct ctx_anchors *a, const char *p,
	    size_t len, ctx_anchor_fn *fn, void *arg);

#endif
