/* SPDX-License-Identifier: MIT */
/*
 * ctx-count -j: the strings of the lines ahead are counted by several threads
 * while one thread goes through the messages, which then finds their counts.
 * What the tokens of a string are depends on nothing around it, so everything
 * comes out as it does with one thread, in whatever way it is counted.
 */
#ifndef CTX_CMD_COUNT_JOBS_H
#define CTX_CMD_COUNT_JOBS_H

#include "cli_cost.h"
#include "cli_stream.h"
#include "token/crew.h"

struct count_jobs;

/* The counts are given to cost; crew is borrowed.  NULL out of memory. */
struct count_jobs *count_jobs_new(struct ctx_cost *cost,
	    struct ctx_crew *crew);
void	count_jobs_free(struct count_jobs *j);

/*
 * All of the input from its first line, through s->turns; fit to be called by
 * cli_stream's first_line.  1, or -1 with *err.
 */
int	count_jobs_lines(struct count_jobs *j, struct cli_stream *s,
	    struct ctx_reader *r, const struct ctx_line *first,
	    struct ctx_err *err);

#endif
