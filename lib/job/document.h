/* SPDX-License-Identifier: MIT */
/*
 * Input that is no stream of lines: JSON documents over several lines, as
 * pretty-printers write them, and lists of conversations.
 */
#ifndef CTX_JOB_DOCUMENT_H
#define CTX_JOB_DOCUMENT_H

#include "job/job.h"

/*
 * If the first line is not one whole value, or is a list, take all the rest of
 * the input with it, as documents: each value is a line to the job, and each
 * element of a list of conversations is one.
 * Returns 1: taken; 0: it is a stream of lines; -1 with *err.
 */
int	ctx_documents(struct ctx_job *j, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

/* All of the input after the line in hand, into out.  0 or -1. */
int	ctx_document_rest(struct ctx_reader *r, struct ctx_buf *out,
	    struct ctx_err *err) CTX_CHECKED;

#endif
