/* SPDX-License-Identifier: MIT */
/*
 * The options of the commands that count: which tokenizer, and what a message
 * costs.
 */
#ifndef CTX_CMD_CLI_COST_H
#define CTX_CMD_CLI_COST_H

#include "cli.h"
#include "job/cost.h"

/*
 * The shared options for a struct ctx_cost: all of them, or only those that
 * choose the tokenizer.
 */
extern const struct cli_opt cli_cost_opts[], cli_model_opts[];

void	cli_cost_init(struct ctx_cost *k);
/*
 * Open the tokenizer: the given encoding, else the model's, else o200k_base.
 * Ends the process on an unknown name (exit 2) or a missing table (exit 4).
 */
void	cli_cost_open(struct ctx_cost *k, struct cli *c);

/* For programs: "exact: o200k_base", "estimate: o200k_base -1 to +6 %". */
const char *cli_cost_level(const struct ctx_cost *k, char *out, size_t size);

/*
 * The same for people, as a part of a sentence: "counted exactly, with
 * o200k_base"; nothing is exact without a model.
 */
const char *cli_cost_words(const struct ctx_cost *k, char *out, size_t size);
#define CLI_COST_WORDS	200

#endif
