/* SPDX-License-Identifier: MIT */
/*
 * The differences of two histories, as lines for people and as JSON.
 *
 * Names: ctx_delta_, struct ctx_delta.
 */
#ifndef CTX_COMPARE_DELTA_H
#define CTX_COMPARE_DELTA_H

#include "compare/match.h"
#include "show/look.h"

struct ctx_delta {
	/* set by the caller */
	const struct ctx_matching *m;	/* after ctx_match_end */
	struct ctx_look look;
	int full;		/* the lines that differ, too; m has the whole
				   texts */

	/* internal */
	struct ctx_buf *out;
	struct ctx_buf line, text[2];
	uint64_t run[2], tokens[2];	/* messages that are the same, and not
					   yet told */
	uint32_t key;		/* the conversation of the line before */
};

/* Does anything differ? */
int	ctx_delta_is(const struct ctx_matching *m);

/*
 * Append unit k, and after the last unit the totals.  Units are to be put in
 * order.  Both return 0, or -1 with CTX_ENOMEM.
 */
int	ctx_delta_put(struct ctx_delta *d, uint32_t k, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_delta_end(struct ctx_delta *d, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

/* Append a line with the totals. */
int	ctx_delta_stat(struct ctx_delta *d, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

/* The same as lines of JSON; nothing for what is the same. */
int	ctx_delta_json(struct ctx_delta *d, uint32_t k, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_delta_json_end(const struct ctx_delta *d, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_delta_done(struct ctx_delta *d);

#endif
