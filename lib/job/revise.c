/* SPDX-License-Identifier: MIT */
/* Messages kept, but not whole; see revise.h. */
#include "job/revise.h"

#include <inttypes.h>
#include <stdio.h>

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
ctx_revise_gain(const struct ctx_revise *by, const struct ctx_convo *c,
    uint32_t m, uint64_t *less, struct ctx_err *err)
{
	struct ctx_cost *k = by->cost;
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_buf note = { 0 };
	uint64_t was = 0, is = 0, n;
	uint32_t i;
	int rc = 0;

	for (i = msg->part; i < msg->part + msg->npart && rc != -1; i++) {
		if (!ctx_clear_may(c, i))
			continue;
		ctx_buf_reset(&note);
		rc = ctx_clear_note(&note, by->notes, ctx_part_text(c, i),
		    NULL);
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

/* If message m says what it costs, let it say n. */
static int
tell(const struct ctx_cost *k, struct ctx_plan *plan, const struct ctx_convo *c,
    uint32_t m, uint64_t n, struct ctx_err *err)
{
	char text[24];
	uint64_t was;
	uint32_t v = k->key == NULL ? CTX_NONE :
	    ctx_cost_member(c, m, k->key, &was);

	if (v == CTX_NONE || was == n)
		return 0;
	return ctx_plan_rewrite(plan, c->msg[m].rec, v, 1, (struct ctx_str){
	    text, (uint32_t)snprintf(text, sizeof(text), "%" PRIu64, n) },
	    err);
}

/* Plan the removal of the bodies of message m's results.  1, or -1 with *err. */
static int
plan_lean(const struct ctx_revise *by, struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, struct ctx_err *err)
{
	struct ctx_cost *k = by->cost;
	uint64_t all, less;

	if (ctx_clear_plan(plan, c, by->notes, m, err) == -1)
		return -1;
	if (k->key == NULL)
		return 1;
	if (ctx_cost_msg(k, c, m, &all, err) == -1 ||
	    ctx_revise_gain(by, c, m, &less, err) == -1)
		return -1;
	return tell(k, plan, c, m, all > less ? all - less : 0, err) == -1 ?
	    -1 : 1;
}

int
ctx_revise_plan(const struct ctx_revise *by, struct ctx_plan *plan,
    const struct ctx_convo *c, uint32_t m, uint64_t room, struct ctx_err *err)
{
	struct ctx_cost *k = by->cost;
	struct ctx_tail how = { .count = count, .arg = k, .notes = by->notes };
	uint32_t part = c->msg[m].part;
	struct ctx_buf text = { 0 };
	uint64_t all, of_text, rest, n;
	int rc;

	if (room == 0)
		return plan_lean(by, plan, c, m, err);
	if (ctx_cost_msg(k, c, m, &all, err) == -1 ||
	    ctx_cost_part(k, c, part, &of_text, err) == -1)
		return -1;
	rest = all > of_text ? all - of_text : 0;
	if (rest >= room)
		return 0;
	how.max = room - rest;
	rc = ctx_tail(&how, ctx_part_text(c, part), &text, err);
	if (rc == 1 && (ctx_plan_swap(plan, part, 0, text.data, text.len,
	    err) == -1 || count(k, ctx_str_of(&text), &n, err) == -1 ||
	    tell(k, plan, c, m, rest + n, err) == -1))
		rc = -1;
	ctx_buf_done(&text);
	return rc;
}
