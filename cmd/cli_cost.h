/* SPDX-License-Identifier: MIT */
/*
 * What a message costs: by a model's tokenizer, by an encoding, or by a number
 * that the message carries.  Shared by the commands that count.
 */
#ifndef CTX_CMD_CLI_COST_H
#define CTX_CMD_CLI_COST_H

#include "cli.h"
#include "token/count.h"
#include "token/model.h"
#include "view/convo.h"

/*
 * Tokens besides the text, of a message and of its speaker's name: OpenAI's
 * Cookbook, "How to count tokens with tiktoken", section 6.
 */
#define CLI_OVERHEAD		4
#define CLI_NAME_OVERHEAD	1

struct cli_cost {
	const char *model_name, *encoding, *key;
	uint64_t overhead;
	struct ctx_models *models;
	struct ctx_choice choice;	/* choice.model: NULL if not known */
	struct ctx_counter counter;
	int ready;
	/* Unless NULL: 1 and the tokens of a string that is counted already. */
	int (*known)(void *arg, struct ctx_str s, uint64_t *n);
	void *known_arg;
};

/*
 * The shared options, of a struct cli_cost: all of them, or only those that say
 * what counts.
 */
extern const struct cli_opt cli_cost_opts[], cli_model_opts[];

void	cli_cost_init(struct cli_cost *k);
/*
 * Open what counts: the encoding, else the model's, else o200k_base.  Ends the
 * process on an unknown name (exit 2) or a missing table (exit 4).
 */
void	cli_cost_open(struct cli_cost *k, struct cli *c);
void	cli_cost_done(struct cli_cost *k);

/* "exact, o200k_base" */
const char *cli_cost_level(const struct cli_cost *k, char *out, size_t size);

/* Add the tokens of s, a string's contents, to *n.  -1 with *err. */
int	cli_cost_add(struct cli_cost *k, struct ctx_str s, uint64_t *n,
	    struct ctx_err *err);

/* Tokens of part i's text and, of a call, its name.  -1 with *err. */
int	cli_cost_part(struct cli_cost *k, const struct ctx_convo *c, uint32_t i,
	    uint64_t *n, struct ctx_err *err);

/* Tokens of message m, its overhead included.  -1 with *err. */
int	cli_cost_msg(struct cli_cost *k, const struct ctx_convo *c, uint32_t m,
	    uint64_t *n, struct ctx_err *err);

#endif
