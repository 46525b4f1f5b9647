/* SPDX-License-Identifier: MIT */
/* Where the window is and what it takes; see fit.h. */
#include "decide/fit.h"

#include <string.h>

size_t
ctx_fit_group(const struct ctx_window *w, size_t i)
{
	size_t k = i;

	while (k > 0 && w->item[k].flags & CTX_WIN_MORE)
		do
			k--;
		while (k > 0 && w->item[k].flags & CTX_WIN_SYSTEM);
	return k;
}

/* The end of the group that starts at item i. */
static size_t
group_end(const struct ctx_window *w, size_t i)
{
	size_t k;

	for (;;) {
		for (k = ++i; k < w->n && w->item[k].flags & CTX_WIN_SYSTEM &&
		    !(w->item[k].flags & CTX_WIN_MORE); k++)
			;
		if (k == w->n || !(w->item[k].flags & CTX_WIN_MORE))
			return i;
		i = k;
	}
}

static uint64_t
cost_in(const struct ctx_window *w, const struct ctx_fit *v, size_t i)
{
	return i < v->bare ? w->item[i].lean : w->item[i].cost;
}

void
ctx_fit_enter(const struct ctx_window *w, struct ctx_fit *v, size_t i,
    size_t end)
{
	for (; i < end; i++)
		if (!(w->item[i].flags & CHARGED)) {
			v->messages += (uint64_t)counts(&w->item[i]);
			v->cost += cost_in(w, v, i);
		}
}

static void
leave(const struct ctx_window *w, struct ctx_fit *v, size_t i, size_t end)
{
	for (; i < end; i++)
		if (!(w->item[i].flags & CHARGED)) {
			v->messages -= (uint64_t)counts(&w->item[i]);
			v->cost -= cost_in(w, v, i);
		}
}

/* Bring in the group of item i, on account of the group at by. */
static void
bring_group(struct ctx_window *w, struct ctx_fit *v, size_t i, size_t by)
{
	size_t end = group_end(w, i = ctx_fit_group(w, i));

	for (; i < end; i++) {
		if (w->item[i].flags & CHARGED)
			continue;
		w->item[i].flags |= CTX_WIN_NEEDED;
		w->item[i].by = by;
		w->item[i].below = v->needed;
		v->needed = i;
		v->messages += (uint64_t)counts(&w->item[i]);
		v->cost += w->item[i].cost;
	}
}

/* Bring in what item i refers to, unless it is in the window. */
static void
bring_targets(struct ctx_window *w, struct ctx_fit *v, size_t i, size_t by)
{
	size_t lo = 0, hi = w->nlink, mid, to, user;
	uint64_t no = w->item[i].no;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (w->link[mid].from < no)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < w->nlink && w->link[lo].from == no; lo++) {
		to = ctx_window_find(w, w->link[lo].to);
		if (to == NOWHERE || to >= v->start ||
		    w->item[to].flags & CHARGED)
			continue;
		bring_group(w, v, to, by);
		to = ctx_fit_group(w, to);
		if (w->opts.start_user &&
		    !(w->item[to].flags & CTX_WIN_USER) &&
		    w->item[to].user > 0 && (user = ctx_window_find(w,
		    w->item[to].user - 1)) < v->start)
			bring_group(w, v, user, by);
	}
}

/*
 * Bring in what the items from i to end refer to, and what that refers to in
 * turn: the stack of the needed is the list of what is still to be looked at.
 */
static void
bring(struct ctx_window *w, struct ctx_fit *v, size_t i, size_t end, size_t by)
{
	size_t seen = v->needed, from, k;

	if (w->nlink == 0)
		return;
	for (; i < end; i++)
		bring_targets(w, v, i, by);
	while (v->needed != seen) {
		from = v->needed;
		for (k = from; k != seen; k = w->item[k].below)
			bring_targets(w, v, k, by);
		seen = from;
	}
}

/* What was brought in by the groups from i to end is not needed any more. */
static void
unbring(struct ctx_window *w, struct ctx_fit *v, size_t i, size_t end)
{
	struct ctx_win_item *it;

	while (v->needed != NOWHERE && w->item[v->needed].by >= i &&
	    w->item[v->needed].by < end) {
		it = &w->item[v->needed];
		it->flags &= ~(uint32_t)CTX_WIN_NEEDED;
		v->messages -= (uint64_t)counts(it);
		v->cost -= it->cost;
		v->needed = it->below;
	}
}

