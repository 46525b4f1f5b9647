/* SPDX-License-Identifier: MIT */
/*
 * Reduce source text to what is code: comments are removed, strings keep their
 * quotes and lose their contents (unless that is a single word), and newlines
 * stay, so that lines can still be counted.  The result is never longer than
 * the source.
 */
#ifndef CTX_DIGEST_REDUCE_H
#define CTX_DIGEST_REDUCE_H

#include <stddef.h>

#include "base/buf.h"
#include "digest/lang.h"

/*
 * Append the reduced form of src[0 .. len) to out.  The time is linear in len
 * for any text.  Returns 0, or -1 if out of memory.
 */
int	ctx_reduce(struct ctx_buf *out, const struct ctx_lang *lang,
	    const char *src, size_t len);

#endif
