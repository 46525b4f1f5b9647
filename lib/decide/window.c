/* SPDX-License-Identifier: MIT */
/* What fits the window; see window.h. */
#include "decide/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define FIRST_SLIDE	128	/* items before the first look */
#define STAYS		(CTX_WIN_SYSTEM | CTX_WIN_MUST)

void
ctx_window_init(struct ctx_window *w, const struct ctx_win_opts *opts)
{
	memset(w, 0, sizeof(*w));
	w->opts = *opts;
	w->next_slide = FIRST_SLIDE;
}

void
ctx_window_done(struct ctx_window *w)
{
	free(w->item);
	memset(w, 0, sizeof(*w));
}

void
ctx_window_reset(struct ctx_window *w)
{
	struct ctx_win_item *item = w->item;
	struct ctx_win_opts opts = w->opts;
	size_t cap = w->cap;

	ctx_window_init(w, &opts);
	w->item = item;
	w->cap = cap;
}

static int
counts(const struct ctx_win_item *it)
{
	return !(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_FREE));
}

/* The group that item i belongs to starts here; system items are not in it. */
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

/* What stays is charged as soon as it is known to stay. */
static void
charge(struct ctx_window *w, const struct ctx_win_item *it)
{
	if (it->flags & CTX_WIN_SYSTEM)
		w->system += it->cost;
	else {
		w->must += it->cost;
		w->must_messages += (uint64_t)counts(it);
	}
}

int
ctx_window_add(struct ctx_window *w, const struct ctx_win_item *item,
    struct ctx_err *err)
{
	struct ctx_win_item *it;
	size_t i;

	it = ctx_grow(w->item, w->n, &w->cap, sizeof(*it));
	if (it == NULL)
		return ctx_fail_nomem(err);
	w->item = it;
	it[w->n] = *item;
	it += w->n++;
	w->messages += (uint64_t)counts(it);
	w->total += it->cost;
	if (counts(it) && w->messages <= w->opts.keep_first)
		it->flags |= CTX_WIN_MUST;
	/* a group stays as one, whichever of it must */
	if (it->flags & CTX_WIN_MORE && !(it->flags & CTX_WIN_SYSTEM)) {
		i = group_start(w, w->n - 1);
		if (w->item[i].flags & CTX_WIN_MUST)
			it->flags |= CTX_WIN_MUST;
		else if (it->flags & CTX_WIN_MUST)
			for (; i + 1 < w->n; i++)
				if (!(w->item[i].flags & STAYS)) {
					w->item[i].flags |= CTX_WIN_MUST;
					charge(w, &w->item[i]);
				}
	}
	if (it->flags & STAYS)
		charge(w, it);
	return 0;
}

static int
triggered(const struct ctx_window *w)
{
	const struct ctx_win_opts *o = &w->opts;

	if (o->when_messages == 0 && o->when_tokens == 0)
		return 1;
	return (o->when_messages != 0 && w->messages > o->when_messages) ||
	    (o->when_tokens != 0 && w->total > o->when_tokens);
}

/* Where the window is, and what is left of the limits. */
struct view {
	size_t start, end;	/* items from start to end are in */
	size_t anchor;		/* the user's message in front, or SIZE_MAX */
	uint64_t messages, cost;	/* of the window and what stays */
	int headless;		/* its request does not fit */
};

static uint64_t
stays_cost(const struct ctx_window *w)
{
	uint64_t system = w->system > w->opts.system_free ?
	    w->system - w->opts.system_free : 0;

	return w->must + system + w->opts.reserve;
}

/* Does one more group of that size keep within the limits? */
static int
fits(const struct ctx_window *w, const struct view *v, uint64_t messages,
    uint64_t cost)
{
	const struct ctx_win_opts *o = &w->opts;

	if (o->has_tokens && v->cost + cost > o->tokens)
		return 0;
	if (o->last == 0 || v->messages + messages <= o->last)
		return 1;
	return !o->edge_drop && v->messages < o->last;
}

