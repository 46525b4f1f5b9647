/* SPDX-License-Identifier: MIT */
/*
 * What a message costs: by a model's tokenizer, by an encoding, or by a number
 * that the message carries.  Shared by the jobs that count; one a thread.
 */
#ifndef CTX_JOB_COST_H
#define CTX_JOB_COST_H

#include "token/count.h"
#include "token/model.h"
#include "view/convo.h"

/*
 * Tokens besides the text, of a message and of its speaker's name: OpenAI's
 * Cookbook, "How to count tokens with tiktoken", section 6.
 */
#define CTX_OVERHEAD		4
#define CTX_NAME_OVERHEAD	1

struct ctx_cost {
	const char *model_name, *encoding;
	const char *key;		/* a message costs what this member of
					   it says; NULL: it is counted */
	uint64_t overhead;
	struct ctx_models *models;
	struct ctx_choice choice;	/* choice.model: NULL if not known */
	struct ctx_counter counter;
	int ready;			/* the choice is made */
	int borrowed;			/* choice.tok is another's */
	/* Unless NULL: 1 and the tokens of a string that is counted already. */
	int (*known)(void *arg, struct ctx_str s, uint64_t *n);
	void *known_arg;
};

/*
 * One for another thread, with a counter of its own for the tokenizer of from,
 * which outlives it.  0, or -1 with *err.
 */
int	ctx_cost_like(struct ctx_cost *k, const struct ctx_cost *from,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_cost_done(struct ctx_cost *k);

/* Add the tokens of s, a string's contents, to *n.  -1 with *err. */
int	ctx_cost_add(struct ctx_cost *k, struct ctx_str s, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

/* Tokens of part i's text and, of a call, its name.  -1 with *err. */
int	ctx_cost_part(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/* Tokens of message m, its overhead included.  -1 with *err. */
int	ctx_cost_msg(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * The number that message m carries under key, or the record around it (a
 * session file's), as ctx-count --annotate leaves it there: 1 and *n, or 0.
 */
int	ctx_cost_carried(const struct ctx_convo *c, uint32_t m,
	    const char *key, uint64_t *n);

#endif
