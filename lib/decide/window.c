/* SPDX-License-Identifier: MIT */
/* What fits the window; see window.h. */
#include "decide/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "decide/fit.h"

#define FIRST_SLIDE	128	/* items before the first slide */

void
ctx_window_init(struct ctx_window *w, const struct ctx_win_opts *opts)
{
	memset(w, 0, sizeof(*w));
	w->opts = *opts;
	w->next_slide = FIRST_SLIDE;
	w->ceiling = SIZE_MAX;
}

/* Hold nothing back any more. */
static void
let_go(struct ctx_window *w)
{
	if (w->opts.held != NULL)
		*w->opts.held -= w->holding;
	w->holding = 0;
}

void
ctx_window_done(struct ctx_window *w)
{
	let_go(w);
	free(w->item);
	free(w->link);
	memset(w, 0, sizeof(*w));
}

void
ctx_window_reset(struct ctx_window *w)
{
	struct ctx_window was = *w;

	let_go(w);
	ctx_window_init(w, &was.opts);
	w->item = was.item;
	w->cap = was.cap;
	w->link = was.link;
	w->caplink = was.caplink;
}

/* Charge what stays as soon as it is known to stay. */
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

/* Set where the item is in the conversation, and what is before it. */
static void
place_item(struct ctx_window *w, struct ctx_win_item *it)
{
	it->no = w->added++;
	it->at = w->opts.has_tokens ? w->cost : w->messages;
	it->user = w->user;
	if (it->flags & CTX_WIN_USER && !(it->flags & CTX_WIN_MORE))
		w->user = it->no + 1;
	if (it->flags & CTX_WIN_WAITS)
		w->waits = it->no + 1;
	else if (it->flags & CTX_WIN_SPEAKS && !(it->flags & CTX_WIN_MORE))
		w->waits = 0;
	w->messages += (uint64_t)counts(it);
	w->total += it->cost;
	if (!(it->flags & CTX_WIN_SYSTEM))
		w->cost += it->cost;
}

void
ctx_window_also(struct ctx_window *w, uint64_t n)
{
	w->system += n;
	w->total += n;
}

void
ctx_window_forget(struct ctx_window *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (!(w->item[i].flags & CTX_WIN_SYSTEM))
			w->item[i].cost = w->item[i].lean =
			    w->item[i].thoughts = 0;
	w->total = w->system;
	w->must = 0;
}

int
ctx_window_add(struct ctx_window *w, const struct ctx_win_item *item,
    struct ctx_err *err)
{
	struct ctx_win_item *it, *first;
	size_t i;

	if (CTX_ROOM_FEW(w->item, w->n, &w->cap) == -1)
		return ctx_fail_nomem(err);
	it = &w->item[w->n++];
	*it = *item;
	place_item(w, it);
	if (counts(it) && w->messages <= w->opts.keep_first)
		it->flags |= CTX_WIN_MUST;
	if (!(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_MORE)))
		w->group = w->n - 1;
	/* if one item of a group must stay, all of them must */
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

int
ctx_window_link(struct ctx_window *w, uint64_t to, struct ctx_err *err)
{
	if (CTX_ROOM(w->link, w->nlink, &w->caplink) == -1)
		return ctx_fail_nomem(err);
	w->link[w->nlink++] = (struct ctx_win_link){ w->added - 1, to };
	return 0;
}

