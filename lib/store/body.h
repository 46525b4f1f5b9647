/* SPDX-License-Identifier: MIT */
/*
 * Contents, each stored once under its SHA-256.  Long contents are cut at
 * places that their own bytes determine, and the pieces are shared: a version
 * with a small edit costs only the pieces that changed.  For this folder only.
 */
#ifndef CTX_STORE_BODY_H
#define CTX_STORE_BODY_H

#include "base/buf.h"
#include "store/db.h"

/* In a write transaction: find or add p[0 .. n); *id gets its row. */
int	ctx_body_put(struct ctx_store *st, const void *p, size_t n, int64_t *id,
	    struct ctx_err *err);

/* Are these contents stored?  Returns 1 with *id set, 0, or -1. */
int	ctx_body_find(struct ctx_store *st, const void *p, size_t n,
	    int64_t *id, struct ctx_err *err);

/*
 * In a write transaction: find contents by their SHA-256.  On a server, what only
 * others have is copied.  Returns as ctx_body_find.
 */
int	ctx_body_by_hash(struct ctx_store *st, const unsigned char *hash,
	    int64_t *id, struct ctx_err *err);

/* Like ctx_body_put, but never cut into pieces. */
int	ctx_body_put_piece(struct ctx_store *st, const void *p, size_t n,
	    struct ctx_err *err);

/*
 * Add contents that consist of stored pieces.  hex is the SHA-256 that the
 * pieces must have together; otherwise CTX_EINPUT.
 */
int	ctx_body_put_list(struct ctx_store *st, const int64_t *part, size_t n,
	    const char *hex, struct ctx_err *err);

/* Append the contents to out, after checking them against their hash. */
int	ctx_body_get(struct ctx_store *st, int64_t id, struct ctx_buf *out,
	    struct ctx_err *err);

/*
 * The same, of contents that were found in an earlier transaction: mark has the
 * first 8 bytes of their hash.
 */
int	ctx_body_get_same(struct ctx_store *st, int64_t id, int64_t mark,
	    struct ctx_buf *out, struct ctx_err *err);

/* Without a transaction: compress what an older version stored. */
int	ctx_body_squeeze_all(struct ctx_store *st, struct ctx_err *err);

/* The columns that ctx_body_line reads. */
#define CTX_BODY_LINE	"json, body, thread, context, seq"

/* Append a message's line from the columns CTX_BODY_LINE of q, from col on. */
int	ctx_body_line(struct ctx_store *st, sqlite3_stmt *q, int col,
	    struct ctx_buf *out, struct ctx_err *err);

/* The same of the message at that place; only json and body are columns. */
struct ctx_body_place {
	int64_t thread, context, seq;
};
int	ctx_body_line_at(struct ctx_store *st, sqlite3_stmt *q, int col,
	    const struct ctx_body_place *at, struct ctx_buf *out,
	    struct ctx_err *err);

/*
 * Freeing, in one write transaction: call ctx_body_free_begin, insert the
 * bodies that may become unused into temp.loose(id) (OR IGNORE), delete their
 * users, then call ctx_body_free_end, which removes those that nothing refers
 * to any more.  If bytes is not NULL, *bytes grows by the number of bytes
 * freed.
 */
int	ctx_body_free_begin(struct ctx_store *st, struct ctx_err *err);
int	ctx_body_free_end(struct ctx_store *st, int64_t *bytes,
	    struct ctx_err *err);

#endif
