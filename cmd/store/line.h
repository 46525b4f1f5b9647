/* SPDX-License-Identifier: MIT */
/*
 * What append does with a line because of its dialect: shorten its texts, take
 * the count of tokens that it carries, and say whose it is where the store does
 * not know.  All zero is ready for that last one.
 */
#ifndef CTX_CMD_STORE_LINE_H
#define CTX_CMD_STORE_LINE_H

#include "edit/patch.h"
#include "store/entry.h"
#include "view/dialect.h"

struct store_line {
	uint64_t max_chars;	/* of each text; 0: any number */
	const char *cost;	/* the member with the count, NULL: none */

	/* the answer, good until the next call */
	const char *raw;	/* as it came, or shortened */
	size_t len;
	int64_t tokens;		/* -1: it carries none */

	/* its own */
	const struct ctx_dialect *dialect;
	struct ctx_convo one;
	struct ctx_patch patch;
	struct ctx_buf text, out;
};

/* Does it want anything of a line? */
int	store_line_wanted(const struct store_line *l);

/* 0, or -1 with CTX_EINPUT (err->col set) or CTX_ENOMEM. */
int	store_line_read(struct store_line *l, const char *raw, size_t len,
	    struct ctx_err *err);

/*
 * The role of a scanned line, and whether it opens a turn.  A line with a whole
 * conversation has none.  0, or -1 out of memory.
 */
int	store_line_role(struct store_line *l, struct ctx_entry *line,
	    struct ctx_err *err);

void	store_line_done(struct store_line *l);

#endif
