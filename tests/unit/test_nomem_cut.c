/* SPDX-License-Identifier: MIT */
/* The job of ctx-truncate that runs out of memory; see jobs_nomem.h. */
#include "jobs_nomem.h"

#include "job/cut.h"

static struct ctx_job *
cutter(int how, struct ctx_err *err)
{
	struct ctx_cut_opts opts = { .put_aside = 1, .note = 1,
	    .start = CTX_CUT_AUTO, .win = { .last = 2 } };

	if (how > 0) {
		opts.counting = 1;
		opts.cost = &cost;
		opts.win = (struct ctx_win_opts){ .has_tokens = 1,
		    .tokens = 150, .results_first = how == 2 };
		opts.partial = how == 1;
	}
	return ctx_cut_new(&opts, err);
}

static const struct nomem_case cases[] = {
	{ cutter, 0, NULL, LINES WHOLE, NULL, 0, NULL },
	{ cutter, 0, "k", MIXED, NULL, 0, NULL },
	{ cutter, 1, NULL, LINES WHOLE, NULL, 0, NULL },
	{ cutter, 1, NULL, WHOLE, NULL, 0, NULL },
	{ cutter, 0, NULL, PYDANTIC, NULL, 0, NULL },
	{ cutter, 1, "k", MIXED, NULL, 0, NULL },
	{ cutter, 2, NULL, WHOLE LINES, NULL, 0, NULL },
};

int
main(void)
{
	NOMEM_CASES(cases);
	return CHECK_DONE("nomem_cut");
}
