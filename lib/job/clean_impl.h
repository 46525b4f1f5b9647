/* SPDX-License-Identifier: MIT */
/*
 * Internals that the parts of job/clean share: clean.c is the job, clean_report.c
 * writes its rows.
 */
#ifndef CTX_JOB_CLEAN_IMPL_H
#define CTX_JOB_CLEAN_IMPL_H

#include "decide/session.h"
#include "edit/ledger.h"
#include "job/clean.h"

/* A node that a row names, with all that is in it. */
struct ctx_clean_named {
	uint32_t rec, node;
};

struct ctx_clean {
	struct ctx_job job;
	struct ctx_clean_opts opts;
	struct ctx_clean_sums figures;
	struct ctx_cost own_cost;	/* in a copy of a job; opts.cost points
					   to it */
	struct ctx_redact *own_redact;	/* likewise */
	/* working storage */
	struct ctx_linker linker;
	struct ctx_check check;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_lean work;
	struct ctx_session session;
	struct ctx_ids ids;
	struct ctx_buf plain, safe;
	struct ctx_ledger ledger;	/* for paths */
	struct ctx_clean_named *named;	/* nodes of the turn that were named */
	size_t nnamed, capnamed;
	/* what the last faults were about, since several are in one line */
	struct {
		const char *from;	/* what was hashed, or counted */
		size_t len;
		uint64_t n;		/* its mark, or its characters */
	} marked, counted;
};

/* Put rows for what is in c and is not understood. */
int	ctx_clean_put_odd(struct ctx_clean *k, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;
/* Put rows for the links that are written anew. */
int	ctx_clean_put_links(struct ctx_clean *k, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;
/* Put rows for everything about the planned turn: see enum ctx_clean_row. */
int	ctx_clean_put_rows(struct ctx_clean *k, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

#endif
