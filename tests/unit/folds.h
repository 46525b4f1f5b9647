/* SPDX-License-Identifier: MIT */
/* Histories of a few messages that are folded, and who is asked about them. */
#ifndef CTX_TESTS_FOLDS_H
#define CTX_TESTS_FOLDS_H

#include "job/fold_job.h"

#include "check.h"
#include "jobs.h"

/* Each message costs 1000, as its member c says. */
#define USER(key, text)	"{" key "\"role\":\"user\",\"content\":\"" text \
			"\",\"c\":1000}"
#define ANSWER(key, text) "{" key "\"role\":\"assistant\",\"content\":\"" \
			text "\",\"c\":1000}"
#define HEAD		"[Context: Summary of earlier conversation ("
#define UNDERSTOOD	"Understood. I have the context from our earlier " \
			"conversation."
#define SUMMARY(key, role) "{" key "\"role\":\"" role "\",\"content\":\"" HEAD \
			"2 turns)]:\\nwhat a and b are\"}"
#define REPLY(key)	"{" key "\"role\":\"assistant\",\"content\":\"" \
			UNDERSTOOD "\"}"
#define FOUR(key)	USER(key, "a") "\n" ANSWER(key, "b") "\n" \
			USER(key, "c") "\n" ANSWER(key, "d") "\n"
#define TWO(key)	USER(key, "c") "\n" ANSWER(key, "d") "\n"
#define K1		"\"k\":1,"
#define K2		"\"k\":2,"

static struct ctx_cost cost;

static inline void
open_cost(void)
{
	struct ctx_err err = { 0 };

	cost.key = "c";
	cost.choice.tok = ctx_tok_open("chars", &err);
	cost.choice.factor = (struct ctx_ratio){ 1, 1 };
	CHECK_INT(ctx_counter_init(&cost.counter, cost.choice.tok, &err), 0);
	cost.counter.factor = cost.choice.factor;
	cost.ready = 1;
}

/* Options with which the last two messages stay. */
static inline struct ctx_fold_job_opts
two_stay(void)
{
	return (struct ctx_fold_job_opts){ .fold = { .last = 2,
	    .min_fold = 1, .budget = 10, .trigger = { 8, 10 },
	    .target = { 4, 10 } }, .max_tokens = 1000, .cost = &cost };
}

struct asked {
	const char *answer, *no;	/* no: the error instead */
	enum ctx_code code;
	struct ctx_buf said;		/* the questions: "kindtool:text;" */
};

static inline int
answer(void *arg, struct ctx_fold_question *q, struct ctx_err *err)
{
	struct asked *a = arg;
	size_t i;

	for (i = 0; i < q->nsaid; i++)
		ctx_buf_addf(&a->said, "%d%.*s:%.*s;", (int)q->said[i].kind,
		    (int)q->said[i].toollen, q->said[i].tool,
		    (int)q->said[i].len, q->said[i].text);
	if (a->no != NULL)
		return ctx_fail(err, a->code, "%s", a->no);
	ctx_buf_adds(q->answer, a->answer);
	return 0;
}

#endif
