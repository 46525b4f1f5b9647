/* SPDX-License-Identifier: MIT */
/* Where the window is and what it takes; see fit.h. */
#include "decide/fit.h"

#include <string.h>

/* The start of item i's group.  System items are not part of a group. */
static size_t
group_start(const struct ctx_window *w, size_t i)
{
	size_t k = i;

	while (k > 0 && w->item[k].flags & CTX_WIN_MORE)
		do
			k--;
		while (k > 0 && w->item[k].flags & CTX_WIN_SYSTEM);
	return k;
}

/* The end of the group that starts at item i, including system items inside. */
static size_t
group_end(const struct ctx_window *w, size_t i)
{
	size_t end = i + 1;

	for (i = end; i < w->n; i++) {
		if (w->item[i].flags & CTX_WIN_SYSTEM)
			continue;
		if (!(w->item[i].flags & CTX_WIN_MORE))
			break;
		end = i + 1;
	}
	return end;
}

static uint64_t
cost_in(const struct ctx_window *w, const struct ctx_fit *v, size_t i)
{
	return i < v->bare ? w->item[i].lean : w->item[i].cost;
}

/* Enter the items from i to end into the account. */
static void
enter(const struct ctx_window *w, struct ctx_fit *v, size_t i, size_t end)
{
	for (; i < end; i++)
		if (!(w->item[i].flags & CHARGED)) {
			v->messages += (uint64_t)counts(&w->item[i]);
			v->cost += cost_in(w, v, i);
			v->thoughts += w->item[i].thoughts;
		}
}

static void
leave(const struct ctx_window *w, struct ctx_fit *v, size_t i, size_t end)
{
	for (; i < end; i++)
		if (!(w->item[i].flags & CHARGED)) {
			v->messages -= (uint64_t)counts(&w->item[i]);
			v->cost -= cost_in(w, v, i);
			v->thoughts -= w->item[i].thoughts;
		}
}

/* Bring in the group of item i because the group at by needs it. */
static void
bring_group(struct ctx_window *w, struct ctx_fit *v, size_t i, size_t by)
{
	size_t end = group_end(w, i = group_start(w, i));

	for (; i < end; i++) {
		if (w->item[i].flags & CHARGED)
			continue;
		w->item[i].flags |= CTX_WIN_NEEDED;
		w->item[i].by = by;
		w->item[i].below = v->needed;
		v->needed = i;
		v->messages += (uint64_t)counts(&w->item[i]);
		v->cost += w->item[i].cost;
		v->thoughts += w->item[i].thoughts;
	}
}

/* Bring in what item i refers to, unless it is in the window already. */
static void
bring_targets(struct ctx_window *w, struct ctx_fit *v, size_t i, size_t by)
{
	size_t lo = 0, hi = w->nlink, mid, to;
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
		if (to < v->start && !(w->item[to].flags & CHARGED))
			bring_group(w, v, to, by);
	}
}

/*
 * Bring in what the items from i to end refer to, and what that refers to in
 * turn.  The stack of needed items is also the list of those yet to be visited.
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

/* Take out what the groups from i to end had brought in. */
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
		v->thoughts -= it->thoughts;
		v->needed = it->below;
	}
}

void
ctx_fit_waiting(const struct ctx_window *w, size_t *from, size_t *end)
{
	size_t i = w->waits == 0 ? NOWHERE : ctx_window_find(w, w->waits - 1);

	*from = *end = 0;
	if (i == NOWHERE)
		return;
	*from = group_start(w, i);
	*end = group_end(w, *from);
}

/* May a history end with the group from item start on, whose last message is i? */
static int
may_end(const struct ctx_window *w, size_t start, size_t i)
{
	const int speaks = (w->item[i].flags & CTX_WIN_SPEAKS) != 0;

	for (; start <= i; start++)
		if (w->item[start].flags & CTX_WIN_WAITS)
			return 0;
	return speaks == (w->opts.end_on == CTX_WIN_END_ASSISTANT);
}

/* Leave out what is between the last message to end on and item end. */
static size_t
end_on(const struct ctx_window *w, size_t end)
{
	size_t i = end, start;

	if (w->opts.end_on == CTX_WIN_END_ANY)
		return end;
	while (i > 0)
		if (counts(&w->item[--i])) {
			start = group_start(w, i);
			if (may_end(w, start, i))
				return end;
			end = i = start;
		}
	return 0;
}

size_t
ctx_fit_end(const struct ctx_window *w)
{
	uint64_t left = w->opts.exclude_last;
	size_t i = w->n;

	while (i > 0 && left > 0) {
		i--;
		left -= (uint64_t)counts(&w->item[i]);
	}
	if (i < w->n)
		i = group_start(w, i);
	return end_on(w, i);
}

