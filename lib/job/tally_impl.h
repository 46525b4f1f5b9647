/* SPDX-License-Identifier: MIT */
/* Internals that tally.c and tally_ahead.c share. */
#ifndef CTX_JOB_TALLY_IMPL_H
#define CTX_JOB_TALLY_IMPL_H

#include <stdatomic.h>

#include "decide/pair.h"
#include "job/prefix.h"
#include "job/tally.h"

/* Groups of places in records where strings are. */
#define CTX_TALLY_PLACES	64

/* The strings of a batch that are counted ahead. */
struct ctx_tally_notes {
	struct ctx_counted *of;
	uint8_t *place;			/* of each */
	size_t n, cap, capplace;
	size_t counted;			/* the first of them */
};

#define CTX_TALLY_ROLES	(CTX_TOOL + 1)

/* A conversation of message lines. */
struct ctx_tally_lines {
	struct ctx_tally_sum sum;
	struct ctx_charged charged;
	struct ctx_charges more;	/* its request, as charged */
	int again;			/* it was charged */
	/* of the turn that goes on, charged until a user speaks: */
	uint64_t thoughts;
	int sealed;			/* they are guessed */
	/* what a summary of the API's own would replace, by role and kind */
	uint64_t past[CTX_TALLY_ROLES], of[CTX_OF_N];
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
	uint64_t parts;			/* line of its first message that differs */

	struct ctx_tally_lines *now;	/* the conversation of the turn, or
					   NULL */
	uint32_t sent;			/* the API reads messages from this one
					   on, and system messages */
	struct ctx_tally_sum file;
	struct ctx_tally_table table;
	uint64_t seen;			/* number of names so far */
	int nomem;			/* totals could not be added */
	uint64_t size[65];

	struct ctx_tally_notes notes[2];	/* for each batch */
	struct ctx_tally_note *slot;	/* hash table of the current batch */
	size_t nslot, mask;		/* number of slots, - 1 */
	/* bytes that were counted ahead, and that were then looked up */
	uint64_t noted[CTX_TALLY_PLACES], used[CTX_TALLY_PLACES];
	_Atomic uint64_t useless;	/* places that are not worth it */
	int hopeless;			/* none of them is */
	struct ctx_tally *main;		/* whose places count */
};

/* Callbacks of the kind; see job.h. */
int	ctx_tally_ahead(struct ctx_job *job, const struct ctx_doc *doc,
	    unsigned which, struct ctx_err *err);
int	ctx_tally_ahead_end(struct ctx_job *job, unsigned which,
	    struct ctx_err *err);
int	ctx_tally_ahead_known(struct ctx_job *main, struct ctx_job *const *job,
	    unsigned n, unsigned which, struct ctx_err *err);
void	ctx_tally_ahead_forget(struct ctx_job *main,
	    struct ctx_job *const *job, unsigned n, unsigned which);
int	ctx_tally_ahead_worth(const struct ctx_job *main);
/* A file has ended: another may have its texts in other places. */
void	ctx_tally_ahead_reset(struct ctx_tally *k);
void	ctx_tally_ahead_done(struct ctx_tally *k);

#endif
