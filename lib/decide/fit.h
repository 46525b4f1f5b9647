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
	size_t anchor;		/* the user's message in front, or NOWHERE */
	size_t anchor_end;	/* the end of its group */
	size_t needed;		/* the item that was brought in last */
	uint64_t messages, cost;	/* of all that is in */
	uint64_t tokens;	/* that it may take */
};

static inline int
counts(const struct ctx_win_item *it)
{
	return !(it->flags & (CTX_WIN_SYSTEM | CTX_WIN_FREE));
}

/* The group that item i belongs to starts here; system items are not in it. */
size_t	ctx_fit_group(const struct ctx_window *w, size_t i);

/* An empty window at the end: what stays, and what that refers to. */
void	ctx_fit_begin(struct ctx_window *w, struct ctx_fit *v);

/* The window as the limits have it. */
void	ctx_fit_choose(struct ctx_window *w, struct ctx_fit *v);

/*
 * The earliest window that any continuation of the conversation can have: a
 * step moves it later only, and without the bodies of its results no group
 * costs more than it will.  Returns the first item that may be wanted of it.
 */
size_t	ctx_fit_earliest(struct ctx_window *w, struct ctx_fit *v);

/*
 * The message to be kept in part into cut->part and cut->room: the one before
 * the window, or the request in front of it if that alone is too much.
 */
void	ctx_fit_part(struct ctx_window *w, struct ctx_fit *v,
	    struct ctx_win_cut *cut);

/* Messages and cost of the items from i to end into the account. */
void	ctx_fit_enter(const struct ctx_window *w, struct ctx_fit *v, size_t i,
	    size_t end);

/* Is item i in, for whatever reason? */
static inline int
ctx_fit_in(const struct ctx_window *w, const struct ctx_fit *v, size_t i)
{
	return w->item[i].flags & CHARGED || (i >= v->start && i < v->end) ||
	    (v->anchor != NOWHERE && i >= v->anchor && i < v->anchor_end);
}

#endif