/* Start with an empty window at the end: what stays and what that needs. */
static void
begin(struct ctx_window *w, struct ctx_fit *v, uint64_t reserve)
{
	size_t i;

	memset(v, 0, sizeof(*v));
	v->start = v->end = ctx_fit_end(w);
	v->anchor = v->anchor_end = v->needed = NOWHERE;
	v->messages = w->must_messages;
	v->cost = w->must + reserve;
	if (w->system > w->opts.system_free)
		v->cost += w->system - w->opts.system_free;
	v->tokens = w->opts.tokens;
	for (i = 0; i < w->n; i++)
		w->item[i].flags &= ~(uint32_t)CTX_WIN_NEEDED;
	for (i = 0; i < w->n && w->nlink > 0; i++)
		if (w->item[i].flags & STAYS)
			bring(w, v, i, i + 1, NOWHERE);
}

/* The first message from item i on; end if there is none before end. */
static size_t
next_message(const struct ctx_window *w, size_t i, size_t end)
{
	while (i < end && !counts(&w->item[i]))
		i++;
	return i;
}

/*
 * Is the window within its limits?  before is its number of messages without
 * the latest group.
 */
static int
fits(const struct ctx_window *w, const struct ctx_fit *v, uint64_t before)
{
	const struct ctx_win_opts *o = &w->opts;

	if (o->has_tokens && ctx_fit_cost(w, v) > v->tokens)
		return 0;
	if (o->last == 0 || v->messages <= o->last)
		return 1;
	return !o->edge_drop && before < o->last;
}

/*
 * Take in the group before the window; 0 if it does not fit.  The newest group
 * is always taken, because there is no history without it.
 */
static int
take(struct ctx_window *w, struct ctx_fit *v)
{
	uint64_t messages = v->messages, cost = ctx_fit_cost(w, v);
	size_t end = v->start, i = group_start(w, end - 1);

	enter(w, v, i, end);
	v->start = i;
	bring(w, v, i, end, i);
	if (v->newest && (messages != v->messages ||
	    cost != ctx_fit_cost(w, v)) && !fits(w, v, messages)) {
		unbring(w, v, i, end);
		leave(w, v, i, end);
		v->start = end;
		return 0;
	}
	v->newest |= next_message(w, i, end) < end;
	return 1;
}

/* Give up the first group of the window. */
static void
give(struct ctx_window *w, struct ctx_fit *v)
{
	size_t end = v->start + 1;

	if (!(w->item[v->start].flags & CTX_WIN_SYSTEM))
		end = group_end(w, v->start);
	unbring(w, v, v->start, end);
	leave(w, v, v->start, end);
	v->start = end;
}

/* Extend the window backwards group by group until one does not fit. */
static void
fill(struct ctx_window *w, struct ctx_fit *v)
{
	while (v->start > w->floor && take(w, v))
		;
}

static int
all_in(const struct ctx_window *w, const struct ctx_fit *v)
{
	return v->start == 0 && w->gone == 0;
}

/* The cost of the bodies of results in the items from i to bare. */
static uint64_t
bodies(const struct ctx_window *w, size_t i, size_t bare)
{
	uint64_t cost = 0;

	for (; i < bare; i++)
		if (!(w->item[i].flags & CHARGED))
			cost += w->item[i].cost - w->item[i].lean;
	return cost;
}

/*
 * The newest groups, with the bodies of their results, get half of the budget,
 * and older ones without bodies get the rest.  With a step that rest is at most
 * the other half, so that both borders only move forward.
 */
static void
fill_results_first(struct ctx_window *w, struct ctx_fit *v)
{
	uint64_t half, cost = ctx_fit_cost(w, v);
	size_t i;

	half = cost < v->tokens ? (v->tokens - cost) / 2 : 0;
	v->tokens = cost + half;
	fill(w, v);
	v->bare = v->start;
	v->tokens = w->opts.tokens;
	if (w->opts.step > 1 && ctx_fit_cost(w, v) + half < v->tokens)
		v->tokens = ctx_fit_cost(w, v) + half;
	fill(w, v);
	v->tokens = w->opts.tokens;
	/* all groups are in: drop no more bodies than necessary */
	for (; all_in(w, v) && v->bare > 0; v->bare = i) {
		i = group_start(w, v->bare - 1);
		if (ctx_fit_cost(w, v) + bodies(w, i, v->bare) > v->tokens)
			break;
		v->cost += bodies(w, i, v->bare);
	}
}

/*
 * Needed groups cost nothing extra in the window, so the window extends over
 * them as soon as it reaches them.  Begin after them instead: then the
 * beginning only moves forward, as the rest of the policy requires.
 */
