/* SPDX-License-Identifier: MIT */
/*
 * --state FILE: what ctx-summarize remembers of each conversation from one run
 * to the next.
 */
#ifndef CTX_CMD_SUMMARIZE_STATE_H
#define CTX_CMD_SUMMARIZE_STATE_H

#include "base/strmap.h"
#include "cli.h"
#include "job/fold_job.h"

struct json_t;

/* All zero except the name, which is NULL if nothing is to be remembered. */
struct summarize_state {
	const char *name;
	struct json_t **line;
	size_t n, cap;
	struct ctx_strmap seen;		/* keys of this run's conversations */
	int changed;
};

/*
 * Read the file, if it has a name, and make the job's opts use it.  A missing
 * file counts as empty, and will be one; errors end the process.
 */
void	summarize_state_open(struct summarize_state *s,
	    struct ctx_fold_job_opts *opts, struct cli *c);
/* Write the file, completely or not at all, if it has changed. */
int	summarize_state_write(struct summarize_state *s, struct cli *c,
	    struct ctx_err *err) CTX_CHECKED;
void	summarize_state_done(struct summarize_state *s);

#endif
