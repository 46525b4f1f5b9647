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
	struct cli_stream stream;
	const char *report_name;	/* --report, or NULL */
	const char *stash_dir, *restore_dir;	/* likewise */
	const char *image_dir;		/* --images out=, in= */
	int json;
	int check;			/* a fault is exit 1 */
	uint64_t bad;			/* with check: lines not JSON */
	struct ctx_out report;
	struct ctx_buf url, line;
};

/*
 * Open what is named, and let opts know of it; the stream's rows are r's.  Ends
 * the process if something cannot be opened.
 */
void	clean_rows_open(struct clean_rows *r, struct ctx_clean_opts *opts,
	    struct cli *c);
/* Errors are reported. */
void	clean_rows_close(struct clean_rows *r, struct cli *c);

/* What was done, with -v, and whether there is a fault for the exit code. */
void	clean_rows_sum(const struct clean_rows *r,
	    const struct ctx_clean_sums *did, struct cli *c);

#endif
