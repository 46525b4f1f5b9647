/* SPDX-License-Identifier: MIT */
/*
 * A map from strings to the numbers 0, 1, 2 ... in the order in which the
 * strings are first seen.  All zero is an empty map.
 */
#ifndef CTX_BASE_STRMAP_H
#define CTX_BASE_STRMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct ctx_strmap {
	struct ctx_strmap_key *key;	/* by number */
	size_t n, cap;
	uint32_t *slot;			/* number + 1; 0 is free */
	size_t nslot;
	struct ctx_buf bytes;
};

#define CTX_STRMAP_FULL	SIZE_MAX

/*
 * The number of s[0 .. len), which is added if it is new; CTX_STRMAP_FULL if
 * out of memory.
 */
size_t	ctx_strmap_add(struct ctx_strmap *m, const char *s, size_t len)
	    CTX_CHECKED;

/* The same, but CTX_STRMAP_FULL if m does not have it. */
size_t	ctx_strmap_find(const struct ctx_strmap *m, const char *s,
	    size_t len);

/* The string of number i, borrowed until the next addition. */
const char *ctx_strmap_at(const struct ctx_strmap *m, size_t i, size_t *len);

void	ctx_strmap_done(struct ctx_strmap *m);

/* The map's hash, for other tables in memory.  It must never be stored. */
uint64_t ctx_strmap_hash(const char *p, size_t len);

#endif
