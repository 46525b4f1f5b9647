/* SPDX-License-Identifier: MIT */
/* Bounded decompression (zlib): longer data is cut, never refused. */
#ifndef CTX_DIGEST_INFLATE_H
#define CTX_DIGEST_INFLATE_H

#include <stddef.h>

#include "base/buf.h"

enum ctx_deflated {
	CTX_DEFLATE_RAW,	/* zip */
	CTX_DEFLATE_ZLIB,	/* PDF */
	CTX_DEFLATE_GZIP
};

/*
 * Append at most max bytes of the decompressed form of in[0 .. len), of gzip all
 * members.  Damaged or truncated data yields what precedes the damage.  Returns
 * 1 if that is all, 0 if there was more or some damage, or -1 if out of memory.
 */
int	ctx_inflate(struct ctx_buf *out, const char *in, size_t len,
	    enum ctx_deflated form, size_t max);

#endif
