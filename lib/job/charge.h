/* SPDX-License-Identifier: MIT */
/*
 * What an API charges for a request besides the texts in it: the framing of its
 * messages, calls and results, the declarations of its tools, and the form that
 * the answer must have.  No API documents this whole; each row of the table
 * names what its rule rests on.
 */
#ifndef CTX_JOB_CHARGE_H
#define CTX_JOB_CHARGE_H

#include "edit/tools.h"
#include "job/cost.h"

enum ctx_charge_rule {
	CTX_CHARGE_OPENAI,	/* messages with roles; functions are declared
				   as TypeScript */
	CTX_CHARGE_ANTHROPIC,	/* turns; tools bring a system prompt */
	CTX_CHARGE_GOOGLE	/* contents with parts, each counted alone */
};

/* How Google writes functions, calls and results into the prompt. */
enum ctx_charge_form {
	CTX_FORM_TEXTS,		/* only the strings in them */
	CTX_FORM_PYTHON,
	CTX_FORM_CONTROL	/* strings and all between control tokens */
};

/* One API and generation of models.  All numbers are tokens. */
struct ctx_charge {
	const char *provider;
	const char *models;	/* beginnings of their names, with a space after
				   each; "" is all others of the provider */
	int items;		/* of the Responses API, whose messages, calls
				   and results are items of one list */
	enum ctx_charge_rule rule;
	unsigned whole;		/* a request */
	unsigned message;	/* a message, including its role */
	unsigned answer;	/* more, if it is the assistant's */
	unsigned result;	/* a result, besides the name of its tool */
	unsigned call;		/* a call with its framing */
	unsigned call_id;	/* more, for a call that is not one of several
				   and has an id of its own */
	int tools;		/* a request with tools */
	unsigned several;	/* calls at once: framing of all, if the API
				   renders them as one; 0: it does not */
	int harmony;		/* the declarations are a message of their own,
				   which begins before the functions; of
				   Anthropic's models, from 4.7 on */
	/* how far off counts are, without tools and schemas, and with them */
	struct ctx_margin plain, tooled;
	unsigned sealed;	/* 300 bytes of what holds the thoughts of a
				   model: Google's signature, decoded, or
				   OpenAI's content in base64, */
	unsigned sealed_from;	/* without the first of them */
	/* of Google: */
	enum ctx_charge_form form;
	unsigned server;	/* a tool of its own that works in the prompt */
	int streamed;		/* only if the signature is of a stream */
	int keeps;		/* thoughts of earlier turns count too */
	const char *source;	/* of the numbers, with a date */
};

/*
 * The row for conversation c, whose dialect says which API it is for; NULL if no
 * rule is known, or --overhead says what a message costs.
 */
const struct ctx_charge *ctx_charge_of(struct ctx_cost *k,
	    const struct ctx_convo *c);

/*
 * Move what from has counted for, and how well, to to: a thread's to that of the
 * whole.  NULL: it is forgotten.
 */
void	ctx_charge_learn(struct ctx_cost *to, struct ctx_cost *from);

/* What goes out with each conversation and does not stand in it. */
struct ctx_along {
	const struct ctx_tools *tools;	/* instead of its own definitions; NULL
					   or empty: those count */
	const struct ctx_doc *defs;	/* with the list of tools at its root */
	const struct ctx_convo *system;	/* one message, before all others; NULL:
					   none */
};

/* What a request costs besides its messages. */
struct ctx_charges {
	uint64_t system;	/* the message of ctx_along */
	uint64_t framing;
	uint64_t tools;		/* definitions, with what comes with them */
	uint64_t format;	/* the schema of the answer */
	uint64_t cut;		/* the most that the rest costs more if its
				   beginning is cut off: what was the end of a
				   turn is then one */
	uint64_t begun;		/* and if its end is: the last message is an
				   answer that is begun */
};

/* All of it. */
static inline uint64_t
ctx_charges_sum(const struct ctx_charges *n)
{
	return n->system + n->framing + n->tools + n->format;
}

/*
 * Count what the request costs that c begins or is, besides its messages: what
 * stands in c's record, and along, unless that is NULL.  each, if not NULL, has
 * room for the cost of every tool of along.  Returns 0, or -1 with *err.
 */
int	ctx_charge_request(struct ctx_cost *k, const struct ctx_convo *c,
	    const struct ctx_along *along, struct ctx_charges *out,
	    uint64_t *each, struct ctx_err *err) CTX_CHECKED;

/* A conversation of message lines, from one turn to the next. */
struct ctx_charged {
	const struct ctx_charge *by;	/* how its request was charged */
	int yes;		/* it was */
	int settled;		/* and its dialect was known */
	int cites;		/* a document of it asks for citations */
	int before;		/* 1 + the role of its last message */
};

/*
 * Turn c of it is counted next.  Returns 1 if its request is to be charged now: if
 * c is the first turn that has a message, or the first one that asks for citations,
 * or settles the dialect, and another rule than was used counts then.  The caller
 * charges it in place of what was charged before.
 */
int	ctx_charge_turn(struct ctx_cost *k, struct ctx_charged *so_far,
	    const struct ctx_convo *c);

/*
 * Does a user say something in message m of c, so that thoughts before it are free
 * by the rule of row r?
 */
int	ctx_charge_speaks(const struct ctx_charge *r, const struct ctx_convo *c,
	    uint32_t m);

/*
 * Count message m of c by row r: its texts, calls and results with their
 * framing.  Returns 0, or -1 with *err.
 */
int	ctx_charge_msg(struct ctx_cost *k, const struct ctx_charge *r,
	    const struct ctx_convo *c, uint32_t m, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

#endif
