/* SPDX-License-Identifier: MIT */
/* Where in a text a word is, and the text around it. */
#ifndef CTX_STORE_SEARCH_SNIPPET_H
#define CTX_STORE_SEARCH_SNIPPET_H

#include "base/buf.h"

/* Where needle is in text, case aside for ASCII; NULL. */
const char *ctx_snippet_find(const char *text, size_t len,
	    const char *needle, size_t n);

/*
 * Put the text around the first of the words that is in it into out, on one
 * line and UTF-8, "..." where it is cut: 60 characters on each side.  whole:
 * words is one text to be found anywhere.  1; 0 if there is none, and out gets
 * the beginning; -1, out of memory.
 */
int	ctx_snippet_make(struct ctx_buf *out, const char *text, size_t len,
	    const char *words, int whole);

#endif
