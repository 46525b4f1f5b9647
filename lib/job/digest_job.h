/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-digest-files on a stream: replaces the contents of files that
 * tools read or wrote with a line that describes them.  See decide/reads.h for
 * which, digest/digest_line.h for the line.
 */
#ifndef CTX_JOB_DIGEST_JOB_H
#define CTX_JOB_DIGEST_JOB_H

#include "decide/reads.h"
#include "digest/digest_line.h"
#include "job/job.h"

struct ctx_digest_job_opts {
	struct ctx_reads_opts reads;	/* this job sets size and judge */
	enum ctx_wording lang;
	uint64_t min;			/* bytes; shorter contents stay */
	uint64_t width;			/* of a line, in characters */
	/*
	 * Keep contents: a line then names their SHA-256, and a row precedes it
	 * with the hash as its name and the contents as its text.  This job has
	 * no other rows.
	 */
	int keep;
};

/* The totals. */
struct ctx_digest_job_sums {
	uint64_t contents;		/* contents that were replaced */
	uint64_t before, after;		/* bytes of the contents, and of the
					   lines */
};

/* A new job; what opts points to must outlive it.  NULL with *err. */
struct ctx_job *ctx_digest_job_new(const struct ctx_digest_job_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_digest_job_sums *ctx_digest_job_figures(
	    const struct ctx_job *j);

#endif
