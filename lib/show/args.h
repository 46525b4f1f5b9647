/* SPDX-License-Identifier: MIT */
/* The JSON of calls and results as people read it. */
#ifndef CTX_SHOW_ARGS_H
#define CTX_SHOW_ARGS_H

#include "show/scene.h"

/*
 * Append " path=a.c limit=40" to out, or a space and the JSON if that is no
 * object.  Line ends in values stay.  doc is working storage.  Returns 0, or -1
 * with *err.
 */
int	ctx_args_text(struct ctx_buf *out, struct ctx_doc *doc,
	    struct ctx_str json, struct ctx_err *err) CTX_CHECKED;

/*
 * Set *text to the text of a part as people read it: what the record has as JSON,
 * not as a string, with a line for each value and without quotes, in word.  doc is working storage.
 * Returns 0, or -1 with *err.
 */
int	ctx_args_lines(struct ctx_str *text, struct ctx_buf *word,
	    struct ctx_doc *doc, const struct ctx_shown_part *p,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Append the file that the arguments name to out.  Returns 1, 0 if they name
 * none, or -1 with *err.
 */
int	ctx_args_file(struct ctx_buf *out, struct ctx_doc *doc,
	    struct ctx_str json, struct ctx_err *err) CTX_CHECKED;

#endif
