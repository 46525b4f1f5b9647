/* SPDX-License-Identifier: MIT */
/* Jobs in threads; only for run.c. */
#ifndef CTX_JOB_RUN_THREADS_H
#define CTX_JOB_RUN_THREADS_H

#include "job/run.h"

/*
 * Process the lines of the input in n threads, or, if n is 0, in this one, with
 * what the kind can do ahead.  Returns 0; 1 if the rest is to be processed line
 * by line; or -1 with *err.
 */
int	ctx_run_in_threads(struct ctx_run *r, unsigned n,
	    struct ctx_reader *reader, struct ctx_err *err) CTX_CHECKED;

/* Pass the line to r->first if it is the first with contents; else 0. */
int	ctx_run_first(struct ctx_run *r, struct ctx_reader *reader,
	    const struct ctx_line *line, struct ctx_err *err) CTX_CHECKED;

/* Leave the line out.  Returns 0, or -1 with *err. */
int	ctx_run_skip(struct ctx_run *r, const struct ctx_line *line,
	    struct ctx_err *err) CTX_CHECKED;
/* Call r->bad for the line, with its error. */
void	ctx_run_name_bad(struct ctx_run *r, const struct ctx_line *line,
	    struct ctx_err *bad);

/* End a file, whichever jobs had its lines.  Returns 0, or -1 with *err. */
int	ctx_run_end(struct ctx_run *r, struct ctx_err *err) CTX_CHECKED;
/* The file has failed: forget what the threads' jobs hold. */
void	ctx_run_give_up(struct ctx_run *r);

#endif