static void
begin_after_needed(struct ctx_window *w, struct ctx_fit *v)
{
	size_t i, end;

	while (v->start < v->end &&
	    w->item[v->start].flags & CTX_WIN_NEEDED) {
		end = group_end(w, v->start);
		for (i = v->start; i < end; i++)
			if (!(w->item[i].flags & CHARGED))
				return;
		v->start = end;
	}
}

/* --- beginning with a user's message, at a place ------------------------- */

static int
may_begin(const struct ctx_win_item *it)
{
	return it->flags & CTX_WIN_USER && !(it->flags & CTX_WIN_MORE);
}

/* The first message that is in, from item i on. */
static size_t
head(const struct ctx_window *w, const struct ctx_fit *v, size_t i)
{
	for (; i < v->end; i++)
		if (counts(&w->item[i]) &&
		    (i >= v->start || w->item[i].flags & CHARGED))
			break;
	return i;
}

/*
 * The message to put in front of a history that begins at item i: the request
 * that the work from there on serves.  NOWHERE if there is none, or if item i
 * may itself begin a history.
 */
static size_t
request_for(const struct ctx_window *w, size_t i)
{
	if (i == w->n || may_begin(&w->item[i]) || w->item[i].user == 0)
		return NOWHERE;
	return ctx_window_find(w, w->item[i].user - 1);
}

/* The start of the group of the window's newest message. */
static size_t
newest_group(const struct ctx_window *w, const struct ctx_fit *v)
{
	size_t i = v->end;

	while (i > v->start)
		if (counts(&w->item[--i]))
			return group_start(w, i);
	return v->start;
}

/* Put the group of the user's message at item i in front of the window. */
static void
put_in_front(struct ctx_window *w, struct ctx_fit *v, size_t i)
{
	v->anchor = i;
	v->anchor_end = group_end(w, i);
	enter(w, v, i, v->anchor_end);
	bring(w, v, i, v->anchor_end, i);
}

static void
take_from_front(struct ctx_window *w, struct ctx_fit *v)
{
	if (v->anchor == NOWHERE)
		return;
	unbring(w, v, v->anchor, v->anchor_end);
	leave(w, v, v->anchor, v->anchor_end);
	v->anchor = v->anchor_end = NOWHERE;
}

/*
 * Begin with a user's message: the latest one before the window is put in
 * front, and groups are given up for it if the limits require.  An agent may
 * work for hundreds of messages after one request, so the window is never cut
 * down to the next request.
 */
static void
begin_with_user(struct ctx_window *w, struct ctx_fit *v)
{
	size_t newest = newest_group(w, v), first = head(w, v, 0), request;

	for (;;) {
		request = request_for(w, first);
		if (first >= v->end || request == NOWHERE)
			return;
		put_in_front(w, v, request);
		/* the request must not exceed the limit, even at the edge */
		if (v->start >= newest || fits(w, v, UINT64_MAX))
			return;
		take_from_front(w, v);
		give(w, v);
		first = head(w, v, first);
	}
}

/* The first place for a cut at or after group i, up to last. */
static size_t
place(const struct ctx_window *w, size_t i, size_t last)
{
	uint64_t step, at;
	size_t k;

	for (step = w->opts.step; step > 1 && i < last; step /= 2) {
		at = (w->item[i].at + step - 1) / step * step;
		for (k = i; k <= last && w->item[k].at < at;
		    k = group_end(w, k))
			;
		if (k <= last)
			return k;
	}
	return i;
}

/*
 * Move to a place where a cut may be.  What fits with its request in front also
 * fits when it begins later: the request is then the same, or one that was
 * already in.
 */
static void
to_places(struct ctx_window *w, struct ctx_fit *v)
{
	size_t newest = newest_group(w, v), bare = place(w, v->bare, newest);
	size_t start = place(w, v->start, newest);

	take_from_front(w, v);
	v->cost -= bodies(w, v->bare > v->start ? v->bare : v->start, bare);
	v->bare = bare;
	while (v->start < start)
		give(w, v);
	if (w->opts.start_user)
		begin_with_user(w, v);
}

/* Extend the window from the beginning, group by group, until one does not fit. */
static void
fill_first(struct ctx_window *w, struct ctx_fit *v)
{
	size_t last = v->end < w->ceiling ? v->end : w->ceiling, i;
	uint64_t before;

	for (v->start = v->end = 0; v->end < last; v->end = i) {
		i = w->item[v->end].flags & CTX_WIN_SYSTEM ? v->end + 1 :
		    group_end(w, v->end);
		before = v->messages;
		enter(w, v, v->end, i);
		if (v->newest && !fits(w, v, before)) {
			leave(w, v, v->end, i);
			return;
		}
		v->newest |= next_message(w, v->end, i) < i;
	}
}

