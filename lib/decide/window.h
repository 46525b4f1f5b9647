/* SPDX-License-Identifier: MIT */
/*
 * Which messages of a conversation fit the window: the newest that do, in whole
 * groups (a call with all its results), and what must stay.
 *
 * The newest group always stays: a limit on messages cannot exclude it, and if
 * a budget of tokens does, no history can be written.  A call that still waits
 * for its result stays too, whatever was said since.
 *
 * The conversation is given as items, oldest first, as far as it is known.  The
 * beginning of the window only moves forward as items are added, so what
 * ctx_window_slide gives up is never needed again, and a stream needs memory
 * only for its window.
 *
 * With a step, the window can begin only at certain places: at the first group
 * at or after a multiple of the step, counted from the beginning of the
 * conversation.  It begins at the first such place at or after the one that the
 * limits require.  So its beginning depends only on the conversation, and a
 * growing conversation keeps it until the limits require a place after the next
 * multiple.  Until then what was written before is a prefix of what is written
 * now, and a provider's prompt cache stays valid.  A conversation of length L
 * has at most L / step + 1 beginnings.  If the window has no such place (the
 * step is too wide, or a group too large), the step is halved for this one cut.
 */
#ifndef CTX_DECIDE_WINDOW_H
#define CTX_DECIDE_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum ctx_win_flag {
	CTX_WIN_SYSTEM = 1,	/* stays; part of its cost may be free */
	CTX_WIN_MUST = 2,	/* stays: pinned, or a running summary */
	CTX_WIN_MORE = 4,	/* in the group of the item before it */
	CTX_WIN_FREE = 8,	/* not a message of its own: not counted */
	CTX_WIN_USER = 16,	/* a user's own words: may begin a history
				   unless it is inside a group */
	CTX_WIN_TEXT = 32,	/* plain text: may be kept in part */
	CTX_WIN_SPEAKS = 512,	/* the assistant's */
	CTX_WIN_WAITS = 1024,	/* has a call without a result */
	/* the result of ctx_window_end */
	CTX_WIN_KEPT = 64,
	CTX_WIN_LEAN = 128,	/* kept without the bodies of its results */
	/* internal */
	CTX_WIN_NEEDED = 256	/* something in the window refers to it */
};

struct ctx_win_item {
	uint64_t cost;		/* tokens; 0 if there is no budget */
	uint64_t lean;		/* cost without the bodies of its results */
	uint64_t thoughts;	/* more tokens, which are charged only while
				   nobody speaks; see ctx_window.  0 with a step
				   and results_first, whose halves they would
				   move back and forth */
	size_t bytes;		/* of memory, for what is held back */
	uint32_t flags;
	void *handle;		/* for the caller */

	/* set by ctx_window_add */
	uint64_t no;		/* number among all items, from 0 */
	uint64_t at;		/* where it begins, in units of the step */
	uint64_t user;		/* 1 + the number of the last earlier item that
				   may begin a history; 0 if there is none */
	/* of needed items: what brought it in, and the item below */
	size_t by, below;
};

/* What may be the last message. */
enum ctx_win_end {
	CTX_WIN_END_ANY,
	CTX_WIN_END_USER,	/* one that the assistant answers: a user's, or
				   a result */
	CTX_WIN_END_ASSISTANT	/* an answer: no call waits for a result */
};

struct ctx_win_opts {
	uint64_t last;		/* messages that are not system; 0: no limit */
	uint64_t tokens;	/* budget; 0: no limit */
	int has_tokens;		/* there is a budget, even if it is 0 */
	uint64_t system_free;	/* tokens of system messages that are not
				   charged */
	uint64_t reserve;	/* tokens to keep free for a note if there is a
				   cut */
	uint64_t when_messages;	/* cut only above this; 0: always */
	uint64_t when_tokens;	/* exceeding either of the two is enough */
	uint64_t keep_first;	/* messages at the start that stay */
	uint64_t exclude_last;	/* messages at the end to leave out */
	enum ctx_win_end end_on;	/* leave out what comes after the last
				   of these */
	int first;		/* keep the oldest messages instead of the
				   newest; with start_user, step, partial,
				   exclude_last and results_first 0 */
	int edge_drop;		/* drop a group that crosses the edge */
	int start_user;		/* begin with a user's message */
	uint64_t step;		/* in tokens with a budget, else in messages; 0:
				   cut anywhere */
	int results_first;	/* with a budget: drop bodies of results before
				   messages; see ctx_window_end */
	uint64_t partial;	/* keep the oldest message in part if this many
				   tokens are left for it; 0: never */
	size_t *held;		/* bytes held back by all windows that share it;
				   NULL: hold nothing back */
	size_t held_max;
};

