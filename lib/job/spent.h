/* SPDX-License-Identifier: MIT */
/*
 * The job of ctx-count --usage: sums what the answers in logs say that they
 * cost (view/usage.h).  All branches of a session were paid for, and so were
 * its side conversations.
 *
 * What is said twice counts once: messages that belong to one answer, of which
 * the largest figures hold, since programs write the first while the rest
 * still comes; answers with the same id, in copies of a session; and records
 * of Codex with the same running total.
 *
 * An answer that calls several tools counts for each of them.
 */
#ifndef CTX_JOB_SPENT_H
#define CTX_JOB_SPENT_H

#include "base/strmap.h"
#include "job/job.h"
#include "token/price.h"
#include "view/usage.h"

enum ctx_spent_by {
	CTX_SPENT_SESSION,	/* sums of files only */
	CTX_SPENT_DAY,		/* in local time, as 2026-03-01 */
	CTX_SPENT_MODEL,
	CTX_SPENT_TOOL
};

struct ctx_spent {
	uint64_t requests;
	struct ctx_usage sum;
	uint64_t nano;		/* what it cost, in thousand millionths of a
				   dollar */
	uint64_t unpriced;	/* requests without a known price */
};

/* Sums by name, in the order in which the names were first seen. */
struct ctx_spent_table {
	struct ctx_strmap names;
	struct ctx_spent *spent;	/* indexed by the name's number */
	size_t cap;
};

/*
 * A new job, for one thread; prices (NULL: costs do not matter) must outlive
 * it.  NULL with *err.
 */
struct ctx_job *ctx_spent_new(enum ctx_spent_by by,
	    const struct ctx_prices *prices, struct ctx_err *err) CTX_CHECKED;

/* The sum of the file that has ended; the next one begins at 0. */
struct ctx_spent ctx_spent_take(struct ctx_job *j);
/* The models without a known price. */
const struct ctx_strmap *ctx_spent_unpriced(const struct ctx_job *j);
/* Has a file failed, so that only a part of it is in the table? */
int	ctx_spent_in_part(const struct ctx_job *j);
/* The table of all files. */
const struct ctx_spent_table *ctx_spent_table(const struct ctx_job *j);

void	ctx_spent_add(struct ctx_spent *to, const struct ctx_spent *more);

#endif
