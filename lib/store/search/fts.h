/* SPDX-License-Identifier: MIT */
/*
 * The tables of the two indexes, of words and of trigrams: FTS5's in a file,
 * rows of lexemes in PostgreSQL.  For this folder.
 *
 * Both are asked by "search MATCH ?1" and "trigram MATCH ?1" with a query in
 * FTS5's language, of phrases, AND, OR and parentheses, and "*" after a phrase.
 * The tokenizers, and what lists words, are in query.h.
 */
#ifndef CTX_STORE_SEARCH_FTS_H
#define CTX_STORE_SEARCH_FTS_H

#include "base/buf.h"
#include "store/db.h"

enum ctx_fts { CTX_FTS_WORDS, CTX_FTS_TRIGRAMS };

/*
 * Does an index know where in a text a word is, how often, and which words
 * begin with a prefix?  If not, it finds too much: all texts with the words of
 * a phrase, in any order; and queries may have any prefix.
 */
int	ctx_fts_exact(void);

/*
 * In a write transaction: add a text under a number, or remove it, for which
 * the same text is needed.
 */
int	ctx_fts_add(struct ctx_store *st, enum ctx_fts fts, int64_t row,
	    const struct ctx_buf *text, struct ctx_err *err);
int	ctx_fts_remove(struct ctx_store *st, enum ctx_fts fts, int64_t row,
	    const struct ctx_buf *text, struct ctx_err *err);

/*
 * In a write transaction: remove what a thread is about to lose, its messages
 * and notes in the contexts of temp.gone or the contents in temp.loose, which
 * are of any thread.  Returns 1; 0 if the texts are needed for that; or -1.
 */
enum ctx_fts_gone { CTX_FTS_MESSAGES, CTX_FTS_NOTES, CTX_FTS_BODIES };
int	ctx_fts_forget(struct ctx_store *st, enum ctx_fts_gone what,
	    int64_t thread, struct ctx_err *err);

/* In a write transaction: remove all texts. */
int	ctx_fts_empty(struct ctx_store *st, enum ctx_fts fts,
	    struct ctx_err *err);

/* In a write transaction: make an index small and fast after removals. */
int	ctx_fts_merge(struct ctx_store *st, enum ctx_fts fts,
	    struct ctx_err *err);

/*
 * In a write transaction: make the table of trigrams.  Until its end, no
 * message is added by others.
 */
int	ctx_fts_make_trigrams(struct ctx_store *st, struct ctx_err *err);

#endif
