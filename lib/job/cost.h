/* SPDX-License-Identifier: MIT */
/*
 * What a message costs: counted by a model's tokenizer or an encoding, or read
 * from a number in the message.  The jobs that count share this; each thread
 * has its own.
 */
#ifndef CTX_JOB_COST_H
#define CTX_JOB_COST_H

#include "token/claude.h"
#include "token/count.h"
#include "token/model.h"
#include "view/convo.h"

/*
 * Tokens besides the text, for a message and for its speaker's name.  From
 * OpenAI's Cookbook, "How to count tokens with tiktoken", section 6.
 */
#define CTX_OVERHEAD		4
#define CTX_NAME_OVERHEAD	1

/* What tokens are for, besides texts; system is not of the stream. */
enum ctx_of { CTX_OF_FRAMING, CTX_OF_TOOLS, CTX_OF_FORMAT, CTX_OF_IMAGES,
	CTX_OF_FILES, CTX_OF_SYSTEM, CTX_OF_RESERVE, CTX_OF_N };

struct ctx_charge;

/* What is cut by the count; what is left must not cost more than was counted. */
enum ctx_cost_cut {
	CTX_COST_CUT_NOTHING,
	CTX_COST_CUT_FRONT,
	CTX_COST_CUT_ANY	/* also the end or the middle, or a longer
				   history is to be cut in the same place:
				   thoughts that are free as soon as the user
				   says more are counted apart */
};

/* What is known of a conversation of message lines besides the convo. */
enum ctx_cost_lines {
	CTX_COST_LINES_SOME,	/* nothing */
	CTX_COST_LINES_TURN,	/* it is a turn, whose thoughts are counted
				   apart, and what came before */
	CTX_COST_LINES_ALL	/* it is the whole conversation */
};

struct ctx_cost {
	const char *model_name, *encoding;
	const char *key;		/* a message costs what this member
					   says; NULL: it is counted */
	uint64_t overhead;
	int flat;			/* a message costs overhead besides its
					   texts, also if more is known */
	enum ctx_cost_cut to_cut;
	enum ctx_cost_lines lines;
	int before;			/* of a turn: 1 + the role of the message
					   before it; 0: there is none */
	struct {			/* what ctx_charge_past found out: between
					   these messages of c, or up to the
					   end (CTX_NONE), no user speaks */
		const struct ctx_convo *c;
		uint32_t from, next;
	} quiet;
	uint64_t thoughts;		/* of the message that was counted last,
					   if they are counted apart */
	int sealed;			/* those were guessed */
	struct ctx_models *models;
	struct ctx_choice choice;	/* choice.model is NULL if unknown */
	struct ctx_counter counter;
	struct ctx_claude claude;	/* if open, it counts texts instead */
	struct ctx_ratio scale;		/* of texts, besides; den 0: none */
	uint64_t of[CTX_OF_N];		/* tokens counted so far, of each, */
	uint64_t texts;			/* and of texts, before scale */
	const struct ctx_charge *charge;	/* the rule that is used, */
	const struct ctx_charge *used[2];	/* and those that have been,
						   the second one for the
						   Responses API */
	const struct ctx_charge *rows[2];	/* those that were looked up:
					   for the Responses API or not */
	int found[2];
	int unknown;			/* a request had what its API charges
					   for, but does not show: it costs
					   at least what was counted */
	int guessed;			/* it had what is estimated without
					   its text: sealed reasoning */
	int ready;			/* the choice has been made */
	int borrowed;			/* choice.tok belongs to another */
	enum ctx_level media;		/* the worst of a file so far, or 0 */
	/*
	 * If set: returns 1 and the tokens of a string that was already
	 * counted, else 0.
	 */
	int (*known)(void *arg, struct ctx_str s, uint64_t *n);
	void *known_arg;
};

/*
 * Make what counts by k->choice, whose tokenizer is open.  Returns 0, or -1
 * with *err.
 */
int	ctx_cost_begin(struct ctx_cost *k, struct ctx_err *err) CTX_CHECKED;

/*
 * Choose what counts: first what k->model_name needs, if that is set, with
 * k->choice saying what was found; then k->encoding instead, if that is set, or
 * o200k_base without either, and begin.  Both return 0, or -1 with *err:
 * CTX_EUSAGE for a name that is not known.  After a failure, too, k is for
 * ctx_cost_done.
 */
int	ctx_cost_model(struct ctx_cost *k, struct ctx_err *err) CTX_CHECKED;
int	ctx_cost_open(struct ctx_cost *k, struct ctx_err *err) CTX_CHECKED;

/* How far off a count is; NULL if nobody knows. */
const struct ctx_margin *ctx_cost_margin(const struct ctx_cost *k);
/* The level of one part, CTX_OF_N for texts. */
enum ctx_level ctx_cost_level(const struct ctx_cost *k, enum ctx_of of);
/* The level of the worst part of what was counted. */
enum ctx_level ctx_cost_worst(const struct ctx_cost *k);

/*
 * Make k a copy for another thread, with a counter of its own for the tokenizer
 * of from, which must outlive it.  Returns 0, or -1 with *err.
 */
int	ctx_cost_like(struct ctx_cost *k, const struct ctx_cost *from,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_cost_done(struct ctx_cost *k);

/* Tokens of a text that were counted otherwise, by the scale of k. */
uint64_t ctx_cost_scaled(struct ctx_cost *k, uint64_t n);

/*
 * Count the tokens of a text as the model of k does: all that is counted for it
 * goes through here.  Returns 0, or -1 with *err.
 */
int	ctx_cost_text(struct ctx_cost *k, const char *text, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * The same for a JSON value, in its shortest spelling.  tall: it is indented as a
 * part of a document, which is not what is sent.
 */
int	ctx_cost_value(struct ctx_cost *k, struct ctx_str json, int tall,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/* The same for the contents of a JSON string. */
int	ctx_cost_json(struct ctx_cost *k, const char *s, size_t len,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/* The same for many of them.  Returns 0, or -1 with *err. */
int	ctx_cost_json_all(struct ctx_cost *k, struct ctx_counted *of, size_t n,
	    struct ctx_err *err) CTX_CHECKED;

/* Add the tokens of string contents s to *n.  Returns 0, or -1 with *err. */
int	ctx_cost_add(struct ctx_cost *k, struct ctx_str s, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Count the tokens of part i's text and, for a call, of its name.  Returns 0,
 * or -1 with *err.
 */
int	ctx_cost_part(struct ctx_cost *k, const struct ctx_convo *c, uint32_t i,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/* Count the tokens of message m with its overhead.  0, or -1 with *err. */
int	ctx_cost_msg(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
	    uint64_t *n, struct ctx_err *err) CTX_CHECKED;

/*
 * Find the number that ctx-count --annotate left under key in message m, or in
 * the record around it (in a session file), of up to 10 digits.  Returns its node
 * with *n, or CTX_NONE.
 */
uint32_t ctx_cost_member(const struct ctx_convo *c, uint32_t m,
	    const char *key, uint64_t *n);

#endif
