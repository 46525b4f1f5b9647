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
 * Set out to the text of a token of a vocabulary of characters, with spaces as
 * v->norm has them; "<0x0A>" is a byte if bytes is set.  Returns its flags,
 * CTX_TOKEN_....
 */
unsigned ctx_hf_chars(const struct ctx_vocab *v, const char *text, size_t len,
	    int bytes, struct ctx_buf *out);

/*
 * Is there a token for each byte of a character?  Returns 0, or -1 with
 * CTX_ESYSTEM.
 */
int	ctx_hf_all_bytes(const struct ctx_vocab *v, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Read a model of type Unigram.  *index is set to an object that gives the id of
 * each token, which is yours.
 */
int	ctx_hf_unigram(struct ctx_vocab *v, const json_t *model,
	    json_t **index, struct ctx_err *err) CTX_CHECKED;

/*
 * After all tokens: add the score of a character that is none.  Returns 0, or -1
 * with *err.
 */
int	ctx_hf_unigram_end(struct ctx_vocab *v, const json_t *model,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Can the normalizer be read only by ctx_hf_norm, as steps (token/steps.h)?
 */
int	ctx_hf_is_steps(const json_t *normalizer);

/* Add the steps of a normalizer to v; its norm may get CTX_NORM_SPACE. */
int	ctx_hf_norm(struct ctx_vocab *v, const json_t *normalizer,
	    struct ctx_err *err) CTX_CHECKED;

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
