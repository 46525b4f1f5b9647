/* SPDX-License-Identifier: MIT */
/* The reader of Hugging Face's tokenizer.json, and its parts. */
#ifndef CTX_TOKEN_HF_H
#define CTX_TOKEN_HF_H

#include <jansson.h>

#include "token/vocab.h"

/* Add what a tokenizer.json holds. */
int	ctx_hf_read(struct ctx_vocab *v, const char *path,
	    struct ctx_err *err) CTX_CHECKED;

/* The string that is member key of object, "" if it has none. */
const char *ctx_hf_string(const json_t *object, const char *key);

/*
 * What is done with text before and behind merging: normalizer, pre_tokenizer
 * and decoder into the vocabulary's norm, split and pattern.  *norm: what of
 * its norm the normalizer does; *bytes: its tokens are spelled in the alphabet
 * of bytes.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (something that we could not do exactly,
 *          named) or CTX_ENOMEM.
 */
int	ctx_hf_steps(struct ctx_vocab *v, const json_t *root, unsigned *norm,
	    int *bytes, struct ctx_err *err) CTX_CHECKED;

#endif
