/* SPDX-License-Identifier: MIT */
/*
 * What ctx-clean does with the rows of its job: findings are printed, changes
 * go to the report, files to their folders.
 */
#ifndef CTX_CMD_CLEAN_ROWS_H
#define CTX_CMD_CLEAN_ROWS_H

#include "base/strmap.h"
#include "cli_stream.h"
#include "job/clean.h"

struct clean_rows {
	struct cli_stream stream;
	const char *report_name;	/* --report, or NULL */
	const char *stash_dir, *restore_dir;	/* likewise */
	const char *image_dir;		/* --images out=, in= */
	const char *baseline_name;	/* --baseline, or NULL */
	int json;
	int check;			/* a finding gives exit 1 */
	int strict;			/* a warning, too */
	unsigned char ignored[CTX_F_N];
	/* with check: what was printed, and lines that are not JSON */
	uint64_t errors, warnings, bad;
	uint64_t blind;			/* with check: files without a
					   message */
	const char *told;		/* the last file with a finding that a
					   conversation has none */
	/* findings, "FILE\tRULE\tTEXT"; the first ones are those of the baseline,
	   and times says how often each of these may come again */
	struct ctx_strmap known;
	size_t nbaseline;
	uint64_t *times;
	size_t captimes;
	struct ctx_out report;
	struct ctx_buf url, line;
};

/*
 * Open the files and folders that were named and tell opts about them; the
 * stream's rows then go to r.  Ends the process if something cannot be opened.
 */
void	clean_rows_open(struct clean_rows *r, struct ctx_clean_opts *opts,
	    struct cli *c);
/* --rules: print the table of rules and end the process. */
void	clean_rows_rules(struct cli *c, void *place);
/* Report no findings of this rule; ends the process if there is no such. */
void	clean_rows_ignore(struct clean_rows *r, const char *rule,
	    const struct cli *c);
/* Close what was opened and report errors. */
void	clean_rows_close(struct clean_rows *r, struct cli *c);

/*
 * Print what was done, with -v, and set the exit code if there were findings.
 */
void	clean_rows_sum(const struct clean_rows *r,
	    const struct ctx_clean_sums *did, struct cli *c);

#endif
