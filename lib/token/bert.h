/* SPDX-License-Identifier: MIT */
/*
 * What BERT's tokenizer does to text before WordPiece: white space and control
 * characters, Chinese characters, lower case and accents, and the cut into
 * words and punctuation.  As Hugging Face's library does it, whose categories
 * of characters are those of Unicode 8.0.
 */
#ifndef CTX_TOKEN_BERT_H
#define CTX_TOKEN_BERT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "token/norm.h"

/*
 * Append p[0 .. *len), which is UTF-8, to out in the form that norm asks for,
 * like ctx_norm_append.
 */
int	ctx_bert_append(unsigned norm, struct ctx_buf *out, const uint8_t *p,
	    size_t *len, int whole, struct ctx_err *err) CTX_CHECKED;

/* Append the lower case of a character. */
void	ctx_bert_lower(struct ctx_buf *out, uint32_t cp);

/*
 * A splitter (token/split.h): white space and the word or the character of
 * punctuation after it.
 */
const uint8_t *ctx_bert_split(const uint8_t *p, const uint8_t *end,
	    unsigned *met);

#endif
