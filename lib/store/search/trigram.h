/* SPDX-License-Identifier: MIT */
/*
 * An optional index of the texts of messages by every three adjacent
 * characters, which finds text inside words.
 *
 * It holds the messages from a certain row on that are in the index of words by
 * its current cut.  While it is made, that row moves down to 0, so a search may
 * use what is there and reads the rest.
 */
#ifndef CTX_STORE_SEARCH_TRIGRAM_H
#define CTX_STORE_SEARCH_TRIGRAM_H

#include "base/buf.h"
#include "store/db.h"

/*
 * In a transaction: the row from which on messages are in the index.  Returns
 * 1; 0 if there is no such index; or -1.
 */
int	ctx_trigram_from(struct ctx_store *st, int64_t *row,
	    struct ctx_err *err);

/*
 * In a write transaction: add the text of a message that has the current cut,
 * or remove it, if there is an index and it holds that row.  text may be
 * changed.
 */
int	ctx_trigram_change(struct ctx_store *st, int64_t row,
	    struct ctx_buf *text, int delete, struct ctx_err *err);

/* Make it the text that is indexed: the tokenizer ends at a NUL. */
void	ctx_trigram_text(struct ctx_buf *text);

/* In a write transaction: as ctx_index_merge, if there is an index. */
int	ctx_trigram_merge(struct ctx_store *st, struct ctx_err *err);

/* In a write transaction: remove all texts; the index stays. */
int	ctx_trigram_empty(struct ctx_store *st, struct ctx_err *err);

/*
 * Make the index, or go on making it, some thousand messages in each
 * transaction; *n counts them.  Or remove it.
 */
int	ctx_trigram_make(struct ctx_store *st, int64_t *n,
	    struct ctx_err *err);
int	ctx_trigram_drop(struct ctx_store *st, struct ctx_err *err);

/*
 * Append a query for the texts that may contain needle.  Returns 1, or 0 if it
 * is too short to be found by this index.  Out of memory is left in expr.
 */
int	ctx_trigram_query(const char *needle, struct ctx_buf *expr);

#endif