/* The items behind which the last exclude_last messages, in groups, begin. */
static size_t
usable_end(const struct ctx_window *w)
{
	uint64_t left = w->opts.exclude_last;
	size_t i = w->n;

	while (i > 0 && left > 0) {
		i--;
		left -= (uint64_t)counts(&w->item[i]);
	}
	return i < w->n ? ctx_fit_group(w, i) : i;
}

void
ctx_fit_begin(struct ctx_window *w, struct ctx_fit *v)
{
	uint64_t system = w->system > w->opts.system_free ?
	    w->system - w->opts.system_free : 0;
	size_t i;

	memset(v, 0, sizeof(*v));
	v->start = v->end = usable_end(w);
	v->anchor = v->needed = NOWHERE;
	v->messages = w->must_messages;
	v->cost = w->must + system + w->opts.reserve;
	v->tokens = w->opts.tokens;
	for (i = 0; i < w->n; i++)
		w->item[i].flags &= ~(uint32_t)CTX_WIN_NEEDED;
	for (i = 0; i < w->n && w->nlink > 0; i++)
		if (w->item[i].flags & STAYS)
			bring(w, v, i, i + 1, NOWHERE);
}

/* Take the group before the window in; 0 if it does not fit. */
static int
take(struct ctx_window *w, struct ctx_fit *v)
{
	const struct ctx_win_opts *o = &w->opts;
	uint64_t messages = v->messages, cost = v->cost;
	size_t i = ctx_fit_group(w, v->start - 1), end = v->start;

	ctx_fit_enter(w, v, i, end);
	v->start = i;
	bring(w, v, i, end, i);
	if (messages == v->messages && cost == v->cost)
		return 1;
	if ((!o->has_tokens || v->cost <= v->tokens) &&
	    (o->last == 0 || v->messages <= o->last ||
	    (!o->edge_drop && messages < o->last)))
		return 1;
	unbring(w, v, i, end);
	leave(w, v, i, end);
	v->start = end;
	return 0;
}

/* Give the first group of the window up. */
static void
give(struct ctx_window *w, struct ctx_fit *v)
{
	size_t end = group_end(w, v->start);

	unbring(w, v, v->start, end);
	leave(w, v, v->start, end);
	v->start = end;
}

/* From where the window begins back, group by group, until one does not fit. */
static void
fill(struct ctx_window *w, struct ctx_fit *v)
{
	while (v->start > w->floor && take(w, v))
		;
}

/*
 * The newest groups with the bodies of their results in half of the budget,
 * and older ones without them in the other half.  Two limits of their own, so
 * that both borders only move forward.
 */
static void
fill_results_first(struct ctx_window *w, struct ctx_fit *v)
{
	uint64_t half, more;
	size_t i, k;

	ctx_fit_begin(w, v);
	if (v->cost >= v->tokens)
		return;
	half = (v->tokens - v->cost) / 2;
	v->tokens = v->cost + half;
	fill(w, v);
	if (v->start == v->end && v->start > w->floor) {
		v->tokens = w->opts.tokens;
		if (!take(w, v))
			return;
	}
	v->bare = v->start;
	if (v->cost + half < w->opts.tokens)
		v->tokens = v->cost + half;
	else
		v->tokens = w->opts.tokens;
	fill(w, v);
	v->tokens = w->opts.tokens;
	/* all groups are in: no more bodies go than must */
	while (v->start == 0 && v->bare > 0) {
		i = ctx_fit_group(w, v->bare - 1);
		for (more = 0, k = i; k < v->bare; k++)
			if (!(w->item[k].flags & CHARGED))
				more += w->item[k].cost - w->item[k].lean;
		if (v->cost + more > v->tokens)
			break;
		v->cost += more;
		v->bare = i;
	}
}

/* Does a message that stays stand before the window? */
static int
headed(const struct ctx_window *w, const struct ctx_fit *v)
{
	size_t i;

	for (i = 0; i < v->start; i++)
		if (counts(&w->item[i]) && w->item[i].flags & CTX_WIN_MUST)
			return 1;
	return 0;
}

static void
unanchor(struct ctx_window *w, struct ctx_fit *v)
{
	if (v->anchor == NOWHERE)
		return;
	unbring(w, v, v->anchor, v->anchor_end);
	leave(w, v, v->anchor, v->anchor_end);
	v->anchor = NOWHERE;
}

