/* SPDX-License-Identifier: MIT */
/* Where a turn ends, and what it waits for; see turn.h. */
#include "view/turn.h"

int
ctx_flow_ends(const struct ctx_flow *f, unsigned rules,
    const struct ctx_msg *m)
{
	if (m->flags & CTX_BOUNDARY)
		return 1;
	if (f->hold == CTX_HOLD_LEADS && m->role != CTX_ASSISTANT)
		return 1;
	if (m->role != CTX_ASSISTANT || m->flags & CTX_JOINED ||
	    f->state < CTX_FLOW_FOLLOWED)
		return 0;
	if (!(rules & CTX_RULE_ANYWHERE) || f->open == 0)
		return 1;
	/* in a log, calls that a user interrupts are never answered */
	return rules & CTX_RULE_LOG && f->state == CTX_FLOW_SPOKEN;
}

int
ctx_flow_resumes(const struct ctx_flow *f, const struct ctx_convo *c,
    uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_part *first;

	if (f->hanging == 0 || msg->role != CTX_ASSISTANT || msg->npart == 0)
		return 0;
	first = &c->part[msg->part];
	return first->kind == CTX_RESULT && first->flags & CTX_SERVER;
}

/* The state after a message of that role; words: it has a user's own text. */
static enum ctx_flow_state
next_state(enum ctx_flow_state state, enum ctx_role role, int words)
{
	if (role == CTX_ASSISTANT)
		return state == CTX_FLOW_BEFORE ? CTX_FLOW_SAID : state;
	if (state == CTX_FLOW_BEFORE || state == CTX_FLOW_SPOKEN)
		return state;
	return words ? CTX_FLOW_SPOKEN : CTX_FLOW_FOLLOWED;
}

void
ctx_flow_add(struct ctx_flow *f, const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_part *p;
	int words = 0, hanging = 0;
	uint32_t i;

	for (i = 0; i < msg->npart; i++) {
		p = &c->part[msg->part + i];
		/* the provider answers its own calls in the same message */
		if (p->flags & CTX_SERVER)
			hanging += p->kind == CTX_CALL ? 1 :
			    p->kind == CTX_RESULT ? -1 : 0;
		if (p->flags & (CTX_INNER | CTX_SERVER))
			continue;
		if (p->kind == CTX_CALL) {
			f->hold = CTX_HOLD_CALLS;
			f->open++;
		} else if (p->kind == CTX_RESULT) {
			if (f->open > 0)
				f->open--;
		} else if (msg->role == CTX_USER)
			words = 1;
	}
	if (hanging > 0)
		f->hold = CTX_HOLD_CALLS;
	if (hanging >= 0)
		f->hanging += (uint32_t)hanging;
	else
		f->hanging -= f->hanging < (uint32_t)-hanging ? f->hanging :
		    (uint32_t)-hanging;
	f->state = next_state(f->state, msg->role, words);
}
