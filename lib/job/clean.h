/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-clean: makes conversations valid for their API, and lean.
 * With check it writes no conversations; it reports what is wrong with them as
 * rows.
 */
#ifndef CTX_JOB_CLEAN_H
#define CTX_JOB_CLEAN_H

#include "check/check.h"
#include "decide/images.h"
#include "decide/lean.h"
#include "decide/links.h"
#include "job/cost.h"
#include "job/job.h"

enum ctx_clean_row {
	/*
	 * With check: rule, line and col; text says what is wrong, n[0] is 1 if
	 * it is only a warning, and n[1] if it would be mended.  With marks, n[2]
	 * has 16 bits of the digest of the message that is at fault: enough to
	 * tell it from others, too few to find out what a secret in it is; and
	 * n[3] is col in characters.  With excerpt, name is a part of the line,
	 * and n[4] is where in it col is.
	 */
	CTX_CLEAN_FAULT,
	/*
	 * With report, a change: rule and line; name is the JSON Pointer of
	 * what changes, text the id of the call or result if it has one, or the
	 * new id (both escaped).  n has an enum ctx_fare, the values that are
	 * concerned, the bytes before and after, and the tokens before and
	 * after.
	 */
	CTX_CLEAN_CHANGE,
	/*
	 * A file to keep before what follows: n[0] is an enum ctx_keep_kind,
	 * name is the file's name and text its bytes.
	 */
	CTX_CLEAN_KEEP
};

struct ctx_clean_opts {
	struct ctx_links_opts links;
	struct ctx_lean_opts lean;	/* the job sets count, arg and tell,
					   and the notes of all three */
	struct ctx_images_opts images;	/* the job sets tell */
	/*
	 * Counts tokens for the job; its threads use copies.  It must be ready
	 * if lean's limits are in tokens, or with report.
	 */
	struct ctx_cost *cost;
	const struct ctx_markers *notes;	/* how notes are written */
	const struct ctx_api *api;	/* the server; NULL: the dialect's */
	const char *model;		/* with check: the model, or NULL */
	int check, marks, excerpt, report;
	int drop_branches;		/* those that are not resumed */
	int merge;			/* merge consecutive messages of one
					   role */
};

/* The totals. */
struct ctx_clean_sums {
	uint64_t records, rewritten;
	uint64_t pruned;		/* calls */
	uint64_t fault[CTX_F_N];	/* warnings included */
};

/* A new job; what opts points to must outlive it.  NULL with *err. */
struct ctx_job *ctx_clean_new(const struct ctx_clean_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_clean_sums *ctx_clean_figures(const struct ctx_job *j);

#endif
