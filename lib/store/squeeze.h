/* SPDX-License-Identifier: MIT */
/*
 * Contents as frames of Zstandard (RFC 8878), without a dictionary, so that
 * any reader of the format can read them.  For this folder only.
 */
#ifndef CTX_STORE_SQUEEZE_H
#define CTX_STORE_SQUEEZE_H

#include "base/buf.h"
#include "store/db.h"

/* Most bytes that a frame may hold: a damaged one could ask for any number. */
#define CTX_SQUEEZE_LIMIT	(1u << 20)

/* Levels: what a call waits for, and what many messages share. */
#define CTX_SQUEEZE_FAST	1
#define CTX_SQUEEZE_SMALL	3

/* Put p[0 .. n) compressed into out, which is emptied first. */
int	ctx_squeeze(struct ctx_store *st, const void *p, size_t n, int level,
	    struct ctx_buf *out, struct ctx_err *err);

/*
 * Append what the frame p[0 .. n) holds, which must be size bytes, to out.
 * Returns 1, 0 if it is not such a frame (out is unchanged), or -1 if out of
 * memory.
 */
int	ctx_squeeze_undo(struct ctx_store *st, const void *p, size_t n,
	    size_t size, struct ctx_buf *out, struct ctx_err *err);

void	ctx_squeeze_free(struct ctx_squeeze *z);

#endif
