/* SPDX-License-Identifier: MIT */
/*
 * The contents of the index of words: the text of messages (text.h) rather
 * than their JSON, cut by lex.h, and a few words that occur in no text and
 * that are used to filter hits.
 */
#ifndef CTX_STORE_SEARCH_INDEX_H
#define CTX_STORE_SEARCH_INDEX_H

#include "base/buf.h"
#include "store/db.h"

/*
 * Version of the cutting rules; stored with each message that is indexed.
 * Version 1 had neither the words of identifiers nor those for filters, and is
 * not in the index of substrings; version 2 lacked some messages' words (text.h).
 */
#define CTX_INDEX_CUT	3
#define CTX_INDEX_FULL	2	/* from this one on, all else is the same */

/* Messages indexed in each transaction; on a server, who writes to them waits. */
#ifdef CTX_PG
#define CTX_INDEX_BATCH	200
#else
#define CTX_INDEX_BATCH	2000
#endif

/* A message, as in its row. */
struct ctx_index_line {
	int64_t id, thread, ts;
	const char *role;		/* NULL for none */
	const char *raw;
	size_t len;
	int cut;			/* version; 0 if not in the index */
	int typed;			/* ctx_index_each: see called.h */
};

/* In a write transaction: add a message to the index, or remove it. */
int	ctx_index_add(struct ctx_store *st, const struct ctx_index_line *m,
	    struct ctx_err *err);

/* The same for another text, under a number that no message has. */
int	ctx_index_change(struct ctx_store *st, int64_t row, const char *text,
	    size_t len, int delete, struct ctx_err *err);

/*
 * Append the text that the index gets for a message, and what it is made of to
 * words.  Returns 1 if it has tools that are named by a type (called.h), 0, or
 * -1.
 */
int	ctx_index_made(const struct ctx_index_line *m, struct ctx_buf *words,
	    struct ctx_buf *out, struct ctx_err *err);

/*
 * In a write transaction: remove the messages of a thread that are about to be
 * deleted, which are those in the contexts listed in temp.gone(id).
 */
int	ctx_index_forget(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/*
 * Index what is not indexed, and reindex what has an older version, some
 * thousand messages in each transaction.  *n counts them.
 */
int	ctx_index_all(struct ctx_store *st, int64_t *n, struct ctx_err *err);

/*
 * Merge the indexes, which until then have words of messages that were removed.
 */
int	ctx_index_merge(struct ctx_store *st, struct ctx_err *err);

/* Count the messages of the store that are not indexed, up to some thousand. */
int	ctx_index_missing(struct ctx_store *st, int64_t *n,
	    struct ctx_err *err);

/*
 * Called with every indexed message, the text that was given to FTS5, and what
 * that was made of, which may be changed.
 */
typedef int ctx_index_fn(const struct ctx_index_line *m,
	    const struct ctx_buf *text, struct ctx_buf *words, void *arg,
	    struct ctx_err *err);
int	ctx_index_each(struct ctx_store *st, ctx_index_fn *fn, void *arg,
	    struct ctx_err *err);

/* Append a text as the index has it, without filter words. */
int	ctx_index_text(struct ctx_buf *out, const char *text, size_t len);

/* Append the filter words of messages to a query, as FTS5 phrases. */
void	ctx_index_of_threads(struct ctx_buf *out, const int64_t *thread,
	    size_t n);
void	ctx_index_of_role(struct ctx_buf *out, const char *role);
/*
 * Messages of that day or later; nothing is appended for 0, which means any
 * day.
 */
int	ctx_index_since(struct ctx_store *st, struct ctx_buf *out, int64_t ts,
	    struct ctx_err *err);

/* Like ctx_body_line, but replaces the contents of out. */
int	ctx_index_line_of(struct ctx_store *st, sqlite3_stmt *q, int col,
	    struct ctx_buf *out, struct ctx_err *err);

/* Append the texts of a line in order, as that version cuts them. */
int	ctx_index_words(const char *raw, size_t len, int cut, struct ctx_buf *out,
	    struct ctx_err *err);

#endif
