/* SPDX-License-Identifier: MIT */
/* What ctx-convert says of what the target cannot. */
#ifndef CTX_CMD_CONVERT_ROWS_H
#define CTX_CMD_CONVERT_ROWS_H

#include "cli_stream.h"
#include "job/convert_job.h"

/* A row of the job: with --strict, a conversation that stays out. */
int	convert_row(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;

/* With -v how much was written; what was not is said anyway. */
void	convert_closing_lines(const struct ctx_convert_job_sums *did,
	    const struct cli *c);

#endif
