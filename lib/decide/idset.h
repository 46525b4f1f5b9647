/* SPDX-License-Identifier: MIT */
/*
 * The call ids of a conversation or turn as hashes, in 16 to 32 bytes each, however
 * long the ids are.  All zero is an empty set.
 */
#ifndef CTX_DECIDE_IDSET_H
#define CTX_DECIDE_IDSET_H

#include <stddef.h>
#include <stdint.h>

struct ctx_seen_id {
	uint64_t hash;		/* 0 means that the slot is free */
	unsigned uses;		/* for the caller; 0 in a new entry */
};

struct ctx_idset {
	struct ctx_seen_id *id;	/* hash table with open addressing */
	size_t n, cap;
};

void	ctx_idset_done(struct ctx_idset *l);
/* Empty it but keep the memory. */
void	ctx_idset_reset(struct ctx_idset *l);

/*
 * The entry of an id, which is created if it is new; NULL if out of memory.
 * Valid until the next call.
 */
struct ctx_seen_id *ctx_idset_see(struct ctx_idset *l, const char *id,
	    size_t len);

#endif
