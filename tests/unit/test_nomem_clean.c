/* SPDX-License-Identifier: MIT */
/* The job of ctx-clean that runs out of memory; see jobs_nomem.h. */
#include "jobs_nomem.h"

#include "job/clean.h"

static struct ctx_redact *redact;

static struct ctx_job *
cleaner(int how, struct ctx_err *err)
{
	struct ctx_clean_opts opts = { .links.unanswered = CTX_REPAIR };

	if (how == 1)
		opts.check = 1;
	if (how == 2) {
		opts.report = opts.merge = 1;
		opts.cost = &cost;
		opts.lean.redact = redact;
		opts.lean.result.max = 20;
		opts.lean.keep = 1;
		opts.lean.minify = opts.lean.squeeze = 1;
		opts.images.how = CTX_IMAGES_NOTE;
	}
	if (how == 3) {
		opts.report = 1;
		opts.cost = &cost;
		opts.lean.message.max = 10;
		opts.lean.message.tokens = 1;
		opts.lean.thinking = CTX_THINKING_DROP;
		opts.lean.dedupe = 5;
		opts.images.how = CTX_IMAGES_OUT;
		opts.images.url = "file:d";
		opts.links.unanswered = CTX_DROP;
	}
	return ctx_clean_new(&opts, err);
}

/* A result that moves to its call, with a text that changes on the way. */
#define MOVES "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":" \
	"\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":" \
	"\"f\",\"input\":{}}]},{\"role\":\"user\",\"content\":\"b\"},{\"role\":" \
	"\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\"," \
	"\"content\":\"[ 1234567890123456789, 1234567890123456789 ]\"}]}]}\n"

static const struct nomem_case cases[] = {
	{ cleaner, 2, NULL, MOVES, NULL, 0, NULL },
	{ cleaner, 0, NULL, FAULTY LINES, NULL, 0, NULL },
	{ cleaner, 1, NULL, FAULTY LINES, NULL, 0, NULL },
	{ cleaner, 2, NULL, FAULTY BLOCKS, NULL, 0, NULL },
	{ cleaner, 2, NULL, LINES, NULL, 0, NULL },
	{ cleaner, 3, NULL, WHOLE BLOCKS, NULL, 0, NULL },
	{ cleaner, 3, "k", MIXED, NULL, 1, NULL },
};

int
main(void)
{
	static const struct ctx_redact_opts secrets = {
	    .rules = "aws-access-key-id" };
	struct ctx_err err = { 0 };

	if ((redact = ctx_redact_new(&secrets, &err)) == NULL)
		return 1;
	NOMEM_CASES(cases);
	ctx_redact_free(redact);
	return CHECK_DONE("nomem_clean");
}
