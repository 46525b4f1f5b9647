/* SPDX-License-Identifier: MIT */
/*
 * Text becomes messages: all of it one, or a transcript, in which a line that
 * begins with USER: or ASSISTANT: begins a message.  The head that --to text
 * gives a summary becomes the pair of messages that it came from.
 */
#ifndef CTX_JOB_PLAIN_H
#define CTX_JOB_PLAIN_H

#include "job/job.h"

/*
 * All of the input, from its first line, is text: a message of role, or if
 * that is NULL a transcript, whose messages are lines to the job.
 * 1, or -1 with *err (CTX_EINPUT: it is not UTF-8).
 */
int	ctx_plain(struct ctx_job *j, const char *role, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

#endif
