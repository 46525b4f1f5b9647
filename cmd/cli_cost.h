/* SPDX-License-Identifier: MIT */
/* The options of the commands that count: which tokenizer, what a message costs. */
#ifndef CTX_CMD_CLI_COST_H
#define CTX_CMD_CLI_COST_H

#include "cli.h"
#include "job/cost.h"

enum {
	CLI_OVERHEAD_OPT = CLI_LONG + 950, CLI_COST_OPT
};
#define CLI_COST_OPTS \
	{ 'm', "model", "NAME", "the model that reads the result" }, \
	{ 'e', "encoding", "NAME", "tokenizer by name or file" }, \
	{ CLI_OVERHEAD_OPT, "overhead", "N", \
	    "tokens added for each message (4)" }, \
	{ CLI_COST_OPT, "cost", "KEY", \
	    "a message costs what this member of it says" }

/*
 * The shared options, of a struct ctx_cost: all of them, or only those that say
 * what counts.
 */
extern const struct cli_opt cli_cost_opts[], cli_model_opts[];

void	cli_cost_init(struct ctx_cost *k);
/* Take one of CLI_COST_OPTS; 0 if opt is none of them. */
int	cli_cost_opt(struct ctx_cost *k, struct cli *c, int opt);

/*
 * Open what counts: the encoding, else the model's, else o200k_base.  Ends the
 * process on an unknown name (exit 2) or a missing table (exit 4).
 */
void	cli_cost_open(struct ctx_cost *k, struct cli *c);

/* "exact, o200k_base" */
const char *cli_cost_level(const struct ctx_cost *k, char *out, size_t size);

#endif
