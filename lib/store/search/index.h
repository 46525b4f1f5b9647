/* SPDX-License-Identifier: MIT */
/*
 * What the index of words has: the text of messages (text.h), not their JSON,
 * cut by lex.h, and a few words that no text has, by which hits are filtered.
 */
#ifndef CTX_STORE_SEARCH_INDEX_H
#define CTX_STORE_SEARCH_INDEX_H

#include "base/buf.h"
#include "store/db.h"

/*
 * Version of the cut; kept beside each message that is indexed.  1 had neither
 * the words of identifiers nor those for filters.
 */
#define CTX_INDEX_CUT	2

/* A message, as its row has it. */
struct ctx_index_line {
	int64_t id, thread, ts;
	const char *role;		/* NULL: none */
	const char *raw;
	size_t len;
	int cut;			/* version; 0: not in the index */
};

/* In a write transaction: into the index, or out of it. */
int	ctx_index_add(struct ctx_store *st, const struct ctx_index_line *m,
	    struct ctx_err *err);

/* The same for another text under a number that no message has. */
int	ctx_index_change(struct ctx_store *st, int64_t row, const char *text,
	    size_t len, int delete, struct ctx_err *err);

/*
 * In a write transaction: the messages of a thread in the contexts that
 * temp.gone(id) lists are about to be deleted.
 */
int	ctx_index_forget(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/*
 * Index what is not, and anew what an older cut has, some thousand messages a
 * transaction.  *n counts.
 */
int	ctx_index_all(struct ctx_store *st, int64_t *n, struct ctx_err *err);

/* How many messages of the store are not indexed, up to some thousand. */
int	ctx_index_missing(struct ctx_store *st, int64_t *n,
	    struct ctx_err *err);

/* Every message that is indexed, as text[0 .. len) that FTS5 was given. */
typedef int ctx_index_fn(int64_t id, const char *text, size_t len, void *arg,
	    struct ctx_err *err);
int	ctx_index_each(struct ctx_store *st, ctx_index_fn *fn, void *arg,
	    struct ctx_err *err);

/* Append a text as the index has it, filters aside. */
int	ctx_index_text(struct ctx_buf *out, const char *text, size_t len);

/* Words of messages for filters: FTS5 phrases, appended to a query. */
void	ctx_index_of_thread(struct ctx_buf *out, int64_t thread);
void	ctx_index_of_role(struct ctx_buf *out, const char *role);
/* Of that day or later; 0, nothing is appended: of any. */
int	ctx_index_since(struct ctx_store *st, struct ctx_buf *out, int64_t ts,
	    struct ctx_err *err);

/* As ctx_body_line, in place of what is in out. */
int	ctx_index_line_of(struct ctx_store *st, sqlite3_stmt *q, int col,
	    struct ctx_buf *out, struct ctx_err *err);

/* The texts of a line, as they come. */
int	ctx_index_words(const char *raw, size_t len, struct ctx_buf *out,
	    struct ctx_err *err);

#endif
