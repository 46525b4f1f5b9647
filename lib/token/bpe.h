/* SPDX-License-Identifier: MIT */
/*
 * Byte pair merging of one piece: again and again the pair of neighbours whose
 * merge has the lowest rank, the leftmost of equals, becomes one token.
 *
 * Long pieces are merged in windows.  What makes that exact: a row of tokens
 * is the result for its text if and only if each two neighbours in it are the
 * result for their own text.  (The first merge across a border would be the
 * first across it in that pair's text too.)  So windows that overlap by one
 * token may be joined wherever both of them have that token; where they differ
 * the later one starts further back.
 */
#ifndef CTX_TOKEN_BPE_H
#define CTX_TOKEN_BPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/table.h"
#include "token/tok.h"

/*
 * Merge piece p[0 .. len), len > 0.  ids, unless NULL, gets the tokens.
 *
 * Returns: 0 with *n tokens, or -1 with CTX_ENOMEM.
 */
int	ctx_bpe_piece(const struct ctx_table *t, const uint8_t *p, size_t len,
	    struct ctx_ids *ids, size_t *n, struct ctx_err *err) CTX_CHECKED;

/* Append one id.  -1: out of memory. */
int	ctx_bpe_add_id(struct ctx_ids *ids, uint32_t id, struct ctx_err *err)
	    CTX_CHECKED;

#endif
