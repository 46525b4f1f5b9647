/* SPDX-License-Identifier: MIT */
/*
 * Special tokens, which text is searched for before it is cut and merged:
 * <|endoftext|> and what a tokenizer.json calls added tokens.  If several
 * match, the leftmost wins, and of those that start there the longest.
 */
#ifndef CTX_TOKEN_SPECIAL_H
#define CTX_TOKEN_SPECIAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "token/table.h"

struct ctx_tok_special {
	const char *text;	/* borrowed */
	size_t len;
	uint32_t id;
	unsigned flags;		/* CTX_SPECIAL_... */
};

/* All zero is an empty set. */
struct ctx_specials {
	struct ctx_tok_special *list;	/* sorted by their bytes */
	size_t n;
	size_t cap;
	size_t longest;		/* bytes */
	unsigned flags;		/* of all tokens, or'ed */
	unsigned always_flags;	/* of the tokens that always count */
	uint8_t first[256];	/* what one begins with: a byte, */
	uint64_t pair[0x10000 / 64];	/* two */
};

/* Add a token.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_specials_add(struct ctx_specials *set, const char *text, size_t len,
	    uint32_t id, unsigned flags, struct ctx_err *err) CTX_CHECKED;

/* Prepare the set for searching; call it after the last token was added. */
void	ctx_specials_ready(struct ctx_specials *set);
void	ctx_specials_done(struct ctx_specials *set);

/*
 * The first token that begins in p .. limit and ends no later than end; *at is
 * where it begins.  NULL if there is none.
 */
const struct ctx_tok_special *ctx_specials_find(const struct ctx_specials *set,
	    const uint8_t *p, const uint8_t *limit, const uint8_t *end,
	    const uint8_t **at);

#endif
