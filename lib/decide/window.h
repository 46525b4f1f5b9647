/* SPDX-License-Identifier: MIT */
/*
 * Which messages of a conversation fit the window: the newest that do, in
 * whole groups (a call with all its results), and what must stay.
 *
 * The newest group always stays: a number of messages does not turn it away,
 * and if a budget of tokens does, there is no history to be written.
 *
 * The conversation comes as items, oldest first, as far as it is known.  Where
 * the window begins only ever moves forward as items are added, so what
 * ctx_window_slide gives up is never wanted again and a stream needs the
 * memory of its window only.
 *
 * With a step the window begins in few places only: at the first group that
 * lies at or behind a multiple of the step, counted from the beginning of the
 * conversation.  The beginning is the first such place at or behind the one
 * that the limits demand.  So it depends on the conversation alone, and a
 * conversation that grows keeps it until the limits demand a place behind the
 * next multiple: what was written for it is then a prefix of what is written
 * now, and a provider's prompt cache holds.  Over a conversation of length L
 * there are at most L / step + 1 beginnings.  Where the window has no such
 * place (a step that is too wide, a group that is too large) the step is
 * halved for this one cut.
 */
#ifndef CTX_DECIDE_WINDOW_H
#define CTX_DECIDE_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum ctx_win_flag {
	CTX_WIN_SYSTEM = 1,	/* stays; its cost has an allowance */
	CTX_WIN_MUST = 2,	/* stays: pinned, or a running summary */
	CTX_WIN_MORE = 4,	/* of the group of the item before it */
	CTX_WIN_FREE = 8,	/* is no message of its own: not counted */
	CTX_WIN_USER = 16,	/* a user's own words: may begin a history,
				   unless it is in the middle of a group */
	CTX_WIN_TEXT = 32,	/* plain text: may be kept in part */
	/* the answer of ctx_window_end */
	CTX_WIN_KEPT = 64,
	CTX_WIN_LEAN = 128,	/* kept without the bodies of its results */
	/* its own */
	CTX_WIN_NEEDED = 256	/* something in the window refers to it */
};

struct ctx_win_item {
	uint64_t cost;		/* tokens; 0 when there is no budget */
	uint64_t lean;		/* without the bodies of its results */
	size_t bytes;		/* of memory, for what is held back */
	uint32_t flags;
	void *handle;		/* the caller's */

	/* set by ctx_window_add */
	uint64_t no;		/* of all items, from 0 */
	uint64_t at;		/* where it begins, in units of the step */
	uint64_t user;		/* no + 1 of the last item before it that
				   may begin a history; 0: there is none */
	/* of the needed: what brought it in, and the one before it */
	size_t by, below;
};

struct ctx_win_opts {
	uint64_t last;		/* messages that are not system; 0: any */
	uint64_t tokens;	/* budget; 0: any */
	int has_tokens;		/* there is a budget, be it 0 */
	uint64_t system_free;	/* tokens of system messages not charged */
	uint64_t reserve;	/* tokens kept free if there is a cut: a note */
	uint64_t when_messages;	/* cut only above; 0: always */
	uint64_t when_tokens;	/* either of the two is enough */
	uint64_t keep_first;	/* messages at the start that stay */
	uint64_t exclude_last;	/* messages at the end that go */
	int edge_drop;		/* a group across the edge goes */
	int start_user;		/* begin with a user's message */
	uint64_t step;		/* tokens with a budget, else messages;
				   0: cut anywhere */
	int results_first;	/* with a budget: bodies of results go before
				   messages do; see ctx_window_end */
	uint64_t partial;	/* keep the oldest message in part if that
				   many tokens are left for it; 0: never */
	size_t *held;		/* bytes held back by all windows that share
				   it; NULL: nothing is held back */
	size_t held_max;
};

/* The item from refers to the item to, which stays while from does. */
struct ctx_win_link {
	uint64_t from, to;	/* their numbers */
};

struct ctx_window {
	struct ctx_win_opts opts;
	struct ctx_win_item *item;
	size_t n, cap;
	struct ctx_win_link *link;	/* in order of from */
	size_t nlink, caplink;
	size_t floor;		/* the window never begins before this one */
	size_t group;		/* where the last group starts */
	size_t next_slide;	/* worth looking at that many items */
	size_t holding;		/* its share of *opts.held */
	uint64_t added;		/* items, ever */
	uint64_t user;		/* no + 1 of the last that may begin one */
	uint64_t messages;	/* seen so far, not system */
	uint64_t cost;		/* of those */
	uint64_t total;		/* cost of all that was seen */
	uint64_t must, system;	/* cost of what stays */
	uint64_t must_messages;
	uint64_t gone, gone_cost;	/* given up so far: messages, cost */
};

/* What the cut came to. */
struct ctx_win_cut {
	uint64_t kept, dropped;		/* messages that are not system */
	uint64_t dropped_cost;		/* their tokens */
	uint64_t missing, missing_cost;	/* of them, those before the end */
	uint64_t lean;	/* messages kept without the bodies of results */
	size_t gap;	/* item before which they are missing */
	uint64_t need;	/* with CTX_ENO: tokens that must stay take */
	size_t part;	/* the item to be kept in part, else SIZE_MAX */
	int part_must;	/* without it nothing is left of the history */
	uint64_t room;	/* tokens that it may take */
};

void	ctx_window_init(struct ctx_window *w, const struct ctx_win_opts *opts);
void	ctx_window_done(struct ctx_window *w);
void	ctx_window_reset(struct ctx_window *w);

/* Append an item.  0, or -1 with CTX_ENOMEM. */
int	ctx_window_add(struct ctx_window *w, const struct ctx_win_item *item,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * The item added last refers to an earlier one, by number: as long as it is in
 * the window, the other's whole group stays too and is charged.  Where they do
 * not fit, the window begins behind the item that refers.  -1 with CTX_ENOMEM.
 */
int	ctx_window_link(struct ctx_window *w, uint64_t to, struct ctx_err *err)
	    CTX_CHECKED;

/* The index of the item with this number; SIZE_MAX if it is not here. */
size_t	ctx_window_find(const struct ctx_window *w, uint64_t no);

/*
 * Give up what can no more be kept: gone is called for each such item, oldest
 * first, with its handle.  Cheap to call often.  What gone returns other than
 * 0 ends the slide and is returned.
 *
 * With opts.held the newest of what could go is held back, for references that
 * are yet to come, as far as *held stays within held_max.
 */
int	ctx_window_slide(struct ctx_window *w,
	    int (*gone)(void *handle, void *arg), void *arg);

/*
 * The end of the conversation: sets CTX_WIN_KEPT on every item that stays.
 * Returns 0, or -1 with CTX_ENO if what must stay does not fit.
 *
 * With results_first, where the budget is exceeded, the oldest groups lose the
 * bodies of their results (CTX_WIN_LEAN) until the rest fits.  The newest
 * groups that take half of the budget keep them, and the newest group always;
 * groups without bodies may take the rest (with a step, the other half), and
 * older ones go.
 */
int	ctx_window_end(struct ctx_window *w, struct ctx_win_cut *cut,
	    struct ctx_err *err) CTX_CHECKED;

#endif
