/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-truncate: keeps of each conversation what fits.  Conversation
 * lines are written at once, message lines at the end of the file.
 * decide/window is the policy; this job holds the records that it decides
 * about.
 *
 * What is cut can be put aside.  Conversations told apart by key share the
 * memory for what is held back, so they use one thread.
 */
#ifndef CTX_JOB_CUT_H
#define CTX_JOB_CUT_H

#include "text/marker.h"
#include "decide/window.h"
#include "job/charge.h"
#include "job/job.h"

#define CTX_CUT_LAST	40	/* messages that are kept without a limit */

enum ctx_cut_start { CTX_CUT_AUTO, CTX_CUT_USER, CTX_CUT_ANY };

enum ctx_cut_row {
	/*
	 * A conversation that cannot be made to fit and is left out.  line is
	 * set if it is a conversation line; name is its key; text says why.
	 */
	CTX_CUT_LEFT_OUT,
	/* A reference whose text is gone: its line. */
	CTX_CUT_DANGLING
};

struct ctx_cut_opts {
	/*
	 * As given by the user; the job sets what follows from it: reserve, and
	 * edge_drop with a budget.
	 */
	struct ctx_win_opts win;
	int partial;			/* with a budget: the oldest message may
					   be kept in part */
	int counting;			/* costs are needed */
	struct ctx_cost *cost;		/* with counting: must be ready */
	const struct ctx_along *along;	/* NULL: nothing */
	enum ctx_cut_start start;
	int note;			/* write a note where messages are
					   missing */
	const struct ctx_markers *notes;	/* how notes are written */
	const char *pin;		/* member that keeps a message */
	int put_aside;			/* what is cut goes to CTX_TO_SIDE */
};

/* The totals. */
struct ctx_cut_sums {
	uint64_t conversations, cut;	/* cut: the number that were cut */
	uint64_t kept, dropped;		/* messages that are not system */
	uint64_t tokens;		/* of the dropped */
	uint64_t lean;			/* messages kept without the bodies of
					   results */
	uint64_t system;		/* messages that are; all are kept */
};

/* A new job; what opts points to must outlive it.  NULL with *err. */
struct ctx_job *ctx_cut_new(const struct ctx_cut_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;
const struct ctx_cut_sums *ctx_cut_figures(const struct ctx_job *j);

#endif
