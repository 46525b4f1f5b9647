/* SPDX-License-Identifier: MIT */
/* The lines of --report. */
#ifndef CLI_FARE_H
#define CLI_FARE_H

#include "edit/trace.h"
#include "job/job.h"
#include "write/out.h"

/* A line of the report; b is scratch memory. */
struct cli_fare {
	const char *file;
	uint64_t line;
	enum ctx_fare fare;
	const char *why;	/* may be NULL */
	struct ctx_str path;	/* escaped, as the following */
	struct ctx_str id;	/* of the call or result; .p may be NULL */
	struct ctx_str from;	/* what it stands for; .p may be NULL */
	struct ctx_str to;	/* the new value, or the type; .p may be NULL */
	uint64_t bytes, values;
	/* of a text that was changed */
	int changed;
	uint64_t bytes_after, tokens, tokens_after;
};

/* Write it to out.  Returns 0, or -1 with *err. */
int	cli_fare_put(struct ctx_out *out, struct ctx_buf *b,
	    const struct cli_fare *f, struct ctx_err *err) CTX_CHECKED;

#endif
