/* SPDX-License-Identifier: MIT */
/*
 * The call ids of a conversation, as hashes, however long they are, and how
 * often each was used.  All zero is an empty set.
 */
#ifndef CTX_DECIDE_IDSET_H
#define CTX_DECIDE_IDSET_H

#include <stddef.h>
#include <stdint.h>

struct ctx_idset_id {
	uint64_t hash;		/* 0: a free place */
	unsigned uses;		/* the caller's; 0: not yet seen */
};

struct ctx_idset {
	struct ctx_idset_id *id;	/* open table */
	size_t n, cap;
};

void	ctx_idset_done(struct ctx_idset *l);

/* The entry of an id, good until the next call; NULL out of memory. */
struct ctx_idset_id *ctx_idset_see(struct ctx_idset *l, const char *id,
	    size_t len);

#endif
