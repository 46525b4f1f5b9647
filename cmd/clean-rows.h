/* SPDX-License-Identifier: MIT */
/*
 * What ctx-clean does with the rows of its job: faults are printed, changes go
 * to the report, files to their folders.
 */
#ifndef CTX_CMD_CLEAN_ROWS_H
#define CTX_CMD_CLEAN_ROWS_H

#include "cli_stream.h"
#include "job/clean.h"

struct clean_rows {
	const char *report_name;	/* --report, or NULL */
	const char *stash_dir, *restore_dir;	/* likewise */
	const char *image_dir;		/* --images out=, in= */
	int json;
	struct ctx_out report;
	struct ctx_buf url, line;
};

/*
 * Open what is named, and let opts know of it.  Ends the process if it cannot
 * be.
 */
void	clean_rows_open(struct clean_rows *r, struct ctx_clean_opts *opts,
	    struct cli *c);
/* Errors are reported. */
void	clean_rows_close(struct clean_rows *r, struct cli *c);

/* A row of the job, or a line that is not JSON as one. */
int	clean_rows_put(struct clean_rows *r, struct cli_stream *s,
	    const struct ctx_row *row, struct ctx_err *err) CTX_CHECKED;
void	clean_rows_bad(struct clean_rows *r, struct cli_stream *s,
	    const struct ctx_err *bad);

#endif
