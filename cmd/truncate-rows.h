/* SPDX-License-Identifier: MIT */
/* What ctx-truncate reports, and the file that receives what it cut. */
#ifndef CTX_CMD_TRUNCATE_ROWS_H
#define CTX_CMD_TRUNCATE_ROWS_H

#include "cli_stream.h"
#include "job/cut.h"

/*
 * Handle a row of the job: a conversation that is left out, a text that was
 * cut.
 */
int	truncate_row(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;

/* With -v, print the totals of the job. */
void	truncate_closing_line(const struct ctx_cut_opts *opts,
	    const struct ctx_cut_sums *did, const struct cli *c);

#endif
