/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-convert: writes conversations in another dialect, in the order
 * in which they end.  Its rows are conversations that were left out.
 */
#ifndef CTX_JOB_CONVERT_JOB_H
#define CTX_JOB_CONVERT_JOB_H

#include "edit/convert.h"
#include "job/cost.h"
#include "job/job.h"

enum ctx_convert_row {
	CTX_CONVERT_ROW_LOSES,
	CTX_CONVERT_ROW_SEALED,	/* only its own API can read how it begins */
	CTX_CONVERT_ROW_NOTHING,	/* nothing of it is left: its line */
	/*
	 * With report, an entry of the ledger: its line; n is its fare, bytes
	 * and values, and the length of what text begins with: what it stands
	 * for.  rule is the reason, name the path, and the rest of text what it
	 * is written as, or its type.
	 */
	CTX_CONVERT_ROW_FARE
};

struct ctx_convert_job_opts {
	/* as in struct ctx_convert */
	const struct ctx_target *to;
	enum ctx_convert_shape shape;
	int request, goes_on;
	int all_branches;		/* each is a conversation */
	struct ctx_request want;
	const struct ctx_api *api;
	const struct ctx_markers *notes;
	const char *const *only;
	size_t nonly;
	/*
	 * Leave out conversations that the target cannot express in full.  Each
	 * is a row with its line and, as n, its losses by enum ctx_loss; text
	 * is a struct ctx_types_lost.
	 */
	int strict;
	int report;
	/* If set, text has only the newest turns that fit this budget. */
	const struct ctx_cost *cost;
	uint64_t budget;
};

/* The totals. */
struct ctx_convert_job_sums {
	uint64_t conversations;
	uint64_t calls;			/* that wait, and were written */
	uint64_t loss[CTX_L_N];
	struct ctx_types_lost left;
};

/* A new job; what opts points to must outlive it.  NULL with *err. */
struct ctx_job *ctx_convert_job_new(const struct ctx_convert_job_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
/* The totals of all files so far. */
const struct ctx_convert_job_sums *ctx_convert_job_figures(struct ctx_job *j);

#endif