/* Messages and cost of the group from i up to end, what stays left out. */
static void
measure(const struct ctx_window *w, size_t i, size_t end, uint64_t *messages,
    uint64_t *cost)
{
	*messages = *cost = 0;
	for (; i < end; i++)
		if (!(w->item[i].flags & STAYS)) {
			*messages += (uint64_t)counts(&w->item[i]);
			*cost += w->item[i].cost;
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
	return i < w->n ? group_start(w, i) : i;
}

/* From the end back, group by group, until one does not fit. */
static void
fill(const struct ctx_window *w, struct view *v)
{
	uint64_t messages, cost;
	size_t i;

	v->start = v->end = usable_end(w);
	v->anchor = SIZE_MAX;
	v->headless = 0;
	v->messages = w->must_messages;
	v->cost = stays_cost(w);
	while (v->start > w->floor) {
		i = group_start(w, v->start - 1);
		measure(w, i, v->start, &messages, &cost);
		if (messages + cost > 0 && !fits(w, v, messages, cost))
			break;
		v->messages += messages;
		v->cost += cost;
		v->start = i;
	}
}

/* The end of the group that starts at item i. */
static size_t
group_end(const struct ctx_window *w, size_t i)
{
	for (i++; i < w->n && w->item[i].flags & CTX_WIN_MORE; i++)
		;
	return i;
}

/* Does a message that stays stand before the window? */
static int
headed(const struct ctx_window *w, const struct view *v)
{
	size_t i;

	for (i = 0; i < v->start; i++)
		if (counts(&w->item[i]) && w->item[i].flags & CTX_WIN_MUST)
			return 1;
	return 0;
}

/* The last message before the window that a history may begin with. */
static size_t
last_request(const struct ctx_window *w, const struct view *v)
{
	size_t i = v->start;

	while (i > 0)
		if (w->item[--i].flags & CTX_WIN_USER &&
		    !(w->item[i].flags & STAYS))
			return i;
	return SIZE_MAX;
}

/*
 * Begin with a user's message: the latest one before the window is the request
 * that the window's work serves, so it is put in front; groups give way to it
 * where the limits demand.  An agent may work for hundreds of messages after
 * one request, so the window is never cut down to the next request.
 */
static void
anchor(const struct ctx_window *w, struct view *v)
{
	const struct ctx_win_opts *o = &w->opts;
	uint64_t messages, cost, group, group_cost;
	size_t request, next;

	while (v->start < v->end && w->item[v->start].flags & CTX_WIN_SYSTEM)
		v->start++;
	if (headed(w, v) || (request = last_request(w, v)) == SIZE_MAX)
		return;
	measure(w, request, group_end(w, request), &messages, &cost);
	while (v->start < v->end && !(w->item[v->start].flags & CTX_WIN_USER)) {
		/* the request must not push the limit: no edge here */
		if ((o->last == 0 || v->messages + messages <= o->last) &&
		    (!o->has_tokens || v->cost + cost <= o->tokens)) {
			v->anchor = request;
			v->messages += messages;
			v->cost += cost;
			return;
		}
		if ((next = group_end(w, v->start)) >= v->end) {
			/* the newest group stays, and needs its request */
			v->headless = o->has_tokens;
			v->anchor = request;
			v->messages += messages;
			v->cost += cost;
			return;
		}
		measure(w, v->start, next, &group, &group_cost);
		v->messages -= group;
		v->cost -= group_cost;
		v->start = next;
	}
}

static int
in(const struct ctx_window *w, const struct view *v, size_t i)
{
	if (w->item[i].flags & STAYS || (i >= v->start && i < v->end))
		return 1;
	return v->anchor != SIZE_MAX && i >= v->anchor && i < v->start &&
	    group_start(w, i) == v->anchor;
}

int
ctx_window_slide(struct ctx_window *w, int (*gone)(void *handle, void *arg),
    void *arg)
{
	struct view v;
	size_t i, keep = 0, floor = 0;
	int rc = 0;

	if (w->n < w->next_slide || !triggered(w))
		return 0;
	fill(w, &v);
	if (w->opts.start_user)
		anchor(w, &v);
	for (i = 0; i < w->n; i++) {
		if (i == v.start)
			floor = keep;
		if (rc != 0 || i >= v.start || in(w, &v, i)) {
			w->item[keep++] = w->item[i];
			continue;
		}
		w->gone += (uint64_t)counts(&w->item[i]);
		w->gone_cost += w->item[i].cost;
		rc = gone(w->item[i].handle, arg);
	}
	w->n = keep;
	w->floor = v.start < i ? floor : keep;
	w->next_slide = 2 * keep > FIRST_SLIDE ? 2 * keep : FIRST_SLIDE;
	return rc;
}

static int
does_not_fit(const struct ctx_window *w, uint64_t need,
    struct ctx_win_cut *cut, struct ctx_err *err)
{
	cut->need = need;
	return ctx_fail(err, CTX_ENO,
	    "what must stay takes %llu tokens, the budget is %llu",
	    (unsigned long long)need, (unsigned long long)w->opts.tokens);
}

int
ctx_window_end(struct ctx_window *w, struct ctx_win_cut *cut,
    struct ctx_err *err)
{
	uint64_t messages, cost;
	struct view v;
	size_t i;

	memset(cut, 0, sizeof(*cut));
	if (triggered(w)) {
		fill(w, &v);
		if (w->opts.start_user)
			anchor(w, &v);
	} else {
		v.start = 0;
		v.end = usable_end(w);
		v.anchor = SIZE_MAX;
		v.headless = 0;
		v.cost = w->total;
	}
	if (triggered(w) && w->opts.has_tokens) {
		if (v.cost > w->opts.tokens || v.headless)
			return does_not_fit(w, v.cost, cut, err);
		/* a history without its newest message is none */
		if (v.start == v.end && v.end > 0) {
			i = group_start(w, v.end - 1);
			measure(w, i, v.end, &messages, &cost);
			if (messages > 0)
				return does_not_fit(w, v.cost + cost, cut,
				    err);
		}
	}
	cut->gap = v.start;
	cut->dropped = w->gone;
	cut->dropped_cost = w->gone_cost;
	cut->cost = v.cost;
	for (i = 0; i < w->n; i++) {
		if (in(w, &v, i)) {
			w->item[i].flags |= CTX_WIN_KEPT;
			cut->kept += (uint64_t)counts(&w->item[i]);
		} else {
			cut->dropped += (uint64_t)counts(&w->item[i]);
			cut->dropped_cost += w->item[i].cost;
		}
	}
	if (v.anchor != SIZE_MAX)
		cut->gap = v.anchor;
	return 0;
}
