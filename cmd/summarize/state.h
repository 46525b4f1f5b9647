/* SPDX-License-Identifier: MIT */
/*
 * --state FILE: what is remembered of each conversation from one run of
 * ctx-summarize to the next.
 */
#ifndef CTX_CMD_SUMMARIZE_STATE_H
#define CTX_CMD_SUMMARIZE_STATE_H

#include "cli.h"
#include "job/fold_job.h"

struct json_t;

/* All zero but the name: nothing is remembered. */
struct summarize_state {
	const char *name;
	struct json_t **line;
	size_t n, cap;
	int changed;
};

/*
 * Read it, if it has a name, and let the job's opts know of it.  A file that
 * does not exist is empty; trouble ends the process.
 */
void	summarize_state_open(struct summarize_state *s,
	    struct ctx_fold_job_opts *opts, struct cli *c);
/* Write it, whole or not at all, if it has changed. */
int	summarize_state_write(struct summarize_state *s, struct cli *c,
	    struct ctx_err *err) CTX_CHECKED;
void	summarize_state_done(struct summarize_state *s);

#endif
