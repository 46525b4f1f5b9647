/* SPDX-License-Identifier: MIT */
/* What ctx-convert reports about contents that the target cannot represent. */
#ifndef CTX_CMD_CONVERT_ROWS_H
#define CTX_CMD_CONVERT_ROWS_H

#include "cli_stream.h"
#include "job/convert_job.h"

/* Handle a row of the job: a conversation that is left out. */
int	convert_row(struct cli_stream *s, const struct ctx_row *row,
	    struct ctx_err *err) CTX_CHECKED;

/* A file has records but no message; see cli_stream.h. */
void	convert_no_message(struct cli_stream *s, const char *file,
	    uint64_t records);

/*
 * With -v, print how much was written; what was not written is always
 * reported.
 */
void	convert_closing_lines(const struct ctx_convert_job_sums *did,
	    const struct cli *c);

#endif
