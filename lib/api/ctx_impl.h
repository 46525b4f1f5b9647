/* SPDX-License-Identifier: MIT */
/* What the functions of ctx.h share. */
#ifndef CTX_API_CTX_IMPL_H
#define CTX_API_CTX_IMPL_H

#include "api/ctx.h"
#include "job/cost.h"
#include "job/run.h"

struct ctx_lib_counter {
	struct ctx_cost cost;
	char *model, *encoding;
};

/* Forget what other histories had. */
void	ctx_lib_counter_begin(struct ctx_lib_counter *c);

/* A job that runs over a history in memory. */
struct ctx_lib_run {
	struct ctx_job *job;		/* NULL: there is err instead */
	struct ctx_buf out;
	struct ctx_err err;		/* the first error or refusal */
	/* Unless NULL, fills in err if the row refuses. */
	void (*row)(const struct ctx_row *row, struct ctx_err *err);
	int open_line;			/* out ends in one */
	int lists;			/* lists of conversations are taken */
};

/* Run the job.  Returns 0, or -1 with r->err. */
int	ctx_lib_run(struct ctx_lib_run *r, const char *history, size_t len);

/*
 * Free the job.  *out, unless out is NULL, gets what it wrote.  Returns 0, or
 * -1 with *err if r->err is set.
 */
int	ctx_lib_run_end(struct ctx_lib_run *r, struct ctx_lib_text *out,
	    struct ctx_lib_err *err);

/*
 * Give b's bytes away as *out, unless why says that there was an error.
 * Returns 0, or -1 with *err.
 */
int	ctx_lib_give(struct ctx_buf *b, struct ctx_lib_text *out,
	    struct ctx_err *why, struct ctx_lib_err *err);

/* Fill *err, which may be NULL, from why.  Returns -1. */
int	ctx_lib_fail(struct ctx_lib_err *err, const struct ctx_err *why);

#endif
