/* SPDX-License-Identifier: MIT */
/*
 * Turns an API's response into the messages in it, in its own dialect:
 *
 *	OpenAI			{"choices":[{"message":M}]}
 *	OpenAI Responses	{"output":[M, ...]}
 *	Gemini			{"candidates":[{"content":M}]}
 *	Anthropic		M, with members that are not a message's
 *
 * If there are several choices, only the first is used.
 */
#ifndef CTX_JOB_RESPONSE_H
#define CTX_JOB_RESPONSE_H

#include "job/job.h"

/*
 * Take all of the input, from its first line on, as one response; its messages
 * become lines to the job.
 * Returns: 1, or -1 with *err (CTX_EINPUT if it is not a response, or if it
 *          says that the API refused).
 */
int	ctx_response(struct ctx_job *j, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

#endif
