/* SPDX-License-Identifier: MIT */
/*
 * Noise in texts that tools print: terminal escapes, repetition and encoded
 * blobs.  Each function takes decoded UTF-8 text and appends what is left to
 * out.  Applying one of them twice gives the same result as once.
 *
 * They return 1 if out differs from the text, 0 if not (out is then not to be
 * used), and -1 if out of memory.
 */
#ifndef CTX_DECIDE_SCRUB_H
#define CTX_DECIDE_SCRUB_H

#include "text/marker.h"

/*
 * Remove terminal escapes (ECMA-48: CSI, OSC, DCS and the two-byte ones), BEL
 * and other control characters.  A backspace removes the character before it,
 * as in overstruck manual pages.  Tabs, line ends and carriage returns stay.
 */
int	ctx_scrub_ansi(const char *text, size_t len,
	    const struct ctx_markers *notes, struct ctx_buf *out);

/*
 * A line that was redrawn with carriage returns becomes its final state.  Of
 * four or more equal lines the first stays, followed by a line that says how
 * often it was repeated.  Two or more blank lines become one.
 */
int	ctx_scrub_squeeze(const char *text, size_t len,
	    const struct ctx_markers *notes, struct ctx_buf *out);

/*
 * A run of 200 or more base64 characters, including line ends in it, becomes
 * "[base64: N characters left out]".
 */
int	ctx_scrub_blobs(const char *text, size_t len,
	    const struct ctx_markers *notes, struct ctx_buf *out);

#endif
