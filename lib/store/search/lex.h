/* SPDX-License-Identifier: MIT */
/*
 * Prepare text for the index of words.  Chinese, Japanese and Korean have no
 * spaces, so a run of their characters becomes its overlapping pairs and its
 * last character; everything else stays and is cut by SQLite's unicode61.
 *
 *	"see 上下文."	-> "see  上下 下文 文 ."
 */
#ifndef CTX_STORE_SEARCH_LEX_H
#define CTX_STORE_SEARCH_LEX_H

#include "base/buf.h"

/* Append text in that form.  Returns 0, or -1 if out of memory. */
int	ctx_lex_text(struct ctx_buf *out, const char *text, size_t len);

/*
 * For each compound identifier in text, append a CTX_LEX_MARK and the words
 * that it is made of: "loadData x" -> " \uE000 load Data".  Returns 0 or -1.
 */
int	ctx_lex_names(struct ctx_buf *out, const char *text, size_t len);

/*
 * A private-use character that begins index words which occur in no text: in
 * texts and in what users type, it is replaced by spaces.
 */
#define CTX_LEX_MARK	"\xee\x80\x80"
void	ctx_lex_unmark(char *text, size_t len);

/*
 * Parse what a user typed into parts, all of which a text must contain.  text
 * is a phrase, already cut; prefix says that its last word is a prefix.  A
 * word is a prefix, a run of characters as above is a phrase of its pairs, and
 * what is in quotes is an exact phrase, which may end within a
 * run.  If fn returns -1, parsing stops.
 * Returns 0 or -1.
 */
typedef int ctx_lex_fn(const char *text, size_t len, int prefix, void *arg);
int	ctx_lex_query(const char *text, size_t len, ctx_lex_fn *fn, void *arg);

#endif
