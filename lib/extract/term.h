/* SPDX-License-Identifier: MIT */
/*
 * Terms: what a text is about, for comparing texts.  A word in lower case, or
 * two neighbouring Han characters unless both are grammar.  A term is known by
 * a 64-bit hash of its bytes and by nothing else: two that share one (never
 * seen) would count as the same.  Bit 0 is set in those of stop words.
 */
#ifndef CTX_EXTRACT_TERM_H
#define CTX_EXTRACT_TERM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "extract/glyph.h"

struct ctx_terms {
	uint64_t *hash;		/* in the order of the text, repeats too */
	size_t n;
	size_t cap;
};

/*
 * Append the terms of text[0 .. len); *cue becomes 1 if a cue word stands in
 * it, else 0.  0, or -1 with CTX_ENOMEM.
 */
int	ctx_terms_scan(struct ctx_terms *terms,
	    const struct ctx_han_set *grammar, const char *text, size_t len,
	    int *cue, struct ctx_err *err) CTX_CHECKED;

uint64_t ctx_term_hash(const char *p, size_t len);

static inline int
ctx_term_is_stop(uint64_t hash)
{
	return hash & 1;
}

/*
 * Number equal hashes alike: id[i] of hash[i], from 0 in no meaningful order.
 * Sorting, not a table, so that no choice of words makes it slow.
 *
 * Returns: the number of different hashes in *nid; 0, or -1 with CTX_ENOMEM.
 */
int	ctx_terms_number(const uint64_t *hash, size_t n, uint32_t *id,
	    size_t *nid, struct ctx_err *err) CTX_CHECKED;

#endif
