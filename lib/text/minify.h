/* SPDX-License-Identifier: MIT */
/*
 * JSON that a tool printed, without what nobody needs to read it.  A text is
 * JSON if it is an object or a list as a whole, or JSON Lines: at least two
 * lines, each of them an object or a list, and nothing else.
 *
 * Text and out are contents of JSON strings, still escaped; what stays keeps
 * its spelling in both senses.  Applying a function to its own output changes
 * nothing.  The functions return 1 if out is the new text, 0 if the text stays
 * as it is (out is then not to be used), and -1 if out of memory.  doc and
 * plain are working storage.
 */
#ifndef CTX_DECIDE_MINIFY_H
#define CTX_DECIDE_MINIFY_H

#include "read/span.h"

/* Remove white space between tokens, except one line end after a JSON line. */
int	ctx_minify(struct ctx_doc *doc, struct ctx_str text,
	    struct ctx_buf *plain, struct ctx_buf *out) CTX_CHECKED;

/*
 * If it is one value, make tables of its lists of at least three objects that
 * have the same members in the same order and only strings, numbers and
 * literals in them; and minify the rest.
 *
 *	[{"id":7,"a b":"x"},{"id":8,"a b":"y"},{"id":9,"a b":null}]
 *
 *	[3 rows: id,"a b"]
 *	7,x
 *	8,y
 *	9,null
 *
 * A name has quotes unless it has only ASCII letters, digits and _ - . in it.  A
 * string has none either if it has only these, most letters beyond ASCII, / and,
 * behind the first, space : @ + in it, and could not be a number or a literal.
 * What follows a table begins on a line of its own.  A table is never longer than
 * its list, for it has each name once.
 */
int	ctx_minify_tables(struct ctx_doc *doc, struct ctx_str text,
	    struct ctx_buf *plain, struct ctx_buf *out) CTX_CHECKED;

#endif
