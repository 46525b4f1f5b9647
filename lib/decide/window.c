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
	struct ctx_win_item *it, *first;
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
	if (!(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_MORE)))
		w->group = w->n - 1;
	/* a group stays as one, whichever of it must */
	first = &w->item[w->group];
	if (it->flags & CTX_WIN_MORE && !(it->flags & CTX_WIN_SYSTEM)) {
		if (first->flags & CTX_WIN_MUST)
			it->flags |= CTX_WIN_MUST;
		else if (it->flags & CTX_WIN_MUST)
			for (i = w->group; i + 1 < w->n; i++)
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
	size_t anchor, anchor_end;	/* so is this group in front of it */
	uint64_t messages, cost;	/* of the window and what stays */
	int newest;		/* the newest message is in */
};

/* Messages and cost of the items from i to end that need not stay. */
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

/* The first message from item i on; end if there is none before it. */
static size_t
next_message(const struct ctx_window *w, size_t i, size_t end)
{
	while (i < end && !counts(&w->item[i]))
		i++;
	return i;
}

static int
fits_tokens(const struct ctx_window *w, const struct view *v, uint64_t cost)
{
	return !w->opts.has_tokens || v->cost + cost <= w->opts.tokens;
}

/*
 * Does one more group of that size keep within the limits?  The newest one is
 * taken in any case: a history without it is none.
 */
