/* SPDX-License-Identifier: MIT */
/*
 * WordPiece: a word is the longest token that it begins with, then the longest
 * that can continue it, and so on; one that cannot be spelled so is unknown.
 */
#ifndef CTX_TOKEN_WORDPIECE_H
#define CTX_TOKEN_WORDPIECE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/table.h"
#include "token/tok.h"

/*
 * Tokenize the word in p[0 .. len), after white space.  The tokens are appended
 * to ids unless ids is NULL.
 *
 * Returns: 0 with the number of tokens in *n, or -1 with CTX_ENOMEM.
 */
int	ctx_wordpiece_word(const struct ctx_table *t, const uint8_t *p,
	    size_t len, struct ctx_ids *ids, size_t *n, struct ctx_err *err)
	    CTX_CHECKED;

#endif
