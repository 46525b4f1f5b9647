/* SPDX-License-Identifier: MIT */
/*
 * Unicode normalization forms of UTF-8 text, for Hugging Face's tokenizers.
 * Like theirs, this handles the characters of Unicode 9.0; later characters are
 * left alone and combine with nothing.  (No later version of Unicode changes
 * the forms of the earlier characters.)
 */
#ifndef CTX_BASE_UNORM_H
#define CTX_BASE_UNORM_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* These numbers are stored in files and must never change. */
enum ctx_unorm {
	CTX_UNORM_NFC = 1,
	CTX_UNORM_NFD = 2,
	CTX_UNORM_NFKC = 3,
	CTX_UNORM_NFKD = 4
};

/*
 * Append the normalized form of p[0 .. *len), valid UTF-8, to out.  Takes n log
 * n time for any text, and little more than a copy for most.  whole says that
 * nothing follows.  Otherwise only the part that later text cannot change is
 * appended, and *len is set to the length of that part.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_unorm_append(enum ctx_unorm form, struct ctx_buf *out,
	    const uint8_t *p, size_t *len, int whole, struct ctx_err *err)
	    CTX_CHECKED;

#endif
