/* SPDX-License-Identifier: MIT */
/*
 * A transcript says at the beginning of a line who speaks (see
 * extract/transcript.h), so nothing else in it may look like such a beginning.
 * A line of a message that does gets "> " before it, and so does one that
 * would then look marked: removing one mark from each gives back the text.
 */
#ifndef CTX_CMD_SUMMARIZE_SPEAKERS_H
#define CTX_CMD_SUMMARIZE_SPEAKERS_H

#include "base/buf.h"
#include "extract/extract.h"

struct summarize_speakers {
	struct ctx_talk *said;	/* what was said, with marks; NULL: it needs
				   none */
	size_t marks;		/* lines that are marked */
	struct ctx_buf text;	/* what said points into, if not into the
				   original */
};

/*
 * Mark the lines of said[0 .. n), which must outlive s.  *s must be all zero,
 * and is passed to _done in any case.  Returns 0, or -1 with CTX_ENOMEM.
 */
int	summarize_speakers_mark(struct summarize_speakers *s,
	    const struct ctx_talk *said, size_t n, struct ctx_err *err)
	    CTX_CHECKED;
void	summarize_speakers_done(struct summarize_speakers *s);

#endif
