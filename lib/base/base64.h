/* SPDX-License-Identifier: MIT */
/* Base64 with the alphabet and padding of RFC 4648, section 4. */
#ifndef CTX_BASE_BASE64_H
#define CTX_BASE_BASE64_H

#include "base/buf.h"

/*
 * Append what text[0 .. len) encodes to out.  Strict: no white space, padding
 * whole, unused bits zero, so that encoding gives the same text again.
 * Returns: 0; -1 if it is not that (out is then of no use) or out of memory
 *          (out->failed).
 */
int	ctx_base64_decode(struct ctx_buf *out, const char *text, size_t len);

/* The six bits of a digit of this alphabet or of that for URLs, or -1. */
int	ctx_base64_digit(char c);

/*
 * Decode text[0 .. len), of either alphabet and without padding, up to the
 * first other byte or until out[0 .. size) is full; out may be text.  *used is
 * set to where it stopped.  Returns the bytes in out.
 */
size_t	ctx_base64_begin(char *out, size_t size, const char *text, size_t len,
	    size_t *used);

/* Append data[0 .. len), encoded.  0, or -1 out of memory. */
int	ctx_base64_encode(struct ctx_buf *out, const void *data, size_t len);

#endif
