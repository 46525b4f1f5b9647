/* SPDX-License-Identifier: MIT */
/* Input that is not a stream of lines: lists of conversations, whole files. */
#ifndef CTX_JOB_DOCUMENT_H
#define CTX_JOB_DOCUMENT_H

#include "job/job.h"

/* Is the line a list of conversations?  1 or 0, or -1 with *err. */
int	ctx_document_lists(const struct ctx_line *line, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * If the first line is a list of conversations, read the rest of the input too.
 * Each element of such a list becomes a line to the job.
 * Returns: 1 if taken; 0 if it is a stream of lines; -1 with *err.
 */
int	ctx_documents(struct ctx_job *j, struct ctx_reader *r,
	    const struct ctx_line *first, struct ctx_err *err) CTX_CHECKED;

/*
 * Read all of the input, which begins with first, as a text into out.  Returns 0, or
 * -1 with *err (CTX_EINPUT if it is not UTF-8).
 */
int	ctx_document_text(struct ctx_reader *r, const struct ctx_line *first,
	    struct ctx_buf *out, struct ctx_err *err) CTX_CHECKED;

/*
 * Pass a document, whose bytes are not in a block, to the job as a line.
 * Returns 0, or -1 with *err.
 */
int	ctx_document_give(struct ctx_job *j, const char *p, size_t len,
	    struct ctx_err *err) CTX_CHECKED;

#endif
