/* SPDX-License-Identifier: MIT */
/* Internals that tally.c and tally_ahead.c share. */
#ifndef CTX_JOB_TALLY_IMPL_H
#define CTX_JOB_TALLY_IMPL_H

#include "decide/pair.h"
#include "job/prefix.h"
#include "job/tally.h"

/* The strings of a batch whose tokens are known. */
struct ctx_tally_notes {
	struct ctx_tally_note *note;
	size_t n, cap;
};

struct ctx_tally {
	struct ctx_job job;
	struct ctx_tally_opts opts;
	struct ctx_cost own_cost;	/* in a copy of a job; opts.cost points
					   to it */
	uint64_t *tool_cost;		/* of each tool, if tools have rows */

	struct ctx_pairer pairer;
	struct ctx_edit edit;
	struct ctx_prefix prefix;
	uint64_t apart;			/* tokens that the new one has alone */

	struct ctx_tally_sum file;
	struct ctx_tally_table table;
	uint64_t seen;			/* number of names so far */
	int nomem;			/* totals could not be added */
	uint64_t size[65];

	struct ctx_tally_notes notes[2];	/* counted ahead, for each
						   batch */
	struct ctx_tally_note *slot;	/* hash table of the current batch */
	size_t mask;			/* number of slots - 1 */
	uint64_t noted, used;		/* bytes of strings that were counted
					   ahead, and that were then looked
					   up */
};

/* Callbacks of the kind; see job.h. */
int	ctx_tally_ahead(struct ctx_job *job, const struct ctx_line *line,
	    unsigned which, struct ctx_err *err);
int	ctx_tally_ahead_known(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, unsigned which, struct ctx_err *err);
void	ctx_tally_ahead_forget(struct ctx_job *main,
	    struct ctx_job *const *job, unsigned n, unsigned which);
int	ctx_tally_ahead_worth(const struct ctx_job *main);

#endif
