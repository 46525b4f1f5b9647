/* SPDX-License-Identifier: MIT */
/*
 * What may hide a secret from the rules: runs of base64, and the escapes of
 * characters that JSON needs none for, inside of a text.  Time is
 * linear in the text.
 */
#ifndef CTX_REDACT_ENCODED_H
#define CTX_REDACT_ENCODED_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define CTX_ENCODED_MIN	32	/* digits of a run of base64 */

/*
 * Call fn for each run of base64 in text[0 .. len), in either alphabet, that
 * begins like text and not like other data.  Padding is part of it, and line
 * ends after lines of at least 60 digits, which may be escapes.  text may also
 * be the contents of a JSON string with its escapes.  Returns 0, or what fn
 * returned.
 */
typedef int ctx_encoded_fn(void *arg, size_t off, size_t end);

int	ctx_encoded_find(const char *text, size_t len, ctx_encoded_fn *fn,
	    void *arg);

/* Append what the run encodes.  Returns 0, or -1 if out of memory. */
int	ctx_encoded_decode(const char *text, size_t len, struct ctx_buf *out)
	    CTX_CHECKED;

/* A text without its escapes, and where each of its bytes was. */
struct ctx_encoded_plain {		/* all zero is valid */
	struct ctx_buf text;
	struct ctx_encoded_at {
		size_t off, was;	/* from off on, bytes were at was on */
	} *at;
	size_t n, cap;
};

/*
 * Fill u with text[0 .. len) in which \/ and the escapes \uXXXX are decoded,
 * but for control characters and surrogates.  Returns 1, 0 if there are none,
 * or -1 if out of memory.
 */
int	ctx_encoded_unescape(struct ctx_encoded_plain *u, const char *text,
	    size_t len) CTX_CHECKED;
/* Where byte off of u->text was in the text. */
size_t	ctx_encoded_was(const struct ctx_encoded_plain *u, size_t off);
void	ctx_encoded_done(struct ctx_encoded_plain *u);

#endif