static int
fits(const struct ctx_window *w, const struct view *v, uint64_t messages,
    uint64_t cost)
{
	const struct ctx_win_opts *o = &w->opts;

	if (!v->newest)
		return 1;
	if (!fits_tokens(w, v, cost))
		return 0;
	if (o->last == 0 || v->messages + messages <= o->last)
		return 1;
	return !o->edge_drop && v->messages < o->last;
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
fill(const struct ctx_window *w, struct view *v, uint64_t reserve)
{
	uint64_t messages, cost;
	size_t i;

	v->start = v->end = usable_end(w);
	v->anchor = v->anchor_end = SIZE_MAX;
	v->newest = 0;
	v->messages = w->must_messages;
	v->cost = w->must + reserve;
	if (w->system > w->opts.system_free)
		v->cost += w->system - w->opts.system_free;
	while (v->start > w->floor) {
		i = group_start(w, v->start - 1);
		measure(w, i, v->start, &messages, &cost);
		if (messages + cost > 0 && !fits(w, v, messages, cost))
			break;
		v->newest |= next_message(w, i, v->start) < v->start;
		v->messages += messages;
		v->cost += cost;
		v->start = i;
	}
}

/* The end of the group that starts at item i, system items in it included. */
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

/* Where the group of the newest message of the window starts. */
static size_t
newest_group(const struct ctx_window *w, const struct view *v)
{
	size_t i = v->end;

	while (i > v->start)
		if (counts(&w->item[--i]))
			return group_start(w, i);
	return v->start;
}

static int
may_begin(const struct ctx_win_item *it)
{
	return it->flags & CTX_WIN_USER && !(it->flags & CTX_WIN_MORE);
}

/* The first message that is in. */
static size_t
head(const struct ctx_window *w, const struct view *v)
{
	size_t i;

	for (i = 0; i < v->end; i++)
		if (counts(&w->item[i]) &&
		    (i >= v->start || w->item[i].flags & CTX_WIN_MUST))
			break;
	return i;
}

/*
 * The message before item i that a history which begins at i wants in front:
 * the request that the work from there on serves.  SIZE_MAX if there is none,
 * or item i is one itself.
 */
static size_t
request_for(const struct ctx_window *w, size_t i)
{
	if (i < w->n && may_begin(&w->item[i]))
		return SIZE_MAX;
	while (i > 0)
		if (may_begin(&w->item[--i]))
			return i;
	return SIZE_MAX;
}

/* Put the group of the user's message at item i in front of the window. */
static void
put_in_front(const struct ctx_window *w, struct view *v, size_t i)
{
	uint64_t messages, cost;

	v->anchor = i;
	v->anchor_end = group_end(w, i);
	measure(w, i, v->anchor_end, &messages, &cost);
	v->messages += messages;
	v->cost += cost;
}

static int
over(const struct ctx_window *w, const struct view *v)
{
	return (w->opts.last != 0 && v->messages > w->opts.last) ||
	    !fits_tokens(w, v, 0);
}

/*
 * Begin with a user's message: the latest one before the window is put in
 * front, and groups give way to it where the limits demand.  An agent may work
 * for hundreds of messages after one request, so the window is never cut down
 * to the next request.
 */
static void
begin_with_user(const struct ctx_window *w, struct view *v)
{
	uint64_t messages, cost;
	size_t first = head(w, v), newest = newest_group(w, v), next;

	if (first == v->end || (next = request_for(w, first)) == SIZE_MAX)
		return;
	put_in_front(w, v, next);
	while (over(w, v) && v->start < newest) {
		next = v->start + 1;
		if (!(w->item[v->start].flags & CTX_WIN_SYSTEM))
			next = group_end(w, v->start);
		measure(w, v->start, next, &messages, &cost);
		v->messages -= messages;
		v->cost -= cost;
		v->start = next;
		if (first >= v->start)
			continue;
		if (!(w->item[first].flags & CTX_WIN_MUST))
			first = next_message(w, v->start, v->end);
		if (!may_begin(&w->item[first]))
			continue;
		/* what is left begins with a request of its own */
		measure(w, v->anchor, v->anchor_end, &messages, &cost);
		v->messages -= messages;
		v->cost -= cost;
		v->anchor = v->anchor_end = SIZE_MAX;
		return;
	}
}

static int
in(const struct ctx_window *w, const struct view *v, size_t i)
{
	return w->item[i].flags & STAYS || (i >= v->start && i < v->end) ||
	    (i >= v->anchor && i < v->anchor_end);
}

/*
 * What may be given up is what ctx_window_end could never keep, whatever comes
 * and whatever it decides about beginning with a user's message.
 */
int
ctx_window_slide(struct ctx_window *w, int (*gone)(void *handle, void *arg),
    void *arg)
{
	struct view v;
	size_t i, keep = 0, floor = 0;
	int rc = 0;

	if (w->n < w->next_slide || !triggered(w))
		return 0;
	fill(w, &v, 0);
	if ((i = request_for(w, head(w, &v))) != SIZE_MAX && i < v.start)
		put_in_front(w, &v, i);
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
	for (w->group = keep; w->group > 0;)
		if (!(w->item[--w->group].flags &
		    (CTX_WIN_SYSTEM | CTX_WIN_MORE)))
			break;
	w->next_slide = 2 * keep > FIRST_SLIDE ? 2 * keep : FIRST_SLIDE;
	return rc;
}

/* The window at the end; without a trigger it is everything. */
static void
settle(const struct ctx_window *w, struct view *v)
{
	const struct ctx_win_opts *o = &w->opts;

	if (!triggered(w)) {
		memset(v, 0, sizeof(*v));
		v->end = usable_end(w);
		v->anchor = v->anchor_end = SIZE_MAX;
		return;
	}
	fill(w, v, 0);
	/* room for a note is needed where something is missing only */
	if (o->reserve != 0 && (w->gone > 0 || v->start > 0))
		fill(w, v, o->reserve);
	if (o->start_user)
		begin_with_user(w, v);
}

int
ctx_window_end(struct ctx_window *w, struct ctx_win_cut *cut,
    struct ctx_err *err)
{
	struct view v;
	size_t i;

	memset(cut, 0, sizeof(*cut));
	settle(w, &v);
	if (w->opts.has_tokens && v.cost > w->opts.tokens) {
		cut->need = v.cost;
		return ctx_fail(err, CTX_ENO,
		    "what must stay takes %llu tokens, the budget is %llu",
		    (unsigned long long)cut->need,
		    (unsigned long long)w->opts.tokens);
	}
	cut->gap = v.anchor != SIZE_MAX ? v.anchor : v.start;
	cut->dropped = cut->missing = w->gone;
	cut->dropped_cost = cut->missing_cost = w->gone_cost;
	for (i = 0; i < w->n; i++) {
		if (in(w, &v, i)) {
			w->item[i].flags |= CTX_WIN_KEPT;
			cut->kept += (uint64_t)counts(&w->item[i]);
			continue;
		}
		cut->dropped += (uint64_t)counts(&w->item[i]);
		cut->dropped_cost += w->item[i].cost;
		if (i < v.end) {
			cut->missing += (uint64_t)counts(&w->item[i]);
			cut->missing_cost += w->item[i].cost;
		}
	}
	return 0;
}
