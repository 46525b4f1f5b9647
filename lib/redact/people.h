/* SPDX-License-Identifier: MIT */
/*
 * Names from a list, which are looked for in texts: whole words, in upper or
 * lower case, with any white space for a space in them.  A name of Chinese
 * characters is also found in a text without spaces.
 */
#ifndef CTX_REDACT_PEOPLE_H
#define CTX_REDACT_PEOPLE_H

#include <stddef.h>

#include "base/err.h"
#include "redact/anchor.h"

#define CTX_PEOPLE_MOST	5000	/* names in a list, at most */
#define CTX_PEOPLE_BYTES	120	/* bytes of one */
#define CTX_PEOPLE_SPELLINGS	3

/* Spellings of the word by which a name is found, in memory of its owner. */
struct ctx_people_spellings {
	char text[CTX_PEOPLE_SPELLINGS][CTX_ANCHOR_MAX + 1];
};

/*
 * Can name[0 .. len) be looked for?  It must be UTF-8 and have a word of three
 * letters, or of two if they are not of ASCII.
 */
int	ctx_people_usable(const char *name, size_t len);

/* Add the literals of a usable name to a.  s has them, and must outlive a. */
int	ctx_people_add(struct ctx_anchors *a, const char *name, unsigned tag,
	    struct ctx_people_spellings *s, struct ctx_err *err) CTX_CHECKED;

/*
 * Does the name stand where its word was found, at text[off]?  Sets *from and
 * *end to its place.
 */
int	ctx_people_match(const char *name, const char *text, size_t len,
	    size_t off, size_t *from, size_t *end);

#endif
