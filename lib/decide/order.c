/* SPDX-License-Identifier: MIT */
/*
 * The order of a turn: results go where the dialect's API requires them, and
 * what was in between goes after them.
 */
#include <stdlib.h>

#include "decide/links_step.h"

int
ctx_step_place(const struct step *s, uint64_t key, uint32_t entry,
    struct ctx_err *err)
{
	struct ctx_linker *w = s->w;

	if (CTX_ROOM(w->slot, w->nslot, &w->capslot) == -1)
		return ctx_fail_nomem(err);
	/* of equal keys, inserts come after what was there */
	w->slot[w->nslot] = (struct ctx_place_in_turn){ key,
	    (uint32_t)w->nslot | (entry & CTX_INSERTED), entry };
	w->nslot++;
	return 0;
}

/*
 * The first kept result of message m; CTX_NONE if it has none, like a message
 * that is dropped.
 */
static uint32_t
first_result(const struct step *s, uint32_t m)
{
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i)
		if (s->c->part[i].kind == CTX_RESULT &&
		    !(s->c->part[i].flags & CTX_SERVER) &&
		    !s->plan->drop_part[i])
			return i;
	return CTX_NONE;
}

/*
 * The first and last message with a call that message m's kept results answer.
 * 0: it has no results.
 */
static int
callers(const struct step *s, uint32_t m, uint32_t *first, uint32_t *last)
{
	const struct ctx_part *p;
	uint32_t i, call;
	int found = 0;

	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (p->kind != CTX_RESULT || p->flags & CTX_SERVER ||
		    s->plan->drop_part[i] || p->mate == CTX_NONE)
			continue;
		call = s->c->part[p->mate].msg;
		if (!found || call < *first)
			*first = call;
		if (!found || call > *last)
			*last = call;
		found = 1;
	}
	return found;
}

uint32_t
ctx_step_end_of_run(const struct step *s, uint32_t m)
{
	while (m + 1 < s->t.end && s->c->msg[m + 1].role == CTX_ASSISTANT)
		m++;
	return m;
}

int
ctx_step_shares(const struct step *s)
{
	uint32_t m, first, last;

	if (s->t.run + 1 >= s->t.end ||
	    s->c->msg[s->t.run + 1].role != CTX_ASSISTANT)
		return 0;
	for (m = s->t.run; m < s->t.end; m++)
		if (s->c->msg[m].role != CTX_ASSISTANT &&
		    callers(s, m, &first, &last) && first != last)
			return 1;
	return 0;
}

/* Does a call wait in a message that is not the last of the assistant's? */
static int
waits_before_last(const struct step *s)
{
	uint32_t m, i, last = s->t.end;

	while (last > s->t.run && s->c->msg[--last].role != CTX_ASSISTANT)
		;
	for (m = s->t.run; m < last; m++)
		CTX_FOR_PARTS(s->c, m, i)
			if (s->c->part[i].kind == CTX_CALL &&
			    s->c->part[i].mate == CTX_NONE)
				return 1;
	return 0;
}

/*
 * Place results directly after the message with their call.  If that would end
 * the turn before a call that waits has its result, they stay until it has.
 */
