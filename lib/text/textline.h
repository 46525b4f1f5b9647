/* SPDX-License-Identifier: MIT */
/* The lines of a text in memory. */
#ifndef CTX_TEXT_TEXTLINE_H
#define CTX_TEXT_TEXTLINE_H

#include <stddef.h>

struct ctx_textline {
	const char *p;
	size_t len;		/* without its line end */
	size_t end;		/* bytes of its line end: 0, 1, or 2 with a
				   CR */
};

/*
 * Set *line to the line that begins at byte *at, and *at to the next one.
 * Returns 1, or 0 at the end of the text.
 */
int	ctx_textline_next(const char *text, size_t len, size_t *at,
	    struct ctx_textline *line);

/*
 * The bytes of the number that a tool has written before a line, with what follows
 * it: a tab, an arrow, ": " or "| ".  0 if there is none.
 */
size_t	ctx_textline_number(const char *p, size_t len);

#endif
