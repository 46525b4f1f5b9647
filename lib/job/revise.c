/* SPDX-License-Identifier: MIT */
/* Messages kept, but not whole; see revise.h. */
#include "job/revise.h"

#include "decide/clear.h"
#include "decide/tail.h"

int
ctx_revise_may_part(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_part *p;

	if (msg->npart != 1 || (msg->flags & (CTX_FIXED | CTX_JOINED)) ||
	    (msg->role != CTX_USER && msg->role != CTX_ASSISTANT))
		return 0;
	p = &c->part[msg->part];
	return p->kind == CTX_TEXT && p->text != CTX_NONE &&
	    !(p->flags & CTX_RAW);
}

int
ctx_revise_gain(struct ctx_cost *k, const struct ctx_convo *c, uint32_t m,
    uint64_t *less, struct ctx_err *err)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_buf note = { 0 };
	uint64_t was = 0, is = 0, n;
	uint32_t i;
	int rc = 0;

	for (i = msg->part; i < msg->part + msg->npart && rc != -1; i++) {
		if (!ctx_clear_may(c, i))
			continue;
		ctx_buf_reset(&note);
		rc = ctx_clear_note(&note, ctx_part_text(c, i));
		if (rc == -1)
			ctx_fail_nomem(err);
		if (rc != 1)
			continue;
		if (ctx_cost_part(k, c, i, &n, err) == -1 ||
		    ctx_cost_add(k, (struct ctx_str){ note.data,
		    (uint32_t)note.len }, &is, err) == -1)
			rc = -1;
		else
			was += n;
	}
	/* a shorter text can have more tokens */
	*less = was > is ? was - is : 0;
	ctx_buf_done(&note);
	return rc == -1 ? -1 : 0;
}

static int
count(void *arg, struct ctx_str s, uint64_t *n, struct ctx_err *err)
{
	*n = 0;
	return ctx_cost_add(arg, s, n, err);
}

int
ctx_revise_plan(struct ctx_cost *k, struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, uint64_t room, struct ctx_err *err)
{
	uint32_t part = c->msg[m].part;
	struct ctx_buf text = { 0 };
	uint64_t all, of_text;
	int rc;

	if (room == 0)
		return ctx_clear_plan(plan, c, m, err) == -1 ? -1 : 1;
	if (ctx_cost_msg(k, c, m, &all, err) == -1 ||
	    ctx_cost_part(k, c, part, &of_text, err) == -1)
		return -1;
	if (all - of_text >= room)
		return 0;
	rc = ctx_tail(&text, ctx_part_text(c, part), room - (all - of_text),
	    count, k, err);
	if (rc == 1 && ctx_plan_swap(plan, part, 0, text.data, text.len,
	    err) == -1)
		rc = -1;
	ctx_buf_done(&text);
	return rc;
}
