/* SPDX-License-Identifier: MIT */
/*
 * Turns an API's response, or a stream of it (job/stream.h), into the messages in
 * it, in its own dialect:
 *
 *	OpenAI			{"choices":[{"message":M}]}
 *	OpenAI Responses	{"output":[M, ...]}
 *	Gemini			{"candidates":[{"content":M}]}
 *	Anthropic		M, with members that are not a message's
 *
 * If there are several choices, only the first is used.  Whatever the end was, what
 * has come is passed on, but for calls that had only begun when the response was
 * cut.
 */
#ifndef CTX_JOB_RESPONSE_H
#define CTX_JOB_RESPONSE_H

#include "job/job.h"

struct ctx_response {
	/* set by the caller: given the text as it comes, escaped; or NULL */
	void (*text)(void *arg, struct ctx_str text);
	void *arg;

	/* the result; all of it is that of the last response */
	enum ctx_response_end {
		CTX_RESPONSE_DONE,
		CTX_RESPONSE_LENGTH,	/* it is as long as it may be */
		CTX_RESPONSE_REFUSAL,	/* of the model, or of a filter */
		CTX_RESPONSE_ERROR,
		CTX_RESPONSE_CUT	/* it ended before the API's end */
	} end;
	int retry;		/* after an error: the same may succeed */
	struct ctx_buf reason;	/* the API's word for the end; the text of an
				   error */
	uint32_t left;		/* calls that had only begun */
	struct ctx_buf report;	/* members of a JSON object, each with a comma
				   before it: what the response says besides */
};

/*
 * Take all of the input, from its first line on (NULL: it is empty), as one
 * response; its messages become lines to the job.
 * Returns: 1, or -1 with *err (CTX_EINPUT if it is not a response).
 */
int	ctx_response_read(struct ctx_response *x, struct ctx_job *j,
	    struct ctx_reader *r, const struct ctx_line *first,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_response_done(struct ctx_response *x);

#endif
