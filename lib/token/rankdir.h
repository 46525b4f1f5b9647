/* SPDX-License-Identifier: MIT */
/*
 * What the files beside a rank file say about it: tokenizer_config.json has the
 * special tokens, and names the Python module that has the split pattern.
 */
#ifndef CTX_TOKEN_RANKDIR_H
#define CTX_TOKEN_RANKDIR_H

#include <jansson.h>

#include "token/vocab.h"

/*
 * Add the special tokens for the rank file at path to v, and set pattern,
 * which is in the language of tiktoken, to a string; it is empty if there are
 * no such files, or no pattern in them that can be read without Python.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (a file is damaged) or CTX_ENOMEM.
 */
int	ctx_rankdir_read(struct ctx_vocab *v, const char *path,
	    struct ctx_buf *pattern, struct ctx_err *err) CTX_CHECKED;

/*
 * Read the tokenizer_config.json beside the file at path; *root, which the
 * caller releases, is NULL if there is none.
 */
int	ctx_rankdir_config(const char *path, json_t **root,
	    struct ctx_err *err) CTX_CHECKED;

#endif
