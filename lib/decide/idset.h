/* SPDX-License-Identifier: MIT */
/*
 * The call ids of a conversation, as hashes: 8 to 16 bytes each, however long
 * they are.  All zero is an empty set.
 */
#ifndef CTX_DECIDE_IDSET_H
#define CTX_DECIDE_IDSET_H

#include <stddef.h>
#include <stdint.h>

struct ctx_idset {
	uint64_t *id;		/* open table, 0 is a free place */
	size_t n, cap;
};

void	ctx_idset_done(struct ctx_idset *l);

/* 1 if the id is new, 0 if it was there, -1 out of memory. */
int	ctx_idset_add(struct ctx_idset *l, const char *id, size_t len);

#endif
