/* SPDX-License-Identifier: MIT */
/* Counters, and counting; see ctx.h. */
#include "api/ctx_impl.h"

#include <stdlib.h>
#include <string.h>

#include "job/tally.h"

_Static_assert((int)CTX_LIB_EXACT == (int)CTX_EXACT &&
    (int)CTX_LIB_NOT_COUNTED == (int)CTX_NOT_COUNTED, "levels are the same");

/* Copy a name that may be NULL.  Returns 0, or -1 if out of memory. */
static int
copy(char **out, const char *name)
{
	return name != NULL && (*out = strdup(name)) == NULL ? -1 : 0;
}

struct ctx_lib_counter *
ctx_lib_counter_new(const char *model, const char *encoding,
    struct ctx_lib_err *err)
{
	struct ctx_lib_counter *c = calloc(1, sizeof(*c));
	struct ctx_err why = { 0 };

	if (c == NULL || copy(&c->model, model) == -1 ||
	    copy(&c->encoding, encoding) == -1) {
		ctx_fail_nomem(&why);
	} else {
		c->cost.overhead = CTX_OVERHEAD;
		c->cost.model_name = c->model;
		c->cost.encoding = c->encoding;
		if (ctx_cost_model(&c->cost, &why) == 0 &&
		    ctx_cost_open(&c->cost, &why) == 0)
			return c;
	}
	ctx_lib_counter_free(c);
	ctx_lib_fail(err, &why);
	return NULL;
}

void
ctx_lib_counter_free(struct ctx_lib_counter *c)
{
	if (c == NULL)
		return;
	ctx_cost_done(&c->cost);
	free(c->model);
	free(c->encoding);
	free(c);
}

void
ctx_lib_counter_begin(struct ctx_lib_counter *c)
{
	struct ctx_cost *k = &c->cost;

	memset(k->of, 0, sizeof(k->of));
	k->texts = 0;
	memset(k->used, 0, sizeof(k->used));
	k->unknown = k->guessed = 0;
	k->media = 0;
	k->to_cut = CTX_COST_CUT_NOTHING;
}

int
ctx_lib_count(struct ctx_lib_counter *c, const char *history, size_t len,
    struct ctx_lib_count *out, struct ctx_lib_err *err)
{
	struct ctx_tally_opts o = { .cost = &c->cost };
	struct ctx_lib_run r = { 0 };
	struct ctx_tally_sum sum;

	memset(out, 0, sizeof(*out));
	ctx_lib_counter_begin(c);
	r.job = ctx_tally_new(&o, &r.err);
	if (ctx_lib_run(&r, history, len) == 0) {
		sum = ctx_tally_take(r.job);
		out->tokens = sum.tokens;
		out->messages = sum.messages;
		out->others = r.job->turns.held.odd;
		out->level = (enum ctx_lib_level)ctx_cost_worst(&c->cost);
	}
	return ctx_lib_run_end(&r, NULL, err);
}

int
ctx_lib_count_text(struct ctx_lib_counter *c, const char *text, size_t len,
    uint64_t *tokens, struct ctx_lib_err *err)
{
	struct ctx_err why = { 0 };

	return ctx_cost_text(&c->cost, text, len, tokens, &why) == -1 ?
	    ctx_lib_fail(err, &why) : 0;
}
