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

/* All of the input, whose first line is in hand, into out.  0 or -1. */
int	ctx_document_all(struct ctx_reader *r, const struct ctx_line *first,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

/* A document of bytes that are in no block, as a line to the job.  0 or -1. */
int	ctx_document_give(struct ctx_job *j, const char *p, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

#endif
