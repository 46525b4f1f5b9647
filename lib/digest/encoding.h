/* SPDX-License-Identifier: MIT */
/*
 * Texts that are not in UTF-8, as UTF-8.  The encoding is taken from a byte
 * order mark, from what the text declares, or from the characters that are
 * frequent in a language; a text that is not surely in one is left alone.
 */
#ifndef CTX_DIGEST_ENCODING_H
#define CTX_DIGEST_ENCODING_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define CTX_ENCODING_MAX ((size_t)32 << 20)	/* longer texts are left alone */

extern const char ctx_encoding_unknown[];	/* "unknown" */

/*
 * If data[0 .. len) is not in UTF-8, set *name (static) to its encoding and out
 * to the text in UTF-8, which has at most thrice the length; or *name to
 * ctx_encoding_unknown, if it is not sure, and not even sure to be text.  Else
 * *name is NULL.  Returns 0, or -1 with *err set if out of memory.
 */
int	ctx_encoding_open(struct ctx_buf *out, const char **name,
	    const char *data, size_t len, struct ctx_err *err) CTX_CHECKED;

#endif
