/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-truncate: of each conversation leaves what fits.  Conversation
 * lines leave at once, message lines at the end of the file.  The policy is
 * decide/window; this keeps the records that it decides on.
 *
 * What is cut is put aside, if that is asked for.  Conversations that are told
 * apart share the memory for what is held back, so they take one thread.
 */
#ifndef CTX_JOB_CUT_H
#define CTX_JOB_CUT_H

#include "decide/window.h"
#include "job/cost.h"
#include "job/job.h"

enum ctx_cut_start { CTX_CUT_AUTO, CTX_CUT_USER, CTX_CUT_ANY };

enum ctx_cut_row {
	/*
	 * A conversation that cannot be made to fit, and is left out: the line
	 * if it is one, name is its key, text says why.
	 */
	CTX_CUT_LEFT_OUT,
	/* What a text refers to is gone: its line. */
	CTX_CUT_DANGLING
};

struct ctx_cut_opts {
	/*
	 * As said; what follows from it is set by the job: reserve, and
	 * edge_drop with a budget.
	 */
	struct ctx_win_opts win;
	int partial;			/* with a budget: the oldest message
					   may be kept in part */
	int counting;			/* costs are wanted */
	struct ctx_cost *cost;		/* with counting: ready */
	enum ctx_cut_start start;
	int note;			/* where messages are missing */
	const char *pin;		/* member that keeps a message */
	int put_aside;			/* what is cut goes to CTX_TO_SIDE */
};

/* What it came to. */
struct ctx_cut_sums {
	uint64_t conversations, cut;	/* cut: how many of them */
	uint64_t kept, dropped, tokens;	/* messages; tokens of the dropped */
	uint64_t lean;			/* messages without results' bodies */
};

/* What opts points to outlives the job.  NULL with *err. */
struct ctx_job *ctx_cut_new(const struct ctx_cut_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_cut_sums *ctx_cut_figures(const struct ctx_job *j);

#endif
