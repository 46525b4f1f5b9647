/* SPDX-License-Identifier: MIT */
/*
 * Pre-tokenizers cut text into pieces, exactly as the published patterns do;
 * they are written by hand.  No pattern looks at text before the start of a
 * piece, so that cutting may resume at any piece border.
 */
#ifndef CTX_TOKEN_SPLIT_H
#define CTX_TOKEN_SPLIT_H

#include <stddef.h>
#include <stdint.h>

/* The patterns; the numbers are written to table files and never change. */
enum ctx_split_kind {
	CTX_SPLIT_NONE = 0,	/* the whole text is one piece; it is cut
				   where no token can lie across */
	CTX_SPLIT_R50K = 1,	/* GPT-2, r50k_base, p50k_base */
	CTX_SPLIT_CL100K = 2,	/* cl100k_base, Llama 3 */
	CTX_SPLIT_O200K = 3,	/* o200k_base, o200k_harmony */
	CTX_SPLIT_QWEN = 4,	/* cl100k_base with digits one by one */
	CTX_SPLIT_PATTERN = 5,	/* a pattern in the table (token/pattern.h) */
	CTX_SPLIT_SPACES = 6,	/* a piece begins at each space */
	CTX_SPLIT_DEEPSEEK = 7,	/* DeepSeek V3 and later */
	CTX_SPLIT_DIGIT = 8,	/* each number is a piece, */
	CTX_SPLIT_DIGITS = 9,	/* adjacent numbers are one; or the rest */
	CTX_SPLIT_BERT = 10,	/* white space and a word (token/bert.h) */
	CTX_SPLIT_MAX = 10
};

/* Conditions that a splitter met; or'ed into *met. */
#define CTX_SPLIT_END	1	/* more text after end might change the piece */
#define CTX_SPLIT_BAD	2	/* bytes that are not UTF-8 */

/*
 * Return the end of the piece that starts at p < end.  With CTX_SPLIT_BAD the
 * result is meaningless: the text must be repaired first.
 */
typedef const uint8_t *ctx_split_fn(const uint8_t *p, const uint8_t *end,
    unsigned *met);

/*
 * The splitter of a kind; NULL for PATTERN, and for NONE and SPACES, which
 * only token/chop implements.
 */
ctx_split_fn *ctx_split_get(enum ctx_split_kind kind);

/* Is the kind NONE or SPACES? */
int	ctx_split_by_border(enum ctx_split_kind kind);

#endif
