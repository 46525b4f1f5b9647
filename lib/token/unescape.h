/* SPDX-License-Identifier: MIT */
/*
 * Decode the contents of a JSON string a part at a time, so that the text can
 * be counted while it is still in the processor's cache.  The contents are the
 * bytes between the quotes of a valid string; a lone surrogate becomes
 * U+FFFD.  Invalid contents never cause reads outside s[0 .. len), but the
 * result of a broken escape is unspecified.
 */
#ifndef CTX_TOKEN_UNESCAPE_H
#define CTX_TOKEN_UNESCAPE_H

#include <stddef.h>

/* With so much more than len, out has room for all of s. */
#define CTX_UNESCAPE_ROOM	4

/*
 * Decode from s into out[0 .. size), size at least 12, until either is at its
 * end.  *used gets the number of bytes of s that were decoded; pass the rest to
 * the next call.  Returns the number of bytes written.
 */
size_t	ctx_unescape(char *out, size_t size, const char *s, size_t len,
	    size_t *used);

#endif
