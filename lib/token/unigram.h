/* SPDX-License-Identifier: MIT */
/*
 * Unigram: of all rows of tokens that spell a text, the one with the highest
 * sum of scores.  Sums are added from the beginning of the text, rounded as in the
 * maker's library, since their order and rounding decide which of two nearly
 * equal rows wins: sentencepiece has 24 bits, so that a long text's tokens
 * depend on all that came before.
 */
#ifndef CTX_TOKEN_UNIGRAM_H
#define CTX_TOKEN_UNIGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/table.h"
#include "token/tok.h"

/* The best row that ends at a byte. */
struct ctx_unigram_node {
	double score;
	uint32_t len;		/* of its last token; 0: there is no row */
	uint32_t id;
	uint64_t count;		/* of its tokens */
};

/* A text, as far as it is decided. */
struct ctx_unigram {
	const struct ctx_table *table;	/* borrowed; set by the caller */
	uint64_t count;		/* of the tokens, when the text has ended */
	struct ctx_unigram_node *node;	/* of each byte from the current on */
	size_t cap;
	size_t kept;		/* nodes that hold something */
};

void	ctx_unigram_done(struct ctx_unigram *u);

/* Forget the text. */
void	ctx_unigram_reset(struct ctx_unigram *u);

/*
 * Continue with p[0 .. *len), which is UTF-8.  If whole is set, the text ends
 * there: u->count becomes its number of tokens, 0 until then, and its ids are
 * appended to ids unless ids is NULL.  Otherwise *len is set to the number of
 * bytes that need not be given again; with ids, that is 0.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_unigram_take(struct ctx_unigram *u, const uint8_t *p, size_t *len,
	    int whole, struct ctx_ids *ids, struct ctx_err *err) CTX_CHECKED;

#endif
