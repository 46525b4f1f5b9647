/* SPDX-License-Identifier: MIT */
/* Internals that charge.c and charge_request.c share. */
#ifndef CTX_JOB_CHARGE_IMPL_H
#define CTX_JOB_CHARGE_IMPL_H

#include "job/charge.h"

/*
 * How many messages are looked at on each side of one, for the calls and results
 * of its turn: what lies farther apart is not counted as one.
 */
#define CTX_CHARGE_NEAR	256

/* And how many parts and messages, for the call of a result. */
#define CTX_CHARGE_PARTS	4096

/* Tokens of Anthropic's for a first turn that is the assistant's. */
#define CTX_CHARGE_OPENED	12

/* A request that is counted. */
struct ctx_charge_request {
	struct ctx_cost *k;
	const struct ctx_charge *r;
	const struct ctx_convo *c;
	struct ctx_doc doc;
	uint32_t node;		/* the object with its members, or CTX_NONE */
	const struct ctx_tools *tools;
	const struct ctx_doc *defs;	/* where the list of tools is, */
	uint32_t list;			/* at this node, or CTX_NONE */
	const struct ctx_convo *system;	/* of ctx_along, or NULL */
	struct ctx_charges *out;
};

/* The two calls of charge.h by Anthropic's rule. */
int	ctx_charge_anthropic_msg(struct ctx_cost *k, const struct ctx_charge *r,
	    const struct ctx_convo *c, uint32_t m, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_charge_anthropic_request(struct ctx_charge_request *q,
	    struct ctx_err *err) CTX_CHECKED;

/* Is message m one of message lines? */
static inline int
ctx_charge_is_line(const struct ctx_convo *c, uint32_t m)
{
	return c->rec[c->msg[m].rec].shape != CTX_REC_CONVERSATION;
}

/*
 * Where the thoughts of message m are counted, which are charged until a user
 * speaks: n, apart, or nowhere.
 */
uint64_t *ctx_charge_thoughts(struct ctx_cost *k, const struct ctx_convo *c,
	    uint32_t m, int (*speaks)(const struct ctx_convo *c, uint32_t m),
	    uint64_t *n);

/*
 * The role of the message before m, which may be in an earlier turn.  Returns 0 if
 * there is none.
 */
int	ctx_charge_before(const struct ctx_cost *k, const struct ctx_convo *c,
	    uint32_t m, enum ctx_role *role);

/* Does a document in c ask Anthropic for citations, which a request pays for? */
int	ctx_charge_anthropic_cites(const struct ctx_convo *c);

/* ctx_charge_speaks of each rule */
int	ctx_charge_anthropic_speaks(const struct ctx_convo *c, uint32_t m);
int	ctx_charge_google_speaks(const struct ctx_convo *c, uint32_t m);

/* The name of the tool whose result part i is; .p is NULL if it is not known. */
struct ctx_str	ctx_charge_tool(const struct ctx_convo *c, uint32_t i);

/* The first system message, or CTX_NONE. */
uint32_t	ctx_charge_system(const struct ctx_convo *c);

/* Count a text, and release it.  Returns 0, or -1 with *err. */
int	ctx_charge_text(struct ctx_cost *k, struct ctx_buf *text, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

/* What charge.h says of ctx_charge_msg, for a row of Google's. */
int	ctx_charge_google_msg(struct ctx_cost *k, const struct ctx_charge *r,
	    const struct ctx_convo *c, uint32_t m, uint64_t *n,
	    struct ctx_err *err) CTX_CHECKED;

/* The same of ctx_charge_request; each as there. */
int	ctx_charge_google_request(struct ctx_charge_request *q, uint64_t *each,
	    struct ctx_err *err) CTX_CHECKED;

#endif
