/* SPDX-License-Identifier: MIT */
/* Old tool results without their bodies: a note says how long each body was. */
#ifndef CTX_DECIDE_CLEAR_H
#define CTX_DECIDE_CLEAR_H

#include "text/marker.h"
#include "decide/plan.h"

/* Shorter texts are not worth a note, which has about so many characters. */
#define CTX_CLEAR_NOTE	34

/*
 * Append to out the note that replaces a result's text, such as "[tool result
 * cleared: 5321 chars]".  Both are escaped.  hash, unless NULL, is 64 hex digits
 * under which the text is kept; the note names it if notes have a folder.
 * Returns: 1; 0 if the text is already such a note, or is not longer than one;
 *          -1 if out of memory.
 */
int	ctx_clear_note(struct ctx_buf *out, const struct ctx_markers *notes,
	    struct ctx_str text, const char *hash);

/*
 * Is text the note of a call without a result, in any language or as these notes
 * have it?  There was nothing to clear.
 */
int	ctx_clear_is_none(const struct ctx_markers *notes, struct ctx_str text);
/* Is it that one, or the note of a result that was cleared? */
int	ctx_clear_is_note(const struct ctx_markers *notes, struct ctx_str text);

/* Is part p the text of a result, or of a block in one, that may be cleared? */
int	ctx_clear_may(const struct ctx_convo *c, uint32_t p);

/*
 * Plan notes for the texts of all results in message m.  Results from the
 * provider and images stay.  Returns 0, or -1 if out of memory.
 */
int	ctx_clear_plan(struct ctx_plan *plan, const struct ctx_convo *c,
	    const struct ctx_markers *notes, uint32_t m, struct ctx_err *err)
	    CTX_CHECKED;

#endif
