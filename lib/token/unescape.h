/* SPDX-License-Identifier: MIT */
/*
 * The text that the contents of a JSON string spell, a part at a time, so that
 * it can be counted while it is still in the processor's cache.  The contents
 * are what lies between the quotes of a valid string; a lone surrogate becomes
 * U+FFFD.  Contents that are not valid never lead outside s[0 .. len), but
 * what a broken escape becomes is not specified.
 */
#ifndef CTX_TOKEN_UNESCAPE_H
#define CTX_TOKEN_UNESCAPE_H

#include <stddef.h>

/*
 * Decode from s into out[0 .. size), size at least 12, until either is at its
 * end.  *used gets the bytes of s that were decoded; the rest is for the next
 * call.  Returns the bytes written.
 */
size_t	ctx_unescape(char *out, size_t size, const char *s, size_t len,
	    size_t *used);

#endif
