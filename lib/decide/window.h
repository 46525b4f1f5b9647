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
	CTX_WIN_KEPT = 32	/* the answer of ctx_window_end */
};

struct ctx_win_item {
	uint64_t cost;		/* tokens; 0 when there is no budget */
	uint32_t flags;
	void *handle;		/* the caller's */
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
};

struct ctx_window {
	struct ctx_win_opts opts;
	struct ctx_win_item *item;
	size_t n, cap;
	size_t floor;		/* the window never begins before this one */
	size_t group;		/* where the last group starts */
	size_t next_slide;	/* worth looking at that many items */
	uint64_t messages;	/* seen so far, not system */
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
	size_t gap;	/* item before which they are missing */
	uint64_t need;	/* with CTX_ENO: tokens that must stay take */
};

void	ctx_window_init(struct ctx_window *w, const struct ctx_win_opts *opts);
void	ctx_window_done(struct ctx_window *w);
void	ctx_window_reset(struct ctx_window *w);

/* Append an item.  0, or -1 with CTX_ENOMEM. */
int	ctx_window_add(struct ctx_window *w, const struct ctx_win_item *item,
	    struct ctx_err *err);

/*
 * Give up what can no more be kept: gone is called for each such item, oldest
 * first, with its handle.  Cheap to call often.  What gone returns other than
 * 0 ends the slide and is returned.
 */
int	ctx_window_slide(struct ctx_window *w,
	    int (*gone)(void *handle, void *arg), void *arg);

/*
 * The end of the conversation: sets CTX_WIN_KEPT on every item that stays.
 * Returns 0, or -1 with CTX_ENO if what must stay does not fit.
 */
int	ctx_window_end(struct ctx_window *w, struct ctx_win_cut *cut,
	    struct ctx_err *err);

#endif
