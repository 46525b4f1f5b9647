/* SPDX-License-Identifier: MIT */
/*
 * Split patterns of tokenizer.json are in Oniguruma's language (Ruby's), of
 * which PCRE2's is another dialect.
 */
#ifndef CTX_TOKEN_ONIG_H
#define CTX_TOKEN_ONIG_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Append the pattern as PCRE2 has to be told it, with the flags that
 * token/pattern uses, to out.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (it has something that PCRE2 would take
 *          for something else, named) or CTX_ENOMEM.
 */
int	ctx_onig_to_pcre(const char *pattern, struct ctx_buf *out,
	    struct ctx_err *err);

#endif
