/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 as RFC 3629 defines it: no surrogates, nothing above U+10FFFF and no
 * overlong forms.  A character here is a code point.
 */
#ifndef CTX_BASE_UTF8_H
#define CTX_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * The length in bytes (1 to 4) of the valid character at p[0 .. len), or 0 if
 * there is none.  Sets *cp, unless cp is NULL, to the code point.
 */
size_t	ctx_utf8_step(const char *p, size_t len, uint32_t *cp);

/* Write cp (a scalar value) to out[0 .. 4); returns the bytes written. */
size_t	ctx_utf8_put(char *out, uint32_t cp);

/* Offset of the first byte that is not valid UTF-8; len if all is valid. */
size_t	ctx_utf8_check(const char *p, size_t len);

/*
 * Length, at least 1, of the maximal part of p[0 .. len), len > 0, that begins
 * a character but is not one; it is replaced by one U+FFFD.  *cut is set if it
 * may be the start of a character whose rest is missing.
 */
size_t	ctx_utf8_bad(const char *p, size_t len, int *cut);

/* The number of characters in valid UTF-8 text. */
size_t	ctx_utf8_count(const char *p, size_t len);

#endif
