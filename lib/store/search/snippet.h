/* SPDX-License-Identifier: MIT */
/* Find a word in a text, and the text around it. */
#ifndef CTX_STORE_SEARCH_SNIPPET_H
#define CTX_STORE_SEARCH_SNIPPET_H

#include "base/buf.h"

/*
 * The position of needle in text, ignoring the case of ASCII letters; or NULL.
 */
const char *ctx_snippet_find(const char *text, size_t len,
	    const char *needle, size_t n);

/*
 * Put the text around the first word that occurs in it into out, on one line
 * and in UTF-8, with up to 60 characters on each side and "..." where it is
 * cut.  If whole is set, words is one text to be found anywhere.  Returns 1; 0
 * if no word occurs, in which case out gets the beginning; or -1 if out of
 * memory.
 */
int	ctx_snippet_make(struct ctx_buf *out, const char *text, size_t len,
	    const char *words, int whole);

#endif
