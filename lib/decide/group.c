/* SPDX-License-Identifier: MIT */
/* Groups of messages; see group.h. */
#include "decide/group.h"

#include <stdlib.h>

/* The last message that holds a result of one of message m's calls. */
static uint32_t
reach(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_part *p;
	uint32_t i, last = m, mate;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (p->kind != CTX_CALL || p->mate == CTX_NONE)
			continue;
		mate = c->part[p->mate].msg;
		if (mate > last)
			last = mate;
	}
	return last;
}

/*
 * Has message m of a session only results that no call asks for?  Gemini CLI
 * writes each result again when it resumes one.
 */
static int
unasked(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_dialect *d = ctx_msg_dialect(c, m);
	const struct ctx_part *p;
	uint32_t i, n = 0;

	if (d == NULL || d->branches == NULL)
		return 0;
	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (p->kind == CTX_HOLLOW || p->kind == CTX_COPY)
			continue;
		if (p->kind != CTX_RESULT || p->mate != CTX_NONE)
			return 0;
		n++;
	}
	return n > 0;
}

int
ctx_groups_find(struct ctx_groups *g, struct ctx_convo *c,
    struct ctx_err *err)
{
	uint32_t m, end = 0, r;

	if (ctx_pair(&g->pairer, c, err) == -1)
		return -1;
	if (CTX_ROOM(g->more, c->nmsg, &g->capmore) == -1)
		return ctx_fail_nomem(err);
	for (m = 0; m < c->nmsg; m++) {
		g->more[m] = m > 0 &&
		    (m <= end || c->msg[m].flags & CTX_JOINED ||
		    unasked(c, m));
		if ((r = reach(c, m)) > end)
			end = r;
	}
	return 0;
}

void
ctx_groups_done(struct ctx_groups *g)
{
	ctx_pairer_done(&g->pairer);
	free(g->more);
}
