/* SPDX-License-Identifier: MIT */
/* Turn foreign vocabulary files into tables (ctx-count --prepare). */
#ifndef CTX_TOKEN_PREPARE_H
#define CTX_TOKEN_PREPARE_H

#include "base/err.h"

/* Is the file at path already a table, or does it not exist? */
int	ctx_prepare_is_done(const char *path);

/*
 * Make the table file out from the file in: a rank file (.tiktoken) or a
 * Hugging Face tokenizer.json.  A rank file does not say how text is split;
 * its name decides if it contains o200k, cl100k, p50k, r50k, gpt2 or qwen,
 * otherwise its size.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (something in the file is unknown or
 *          wrong) or CTX_ENOMEM.
 */
int	ctx_prepare(const char *in, const char *out, struct ctx_err *err)
	    CTX_CHECKED;

#endif
