/* SPDX-License-Identifier: MIT */
/*
 * A line of the stream as the log keeps it: the bytes, and copies of what one
 * looks for.
 */
#ifndef CTX_STORE_ENTRY_H
#define CTX_STORE_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "read/span.h"

struct ctx_entry {
	const char *raw;	/* borrowed; its newline included */
	size_t len;

	/* What ctx_entry_scan finds. */
	char mid[72];		/* retry id; "" for none */
	char role[24];		/* "" for none, else as below */
	int opens_turn;		/* a user's message without tool results */
	int64_t ts;		/* of the line, 0 if it has none */

	/* The caller's own. */
	int64_t tokens;		/* stored with it; -1: not known */

	/* What ctx_log_append answers. */
	int64_t seq;
	int64_t turn;
	int stored;		/* 0: it was there already */
};

/* SQLite takes values up to 10^9 bytes. */
#define CTX_ENTRY_MAX	999000000u

/*
 * Check a line and fill what belongs to it.  raw must stay.  id_key, unless
 * NULL, is where to look for a retry id when there is neither a top-level "id"
 * nor "uuid".  An id of more than 64 bytes is kept as its SHA-256.
 *
 * Roles are told in one language for all dialects: system, user, assistant,
 * tool; others stay as they are, cut to size.
 *
 * doc is working space.  0, or -1 with CTX_EINPUT (err->col set) or CTX_ENOMEM.
 */
int	ctx_entry_scan(struct ctx_entry *line, const char *raw, size_t len,
	    const char *id_key, struct ctx_doc *doc, struct ctx_err *err);

/*
 * Is its role one of system, user, assistant and tool?  If it is not, the store
 * does not know that shape, and somebody who knows dialects may set role and
 * opens_turn.
 */
int	ctx_entry_knows(const struct ctx_entry *line);

/* Bytes of the line without its line end. */
size_t	ctx_entry_bare(const char *raw, size_t len);

#endif
