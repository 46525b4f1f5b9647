/* SPDX-License-Identifier: MIT */
/* What ctx-convert reports about contents that the target cannot represent. */
#ifndef CTX_CMD_CONVERT_ROWS_H
#define CTX_CMD_CONVERT_ROWS_H

#include "cli_stream.h"
#include "job/convert_job.h"

struct convert_rows {
	struct cli_stream stream;
	const char *report_name;	/* --report, or NULL */
	struct ctx_out report;
	struct ctx_buf line;
};

/*
 * Open the report that was named, which may be about answers only; ends the process
 * if that fails.  The stream's rows then go to r.
 */
void	convert_rows_open(struct convert_rows *r,
	    struct ctx_convert_job_opts *opts, int answers, struct cli *c);
/* Close the report and report errors. */
void	convert_rows_close(struct convert_rows *r, struct cli *c);

/*
 * With -v, print how much was written; what was not written is always
 * reported.  If calls that wait were asked for and none does, the answer is no.
 */
void	convert_closing_lines(const struct ctx_convert_job_sums *did,
	    int waiting, struct cli *c);

#endif
