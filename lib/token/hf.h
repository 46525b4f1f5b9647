/* SPDX-License-Identifier: MIT */
/* The reader of Hugging Face's tokenizer.json, and its parts. */
#ifndef CTX_TOKEN_HF_H
#define CTX_TOKEN_HF_H

#include <jansson.h>

#include "token/vocab.h"

/* Add the contents of a tokenizer.json, which was read as root, to v. */
int	ctx_hf_read(struct ctx_vocab *v, const json_t *root,
	    struct ctx_err *err) CTX_CHECKED;

/* The string that is member key of object; "" if there is no such string. */
const char *ctx_hf_string(const json_t *object, const char *key);

/*
 * Read what is done with text before and after merging: normalizer,
 * pre_tokenizer and decoder set the vocabulary's norm, split and pattern.
 * *norm gets the part of its norm that the normalizer does; *bytes is set if
 * its tokens are spelled in the byte alphabet.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (a step that we cannot reproduce exactly;
 *          the message names it) or CTX_ENOMEM.
 */
int	ctx_hf_steps(struct ctx_vocab *v, const json_t *root, unsigned *norm,
	    int *bytes, struct ctx_err *err) CTX_CHECKED;

#endif
