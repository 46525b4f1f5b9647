/* SPDX-License-Identifier: MIT */
/*
 * The model that ctx-summarize asks: who it is and what it is sent, by options
 * (model.c), and the talk with it (ask.c).
 */
#ifndef CTX_CMD_SUMMARIZE_ASK_H
#define CTX_CMD_SUMMARIZE_ASK_H

#include "cli.h"
#include "job/fold_job.h"
#include "net/ask.h"
#include "net/endpoint.h"
#include "redact/redact.h"

#define SUMMARIZE_LIST_MAX	32	/* of --set, and of --header */

struct summarize_ask {
	struct cli *cli;
	struct ctx_cost *cost;		/* what counts, ready */
	uint64_t max_tokens;		/* of a summary */

	/* what options say; zero but for what summarize_ask_init sets */
	struct ctx_endpoint_want want;
	struct ctx_ask ask;
	uint64_t window;		/* of the model that is asked */
	struct ctx_ratio temperature;
	unsigned rounds;
	int insights, dry_run, no_redact;
	const char *prompt_name;

	/* what they come to */
	struct ctx_endpoint endpoint;
	struct ctx_redact *redact;	/* NULL: --no-redact */
	char *prompt;			/* instructions; NULL: ours */
	struct ctx_ask_set set[SUMMARIZE_LIST_MAX];
	const char *header[SUMMARIZE_LIST_MAX + 1];
	size_t nheader;
	char *copies[SUMMARIZE_LIST_MAX];	/* names in set */
};

/* Its options, of a struct summarize_ask. */
extern const struct cli_opt summarize_ask_opts[];

void	summarize_ask_init(struct summarize_ask *a);
/*
 * When its options are known, and those of the job with what counts: the job
 * asks.  What is wrong ends the process.
 */
void	summarize_ask_open(struct summarize_ask *a,
	    struct ctx_fold_job_opts *opts, struct cli *c);
void	summarize_ask_done(struct summarize_ask *a);

/*
 * The model's answer: a summary, its JSON with insights, or with dry_run the
 * requests that would be made.  arg is the struct; see struct
 * ctx_fold_job_opts.
 */
int	summarize_ask(void *arg, struct ctx_fold_question *q,
	    struct ctx_err *err) CTX_CHECKED;

#endif
