/* SPDX-License-Identifier: MIT */
/* What the sources of reads share. */
#ifndef CTX_DECIDE_READS_IMPL_H
#define CTX_DECIDE_READS_IMPL_H

#include "decide/reads.h"

/* What kind of tool returned a result. */
enum ctx_reads_kind {
	CTX_READS_OTHER, CTX_READS_READER, CTX_READS_BY_ID, CTX_READS_SHELL,
	CTX_READS_LISTER
};

/* Of result p, by its own name and that of its call. */
enum ctx_reads_kind ctx_reads_kind_of(const struct ctx_convo *c,
	    const struct ctx_part *p, const struct ctx_reads_opts *o);

/*
 * Find what a read is of, in the arguments of its call.  Returns 1, 0 if it is
 * no read, -1 if out of memory.
 */
int	ctx_reads_name(struct ctx_reads *r, const struct ctx_convo *c,
	    struct ctx_read *read, enum ctx_reads_kind kind,
	    const struct ctx_reads_opts *o) CTX_CHECKED;

/* Add a read of a part's text.  NULL if out of memory. */
struct ctx_read *ctx_reads_add(struct ctx_reads *r, uint32_t part,
	    struct ctx_str text, const struct ctx_reads_opts *o);

/*
 * Add the texts of result i: its own, or those inside it.  Returns 0, or -1 if
 * out of memory.
 */
int	ctx_reads_result(struct ctx_reads *r, const struct ctx_convo *c,
	    uint32_t i, const struct ctx_reads_opts *o) CTX_CHECKED;

/*
 * Does result i say that its tool, which writes, has not?  Returns -1 if out of
 * memory.
 */
int	ctx_reads_failed(struct ctx_reads *r, const struct ctx_convo *c,
	    uint32_t i) CTX_CHECKED;

/* Add what the writing tool of call i was given, if it has written. */
int	ctx_reads_write(struct ctx_reads *r, const struct ctx_convo *c,
	    uint32_t i, const struct ctx_reads_opts *o) CTX_CHECKED;

#endif
