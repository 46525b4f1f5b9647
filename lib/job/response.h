/* SPDX-License-Identifier: MIT */
/*
 * What an API sent back becomes the messages in it, as its dialect writes them:
 *
 *	OpenAI			{"choices":[{"message":M}]}
 *	OpenAI Responses	{"output":[M, ...]}
 *	Gemini			{"candidates":[{"content":M}]}
 *	Anthropic		M, with members that are none of a message's
 *
 * Of several choices the first one is what was said; the others are not.
 */
#ifndef CTX_JOB_RESPONSE_H
#define CTX_JOB_RESPONSE_H

#include "job/job.h"

/*
 * All of the input, from its first line, is one response: its messages are
 * lines to the job.  1, or -1 with *err (CTX_EINPUT: it is none, or says that
 * the API refused).
 */
int	ctx_response(struct ctx_job *j, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

#endif
