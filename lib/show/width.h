/* SPDX-License-Identifier: MIT */
/*
 * How wide text is on a terminal: in columns, by the C library's wcwidth, which
 * terminals follow, and by grapheme clusters (token/cluster.h), since a terminal
 * shows what is joined as one.
 *
 * Names: ctx_width_, ctx_plain_text.
 */
#ifndef CTX_SHOW_WIDTH_H
#define CTX_SHOW_WIDTH_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Set the process's LC_CTYPE to a locale of UTF-8.  Without one, all characters
 * count as one column.  Returns 1, or 0 if there is none.
 */
int	ctx_width_locale(void);

/*
 * Append a line of text, which has no line end, as it can be printed: a tab is
 * spaces up to the next multiple of 8 columns, and what could act on a terminal
 * or hide text is escaped (base/err.h), but not joiners, which emoji and some
 * scripts need.
 */
void	ctx_width_print(struct ctx_buf *out, const char *p, size_t len);

/* The same for a text as one line: a line end is "\n", and a tab a space. */
void	ctx_width_flat(struct ctx_buf *out, const char *p, size_t len);

/* The same for one character: as ctx_err_escape, but for joiners. */
size_t	ctx_width_escape(const char *p, size_t len,
	    char out[CTX_ERR_ESCAPED]);

/* A number as people read it, "1,234", terminated.  Returns out. */
#define CTX_WIDTH_NUMBER	32
char	*ctx_width_number(uint64_t n, char out[CTX_WIDTH_NUMBER]);

/* The columns of a text. */
size_t	ctx_width_of(const char *p, size_t len);

/*
 * The length of the longest beginning of p[0 .. len), len > 0, of at most columns
 * columns that ends at the end of a word, or of one cluster at least if there is
 * no such end.  Of scripts without spaces each character is a word, with the marks
 * that belong to it.  Sets *next to where the next line begins: spaces are left out
 * there.
 */
size_t	ctx_width_wrap(const char *p, size_t len, size_t columns, size_t *next);

/* The lines of a text; the last one need not end. */
size_t	ctx_width_lines(const char *p, size_t len);

/* The longest beginning of at most that many columns. */
size_t	ctx_width_cut(const char *p, size_t len, size_t columns);

#endif
