/* SPDX-License-Identifier: MIT */
/*
 * Lines in a row that follow one pattern, as in listings, progress and the
 * output of builds.  Four or more of them become a line with their number and
 * what they have in common, and a row with the rest of each:
 *
 *	[  9/120] cc -std=c11 -O2 -c src/a.c
 *	[ 10/120] cc -std=c11 -O2 -c lib/b.c
 *	...
 *
 *	[35 lines: [{}] cc -std=c11 -O2 -c {}]
 *	9/120 src/a.c
 *	10/120 lib/b.c
 *	...
 *
 * The n-th value of a row belongs where the n-th {} is.  One space is between
 * two values; only the last can have spaces in it.  White space that aligns
 * columns is not kept: where it differs, a line that is put together again has
 * one space, or after a bracket and at both its ends none.
 *
 * A value is a word without what encloses it and a name before it ("file.c:",
 * "size="), or a name after it (":amd64").  So paths, addresses, times and
 * fractions stay whole.
 */
#ifndef CTX_TEXT_ALIKE_H
#define CTX_TEXT_ALIKE_H

#include "text/marker.h"

/*
 * Fold such lines where that saves enough, like the functions of scrub.h.  What
 * may be a program or a diff stays: lines that have a number before them, or
 * end in ; { } , or \, or have " = " in them, or begin with + or - or #.  Of
 * those that a search found, the name of the file is left out, but what follows
 * it stays as it is.  A text that has rows already, of this function or of
 * ctx_minify_tables, stays as a whole.
 */
int	ctx_alike_fold(const char *text, size_t len,
	    const struct ctx_markers *notes, struct ctx_buf *out);

/*
 * The number of rows behind the first line in the text that announces some, of
 * this function or of ctx_minify_tables; 0 if there is none.
 */
uint64_t ctx_alike_rows(struct ctx_str text);

#endif