static int
order_adjacent(const struct step *s, struct ctx_err *err)
{
	const int shares = ctx_step_shares(s);
	const int stay = s->pending && !shares && waits_before_last(s);
	uint32_t m, first, last;
	uint64_t key, highest = 0;

	for (m = s->t.run; m < s->t.end; m++) {
		if (s->c->msg[m].role == CTX_ASSISTANT)
			key = (uint64_t)m * 2;
		else if (callers(s, m, &first, &last))
			key = KEY_RESULTS(s, shares ?
			    ctx_step_end_of_run(s, last) : last);
		else
			key = KEY_REST;
		/* what is dropped is not in the way of anything */
		if (key < highest && !s->plan->drop_msg[m] &&
		    s->c->msg[m].role != CTX_ASSISTANT &&
		    ctx_plan_find(s->plan, CTX_F_MISPLACED, m, CTX_NONE, !stay,
		    err) == -1)
			return -1;
		if (key > highest && !s->plan->drop_msg[m])
			highest = key;
		if (ctx_step_place(s, stay ? m : key, m, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * Move the results within one user message to the front.  Returns 1 if only
 * results are left in it, 0 if not, -1 if out of memory.
 */
static int
results_to_front(const struct step *s, uint32_t m, struct ctx_err *err)
{
	const struct ctx_part *p;
	int other = 0, found = 0;
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i) {
		p = &s->c->part[i];
		if (s->plan->drop_part[i] || p->flags & CTX_INNER)
			continue;
		if (p->kind != CTX_RESULT) {
			other = 1;
			continue;
		}
		if (!other || !(s->rules & CTX_RULE_LEAD_PARTS))
			continue;
		if (!found && ctx_plan_find(s->plan, CTX_F_NOT_FIRST, m, i, 1,
		    err) == -1)
			return -1;
		found = 1;
		s->plan->front_part[i] = 1;
		s->plan->changed = s->plan->parts = 1;
	}
	return !other;
}

/* Take out m's results, to be carried by an inserted message. */
static int
carry(const struct step *s, uint32_t m, struct ctx_err *err)
{
	uint32_t i;

	CTX_FOR_PARTS(s->c, m, i) {
		if (s->c->part[i].kind != CTX_RESULT || s->plan->drop_part[i])
			continue;
		s->plan->front_part[i] = 0;
		if (ctx_plan_move(s->plan, i, err) == -1)
			return -1;
	}
	if (!ctx_step_speaks(s, m))
		ctx_plan_drop_msg(s->plan, m);
	return 0;
}

/* Insert the message with the results that were taken out. */
static int
insert_carried(const struct step *s, uint32_t first, struct ctx_err *err)
{
	struct ctx_insert in = { .kind = CTX_NEW_MOVED, .role = CTX_USER,
	    .first = first, .n = s->plan->nmoved - first };
	uint32_t n;

	if (in.n == 0)
		return 0;
	if (ctx_plan_insert(s->plan, &in, "", 0, &n, err) == -1)
		return -1;
	return ctx_step_place(s, KEY_MOVED, n | CTX_INSERTED, err);
}

/* Place results first in the user turn after the calls. */
static int
order_in_user(const struct step *s, struct ctx_err *err)
{
	uint32_t m, first = s->plan->nmoved;
	int rest = 0, pure;
	uint64_t key;

	for (m = s->t.run; m < s->t.end; m++) {
		key = KEY_REST;
		if (s->c->msg[m].role == CTX_ASSISTANT) {
			key = 0;
		} else if (first_result(s, m) != CTX_NONE) {
			if ((pure = results_to_front(s, m, err)) == -1)
				return -1;
			/* where other parts may come with them, they stay */
			if (pure || (!rest &&
			    !(s->rules & CTX_RULE_LEAD_PARTS)))
				key = 1;
			if (rest && ctx_plan_find(s->plan, CTX_F_MISPLACED, m,
			    CTX_NONE, 1, err) == -1)
				return -1;
			if (!pure && rest && carry(s, m, err) == -1)
				return -1;
		}
		if (key == KEY_REST && !s->plan->drop_msg[m])
			rest = 1;
		if (ctx_step_place(s, key, m, err) == -1)
			return -1;
	}
	return insert_carried(s, first, err);
}

static int
compare_places(const void *a, const void *b)
{
	const struct ctx_place_in_turn *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

/* Sort the turn's entries and append them to the plan's order. */
static int
settle_order(const struct step *s, struct ctx_err *err)
{
	struct ctx_place_in_turn *p = s->w->slot;
	size_t i;
	int sorted = 1;

	for (i = 1; i < s->w->nslot; i++)
		if (compare_places(&p[i - 1], &p[i]) > 0)
			sorted = 0;
	if (!sorted) {
		qsort(p, s->w->nslot, sizeof(*p), compare_places);
		s->plan->changed = s->plan->reordered = 1;
	}
	for (i = 0; i < s->w->nslot; i++)
		if (ctx_plan_order(s->plan, p[i].entry, err) == -1)
			return -1;
	s->w->nslot = 0;
	return 0;
}

static int
order(const struct step *s, struct ctx_err *err)
{
	uint32_t m;

	for (m = s->t.from; m < s->t.run; m++)
		if (ctx_plan_order(s->plan, m, err) == -1)
			return -1;
	if (s->rules & CTX_RULE_IN_USER)
		return order_in_user(s, err);
	if (s->rules & CTX_RULE_ADJACENT)
		return order_adjacent(s, err);
	for (; m < s->t.end; m++)
		if (ctx_step_place(s, (uint64_t)m * 2, m, err) == -1)
			return -1;
	return 0;
}

int
ctx_step_order(const struct step *s, struct ctx_err *err)
{
	if (order(s, err) == -1)
		return -1;
	return settle_order(s, err);
}
