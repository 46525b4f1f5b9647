/* SPDX-License-Identifier: MIT */
/*
 * The jobs of ctx-convert and ctx-digest-files that run out of memory; see
 * jobs_nomem.h.
 */
#include "jobs_nomem.h"

#include "job/convert_job.h"
#include "job/digest_job.h"

static struct ctx_job *
converter(int how, struct ctx_err *err)
{
	static const char *const to[] = { "anthropic", "gemini", "sharegpt",
	    "openai-responses", "text", "langchain", "pydantic-ai", "ai-sdk",
	    "openai" };
	struct ctx_convert_job_opts opts = { .report = how % 2,
	    .to = ctx_target_find(to[how]) };

	if (how == 0) {
		opts.request = 1;
		opts.want.model = "claude-x";
		opts.want.max_output = 100;
		opts.want.tools = &tools;
	}
	if (how == 2)
		opts.strict = 1;
	if (how == 4) {
		opts.cost = &cost;
		opts.budget = 50;
	}
	return ctx_convert_job_new(&opts, err);
}

static struct ctx_job *
digester(int how, struct ctx_err *err)
{
	struct ctx_digest_job_opts opts = { .width = 240, .keep = how,
	    .reads.writes = 1 };

	return ctx_digest_job_new(&opts, err);
}

static const struct nomem_case cases[] = {
	{ converter, 0, NULL, WHOLE LINES, NULL, 0, NULL },
	{ converter, 1, NULL, WHOLE, NULL, 1, NULL },
	{ converter, 1, NULL, WHOLE BLOCKS, NULL, 0, NULL },
	{ converter, 2, NULL, WHOLE TURNS(1), NULL, 0, NULL },
	{ converter, 3, NULL, LINES, NULL, 0, NULL },
	{ converter, 4, "k", MIXED WHOLE, NULL, 0, NULL },
	{ converter, 5, NULL, BLOCKS, NULL, 0, NULL },
	{ converter, 6, NULL, BLOCKS, NULL, 0, NULL },
	{ converter, 7, NULL, BLOCKS, NULL, 0, NULL },
	{ converter, 8, NULL, BLOCKS, NULL, 0, NULL },
	{ digester, 0, NULL, LINES, NULL, 0, NULL },
	{ digester, 1, NULL, WHOLE, NULL, 0, NULL },
};

int
main(void)
{
	NOMEM_CASES(cases);
	return CHECK_DONE("nomem_convert");
}
