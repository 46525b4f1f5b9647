/* SPDX-License-Identifier: MIT */
/* ctx-convert --request: what a request has besides its messages. */
#ifndef CTX_CMD_CONVERT_REQUEST_H
#define CTX_CMD_CONVERT_REQUEST_H

#include "cli_prompt.h"
#include "cli_set.h"
#include "cli_tools.h"
#include "job/convert_job.h"

struct convert_request {
	int wanted;
	const char *model, *api;	/* api: NULL for the dialect's own */
	struct ctx_request want;
	struct cli_tools tools;
	struct cli_prompt system;
	struct cli_set set;
};

/* The options for the struct. */
extern const struct cli_opt convert_request_opts[];

/*
 * Put what the options say into opts, whose target is known; warn of what the
 * model refuses.  A contradiction ends the process.
 */
void	convert_request_settle(struct convert_request *r,
	    struct ctx_convert_job_opts *opts, struct cli *c);
void	convert_request_done(struct convert_request *r);

#endif
