/* SPDX-License-Identifier: MIT */
/*
 * The model that ctx-summarize asks: which one it is and what it is sent, by
 * options (model.c), and the requests themselves (ask.c).
 */
#ifndef CTX_CMD_SUMMARIZE_ASK_H
#define CTX_CMD_SUMMARIZE_ASK_H

#include "cli_progress.h"
#include "cli_prompt.h"
#include "cli_set.h"
#include "cli_tools.h"
#include "job/fold_job.h"
#include "net/ask.h"
#include "net/endpoint.h"
#include "redact/redact.h"

#define SUMMARIZE_LIST_MAX	32	/* most of --header */

struct summarize_ask {
	struct cli *cli;
	struct cli_progress progress;	/* of one answer */
	const struct cli_along *along;	/* system prompt and tools */
	struct ctx_cost *cost;		/* the tokenizer, ready */
	uint64_t max_tokens;		/* of a summary */

	/* Options; all zero except what summarize_ask_init sets. */
	struct ctx_endpoint_want want;
	struct ctx_ask ask;
	uint64_t window;		/* of the model */
	struct ctx_ratio temperature;
	unsigned rounds;
	int insights, dry_run, no_redact, in_place;
	struct cli_prompt prompt;	/* instructions; none: ours */

	/* Results of the options: */
	struct ctx_endpoint endpoint;
	struct ctx_redact *redact;	/* NULL with --no-redact */
	struct cli_set set;
	const char *header[SUMMARIZE_LIST_MAX + 1];
	size_t nheader;
};

/* Its options, for a struct summarize_ask. */
extern const struct cli_opt summarize_ask_opts[];

void	summarize_ask_init(struct summarize_ask *a);
/*
 * Find secrets, which are not sent, reported or counted as facts, unless that
 * is not wanted.  An error ends the process.
 */
void	summarize_ask_redact(struct summarize_ask *a,
	    struct ctx_fold_job_opts *opts, struct cli *c);
/*
 * Make the job ask the model; call this once its options and those of the job
 * with the tokenizer are known.  An error ends the process.
 */
void	summarize_ask_open(struct summarize_ask *a,
	    struct ctx_fold_job_opts *opts, struct cli *c);
void	summarize_ask_done(struct summarize_ask *a);

/*
 * Get the model's answer: a summary, its JSON with insights, or with dry_run
 * the requests that would be made.  arg is the struct; see struct
 * ctx_fold_job_opts.
 */
int	summarize_ask(void *arg, struct ctx_fold_question *q,
	    struct ctx_err *err) CTX_CHECKED;

#endif
