/* SPDX-License-Identifier: MIT */
/*
 * A text that a command printed, as a conversation of which a job makes
 * something: a call with the command line, and its result.  So whatever a job
 * does to results it does to the text.
 *
 * The text may have any bytes.  One that is not of UTF-8 becomes a character
 * from U+10FE80 to U+10FEFF, as does each byte of such characters themselves,
 * and all of these become bytes again.
 */
#ifndef CTX_JOB_PRINTED_H
#define CTX_JOB_PRINTED_H

#include "job/job.h"

/*
 * Pass the text to the job as lines; command is NULL if it is not known.  The
 * text is not empty.  Returns 0, or -1 with *err.
 */
int	ctx_printed_give(struct ctx_job *j, const char *command,
	    struct ctx_str text, struct ctx_err *err) CTX_CHECKED;

/*
 * If a line that the job wrote is the one with the text, append that to out.
 * Returns 1, 0 if it is another line, or -1 with *err.
 */
int	ctx_printed_take(const char *line, size_t len, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
