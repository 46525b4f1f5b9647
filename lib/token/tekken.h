/* SPDX-License-Identifier: MIT */
/*
 * Mistral's tekken.json: ranks of byte strings as in a rank file, the pattern
 * that splits text, and special tokens, whose ids come before all others.
 */
#ifndef CTX_TOKEN_TEKKEN_H
#define CTX_TOKEN_TEKKEN_H

#include <jansson.h>

#include "token/vocab.h"

/* Is the value read from a JSON file such a vocabulary? */
int	ctx_tekken_is(const json_t *root);

/*
 * Add the contents to v, except for the pattern: *pattern, in the language of
 * tiktoken, belongs to root.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (something is missing or wrong; the
 *          message says what) or CTX_ENOMEM.
 */
int	ctx_tekken_read(struct ctx_vocab *v, const json_t *root,
	    const char **pattern, struct ctx_err *err) CTX_CHECKED;

#endif
