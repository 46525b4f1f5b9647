/* SPDX-License-Identifier: MIT */
/*
 * Which of several jobs has each conversation.  A conversation stays with its
 * job, so it is never in two.
 *
 * What follows one another in a file stays in the cache of the thread that has
 * read it if that thread's own job gets it.  But if many conversations begin at
 * the same time and go on beside one another, one thread must not get them all:
 * then the hash decides.  And if a job has had more bytes than another by so much
 * that the other would wait for it at the end, the other gets what is new.
 *
 * Memory: 32 bytes for a conversation at most.
 */
#ifndef CTX_JOB_OWNERS_H
#define CTX_JOB_OWNERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "job/run.h"

/* Lines of one conversation that follow one another. */
struct ctx_owned {
	size_t from, n;
	size_t bytes;
	uint64_t hash;			/* of the conversation */
	unsigned job;
	int is_new;			/* internal */
};

/* All zero is empty. */
struct ctx_owners {
	struct ctx_owner *slot;
	size_t nslot, n;
	uint32_t rounds;
	uint64_t had[CTX_RUN_THREADS_MAX]; /* bytes that each job got */
};

void	ctx_owners_done(struct ctx_owners *o);
/* Forget all conversations. */
void	ctx_owners_reset(struct ctx_owners *o);

/*
 * Find the jobs, of n, of what the thread of job number own has read.  Returns
 * 0, or -1 with CTX_ENOMEM.
 */
int	ctx_owners_find(struct ctx_owners *o, struct ctx_owned *all,
	    size_t nall, unsigned n, unsigned own, struct ctx_err *err)
	    CTX_CHECKED;

#endif
