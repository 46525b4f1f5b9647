/* SPDX-License-Identifier: MIT */
/*
 * Terms: what a text is about, for comparing texts.  A term is a word in lower
 * case, or two adjacent Han characters unless both are grammar.  It is
 * identified only by a 64-bit hash of its bytes; two terms with the same hash
 * (never seen) would count as one.  Bit 0 is set in the hashes of stop words.
 */
#ifndef CTX_EXTRACT_TERM_H
#define CTX_EXTRACT_TERM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "extract/glyph.h"

struct ctx_terms {
	uint64_t *hash;		/* in text order, with repeats */
	size_t n;
	size_t cap;
};

/*
 * Append the terms of text[0 .. len).  Sets *cue to 1 if the text contains a
 * cue word, else to 0.  Returns 0, or -1 with CTX_ENOMEM.
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
 * Number the hashes: equal ones get the same id[i], from 0, in no meaningful
 * order.  This sorts instead of using a hash table, so that no choice of words
 * makes it slow.
 *
 * Returns: 0 with the number of different hashes in *nid, or -1 with
 *          CTX_ENOMEM.
 */
int	ctx_terms_number(const uint64_t *hash, size_t n, uint32_t *id,
	    size_t *nid, struct ctx_err *err) CTX_CHECKED;

#endif
