/* SPDX-License-Identifier: MIT */
/* The token budget of a history; see cli_budget.h. */
#include "cli_budget.h"

#include <inttypes.h>

#define OPT_OF struct ctx_budget
const struct cli_opt cli_budget_opts[] = {
	OPT_NUM(0, "window", "N", window, 1, UINT32_MAX,
	    "window in tokens (default that of the model)"),
	OPT_NUM(0, "reserve", "N", reserve, 0, UINT32_MAX,
	    "with -m: tokens reserved for the answer (default 4096)"),
	OPT_NUM(0, "system-estimate", "N", system, 0, UINT32_MAX,
	    "with -m: tokens reserved for system messages (default 2000)",
	    .excludes = "system"),
	OPT_RATIO(0, "ratio", "R", ratio,
	    "with -m: share of the rest for the history (default 0.60)"),
	OPT_END
};
#undef OPT_OF

void
cli_window_init(uint64_t *window, struct cli *c)
{
	struct ctx_err err = { 0 };

	cli_must(c, ctx_env_num("CONTEXT_WINDOW_TOKENS", 1, UINT32_MAX,
	    window, &err), &err);
}

uint64_t
cli_window(uint64_t given, const struct ctx_cost *k, struct cli *c)
{
	const struct ctx_model *m = k->choice.model;
	uint64_t own = m != NULL ? m->window : 0;

	if (given != 0 && own != 0 && given > own)
		cli_warn(c, "a window of %" PRIu64 " tokens is larger than "
		    "that of the model, %" PRIu64 " (--window and "
		    "CONTEXT_WINDOW_TOKENS set it)", given, own);
	if (given != 0 || own != 0)
		return given != 0 ? given : own;
	if (k->model_name != NULL)
		cli_warn(c, "the context window of this model is not known; "
		    "assuming %d tokens (--window and CONTEXT_WINDOW_TOKENS "
		    "set it)", CTX_BUDGET_WINDOW);
	return CTX_BUDGET_WINDOW;
}

void
cli_budget_init(struct ctx_budget *b, struct cli *c)
{
	struct ctx_err err = { 0 };

	*b = (struct ctx_budget)CTX_BUDGET_DEFAULT;
	cli_window_init(&b->window, c);
	cli_must(c, ctx_env_num("OUTPUT_TOKEN_RESERVE", 0, UINT32_MAX,
	    &b->reserve, &err), &err);
	cli_must(c, ctx_env_num("SYSTEM_PROMPT_TOKEN_ESTIMATE", 0, UINT32_MAX,
	    &b->system, &err), &err);
	cli_must(c, ctx_env_ratio("HISTORY_TOKEN_BUDGET_RATIO", &b->ratio,
	    &err), &err);
}

uint64_t
cli_budget_tokens(struct ctx_budget *b, const struct cli_along *along,
    struct ctx_cost *k, struct cli *c)
{
	struct ctx_err err = { 0 };
	uint64_t n = 0;

	cli_cost_open(k, c);
	b->window = cli_window(b->window, k, c);
	if (along != NULL && along->along.system != NULL)
		b->system = cli_along_system(along, k, c);
	cli_must(c, ctx_budget_tokens(b, &n, &err), &err);
	return n;
}
