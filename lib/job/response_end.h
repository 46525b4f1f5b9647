/* SPDX-License-Identifier: MIT */
/* How a response ended, and what it cost; only for response.c. */
#ifndef CTX_JOB_RESPONSE_END_H
#define CTX_JOB_RESPONSE_END_H

#include "job/response.h"
#include "job/stream.h"

/* The first element of the member list of that key, if it is an object. */
uint32_t ctx_response_first(const struct ctx_doc *doc, const char *key);

/*
 * Set end, retry and reason by the document, which may be empty.  Returns 0, or -1
 * if out of memory.
 */
int	ctx_response_judge(struct ctx_response *x, const struct ctx_stream *s,
	    const struct ctx_doc *doc, struct ctx_err *err) CTX_CHECKED;

/* Append the id and the model, and the usage: in tokens, and as it came. */
void	ctx_response_usage(struct ctx_buf *b, const struct ctx_doc *doc);

#endif
