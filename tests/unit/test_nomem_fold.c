/* SPDX-License-Identifier: MIT */
/* The job of ctx-summarize that runs out of memory; see jobs_nomem.h. */
#include "jobs_nomem.h"

#include "base/sha256.h"

/* Nothing before was as long as the answer. */
static int
answer(void *arg, struct ctx_fold_question *q, struct ctx_err *err)
{
	size_t i;

	(void)arg;
	for (i = 0; i < 100; i++)
		ctx_buf_adds(q->answer, "an answer that is long ");
	for (i = 0; i < q->nsaid; i++)
		ctx_buf_add(q->answer, q->said[i].text, q->said[i].len);
	return ctx_buf_fail(q->answer, err);
}

static int
recall(void *arg, struct ctx_fold_memo *m, struct ctx_err *err)
{
	static const char first[] = "{\"role\":\"user\",\"content\":\"a\","
	    "\"c\":9000}\n";
	static char hex[CTX_SHA256_HEX];

	(void)arg;
	(void)err;
	ctx_sha256_hex(first, sizeof(first) - 1, hex);
	m->summary = "what was said before";
	m->summarylen = strlen(m->summary);
	m->turns = m->upto = 1;
	m->sha256 = hex;
	return 1;
}

static int
remember(void *arg, const struct ctx_fold_memo *m, struct ctx_err *err)
{
	(void)arg;
	(void)m;
	(void)err;
	return 0;
}

static struct ctx_job *
folder(int how, struct ctx_err *err)
{
	static const enum ctx_fold_job_as as[] = { CTX_FOLD_AS_PAIR,
	    CTX_FOLD_AS_USER, CTX_FOLD_AS_SYSTEM };
	struct ctx_fold_job_opts opts = { .fold = { .last = 2, .min_fold = 1,
	    .budget = 10, .trigger = { 8, 10 }, .target = { 4, 10 } },
	    .max_tokens = 1000, .cost = &cost, .put_aside = 1,
	    .as = as[how % 3], .to = how == 3 ? CTX_FOLD_TO_TEXT :
	    CTX_FOLD_TO_STREAM };

	if (how == 6)
		opts.fold.last = 12;
	if (how == 4 || how == 5) {
		cost.key = "c";
		opts.ask = answer;
		opts.recall = recall;
		opts.remember = remember;
	}
	return ctx_fold_job_new(&opts, err);
}

static const struct nomem_case cases[] = {
	{ folder, 0, NULL, LINES, NULL, 0, NULL },
	{ folder, 1, "k", MIXED, NULL, 0, NULL },
	{ folder, 2, NULL, WHOLE, NULL, 1, NULL },
	{ folder, 3, NULL, LINES, NULL, 0, NULL },
	{ folder, 0, NULL, BLOCKS, NULL, 0, NULL },
	{ folder, 0, NULL, PYDANTIC, NULL, 0, NULL },
	{ folder, 6, NULL, LINES, NULL, 0, NULL },
	{ folder, 6, NULL, LINES LINES, NULL, 0, NULL },
	{ folder, 6, NULL, "{'messages':[" HISTORY("", ",") ","
	    HISTORY("", ",") "]}\n", NULL, 0, NULL },
	{ folder, 4, NULL, SUMMARY "\n" SAYS("user", "A") "\n"
	    SAYS("assistant", "b") "\n" SAYS("user", "c") "\n"
	    SAYS("assistant", "d") "\n", NULL, 0, NULL },
	{ folder, 4, NULL, SAYS("user", "a") "\n" SAYS("assistant", "b") "\n"
	    SAYS("user", "c") "\n" SAYS("assistant", "d") "\n", NULL, 0, NULL },
	{ folder, 4, NULL, SAYS("user", "a") "\n" SAYS("user", "c") "\n"
	    SAYS("assistant", "d") "\n", NULL, 0, NULL },
	{ folder, 4, NULL, COSTLY, NULL, 0, NULL },
	{ folder, 5, NULL, "{'messages':[" COSTLY_LIST "]}\n", NULL, 0, NULL },
};

int
main(void)
{
	NOMEM_CASES(cases);
	return CHECK_DONE("nomem_fold");
}
