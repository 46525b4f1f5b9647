/* SPDX-License-Identifier: MIT */
/*
 * Noise in texts that tools print: terminal escapes, repetition, encoded
 * blobs.  Each takes decoded UTF-8 text and appends what is left to out.  Each
 * applied twice is applied once.
 *
 * Return: 1 if out differs from the text, 0 if not (out is then of no use),
 *         -1 out of memory.
 */
#ifndef CTX_DECIDE_SCRUB_H
#define CTX_DECIDE_SCRUB_H

#include "base/buf.h"

/*
 * Terminal escapes out (ECMA-48: CSI, OSC, DCS and the two-byte ones), BEL and
 * other control characters too; a backspace takes back the character before
 * it, as in overstruck manual pages.  Tabs, line ends and carriage returns
 * stay.
 */
int	ctx_scrub_ansi(const char *text, size_t len, struct ctx_buf *out);

/*
 * A line that was redrawn by carriage returns becomes what it was at last; of
 * four or more equal lines the first stays, with a line that says how often it
 * came again; two or more blank lines become one.
 */
int	ctx_scrub_squeeze(const char *text, size_t len, struct ctx_buf *out);

/*
 * A run of 200 or more base64 characters (line ends between are of the run)
 * becomes "[base64: N characters left out]".
 */
int	ctx_scrub_blobs(const char *text, size_t len, struct ctx_buf *out);

#endif
