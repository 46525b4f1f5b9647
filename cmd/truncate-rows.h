/* SPDX-License-Identifier: MIT */
/* What ctx-truncate says, and the file of what it cut. */
#ifndef CTX_CMD_TRUNCATE_ROWS_H
#define CTX_CMD_TRUNCATE_ROWS_H

#include "cli_stream.h"
#include "job/cut.h"

/* A row of the job: conversations that are left out, texts that are gone. */
int	truncate_row(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;

/* With -v: what the job came to. */
void	truncate_closing_line(const struct ctx_cut_opts *opts,
	    const struct ctx_cut_sums *did, const struct cli *c);

#endif
