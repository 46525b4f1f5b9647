/* SPDX-License-Identifier: MIT */
/* ctx-clean --check: faults are printed, but for those that are not wanted. */
#ifndef CTX_CMD_CLEAN_FINDINGS_H
#define CTX_CMD_CLEAN_FINDINGS_H

#include "clean/remedy.h"
#include "cli_finding.h"
#include "cli_stream.h"
#include "job/clean.h"

struct clean_findings {
	struct cli_findings out;
	/* set by options */
	struct cli_args ignore;		/* ids of rules */

	unsigned char ignored[CTX_F_N], off[CTX_F_N];
	uint64_t bad;			/* lines that are not JSON */
	struct clean_remedy remedy;
	const char *file;		/* of the last finding, and how many of
					   its findings can be mended, or left
					   out by --on-error skip */
	uint64_t mended, skipped;
	uint64_t blind;			/* files without a message */
	const char *told;		/* the last file with a finding that a
					   conversation has none */
};

/* The options, for a struct clean_findings. */
extern const struct cli_opt clean_findings_opts[];

/* Begin, and end, when the options are set.  Opening ends the process if a rule
   is unknown, or the baseline cannot be read. */
void	clean_findings_open(struct clean_findings *f, struct cli *c);
void	clean_findings_done(struct clean_findings *f);

/* Print a fault of the file, unless it is ignored or in the baseline. */
void	clean_findings_put(struct clean_findings *f, const char *file,
	    const struct ctx_row *row);
/* Likewise a line that is not JSON, and a file without a message. */
void	clean_findings_bad_line(struct clean_findings *f, const char *file,
	    const struct ctx_err *bad);
void	clean_findings_no_message(struct clean_findings *f, const char *file,
	    uint64_t records);

/*
 * A file was read to its end.  With to_skip, a command that mends it may leave
 * out its lines that are not JSON.
 */
void	clean_findings_file(struct clean_findings *f, const char *file,
	    int to_skip);

/*
 * With -v, print how many faults of each rule there were, here or in did; set the
 * exit code if any was printed, and end the output.
 */
void	clean_findings_sum(struct clean_findings *f,
	    const struct ctx_clean_sums *did, struct cli *c);

#endif
