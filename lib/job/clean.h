/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-clean: conversations leave valid for their API, and lean.
 * With check nothing leaves, and what is wrong with them comes as rows.
 */
#ifndef CTX_JOB_CLEAN_H
#define CTX_JOB_CLEAN_H

#include "decide/images.h"
#include "decide/lean.h"
#include "decide/links.h"
#include "job/cost.h"
#include "job/job.h"

enum ctx_clean_row {
	/* with check: rule, line and col, text says what is wrong */
	CTX_CLEAN_FAULT,
	/*
	 * With report, a change: rule, line, name is the id of the call or
	 * result if it has one (escaped); n has the bytes before and after,
	 * and the tokens before and after.
	 */
	CTX_CLEAN_CHANGE,
	/*
	 * A file to be kept before what comes next: n[0] an enum
	 * ctx_keep_kind, its name, text its bytes.
	 */
	CTX_CLEAN_KEEP
};

struct ctx_clean_opts {
	struct ctx_links_opts links;
	struct ctx_lean_opts lean;	/* count, arg and tell: the job's */
	struct ctx_images_opts images;	/* tell: the job's */
	/*
	 * What counts tokens, for the job and, like it, for its threads'; must
	 * be ready if lean's limits are tokens, or with report.
	 */
	struct ctx_cost *cost;
	int check, report;
	int merge;			/* runs of one role become one */
};

/* What it came to. */
struct ctx_clean_sums {
	uint64_t records, rewritten;
	uint64_t fault[CTX_F_N];
};

/* What opts points to outlives the job.  NULL with *err. */
struct ctx_job *ctx_clean_new(const struct ctx_clean_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_clean_sums *ctx_clean_figures(const struct ctx_job *j);

#endif
