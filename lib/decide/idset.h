/* SPDX-License-Identifier: MIT */
/*
 * The call ids of a conversation, as hashes: 16 to 32 bytes each, however long
 * they are.  All zero is an empty set.
 */
#ifndef CTX_DECIDE_IDSET_H
#define CTX_DECIDE_IDSET_H

#include <stddef.h>
#include <stdint.h>

struct ctx_seen_id {
	uint64_t hash;		/* 0: a free place */
	unsigned uses;		/* the caller's; 0 in a new entry */
};

struct ctx_idset {
	struct ctx_seen_id *id;	/* open table */
	size_t n, cap;
};

void	ctx_idset_done(struct ctx_idset *l);

/*
 * The entry of an id, new if it was not there; NULL out of memory.  Good until
 * the next call.
 */
struct ctx_seen_id *ctx_idset_see(struct ctx_idset *l, const char *id,
	    size_t len);

#endif