/* The item from refers to the item to, which stays as long as from does. */
struct ctx_win_link {
	uint64_t from, to;	/* numbers of items */
};

struct ctx_window {
	struct ctx_win_opts opts;
	struct ctx_win_item *item;
	size_t n, cap;
	struct ctx_win_link *link;	/* ordered by from */
	size_t nlink, caplink;
	size_t floor;		/* the window never begins before this item */
	size_t ceiling;		/* nor, with first, ends after this one */
	size_t group;		/* where the last group starts */
	size_t next_slide;	/* number of items at which to slide next */
	size_t holding;		/* its share of *opts.held */
	uint64_t added;		/* number of items ever added */
	uint64_t user;		/* 1 + the number of the last item that may
				   begin a history */
	uint64_t waits;		/* 1 + the number of the last item with a call
				   that still waits; 0: there is none */
	uint64_t messages;	/* seen so far, without system messages */
	uint64_t cost;		/* cost of these */
	uint64_t total;		/* cost of everything seen */
	uint64_t must, system;	/* cost of what must stay */
	uint64_t thoughts;	/* what those of all items may cost at most, for
				   the caller to set before the end: as much
				   as one turn has */
	uint64_t must_messages;
	uint64_t gone, gone_cost;	/* given up so far: messages and their
					   cost */
};

/* The result of the cut. */
struct ctx_win_cut {
	uint64_t kept, dropped;		/* messages that are not system */
	uint64_t system;		/* those that are; all are kept */
	uint64_t dropped_cost;		/* their tokens */
	uint64_t missing, missing_cost;	/* of them, those before the end */
	uint64_t lean;	/* messages kept without the bodies of results */
	size_t gap;	/* the item before which they are missing */
	uint64_t need;	/* with CTX_ENO: tokens of what must stay */
	size_t part;	/* the item to keep in part, or SIZE_MAX */
	size_t part_end;	/* the end of its group: the others in that are
				   whole */
	int part_must;	/* without it nothing of the history is left */
	uint64_t room;	/* tokens that it may take */
};

void	ctx_window_init(struct ctx_window *w, const struct ctx_win_opts *opts);
void	ctx_window_done(struct ctx_window *w);
void	ctx_window_reset(struct ctx_window *w);

/* Append an item.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_window_add(struct ctx_window *w, const struct ctx_win_item *item,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * n more tokens go out with the history, whatever is cut: definitions of tools, or
 * the framing of a request.  They are charged as system messages are.
 */
void	ctx_window_also(struct ctx_window *w, uint64_t n);

/*
 * The API reads nothing before the next item but system messages: what it does
 * not read costs nothing, wherever the cut is.
 */
void	ctx_window_forget(struct ctx_window *w);

/*
 * The item added last refers to the earlier item number to.  While it is in the
 * window, the other's whole group stays too and is charged.  If they do not
 * fit, the window begins after the referring item.  Returns 0, or -1 with
 * CTX_ENOMEM.
 */
int	ctx_window_link(struct ctx_window *w, uint64_t to, struct ctx_err *err)
	    CTX_CHECKED;

/* The index of the item with this number; SIZE_MAX if it is gone. */
size_t	ctx_window_find(const struct ctx_window *w, uint64_t no);

/*
 * Give up what can no longer be kept: gone is called with the handle of each
 * such item, oldest first.  This is cheap to call often.  If gone returns
 * anything but 0, sliding stops and returns that value.
 *
 * With opts.held, the newest items of these are held back for references that
 * may still come, as long as *held is within held_max.
 */
int	ctx_window_slide(struct ctx_window *w,
	    int (*gone)(void *handle, void *arg), void *arg);

/*
 * The end of the conversation: set CTX_WIN_KEPT on every item that stays.
 * Returns 0, or -1 with CTX_ENO if what must stay does not fit.
 *
 * With results_first, if the budget is exceeded, the oldest groups lose the
 * bodies of their results (CTX_WIN_LEAN) until the rest fits.  The newest
 * groups, as far as they fit into half of the budget, keep theirs, and the
 * newest group always does.  Groups without bodies may take the rest (with a
 * step, the other half); still older groups go.
 */
int	ctx_window_end(struct ctx_window *w, struct ctx_win_cut *cut,
	    struct ctx_err *err) CTX_CHECKED;

#endif
