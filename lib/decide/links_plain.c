/* SPDX-License-Identifier: MIT */
/*
 * Turns in which nothing has to change, which are almost all: one look at each
 * message and part instead of the steps of links.c and order.c.
 */
#include "decide/links_step.h"

/* With more parts in a message, ids are compared by a table. */
#define MANY	16

/* What has been seen of a turn. */
struct sight {
	uint32_t run;		/* the last assistant message; CTX_NONE: none */
	int results, rest;	/* after it came results, something else */
	uint32_t call;		/* the last call with an id; CTX_NONE: none */
};

/* Is call i answered, and its id not one of a call before it? */
static int
plain_call(const struct step *s, uint32_t i, struct sight *seen)
{
	const struct ctx_part *p = &s->c->part[i], *other;
	uint32_t k = s->c->msg[p->msg].part;

	if (p->mate == CTX_NONE)
		return 0;
	if (!(s->rules & CTX_RULE_UNIQUE_IDS) || p->id.p == NULL)
		return 1;
	if (seen->call != CTX_NONE) {
		if (s->c->part[seen->call].msg != p->msg || i - k > MANY)
			return 0;
		for (; k < i; k++) {
			other = &s->c->part[k];
			if (other->kind == CTX_CALL && other->id.p != NULL &&
			    ctx_str_same(other->id, p->id))
				return 0;
		}
	}
	seen->call = i;
	return 1;
}

/* Does part i stay as it is? */
static int
plain_part(const struct step *s, uint32_t i, struct sight *seen)
{
	const struct ctx_part *p = &s->c->part[i];

	if (s->plan->drop_part[i] || p->kind == CTX_HOLLOW ||
	    ctx_step_empty_text(s, i))
		return 0;
	return p->kind == CTX_CALL ? plain_call(s, i, seen) :
	    p->kind != CTX_RESULT || p->mate != CTX_NONE;
}

/*
 * Is message m, after the assistant's, where it must be?  A message with
 * results must have nothing else, and come directly after its calls.
 */
static int
plain_place(const struct step *s, uint32_t m, struct sight *seen)
{
	const struct ctx_part *p;
	uint32_t i, results = 0, other = 0;

	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (p->kind == CTX_RESULT && !(p->flags & CTX_SERVER)) {
			results++;
			if (s->c->part[p->mate].msg != seen->run)
				return 0;
		} else if (!(p->flags & CTX_INNER) || p->kind == CTX_RESULT)
			other++;
	}
	seen->results |= results > 0;
	seen->rest |= results == 0;
	return results == 0 || (other == 0 && !seen->rest);
}

static int
plain_message(const struct step *s, uint32_t m, struct sight *seen)
{
	const struct ctx_msg *msg = &s->c->msg[m];
	uint32_t i;

	if (s->plan->drop_msg[m])
		return 0;
	CTX_FOR_PARTS(s->c, m, i)
		if (!plain_part(s, i, seen))
			return 0;
	if (!(msg->flags & CTX_FIXED) && ctx_step_empty(s, m))
		return 0;
	if (m < s->t.run ||
	    !(s->rules & (CTX_RULE_IN_USER | CTX_RULE_ADJACENT)))
		return 1;
	if (msg->role != CTX_ASSISTANT)
		return plain_place(s, m, seen);
	seen->run = m;
	return !seen->rest &&
	    !(s->rules & CTX_RULE_IN_USER && seen->results);
}

int
ctx_step_plain(const struct step *s, struct ctx_err *err)
{
	struct sight seen = { .run = CTX_NONE, .call = CTX_NONE };
	uint32_t m;

	if (s->rules & CTX_RULE_LEADS)
		return 0;
	for (m = s->t.from; m < s->t.end; m++)
		if (!plain_message(s, m, &seen))
			return 0;
	for (m = s->t.from; m < s->t.end; m++)
		if (ctx_plan_order(s->plan, m, err) == -1)
			return -1;
	return 1;
}
