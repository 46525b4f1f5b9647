/* SPDX-License-Identifier: MIT */
/* What a repair makes of a conversation; see ledger.h. */
#include "edit/ledger_impl.h"

/* Add what is dropped and renamed in message m, which stays. */
static int
plan_parts(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan, uint32_t m)
{
	struct ctx_ledger_entry gone = { .fare = CTX_LEFT_OUT };
	struct ctx_ledger_entry renamed = { .fare = CTX_RENAMED, .why = "id" };
	const struct ctx_part *p;
	const struct ctx_swap *swap;
	struct ctx_str to = { NULL, 0 };
	uint32_t i;
	int k, outer = 0;

	CTX_FOR_PARTS(c, m, i) {
		p = &c->part[i];
		if (!(p->flags & CTX_INNER))
			outer = plan->drop_part[i];
		else if (outer)
			continue;
		if (outer == CTX_PART_MOVES)
			continue;	/* it is carried by a new message */
		gone.why = plan->drop_part[i] ? ctx_ledger_rule(plan, m, i) : NULL;
		for (k = 0; k < 2 && plan->drop_part[i]; k++)
			if (p->place[k].node != CTX_NONE && ctx_ledger_add(l, c,
			    c->msg[m].rec, p->place[k].node, &gone, to) == -1)
				return -1;
		swap = ctx_plan_swapped(plan, i, 1);
		if (swap == NULL || plan->drop_part[i] ||
		    p->idnode == CTX_NONE)
			continue;
		if (ctx_ledger_add(l, c, c->msg[m].rec, p->idnode, &renamed,
		    (struct ctx_str){ plan->bytes.data + swap->off,
		    (uint32_t)swap->len }) == -1)
			return -1;
	}
	return 0;
}

/* Add the messages that are dropped, and changes in the others. */
static int
plan_messages(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan)
{
	struct ctx_ledger_entry gone = { .fare = CTX_LEFT_OUT };
	struct ctx_str none = { NULL, 0 };
	uint32_t m, k, end;
	int all;

	for (m = 0; m < c->nmsg; m = end) {
		end = ctx_convo_unit_end(c, m);
		all = ctx_plan_drops(plan, m, end) && ctx_convo_unit(c, m) != CTX_NONE;
		for (k = m; k < end; k++) {
			gone.why = ctx_ledger_rule(plan, k, CTX_NONE);
			if (plan->drop_msg[k] ? (!all || k == m) && ctx_ledger_add(l, c,
			    c->msg[k].rec, all ? ctx_convo_unit(c, k) :
			    c->msg[k].elem, &gone, none) == -1 :
			    plan_parts(l, c, plan, k) == -1)
				return -1;
		}
	}
	return 0;
}

/* Add the values that are written in another form, and names that are new. */
static int
plan_rewrites(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan)
{
	struct ctx_ledger_entry reformed = { .fare = CTX_REFORMED, .why = "string" };
	struct ctx_ledger_entry named = { .fare = CTX_RENAMED,
	    .why = "tool-name" };
	struct ctx_ledger_entry gone = { .fare = CTX_LEFT_OUT,
	    .why = "thinking" };
	struct ctx_str to = { NULL, 0 }, none = { NULL, 0 };
	const struct ctx_rewrite *r;
	struct ctx_doc doc;
	uint32_t i;
	char type;

	for (i = 0; i < plan->nrewrite; i++) {
		r = &plan->rewrite[i];
		doc = ctx_convo_doc(c, r->rec);
		type = ctx_node_type(&doc, r->node);
		to.p = plan->bytes.data + r->off;
		to.len = (uint32_t)r->len;
		/* an object in a string is still an object */
		if (r->whole && (type == '{' || type == '['))
			continue;
		if (ctx_ledger_add(l, c, r->rec, r->node,
		    r->object != CTX_NONE ? &gone : r->whole ? &reformed :
		    &named, r->whole ? none : to) == -1)
			return -1;
	}
	return 0;
}

/* Add the messages that are new, and the records that are none. */
static int
plan_others(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan)
{
	struct ctx_ledger_entry made = { .fare = CTX_MADE };
	struct ctx_ledger_entry gone = { .fare = CTX_LEFT_OUT };
	const struct ctx_insert *in;
	struct ctx_str none = { NULL, 0 };
	uint32_t i;

	for (i = 0; i < plan->ninsert; i++) {
		in = &plan->insert[i];
		made.why = in->kind == CTX_NEW_RESULT ? "result" : "message";
		if (ctx_ledger_add(l, c, 0, CTX_NONE, &made, none) == -1)
			return -1;
	}
	for (i = 0; i < c->nrec; i++) {
		if (c->rec[i].root == CTX_NONE || c->rec[i].nmsg > 0 ||
		    c->rec[i].shape == CTX_REC_CONVERSATION)
			continue;
		gone.why = ctx_ledger_rec_why(&c->rec[i]);
		if (ctx_ledger_add(l, c, i, c->rec[i].root, &gone, none) == -1)
			return -1;
	}
	return 0;
}

/* Count the values of each record. */
static int
count_records(struct ctx_ledger *l, const struct ctx_convo *c)
{
	struct ctx_doc doc;
	uint32_t i, root;

	for (i = 0; i < c->nrec; i++) {
		root = c->rec[i].root;
		if (root == CTX_NONE)
			continue;
		if (CTX_ROOM(l->rec, l->nrec, &l->caprec) == -1)
			return -1;
		doc = ctx_convo_doc(c, i);
		l->rec[l->nrec++] = (struct ctx_ledger_rec){ c->rec[i].line,
		    ctx_node_values(&doc, root), doc.node[root].len };
	}
	return 0;
}

int
ctx_ledger_plan(struct ctx_ledger *l, const struct ctx_convo *c,
    const struct ctx_plan *plan, struct ctx_edit *edit, struct ctx_err *err)
{
	if (!l->rows)
		return 0;
	/* paths into the source are as they are until then */
	l->repaired = 0;
	if (count_records(l, c) == -1 || plan_messages(l, c, plan) == -1 ||
	    plan_rewrites(l, c, plan) == -1 || plan_others(l, c, plan) == -1)
		return ctx_fail_nomem(err);
	if (ctx_ledger_places(l, c, plan, edit, err) == -1)
		return -1;
	l->repaired = 1;
	l->last.raw = NULL;
	return 0;
}
