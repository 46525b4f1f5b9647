/* SPDX-License-Identifier: MIT */
/* Vocabularies of WordPiece: vocab.txt, and a part of tokenizer.json. */
#ifndef CTX_TOKEN_WORDLIST_H
#define CTX_TOKEN_WORDLIST_H

#include "token/vocab.h"

/* What precedes a token that continues a word. */
#define CTX_WORDLIST_MARK	"##"

/* Add a token as it is written there. */
int	ctx_wordlist_add(struct ctx_vocab *v, uint32_t id, const char *text,
	    size_t len, struct ctx_err *err) CTX_CHECKED;

/*
 * Add the contents of a vocab.txt, a token a line.  Whether text is lower case,
 * loses its accents and has Chinese characters apart is what the
 * tokenizer_config.json beside it says; without one, it is lower case unless a
 * token has a capital letter.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (it has no token for what is unknown, or
 *          something is wrong) or CTX_ENOMEM.
 */
int	ctx_wordlist_read(struct ctx_vocab *v, const char *path,
	    struct ctx_err *err) CTX_CHECKED;

#endif