size_t
ctx_window_find(const struct ctx_window *w, uint64_t no)
{
	size_t lo = 0, hi = w->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (w->item[mid].no < no)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < w->n && w->item[lo].no == no ? lo : NOWHERE;
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

/* --- giving up ----------------------------------------------------------- */

/* The number of items before end, oldest first, that are not held back. */
static size_t
not_held(struct ctx_window *w, const struct ctx_fit *v, size_t end)
{
	const struct ctx_win_opts *o = &w->opts;
	size_t i, room;

	let_go(w);
	room = o->held != NULL && *o->held < o->held_max ?
	    o->held_max - *o->held : 0;
	for (i = end; i > 0; i--) {
		if (ctx_fit_in(w, v, i - 1))
			continue;
		if (w->item[i - 1].bytes + w->holding > room || room == 0)
			break;
		w->holding += w->item[i - 1].bytes;
	}
	if (o->held != NULL)
		*o->held += w->holding;
	return i;
}

/* Remove links whose item is gone. */
static void
prune_links(struct ctx_window *w)
{
	size_t i, n = 0;

	for (i = 0; i < w->nlink; i++)
		if (ctx_window_find(w, w->link[i].from) != NOWHERE)
			w->link[n++] = w->link[i];
	w->nlink = n;
}

/* With first: what does not fit now never will, once a group is beyond it. */
static void
close_window(struct ctx_window *w, const struct ctx_fit *v, size_t end)
{
	if (w->opts.first && v->end <= w->group)
		w->ceiling = end;
}

int
ctx_window_slide(struct ctx_window *w, int (*gone)(void *handle, void *arg),
    void *arg)
{
	size_t i, keep = 0, floor = 0, end;
	struct ctx_fit v;
	int rc = 0;

	if (w->n < w->next_slide || !triggered(w))
		return 0;
	end = ctx_fit_earliest(w, &v);
	end = w->opts.first ? w->group : not_held(w, &v, end);
	ctx_fit_need_waiting(w, &v);
	for (i = 0; i < w->n; i++) {
		if (i == v.start)
			floor = keep;
		if (i == v.end)
			close_window(w, &v, keep);
		if (rc != 0 || i >= end || ctx_fit_in(w, &v, i)) {
			w->item[keep++] = w->item[i];
			continue;
		}
		w->gone += (uint64_t)counts(&w->item[i]);
		w->gone_cost += w->item[i].cost;
		rc = gone(w->item[i].handle, arg);
	}
	w->n = keep;
	w->floor = v.start < i || w->opts.first ? floor : keep;
	for (w->group = keep; w->group > 0;)
		if (!(w->item[--w->group].flags &
		    (CTX_WIN_SYSTEM | CTX_WIN_MORE)))
			break;
	w->next_slide = keep + keep / 2 + FIRST_SLIDE;
	prune_links(w);
	return rc;
}

/* --- the end ------------------------------------------------------------- */

static void
mark(struct ctx_window *w, const struct ctx_fit *v, struct ctx_win_cut *cut)
{
	struct ctx_win_item *it;
	size_t i;

	cut->dropped = cut->missing = w->gone;
	cut->dropped_cost = cut->missing_cost = w->gone_cost;
	for (i = 0; i < w->n; i++) {
		it = &w->item[i];
		if (!ctx_fit_in(w, v, i) && (cut->part == NOWHERE ||
		    i < cut->part || i >= cut->part_end)) {
			cut->dropped += (uint64_t)counts(it);
			cut->dropped_cost += it->cost;
			if (i < v->end) {
				cut->missing += (uint64_t)counts(it);
				cut->missing_cost += it->cost;
			}
			continue;
		}
		it->flags |= CTX_WIN_KEPT;
		cut->kept += (uint64_t)counts(it);
		cut->system += (it->flags & CTX_WIN_SYSTEM) != 0 &&
		    !(it->flags & CTX_WIN_FREE);
		if (i < v->bare && !(it->flags & CHARGED) &&
		    it->lean < it->cost) {
			it->flags |= CTX_WIN_LEAN;
			cut->lean++;
		}
	}
}

/* A call that waits stays, unless it is among the messages left out at the end. */
static void
keep_waiting(struct ctx_window *w)
{
	size_t i, end, last = w->opts.first ? w->n : ctx_fit_end(w);

	for (ctx_fit_waiting(w, &i, &end); i < end && i < last; i++)
		if (!(w->item[i].flags & STAYS)) {
			w->item[i].flags |= CTX_WIN_MUST;
			charge(w, &w->item[i]);
		}
}

/* Nothing is left of a history that must end with a certain message. */
static int
no_end(const struct ctx_window *w, const struct ctx_fit *v)
{
	return w->opts.end_on != CTX_WIN_END_ANY && v->end == 0 &&
	    w->messages > 0;
}

int
ctx_window_end(struct ctx_window *w, struct ctx_win_cut *cut,
    struct ctx_err *err)
{
	struct ctx_fit v = { 0 };

	memset(cut, 0, sizeof(*cut));
	cut->part = NOWHERE;
	keep_waiting(w);
	if (triggered(w)) {
		ctx_fit_choose(w, &v);
		ctx_fit_part(w, &v, cut);
	} else {
		v.end = ctx_fit_end(w);
		v.anchor = v.anchor_end = NOWHERE;
	}
	if (w->opts.has_tokens && ctx_fit_cost(w, &v) > w->opts.tokens &&
	    cut->part == NOWHERE) {
		cut->need = ctx_fit_cost(w, &v);
		return ctx_fail(err, CTX_ENO,
		    "what must stay takes %llu tokens, but the budget is %llu",
		    (unsigned long long)cut->need,
		    (unsigned long long)w->opts.tokens);
	}
	if (no_end(w, &v))
		return ctx_fail(err, CTX_ENO, "no message that fits is of the "
		    "role that --end-on asks for");
	cut->gap = v.start;
	if (cut->part != NOWHERE && cut->part < cut->gap)
		cut->gap = cut->part;
	if (v.anchor != NOWHERE)
		cut->gap = v.anchor;
	mark(w, &v, cut);
	return 0;
}
