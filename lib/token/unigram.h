/* SPDX-License-Identifier: MIT */
/*
 * Unigram: of all rows of tokens that spell a text, the one with the highest
 * sum of scores.  Sums are added from the beginning of the text, rounded as in the
 * maker's library, since their order and rounding decide which of two nearly
 * equal rows wins: sentencepiece has 24 bits, so that a long text's tokens
 * depend on all that came before; Hugging Face's has 53, for each piece.
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
	uint32_t id;		/* with CTX_UNIGRAM_TEXT, or not */
	uint64_t count;		/* of its tokens */
};

/*
 * The unknown token is itself the text, and no unknown character comes before
 * it.
 */
#define CTX_UNIGRAM_TEXT	(1u << 31)

/* A text, as far as it is decided. */
struct ctx_unigram {
	const struct ctx_table *table;	/* borrowed; set by the caller */
	uint64_t count;		/* of the tokens, when the text has ended */
	struct ctx_unigram_node *node;	/* of each byte from the current on */
	size_t cap;
	size_t kept;		/* nodes that hold something */
	int open;		/* a piece is begun */
};

void	ctx_unigram_done(struct ctx_unigram *u);

/* Forget the text. */
void	ctx_unigram_reset(struct ctx_unigram *u);

/*
 * Continue with p[0 .. *len), which is UTF-8.  u->count becomes the number of
 * tokens of the pieces that end there, and their ids are appended to ids unless
 * ids is NULL.  If whole is set, the text ends there.  Otherwise *len is set to
 * the number of bytes that need not be given again; with ids, that is 0.  The
 * space that comes before a word may be written to p.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_unigram_text(struct ctx_unigram *u, const uint8_t *p, size_t *len,
	    int whole, struct ctx_ids *ids, struct ctx_err *err) CTX_CHECKED;

#endif
