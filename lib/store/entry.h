/* SPDX-License-Identifier: MIT */
/*
 * A line of the stream as the log stores it: its bytes, and copies of what is
 * searched for.
 */
#ifndef CTX_STORE_ENTRY_H
#define CTX_STORE_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "read/span.h"

struct ctx_entry {
	const char *raw;	/* borrowed; includes its newline */
	size_t len;

	/* Set by ctx_entry_scan. */
	char mid[72];		/* retry id, or "" */
	char role[24];		/* "" for none, otherwise as below */
	int opens_turn;		/* a user message without tool results */
	int64_t ts;		/* the line's time, 0 if it has none */

	/* Set by the caller. */
	int rewritten;		/* an id may come again with other bytes, for
				   the record as it is then */
	int64_t tokens;		/* stored with the line; -1 if unknown */
	size_t log;		/* its thread, of several; see ctx_append */

	/* Set by ctx_log_append. */
	int64_t seq;
	int64_t turn;
	int stored;		/* 0 if it was there already */
	struct ctx_entry *next;	/* that is stored in its log */
};

#define CTX_ENTRY_ID	92	/* bytes of an id of the next function */

/* The id of a line that was written again, whose own has other bytes already. */
void	ctx_entry_again(const struct ctx_entry *line, char id[CTX_ENTRY_ID]);

/* SQLite accepts values of up to 10^9 bytes. */
#define CTX_ENTRY_MAX	999000000u

/*
 * Check a line and set the members that are taken from it.  raw must stay
 * valid.  If id_key is not NULL, it names the place of a retry id for lines
 * without a top-level "id" or "uuid".  An id of more than 64 bytes is stored
 * as its SHA-256.
 *
 * Roles have the same names for all dialects: system, user, assistant, tool.
 * Others stay as they are, cut to size.
 *
 * doc is working space.  Returns 0, or -1 with CTX_EINPUT (err->col set) or
 * CTX_ENOMEM.
 */
int	ctx_entry_scan(struct ctx_entry *line, const char *raw, size_t len,
	    const char *id_key, struct ctx_doc *doc, struct ctx_err *err);

/*
 * Is its role system, user, assistant or tool?  If not, the store does not
 * know the line's shape, and a caller that knows dialects may set role and
 * opens_turn.
 */
int	ctx_entry_knows(const struct ctx_entry *line);

/* Length of the line without its line end. */
size_t	ctx_entry_bare(const char *raw, size_t len);

#endif
