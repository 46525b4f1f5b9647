/* SPDX-License-Identifier: MIT */
/* What the sources of reads share. */
#ifndef CTX_DECIDE_READS_IMPL_H
#define CTX_DECIDE_READS_IMPL_H

#include "decide/reads.h"

/*
 * Add the texts of result i: its own, or those inside it.  Returns 0, or -1 if
 * out of memory.
 */
int	ctx_reads_result(struct ctx_reads *r, const struct ctx_convo *c,
	    uint32_t i, const struct ctx_reads_opts *o) CTX_CHECKED;

/* Add what the writing tool of call i was given. */
int	ctx_reads_write(struct ctx_reads *r, const struct ctx_convo *c,
	    uint32_t i, const struct ctx_reads_opts *o) CTX_CHECKED;

#endif