/*
 * Begin with a user's message: the latest one before the window is the request
 * that the window's work serves, so it is put in front; groups give way to it
 * where the limits demand.  An agent may work for hundreds of messages after
 * one request, so the window is never cut down to the next request.
 */
static void
anchor(struct ctx_window *w, struct ctx_fit *v)
{
	const struct ctx_win_opts *o = &w->opts;
	size_t request;

	while (v->start < v->end && w->item[v->start].flags & CTX_WIN_SYSTEM)
		v->start++;
	if (v->start == v->end || w->item[v->start].user == 0 || headed(w, v))
		return;
	request = ctx_window_find(w, w->item[v->start].user - 1);
	while (request != NOWHERE && v->start < v->end &&
	    !(w->item[v->start].flags & CTX_WIN_USER)) {
		v->anchor = request;
		v->anchor_end = group_end(w, request);
		ctx_fit_enter(w, v, request, v->anchor_end);
		bring(w, v, request, v->anchor_end, request);
		/* the request must not push the limit: no edge here */
		if ((o->last == 0 || v->messages <= o->last) &&
		    (!o->has_tokens || v->cost <= o->tokens))
			return;
		/* the newest group stays, and needs its request */
		if (group_end(w, v->start) >= v->end)
			return;
		unanchor(w, v);
		give(w, v);
	}
}

/* The first place at or behind group i where a cut with a step may be. */
static size_t
place(const struct ctx_window *w, size_t i, size_t end)
{
	uint64_t step, at;
	size_t k;

	if (i >= end)
		return i;
	for (step = w->opts.step; step > 1; step /= 2) {
		at = (w->item[i].at + step - 1) / step * step;
		for (k = i; k < end && w->item[k].at < at; k = group_end(w, k))
			;
		if (k < end)
			return k;
	}
	return i;
}

/*
 * To where a cut may be.  What fits with its request in front fits also when
 * it begins later: the request is then the same, or one that was in before.
 */
static void
to_places(struct ctx_window *w, struct ctx_fit *v)
{
	size_t bare = place(w, v->bare, v->end), k;
	size_t start = place(w, v->start, v->end);

	for (k = v->bare > v->start ? v->bare : v->start; k < bare; k++)
		if (!(w->item[k].flags & CHARGED))
			v->cost -= w->item[k].cost - w->item[k].lean;
	v->bare = bare;
	unanchor(w, v);
	while (v->start < start)
		give(w, v);
	if (w->opts.start_user)
		anchor(w, v);
}

void
ctx_fit_choose(struct ctx_window *w, struct ctx_fit *v)
{
	ctx_fit_begin(w, v);
	fill(w, v);
	if (w->opts.results_first && v->start > 0)
		fill_results_first(w, v);
	if (w->opts.start_user)
		anchor(w, v);
	if (w->opts.step > 1)
		to_places(w, v);
}

size_t
ctx_fit_earliest(struct ctx_window *w, struct ctx_fit *v)
{
	ctx_fit_begin(w, v);
	if (w->opts.results_first)
		v->bare = NOWHERE;
	fill(w, v);
	if (w->opts.start_user)
		anchor(w, v);
	if (w->opts.partial > 0 && v->start > 0)
		return ctx_fit_group(w, v->start - 1);
	return v->start;
}

void
ctx_fit_part(struct ctx_window *w, struct ctx_fit *v, struct ctx_win_cut *cut)
{
	const struct ctx_win_opts *o = &w->opts;
	int over = v->anchor != NOWHERE && v->cost > o->tokens;
	size_t i = over ? v->anchor : v->start - 1;

	if (o->partial == 0 || !o->has_tokens || (!over && v->start == 0) ||
	    !(w->item[i].flags & CTX_WIN_TEXT) ||
	    w->item[i].flags & (CHARGED | CTX_WIN_MORE) ||
	    group_end(w, i) != i + 1 || (i == v->anchor && !over))
		return;
	if (o->start_user && !over && v->anchor == NOWHERE &&
	    !(w->item[i].flags & CTX_WIN_USER) && w->item[i].user > 0 &&
	    !headed(w, v))
		return;
	if (over)
		unanchor(w, v);
	if ((o->last == 0 || v->messages < o->last) && v->cost < o->tokens &&
	    o->tokens - v->cost >= o->partial) {
		cut->part = i;
		cut->part_must = over || v->start == v->end;
		cut->room = o->tokens - v->cost;
	} else if (over)
		anchor(w, v);
}

