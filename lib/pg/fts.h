/* SPDX-License-Identifier: MIT */
/*
 * The indexes of words and of trigrams as rows of lexemes, which are the words
 * of FTS5, without their places: a text with more words or longer ones than a
 * tsvector takes has them, too, and what is found is looked at in any case.
 */
#ifndef CTX_PG_FTS_H
#define CTX_PG_FTS_H

#include "base/buf.h"
#include "store/search/fts.h"

/* Append the tsvector of a text, in the form that the server reads. */
int	ctx_fts_lexemes(struct ctx_store *st, enum ctx_fts fts,
	    const struct ctx_buf *text, struct ctx_buf *out,
	    struct ctx_err *err);

/* Append the tsquery of a query in FTS5's language (store/search/fts.h). */
int	ctx_fts_query(struct ctx_store *st, enum ctx_fts fts, const char *expr,
	    size_t len, struct ctx_buf *out, struct ctx_err *err);

#endif
