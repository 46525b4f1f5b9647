/* SPDX-License-Identifier: MIT */
/* Jobs in threads; for run.c only, which see. */
#ifndef CTX_JOB_RUN_THREADS_H
#define CTX_JOB_RUN_THREADS_H

#include "job/run.h"

/* All lines of the input.  0, or -1 with *err. */
int	ctx_run_in_threads(struct ctx_run *r, struct ctx_reader *reader,
	    struct ctx_err *err) CTX_CHECKED;

/* The line to r->first, if it is the one; else 0. */
int	ctx_run_first(struct ctx_run *r, struct ctx_reader *reader,
	    const struct ctx_line *line, struct ctx_err *err) CTX_CHECKED;

/* Call r->bad for the line, with what is wrong with it. */
void	ctx_run_name_bad(struct ctx_run *r, const struct ctx_line *line,
	    struct ctx_err *bad);

/* The end of a file, whoever has had its lines: 0, or -1 with *err. */
int	ctx_run_end(struct ctx_run *r, struct ctx_err *err) CTX_CHECKED;
/* The file has failed: what the threads' jobs hold is forgotten. */
void	ctx_run_give_up(struct ctx_run *r);

#endif
