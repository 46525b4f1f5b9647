/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-digest-files on a stream: contents of files that tools read,
 * or wrote, become a line that says what they are; see decide/reads.h for
 * which, digest/digest_line.h for the line.
 */
#ifndef CTX_JOB_DIGEST_JOB_H
#define CTX_JOB_DIGEST_JOB_H

#include "decide/reads.h"
#include "digest/digest_line.h"
#include "job/job.h"

struct ctx_digest_job_opts {
	struct ctx_reads_opts reads;
	enum ctx_digest_lang lang;
	uint64_t min;			/* bytes; contents of fewer stay */
	uint64_t width;			/* of a line, in characters */
	/*
	 * Contents are kept: a line names their SHA-256, and a row comes before
	 * it, whose name is that hash and whose text they are.  No other rows
	 * come of this job.
	 */
	int keep;
};

/* What it came to. */
struct ctx_digest_job_sums {
	uint64_t contents;		/* that became lines */
	uint64_t before, after;		/* their bytes, the lines' bytes */
};

/* What opts points to outlives the job.  NULL with *err. */
struct ctx_job *ctx_digest_job_new(const struct ctx_digest_job_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_digest_job_sums *ctx_digest_job_figures(
	    const struct ctx_job *j);

#endif
