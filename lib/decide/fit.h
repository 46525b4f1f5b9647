/* SPDX-License-Identifier: MIT */
/*
 * Where a window is and what it costs: the part of decide/window that does the
 * arithmetic.  Nothing else includes this.
 *
 * An account of messages and tokens is kept while groups are added, from the
 * end backwards, and given up, from the front onwards.  What a group refers to
 * is brought in with it and leaves with it.  Those items form a stack through
 * item.below, in the order of the groups.
 */
#ifndef CTX_DECIDE_FIT_H
#define CTX_DECIDE_FIT_H

#include "decide/window.h"

#define NOWHERE		SIZE_MAX
#define STAYS		(CTX_WIN_SYSTEM | CTX_WIN_MUST)
/* Charged separately, wherever the window begins. */
#define CHARGED		(STAYS | CTX_WIN_NEEDED)

struct ctx_fit {
	size_t start, end;	/* items from start to end are in */
	size_t bare;		/* items before this one are in without
				   bodies */
	size_t anchor, anchor_end;	/* the group in front of the window,
					   also in */
	size_t needed;		/* the item that was brought in last */
	uint64_t messages, cost, thoughts;	/* of all that is in */
	uint64_t tokens;	/* the limit of cost */
	int newest;		/* the newest message is in */
};

static inline int
counts(const struct ctx_win_item *it)
{
	return !(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_FREE));
}

/*
 * Where what is left out at the end begins: the last exclude_last messages, and
 * what is after the last one to end on, rounded to whole groups.
 */
size_t	ctx_fit_end(const struct ctx_window *w);

/* Find the items of the group with a call that waits; none: *from is *end. */
void	ctx_fit_waiting(const struct ctx_window *w, size_t *from, size_t *end);

/*
 * After ctx_fit_earliest: mark that group as needed, with what it refers to and
 * the request that it serves, because the call may still wait at the end.
 */
void	ctx_fit_need_waiting(struct ctx_window *w, struct ctx_fit *v);

/* Choose the window that the limits allow. */
void	ctx_fit_choose(struct ctx_window *w, struct ctx_fit *v);

/*
 * Find what any continuation of the conversation may need, whether or not it is
 * to begin with a user's message.  A step only moves the beginning of the
 * window later, and a group never costs less than it does without the bodies of
 * its results.  Returns the first item before the window that may be needed
 * too.
 */
size_t	ctx_fit_earliest(struct ctx_window *w, struct ctx_fit *v);

/*
 * Set cut->part and cut->room for the message to keep in part: the one before
 * the window or, if what must be in is too large, the request in front of it or
 * the newest message.
 */
void	ctx_fit_part(struct ctx_window *w, struct ctx_fit *v,
	    struct ctx_win_cut *cut);

/* The tokens of all that is in. */
static inline uint64_t
ctx_fit_cost(const struct ctx_window *w, const struct ctx_fit *v)
{
	return v->cost + (v->thoughts < w->thoughts ? v->thoughts :
	    w->thoughts);
}

/* Is item i in, for any reason? */
static inline int
ctx_fit_in(const struct ctx_window *w, const struct ctx_fit *v, size_t i)
{
	return w->item[i].flags & CHARGED || (i >= v->start && i < v->end) ||
	    (i >= v->anchor && i < v->anchor_end);
}

#endif
