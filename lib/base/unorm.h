/* SPDX-License-Identifier: MIT */
/*
 * Unicode normalization forms of UTF-8 text.  The characters of Unicode 9.0
 * take part in it; later ones are left as they are and combine with none,
 * which is what Hugging Face's tokenizers do, for whose sake this is here.
 * (Of the earlier ones no later version says otherwise.)
 */
#ifndef CTX_BASE_UNORM_H
#define CTX_BASE_UNORM_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* The numbers stand in files and never change. */
enum ctx_unorm {
	CTX_UNORM_NFC = 1,
	CTX_UNORM_NFD = 2,
	CTX_UNORM_NFKC = 3,
	CTX_UNORM_NFKD = 4
};

/*
 * Append the form of p[0 .. *len), valid UTF-8, to out.  n log n in time for
 * any text; nearly a copy for most.  whole: nothing follows.  If something may,
 * *len is set to the length of the text that it cannot change, and only that
 * is appended.
 *
 * Returns: 0, or -1 with CTX_ENOMEM.
 */
int	ctx_unorm_append(enum ctx_unorm form, struct ctx_buf *out,
	    const uint8_t *p, size_t *len, int whole, struct ctx_err *err)
	    CTX_CHECKED;

#endif
