/* SPDX-License-Identifier: MIT */
/*
 * Text as the index of words takes it.  Chinese, Japanese and Korean have no
 * spaces, so a run of their characters becomes its overlapping pairs and its
 * last character; everything else stays and is cut by SQLite's unicode61.
 *
 *	"see 上下文."	-> "see  上下 下文 文 ."
 */
#ifndef CTX_STORE_CUT_H
#define CTX_STORE_CUT_H

#include "base/buf.h"

/* Append text cut so; 0 or -1 (out of memory). */
int	ctx_cut_text(struct ctx_buf *out, const char *text, size_t len);

/*
 * Append an FTS5 query for what somebody typed: all words must be there; a word
 * is a prefix, a run as above a phrase of its pairs, what stands in quotes a
 * phrase as it is.  Nothing that was typed is syntax.  1, 0 if there is nothing
 * to look for, -1.
 */
int	ctx_cut_query(struct ctx_buf *out, const char *text, size_t len);

#endif
