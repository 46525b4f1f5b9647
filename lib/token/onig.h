/* SPDX-License-Identifier: MIT */
/*
 * Split patterns of tokenizer.json are in Oniguruma's language (Ruby's), of
 * which PCRE2's is another dialect.
 */
#ifndef CTX_TOKEN_ONIG_H
#define CTX_TOKEN_ONIG_H

#include <stddef.h>
#include <stdint.h>

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
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Characters that came after Unicode 13.0, up to 16.0, and that the PCRE2 in use
 * may not know: is there one in p[0 .. len), valid UTF-8?
 */
int	ctx_onig_late(const uint8_t *p, size_t len);

/*
 * Append a pattern for PCRE2 to out with those characters in all its general
 * categories.  It costs some times more to match.  -1: out of memory.
 */
int	ctx_onig_add_late(const char *pattern, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
