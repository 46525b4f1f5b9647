/* SPDX-License-Identifier: MIT */
/*
 * Input that is not a stream of lines: JSON documents over several lines, as
 * pretty-printers write them, and lists of conversations.
 */
#ifndef CTX_JOB_DOCUMENT_H
#define CTX_JOB_DOCUMENT_H

#include "job/job.h"

/*
 * If the first line is not one whole value, or is a list, read the rest of the
 * input too and take all of it as documents.  Each value becomes a line to the
 * job, as does each element of a list of conversations.
 * Returns: 1 if taken; 0 if it is a stream of lines; -1 with *err.
 */
int	ctx_documents(struct ctx_job *j, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

/* Read all of the input, which begins with first, into out.  0 or -1. */
int	ctx_document_all(struct ctx_reader *r, const struct ctx_line *first,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

/*
 * Pass a document, whose bytes are not in a block, to the job as a line.
 * Returns 0, or -1 with *err.
 */
int	ctx_document_give(struct ctx_job *j, const char *p, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

#endif
