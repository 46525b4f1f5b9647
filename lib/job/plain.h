/* SPDX-License-Identifier: MIT */
/*
 * Turns text into messages.  The whole text is one message, or it is a
 * transcript, in which a line that begins with USER: or ASSISTANT: begins a
 * message.  The head that --to text gives to a summary is turned back into its
 * pair of messages.
 */
#ifndef CTX_JOB_PLAIN_H
#define CTX_JOB_PLAIN_H

#include "job/job.h"

/*
 * Take all of the input, from its first line on, as text: as one message of
 * role or, if that is NULL, as a transcript.  The messages become lines to the
 * job.
 * Returns: 1, or -1 with *err (CTX_EINPUT if it is not UTF-8).
 */
int	ctx_plain(struct ctx_job *j, const char *role, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

#endif
