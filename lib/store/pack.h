/* SPDX-License-Identifier: MIT */
/*
 * Pack lines into bundles (bundle.h).  A line that is appended alone stays in
 * its row; with every CTX_PACK_EVERY messages, and with several lines at once,
 * those at the end of the log are packed, into the newest bundle as long as
 * that is not full.  All in a write transaction.  For this folder only.
 */
#ifndef CTX_STORE_PACK_H
#define CTX_STORE_PACK_H

#include "store/db.h"

/* So many lines at most wait in their rows; so many at once do not. */
#define CTX_PACK_EVERY	16
#define CTX_PACK_SEVERAL	4

/*
 * Lines of at least this size are stored in body, where their pieces are
 * shared; others are packed.
 */
#define CTX_PACK_LINE	32768

/* Does this kind of store pack lines?  A server compresses them itself. */
int	ctx_pack_packs(void);

/*
 * Are n lines from message next on enough to pack them, or do enough wait in
 * their rows?
 */
static inline int
ctx_pack_is_worth(int64_t next, int64_t n)
{
	return n >= CTX_PACK_SEVERAL ||
	    (next - 1 + n) / CTX_PACK_EVERY > (next - 1) / CTX_PACK_EVERY;
}

/*
 * Pack the lines that follow the newest bundle, or at most the last
 * CTX_PACK_EVERY before message next, which can then be added.
 */
int	ctx_pack_begin(struct ctx_store *st, int64_t thread, int64_t context,
	    int64_t next, struct ctx_err *err);

/* The same, and pack the n messages from next on, which are in their rows. */
int	ctx_pack_rows(struct ctx_store *st, int64_t thread, int64_t context,
	    int64_t next, int64_t n, struct ctx_err *err);

/*
 * Add the line of the next message, whose row has none; len 0 if it is in
 * body.
 */
int	ctx_pack_add(struct ctx_store *st, const char *line, size_t len,
	    struct ctx_err *err);

/* Write what was added; alone if it was few, and more will follow. */
int	ctx_pack_end(struct ctx_store *st, int alone, struct ctx_err *err);

/* Pack all lines of a thread that are still in their rows. */
int	ctx_pack_thread(struct ctx_store *st, int64_t thread,
	    struct ctx_err *err);

/* Without a transaction: pack all that is in the store. */
int	ctx_pack_all(struct ctx_store *st, struct ctx_err *err);

#endif
