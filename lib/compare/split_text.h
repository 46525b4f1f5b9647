/* SPDX-License-Identifier: MIT */
/*
 * Two texts in pieces, lines or words, and which of them are paired in order
 * (align.h).
 */
#ifndef CTX_COMPARE_SPLIT_TEXT_H
#define CTX_COMPARE_SPLIT_TEXT_H

#include "read/span.h"

struct ctx_split_text {
	struct ctx_str *of[2];	/* of the old and of the new text */
	size_t n[2];
	uint32_t *mate;		/* of an old one the new one, or UINT32_MAX */
};

/*
 * Set *n to the length of the piece at p[0 .. len), len > 0, and return where the
 * next one begins: at least 1.
 */
typedef size_t ctx_split_text_fn(const char *p, size_t len, size_t *n);

/* Divide and pair them.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_split_text_pair(struct ctx_split_text *p, struct ctx_str old,
	    struct ctx_str new, ctx_split_text_fn *fn, struct ctx_err *err)
	    CTX_CHECKED;

void	ctx_split_text_done(struct ctx_split_text *p);

/* The pieces from i and j on that are paired with each other, at most most. */
static inline size_t
ctx_split_text_equal(const struct ctx_split_text *p, size_t i, size_t j,
    size_t most)
{
	size_t n = 0;

	while (n < most && i + n < p->n[0] && p->mate[i + n] == j + n)
		n++;
	return n;
}

/* Go over pieces that are not. */
static inline void
ctx_split_text_skip(const struct ctx_split_text *p, size_t *i, size_t *j)
{
	while (*i < p->n[0] && p->mate[*i] == UINT32_MAX)
		++*i;
	*j = *i < p->n[0] ? p->mate[*i] : p->n[1];
}

#endif
