/* SPDX-License-Identifier: MIT */
/*
 * What the policies of decide/lean need from the outside: a tokenizer, the
 * folder where cut texts are kept, the report.
 */
#ifndef CTX_CMD_CLEAN_LEAN_H
#define CTX_CMD_CLEAN_LEAN_H

#include "cli_cost.h"
#include "decide/lean.h"
#include "write/out.h"

struct clean_lean {
	struct ctx_lean_opts opts;
	struct ctx_redact_opts redact;
	int want_redact;
	const char **pattern, **exclude;	/* grown as options come */
	size_t npattern, cappattern, nexclude, capexclude;
	struct ctx_cost cost;
	const char *stash_dir, *restore_dir, *report_name;
	struct ctx_out *report;		/* NULL: none */
	struct ctx_out report_out;
	const char *file;		/* the one being read, for the report */
	struct ctx_ids ids;		/* working storage */
	struct ctx_buf buf, line;
};

/* Once the options are known: opens what they need.  Exits on bad ones. */
void	clean_lean_open(struct clean_lean *l, struct cli *c);
/* Flush and close the report; errors are reported. */
void	clean_lean_close(struct clean_lean *l, struct cli *c);

/* A line of the report for a message or part that was dropped. */
int	clean_lean_dropped(struct clean_lean *l, const struct ctx_convo *c,
	    const struct ctx_finding *f, struct ctx_err *err);

#endif
