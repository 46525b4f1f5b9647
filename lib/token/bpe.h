/* SPDX-License-Identifier: MIT */
/*
 * Byte pair merging of one piece.  In each step the pair of neighbours whose
 * merge has the lowest rank, the leftmost if several do, becomes one token.
 *
 * Long pieces are merged in windows.  This is exact because a row of tokens is
 * the result for its text if and only if every two neighbours in it are the
 * result for their own text.  (The first merge across a border would also be
 * the first across it in that pair's text.)  Windows that overlap by one token
 * may therefore be joined where both have that token; where they differ, the
 * later window starts further back.
 */
#ifndef CTX_TOKEN_BPE_H
#define CTX_TOKEN_BPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/table.h"
#include "token/tok.h"

/*
 * Merge piece p[0 .. len), len > 0.  The tokens are appended to ids unless ids
 * is NULL.
 *
 * Returns: 0 with the number of tokens in *n, or -1 with CTX_ENOMEM.
 */
int	ctx_bpe_piece(const struct ctx_table *t, const uint8_t *p, size_t len,
	    struct ctx_ids *ids, size_t *n, struct ctx_err *err) CTX_CHECKED;

/* Append one id.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_bpe_add_id(struct ctx_ids *ids, uint32_t id, struct ctx_err *err)
	    CTX_CHECKED;

#endif
