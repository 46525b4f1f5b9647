/* SPDX-License-Identifier: MIT */
/*
 * A trie of byte strings, each with an id, as a double array: the child of a
 * node for byte c is at the node's base ^ c, if that unit has the label c.  No
 * two nodes have the same base, so a label cannot be another node's.  Units
 * are stored in table files; a damaged one leads to a wrong unit, never beyond
 * the array.
 */
#ifndef CTX_TOKEN_TRIE_H
#define CTX_TOKEN_TRIE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * A unit: the base in the lowest 24 bits, the label in the next 8, a bit that
 * is set if it is in use, and from bit 40 on the id + 1, or 0.
 */
#define CTX_TRIE_USED	((uint64_t)1 << 32)
#define CTX_TRIE_ID	40
#define CTX_TRIE_MAX	((size_t)1 << 24)	/* units */

struct ctx_trie_key {
	const uint8_t *text;
	size_t len;		/* at least 1 */
	uint32_t id;
};

struct ctx_trie {
	const uint64_t *unit;	/* NULL: it is empty */
	size_t n;
};

/*
 * Build the trie of the keys, which are sorted; of equal ones the last counts.
 *
 * Returns: the units, yours to free, their number in *units, or NULL with
 *          CTX_ESYSTEM (too many) or CTX_ENOMEM.
 */
uint64_t *ctx_trie_build(struct ctx_trie_key *key, size_t n, size_t *units,
	    struct ctx_err *err) CTX_CHECKED;

/* Go from *node, 0 at first, by byte c; 0 if there is no way. */
static inline int
ctx_trie_step(const struct ctx_trie *t, size_t *node, uint8_t c)
{
	size_t next = (size_t)(t->unit[*node] & (CTX_TRIE_MAX - 1)) ^ c;

	if (next >= t->n || (t->unit[next] >> 24 & 0x1ff) !=
	    ((CTX_TRIE_USED >> 24) | c))
		return 0;
	*node = next;
	return 1;
}

/* The id + 1 of the string that ends at the node; 0 if none does. */
static inline uint32_t
ctx_trie_id(const struct ctx_trie *t, size_t node)
{
	return (uint32_t)(t->unit[node] >> CTX_TRIE_ID);
}

/*
 * The length of the longest string that p[0 .. len) begins with; 0 if there is
 * none.  *open is set if a longer one might, with more text.
 */
size_t	ctx_trie_longest(const struct ctx_trie *t, const uint8_t *p, size_t len,
	    int *open);

#endif
