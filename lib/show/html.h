/* SPDX-License-Identifier: MIT */
/*
 * Text inside of HTML and SVG.  Nothing in it is read as markup, and what shows
 * nothing or could change how other text looks is written as \u202e, as on a
 * terminal (base/err.h), but for joiners, which emoji and some scripts need.
 *
 * Names: ctx_html_.
 */
#ifndef CTX_SHOW_HTML_H
#define CTX_SHOW_HTML_H

#include "base/buf.h"
#include "read/span.h"

/*
 * Append a text, for elements and for attributes in double quotes.  Tabs and
 * line ends stay; a line end of two characters becomes one.
 */
void	ctx_html_text(struct ctx_buf *out, struct ctx_str text);

/* The same as one line: a line end is written as \n. */
void	ctx_html_line(struct ctx_buf *out, struct ctx_str text);

/* Append JSON, whose bytes must not change, for an element. */
void	ctx_html_json(struct ctx_buf *out, struct ctx_str json);

/* Append "1 token", "1,234 tokens". */
void	ctx_html_count(struct ctx_buf *out, uint64_t n, const char *unit);

/* Append "1,234". */
void	ctx_html_number(struct ctx_buf *out, uint64_t n);

#endif
