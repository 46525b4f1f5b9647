/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-count: sums what messages cost, by file and by whatever else
 * was asked for.  It outputs only rows, unless messages are annotated.
 */
#ifndef CTX_JOB_TALLY_H
#define CTX_JOB_TALLY_H

#include "base/strmap.h"
#include "job/charge.h"
#include "job/job.h"

enum ctx_tally_by {
	CTX_TALLY_FILE,
	CTX_TALLY_ROLE, CTX_TALLY_TOOL,		/* summed in the table */
	CTX_TALLY_SIZE,				/* counted in size */
	CTX_TALLY_MESSAGE, CTX_TALLY_CONVERSATION,	/* rows */
	CTX_TALLY_PREFIX	/* what the second file shares with the first;
				   needs one thread */
};

enum ctx_tally_row {
	/* n: tokens, messages and bytes, also in the next; rule: the role */
	CTX_TALLY_A_MESSAGE,
	/* name is its key as JSON; line is set for a conversation line */
	CTX_TALLY_A_CONVERSATION
};

struct ctx_tally_opts {
	enum ctx_tally_by by;
	int conversations;		/* rows of conversations, regardless of
					   by */
	const char *annotate;		/* write the messages with this member
					   added */
	struct ctx_cost *cost;		/* must be ready; reserved for the job
					   while it lives */
	int apart;			/* CTX_TALLY_PREFIX: count the rest of
					   the new history, too */
	const struct ctx_along *along;	/* NULL: nothing */
	uint64_t reserve;		/* for the answer to each conversation */
};

struct ctx_tally_sum {
	uint64_t tokens, messages, bytes;
};

/* Sums by name. */
struct ctx_tally_table {
	struct ctx_strmap names;
	struct ctx_tally_entry {
		struct ctx_tally_sum sum;
		uint64_t at, no;	/* where the name was first seen */
	} *entry;			/* indexed by the name's number */
	size_t cap;
};

/* A new job; what opts points to must outlive it.  NULL with *err. */
struct ctx_job *ctx_tally_new(const struct ctx_tally_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/* The sum of the file that has ended; the next one begins at 0. */
struct ctx_tally_sum ctx_tally_take(struct ctx_job *j);
/* The table of all files, to be sorted by at and no. */
const struct ctx_tally_table *ctx_tally_table(const struct ctx_job *j);
/*
 * [i] counts messages of 2^i tokens and more, up to the next power; [64] those
 * without tokens.
 */
const uint64_t *ctx_tally_sizes(const struct ctx_job *j);

/* With opts.apart: the tokens that are not in what both histories share. */
uint64_t ctx_tally_apart(const struct ctx_job *j);
/* The line of the new history where that begins; 0 if all of it is shared. */
uint64_t ctx_tally_parts(const struct ctx_job *j);

void	ctx_tally_sum_add(struct ctx_tally_sum *to,
	    const struct ctx_tally_sum *more);

#endif
