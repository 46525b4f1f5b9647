/* SPDX-License-Identifier: MIT */
/*
 * A conversation as plain text for a model that is to summarize it, a line
 * each of
 *
 *	USER: ...
 *	ASSISTANT: ...
 *	ASSISTANT [tool]: arguments
 *	TOOL tool: result
 *
 * cut into pieces that fit the model's window.  What is too long loses its
 * tool results first, the oldest ones before newer ones and the newest never;
 * only what is still too long comes in more than one piece.
 */
#ifndef CTX_EXTRACT_TRANSCRIPT_H
#define CTX_EXTRACT_TRANSCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "extract/extract.h"

/* A stretch of one said text. */
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
	size_t *piece;		/* the first segment of each; npiece + 1 */
	size_t npiece, cappiece;
	uint64_t cost;		/* of all of it */
};

/*
 * Plan it: pieces of at most room tokens, as cost says (see ctx_extract;
 * its budget is the room).  Of said, CTX_TALK_SUMMARY is left out.
 *
 * Returns: 0, or -1 with CTX_ENOMEM or what cost failed with.
 */
int	ctx_transcript_plan(struct ctx_transcript *t,
	    const struct ctx_talk *said, size_t n,
	    const struct ctx_extract *room, struct ctx_err *err) CTX_CHECKED;

/* Append the text of piece k. */
int	ctx_transcript_text(const struct ctx_transcript *t, size_t k,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

void	ctx_transcript_done(struct ctx_transcript *t);

#endif
