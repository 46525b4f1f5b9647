/* SPDX-License-Identifier: MIT */
/*
 * Convert split patterns of tokenizer.json, which are in Oniguruma's language
 * (Ruby's), to PCRE2's, which is another dialect.
 */
#ifndef CTX_TOKEN_ONIG_H
#define CTX_TOKEN_ONIG_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Append the pattern to out as PCRE2 needs it with the flags that
 * token/pattern uses.
 *
 * Returns: 0, or -1 with CTX_ESYSTEM (PCRE2 would understand some part
 *          differently; the message names it) or CTX_ENOMEM.
 */
int	ctx_onig_to_pcre(const char *pattern, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Does p[0 .. len), valid UTF-8, contain a character added after Unicode 13.0,
 * up to 16.0, that the PCRE2 in use may not know?
 */
int	ctx_onig_late(const uint8_t *p, size_t len);

/*
 * Append a pattern for PCRE2 to out that has those characters in all its
 * general categories.  It takes a few times longer to match.  Returns 0, or -1
 * if out of memory.
 */
int	ctx_onig_add_late(const char *pattern, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
