/* SPDX-License-Identifier: MIT */
/*
 * The words in a message of any dialect: what search looks at, and what a
 * subagent answered.  The one place of the store that knows such shapes beside
 * entry.c.
 */
#ifndef CTX_STORE_SEARCH_TEXT_H
#define CTX_STORE_SEARCH_TEXT_H

#include "base/buf.h"
#include "read/span.h"

/*
 * Append all texts of a scanned line to out, a newline behind each: contents,
 * names and arguments of tools, results; not ids, types, signatures, or what
 * looks like base64.  0 or -1 (out of memory).
 */
int	ctx_text_words(const struct ctx_doc *doc, struct ctx_buf *out);

/*
 * The same as the first version of the index took it, to take it out again:
 * without strings that begin with such data or with any long run.
 */
int	ctx_text_words_1(const struct ctx_doc *doc, struct ctx_buf *out);

/*
 * Append what a message says: its content if that is a string, else its parts
 * of type text.  0 or -1.
 */
int	ctx_text_answer(const struct ctx_doc *doc, struct ctx_buf *out);

#endif
