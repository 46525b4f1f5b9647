/* SPDX-License-Identifier: MIT */
/*
 * The budget of a history (job/budget.h) from options and variables.
 *
 * Names: cli_window.
 */
#ifndef CTX_CMD_CLI_BUDGET_H
#define CTX_CMD_CLI_BUDGET_H

#include "cli_tools.h"
#include "job/budget.h"

/* The shared options; their values go to a struct ctx_budget. */
extern const struct cli_opt cli_budget_opts[];

/* Set defaults and the values of variables; an invalid one ends with exit 2. */
void	cli_budget_init(struct ctx_budget *b, struct cli *c);
/*
 * The budget.  Opens the tokenizer, since -m may name a model with a window.
 * The prompt of along, if it is not NULL and has one, takes the place of the
 * estimate.  Ends with exit 2 if nothing is left of the window.
 */
uint64_t cli_budget_tokens(struct ctx_budget *b, const struct cli_along *along,
	    struct ctx_cost *k, struct cli *c);

/* Set *window to CONTEXT_WINDOW_TOKENS, if that is set. */
void	cli_window_init(uint64_t *window, struct cli *c);
/*
 * The window: what the user gave, unless that is 0, else that of k's model,
 * else 128000.  Warns of what is larger than the model's own, and of a model
 * whose window is not known.
 */
uint64_t cli_window(uint64_t given, const struct ctx_cost *k, struct cli *c);

#endif
