/* SPDX-License-Identifier: MIT */
/*
 * What ctx-summarize reports about conversations: the lines of --report, and
 * errors on stderr.
 */
#ifndef CTX_CMD_SUMMARIZE_REPORT_H
#define CTX_CMD_SUMMARIZE_REPORT_H

#include "base/num.h"
#include "cli_prices.h"
#include "cli_stream.h"
#include "job/fold_job.h"

struct summarize_report {
	const char *name;		/* --report, or NULL */
	struct ctx_out out;		/* open if name is set */
	struct ctx_buf line;		/* working storage */
	struct ctx_buf facts;		/* members of the next line */
	struct ctx_prices prices;	/* --prices, or empty */
	int pass_failure;		/* a failure is only a warning */
	const char *state;		/* name of the state file */
	const char *model;		/* the model asked, or NULL */
};

/*
 * For OPT_CALL with a struct ctx_prices: take "IN,OUT" or
 * "IN,OUT,CACHED".
 */
void	summarize_prices_take(struct cli *c, void *place);

/* Report a row of the job. */
int	summarize_report_put(struct summarize_report *r, struct cli_stream *s,
	    const struct ctx_row *row, struct ctx_err *err) CTX_CHECKED;
/* Print the line of -v: the totals, counted by cost. */
void	summarize_report_sums(const struct summarize_report *r,
	    const struct ctx_fold_job_sums *did, const struct ctx_cost *cost,
	    const struct cli *c);
void	summarize_report_close(struct summarize_report *r, struct cli *c);

#endif
