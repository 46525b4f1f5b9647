/* SPDX-License-Identifier: MIT */
/*
 * Long contents are cut at places that their own bytes determine, so that equal
 * parts of two of them become equal pieces.
 */
#ifndef CTX_STORE_PIECE_H
#define CTX_STORE_PIECE_H

#include <stddef.h>
#include <stdint.h>

/* Contents of at most this size are not cut. */
#define CTX_PIECE_WHOLE	32768

struct ctx_pieces {
	uint64_t gear[256];
};

void	ctx_piece_begin(struct ctx_pieces *c);

/* The length of the first piece of p[0 .. n), which is not empty. */
size_t	ctx_piece_len(const struct ctx_pieces *c, const unsigned char *p,
	    size_t n);

#endif
