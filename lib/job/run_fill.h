/* SPDX-License-Identifier: MIT */
/*
 * Reads lines into slots, in one thread at a time.  A slot has the lines of one
 * block, which stays with it, so that what a thread reads is in its own cache.
 * Only for run_threads.c.
 */
#ifndef CTX_JOB_RUN_FILL_H
#define CTX_JOB_RUN_FILL_H

#include "job/run_slot.h"

struct ctx_run_fill {
	/* set by the caller */
	struct ctx_run *run;
	int others;			/* several threads read */

	/* private */
	struct ctx_reader *reader;
	struct ctx_block *rest;		/* for the beginning of a line, until
					   the next slot is read */
	const struct ctx_run_slot *slot;
	uint64_t lines;			/* that were read */
};

void	ctx_run_fill_begin(struct ctx_run_fill *f, struct ctx_reader *reader);
/*
 * Read the next lines into s, as many as there are without waiting.  Returns
 * whether the input goes on; s->late has the error if it failed.
 */
int	ctx_run_fill_slot(struct ctx_run_fill *f, struct ctx_run_slot *s);
/* The reader is the caller's again. */
void	ctx_run_fill_end(struct ctx_run_fill *f);

#endif
