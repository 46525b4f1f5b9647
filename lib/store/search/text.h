/* SPDX-License-Identifier: MIT */
/*
 * The words in a message of any dialect: what search looks at, and what a
 * subagent answered.  Besides entry.c, this is the only place in the store
 * that knows such shapes.
 */
#ifndef CTX_STORE_SEARCH_TEXT_H
#define CTX_STORE_SEARCH_TEXT_H

#include "base/buf.h"
#include "read/span.h"

/*
 * Append all texts of a scanned line to out, each followed by a newline:
 * contents, names and arguments of tools, results; but not ids, types,
 * signatures, or what looks like base64.  cut is the version of the index
 * (index.h) that has or gets the text: before 3, members "data" were left out
 * even where a message is in them, and in 1 all strings that begin with data or
 * contain any long run.  Returns 0, or -1 if out of memory.
 */
int	ctx_text_words(const struct ctx_doc *doc, int cut,
	    struct ctx_buf *out);

/* Does the line have a member "type" that may name a tool, as "tool-NAME"? */
int	ctx_text_typed(const struct ctx_doc *doc);

/*
 * Append what a message says: its content if that is a string, otherwise its
 * texts without the thoughts.  Returns 0 or -1.
 */
int	ctx_text_answer(const struct ctx_doc *doc, struct ctx_buf *out);

#endif
