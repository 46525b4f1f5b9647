/* SPDX-License-Identifier: MIT */
/*
 * A conversation as plain text for a model that is to summarize it, in lines
 * such as
 *
 *	USER: ...
 *	ASSISTANT: ...
 *	ASSISTANT [tool]: arguments
 *	TOOL tool: result
 *
 * cut into pieces that fit the model's window.  If it is too long, tool results
 * are shortened first, the oldest first and the newest never; only if it is
 * still too long is it split into several pieces.
 */
#ifndef CTX_EXTRACT_TRANSCRIPT_H
#define CTX_EXTRACT_TRANSCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "extract/extract.h"

/* A section of one of the texts in said. */
struct ctx_segment {
	size_t said;
	size_t off, len;
	uint64_t cost;
	int cut;		/* the rest of the text is left out */
};

struct ctx_transcript {
	const struct ctx_talk *said;	/* borrowed */
	struct ctx_segment *seg;
	size_t nseg, cap;
	size_t *piece;		/* first segment of each piece; npiece + 1 */
	size_t npiece, cappiece;
	uint64_t cost;		/* total cost */
};

/*
 * Plan the pieces, of at most room->budget tokens each as counted by room->cost
 * (see ctx_extract).  CTX_TALK_SUMMARY in said is left out.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or the error of cost.
 */
int	ctx_transcript_plan(struct ctx_transcript *t,
	    const struct ctx_talk *said, size_t n,
	    const struct ctx_extract *room, struct ctx_err *err) CTX_CHECKED;

/* Append the text of piece k. */
int	ctx_transcript_text(const struct ctx_transcript *t, size_t k,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

void	ctx_transcript_done(struct ctx_transcript *t);

#endif
