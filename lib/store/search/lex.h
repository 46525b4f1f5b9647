/* SPDX-License-Identifier: MIT */
/*
 * Text as the index of words takes it.  Chinese, Japanese and Korean have no
 * spaces, so a run of their characters becomes its overlapping pairs and its
 * last character; everything else stays and is cut by SQLite's unicode61.
 *
 *	"see 上下文."	-> "see  上下 下文 文 ."
 */
#ifndef CTX_STORE_SEARCH_LEX_H
#define CTX_STORE_SEARCH_LEX_H

#include "base/buf.h"

/* Append text cut so; 0 or -1 (out of memory). */
int	ctx_lex_text(struct ctx_buf *out, const char *text, size_t len);

/*
 * Append the words of the identifiers in text that are written in one, each
 * list behind a CTX_LEX_MARK: "loadData x" -> " \uE000 load Data".  0 or -1.
 */
int	ctx_lex_names(struct ctx_buf *out, const char *text, size_t len);

/*
 * A character of the private use area that begins words of the index which no
 * text has: in texts, and in what is typed, spaces stand for it.
 */
#define CTX_LEX_MARK	"\xee\x80\x80"
void	ctx_lex_unmark(char *text, size_t len);

/*
 * What somebody typed, part by part; a text has to hold all of them.  text is
 * a phrase, cut; prefix: what its last word begins with.  A word is a prefix, a
 * run as above a phrase of its pairs, what stands in quotes a phrase as it is.
 * fn returning -1 ends it.  0 or -1.
 */
typedef int ctx_lex_fn(const char *text, size_t len, int prefix, void *arg);
int	ctx_lex_query(const char *text, size_t len, ctx_lex_fn *fn, void *arg);

#endif
