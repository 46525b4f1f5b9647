/* SPDX-License-Identifier: MIT */
/* Base64 with the alphabet and padding of RFC 4648, section 4. */
#ifndef CTX_BASE_BASE64_H
#define CTX_BASE_BASE64_H

#include "base/buf.h"

/*
 * Decode text[0 .. len) and append the bytes to out.  This is strict: white
 * space, missing padding and nonzero unused bits are refused, so encoding the
 * result gives the same text again.
 * Returns: 0, or -1 if text is not valid (out then has no useful contents) or
 *          memory runs out (out->failed).
 */
int	ctx_base64_decode(struct ctx_buf *out, const char *text, size_t len);

/*
 * The value of a digit, 0 to 63, in the standard or the URL-safe alphabet; -1
 * if c is not a digit.
 */
int	ctx_base64_digit(char c);

/*
 * Decode the beginning of text[0 .. len), in either alphabet and without
 * padding.  Stops at the first byte that is not a digit, or when out[0 .. size)
 * is full, and sets *used to the offset at which it stopped.  out may be text.
 * Returns the number of bytes in out.
 */
size_t	ctx_base64_begin(char *out, size_t size, const char *text, size_t len,
	    size_t *used);

/* Append data[0 .. len), encoded.  Returns 0, or -1 if out of memory. */
int	ctx_base64_encode(struct ctx_buf *out, const void *data, size_t len);

#endif