void
ctx_fit_need_waiting(struct ctx_window *w, struct ctx_fit *v)
{
	size_t i, end, request;

	ctx_fit_waiting(w, &i, &end);
	if (i == end)
		return;
	request = request_for(w, i);
	bring(w, v, i, end, NOWHERE);
	for (; i < end; i++)
		w->item[i].flags |= CTX_WIN_NEEDED;
	if (request == NOWHERE)
		return;
	for (i = request, end = group_end(w, i); i < end; i++)
		w->item[i].flags |= CTX_WIN_NEEDED;
}

void
ctx_fit_choose(struct ctx_window *w, struct ctx_fit *v)
{
	const struct ctx_win_opts *o = &w->opts;
	size_t end;

	if (o->first) {
		begin(w, v, 0);
		fill_first(w, v);
		end = v->end;
		v->end = end_on(w, end);
		leave(w, v, v->end, end);
		return;
	}
	begin(w, v, 0);
	fill(w, v);
	/* a note is written only if something is missing */
	if (o->reserve != 0 && !all_in(w, v)) {
		begin(w, v, o->reserve);
		fill(w, v);
	}
	if (o->results_first && !all_in(w, v)) {
		begin(w, v, o->reserve);
		fill_results_first(w, v);
	}
	if (!all_in(w, v))
		begin_after_needed(w, v);
	if (o->start_user)
		begin_with_user(w, v);
	if (o->step > 1)
		to_places(w, v);
}

size_t
ctx_fit_earliest(struct ctx_window *w, struct ctx_fit *v)
{
	size_t i;

	begin(w, v, 0);
	if (w->opts.first) {
		v->end = w->n;
		fill_first(w, v);
		return v->end;
	}
	if (w->opts.results_first)
		v->bare = NOWHERE;
	fill(w, v);
	if ((i = request_for(w, head(w, v, 0))) < v->start)
		put_in_front(w, v, i);
	if (w->opts.partial > 0 && v->start > 0)
		return group_start(w, v->start - 1);
	return v->start;
}

/* --- a message in part --------------------------------------------------- */

/* Keep item i in part if the rest leaves enough room for it. */
static int
part(const struct ctx_window *w, size_t i, uint64_t rest,
    struct ctx_win_cut *cut)
{
	const struct ctx_win_opts *o = &w->opts;
	const size_t end = group_end(w, i);

	if (!(w->item[i].flags & CTX_WIN_TEXT) ||
	    w->item[i].flags & (CHARGED | CTX_WIN_MORE) ||
	    next_message(w, i + 1, end) < end || rest > o->tokens ||
	    o->tokens - rest < o->partial)
		return 0;
	cut->part = i;
	cut->part_end = end;
	cut->room = o->tokens - rest;
	return 1;
}

/*
 * Keep the group before the window, which starts at item i, with that item in part.
 * What is joined to it is whole, and stays with what it refers to.
 */
static void
part_before(struct ctx_window *w, struct ctx_fit *v, size_t i,
    struct ctx_win_cut *cut)
{
	const size_t end = v->start;

	v->start = i;
	enter(w, v, i + 1, end);
	bring(w, v, i + 1, end, i);
	if (part(w, i, ctx_fit_cost(w, v) + w->item[i].thoughts, cut))
		return;
	unbring(w, v, i, end);
	leave(w, v, i + 1, end);
	v->start = end;
}

void
ctx_fit_part(struct ctx_window *w, struct ctx_fit *v, struct ctx_win_cut *cut)
{
	const struct ctx_win_opts *o = &w->opts;
	const uint64_t cost = ctx_fit_cost(w, v);
	size_t i, newest;

	cut->part = NOWHERE;
	if (o->partial == 0 || !o->has_tokens || v->start == v->end)
		return;
	newest = newest_group(w, v);
	if (cost > o->tokens) {
		cut->part_must = 1;
		if (v->anchor != NOWHERE && part(w, v->anchor,
		    cost - w->item[v->anchor].cost, cut))
			return;
		part(w, newest, cost - w->item[newest].cost, cut);
		return;
	}
	if (v->start == 0 || (o->last != 0 && v->messages >= o->last) ||
	    (i = group_start(w, v->start - 1)) == v->anchor)
		return;
	/* it would become the first message */
	if (o->start_user && !may_begin(&w->item[i]) &&
	    w->item[i].user > 0 && v->anchor == NOWHERE &&
	    head(w, v, 0) >= v->start)
		return;
	part_before(w, v, i, cut);
}
