/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-count: what messages cost, summed by file, and by whatever is
 * asked for.  Nothing leaves but rows, unless messages are annotated.
 */
#ifndef CTX_JOB_TALLY_H
#define CTX_JOB_TALLY_H

#include "base/strmap.h"
#include "edit/tools.h"
#include "job/cost.h"
#include "job/job.h"

enum ctx_tally_by {
	CTX_TALLY_FILE,
	CTX_TALLY_ROLE, CTX_TALLY_TOOL,		/* into the table */
	CTX_TALLY_SIZE,				/* into size */
	CTX_TALLY_MESSAGE, CTX_TALLY_CONVERSATION,	/* rows */
	CTX_TALLY_PREFIX	/* what the second file shares with the first;
				   one thread */
};

enum ctx_tally_row {
	/* n has tokens, messages and bytes, as of the next too; rule is the
	   role */
	CTX_TALLY_A_MESSAGE,
	/* name is its key, as JSON has it; line if it is one */
	CTX_TALLY_A_CONVERSATION
};

struct ctx_tally_opts {
	enum ctx_tally_by by;
	int conversations;		/* rows of them, whatever by is */
	const char *annotate;		/* messages leave with this member */
	struct ctx_cost *cost;		/* ready; the job's own while it lives */
	const struct ctx_tools *tools;	/* each conversation carries them */
};

struct ctx_tally_sum {
	uint64_t tokens, messages, bytes;
};

/* Sums by name. */
struct ctx_tally_table {
	struct ctx_strmap names;
	struct ctx_tally_entry {
		struct ctx_tally_sum sum;
		uint64_t at, no;	/* where it was first seen */
	} *entry;			/* by the name's number */
	size_t cap;
};

/* What opts points to outlives the job.  NULL with *err. */
struct ctx_job *ctx_tally_new(const struct ctx_tally_opts *opts,
	    struct ctx_err *err) CTX_CHECKED;

/* The sum of the file that has ended; it begins anew. */
struct ctx_tally_sum ctx_tally_take(struct ctx_job *j);
/* Of all files: the table, ready to be sorted by at and no. */
const struct ctx_tally_table *ctx_tally_table(const struct ctx_job *j);
/* How many messages have from 2^i tokens up; [64]: that have none. */
const uint64_t *ctx_tally_sizes(const struct ctx_job *j);

void	ctx_tally_sum_add(struct ctx_tally_sum *to,
	    const struct ctx_tally_sum *more);

#endif
