/* SPDX-License-Identifier: MIT */
/*
 * Where a window is, and what it takes: the part of decide/window that weighs.
 * Nothing else includes this.
 *
 * An account of messages and tokens is kept while groups are taken in from the
 * end back and given up from the front on.  What is referred to is brought in
 * with the group that refers to it, and goes with it; those items form a stack
 * through item.below, in the order of the groups.
 */
#ifndef CTX_DECIDE_FIT_H
#define CTX_DECIDE_FIT_H

#include "decide/window.h"

#define NOWHERE		SIZE_MAX
#define STAYS		(CTX_WIN_SYSTEM | CTX_WIN_MUST)
/* Charged by itself, wherever the window begins. */
#define CHARGED		(STAYS | CTX_WIN_NEEDED)

struct ctx_fit {
	size_t start, end;	/* items from start to end are in */
	size_t bare;		/* those before this one without bodies */
	size_t anchor, anchor_end;	/* so is this group in front of it */
	size_t needed;		/* the item that was brought in last */
	uint64_t messages, cost;	/* of all that is in */
	uint64_t tokens;	/* that it may take */
	int newest;		/* the newest message is in */
};

static inline int
counts(const struct ctx_win_item *it)
{
	return !(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_FREE));
}

/* The items behind which the last exclude_last messages, in groups, begin. */
size_t	ctx_fit_end(const struct ctx_window *w);

/* The window as the limits have it. */
void	ctx_fit_choose(struct ctx_window *w, struct ctx_fit *v);

/*
 * What any continuation of the conversation can want, whatever it decides
 * about beginning with a user's message: a step moves the window's beginning
 * later only, and without the bodies of its results no group costs more than
 * it will.  Returns the first item before the window that may be wanted too.
 */
size_t	ctx_fit_earliest(struct ctx_window *w, struct ctx_fit *v);

/*
 * The message to be kept in part into cut->part and cut->room: the one before
 * the window, or, where what must be in is too much, the request in front of
 * it or the newest message.
 */
void	ctx_fit_part(struct ctx_window *w, struct ctx_fit *v,
	    struct ctx_win_cut *cut);

/* Is item i in, for whatever reason? */
static inline int
ctx_fit_in(const struct ctx_window *w, const struct ctx_fit *v, size_t i)
{
	return w->item[i].flags & CHARGED || (i >= v->start && i < v->end) ||
	    (i >= v->anchor && i < v->anchor_end);
}

#endif
