/* SPDX-License-Identifier: MIT */
/*
 * How much of a conversation is folded into a summary, if anything.  The
 * conversation is given as turns, oldest first.  A turn is a user's message, an
 * assistant's message, or a call with all its results; system messages and an
 * earlier summary are not turns.  The result is how many of them to fold.
 *
 * The defaults are the usual arithmetic of progressive summarizing.  Nothing is
 * folded with fewer than 6 turns, below 80 % of the budget, or if fewer than 2
 * turns would go.  Otherwise the newest turns that fit into 40 % of the budget
 * stay, or fewer where what goes out besides leaves no room for a summary.  The
 * cut is placed where a user speaks, so that what stays begins as a conversation
 * does, unless less than half of what may stay would be left.
 */
#ifndef CTX_DECIDE_FOLD_H
#define CTX_DECIDE_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/num.h"

enum ctx_fold_flag {
	CTX_FOLD_USER = 1,	/* begins with a user's own words */
	CTX_FOLD_OPEN = 2	/* unfinished: a call without all its results,
				   or an unanswered question */
};

struct ctx_fold_turn {
	uint64_t cost;		/* tokens, including overhead */
	uint32_t messages;
	uint32_t flags;
};

struct ctx_fold {
	uint64_t budget;	/* tokens for the history */
	struct ctx_ratio trigger;	/* share of it at which folding begins,
					   0.80; 1 turns it off */
	struct ctx_ratio target;	/* share that stays, 0.40 */
	uint64_t min_turns;	/* 6 */
	uint64_t min_fold;	/* 2 */
	/* instead of the trigger; either is enough, and 0 means not given */
	uint64_t when_messages;	/* more messages than that */
	uint64_t when_tokens;	/* more tokens than that */
	/* instead of the target; see both */
	uint64_t last;		/* this many messages stay; 0: not given */
	int half;		/* the newer half of the messages stays */
	int all;		/* everything goes, regardless of the rest */
	int both;		/* trigger and target hold besides last and
				   half */
	/* tokens of what goes out and is in no turn, */
	uint64_t besides;
	uint64_t taken;		/* and those of them that the budget pays for */
};

enum ctx_fold_why {
	CTX_FOLD_YES,
	CTX_FOLD_OFF,		/* trigger 1 */
	CTX_FOLD_SHORT,		/* too few turns */
	CTX_FOLD_UNDER,		/* under the trigger */
	CTX_FOLD_LITTLE		/* too few would go */
};

/*
 * Set *cut to how many of turn[0 .. n) to fold; 0 unless the result is
 * CTX_FOLD_YES.  summary is the number of tokens in the earlier summary, 0 if
 * there is none.
 */
enum ctx_fold_why ctx_fold_cut(const struct ctx_fold *f,
	    const struct ctx_fold_turn *turn, size_t n, uint64_t summary,
	    size_t *cut);

/*
 * The tokens of what may stay of the turns: what is left of the budget but for a
 * quarter, which is the summary's.
 */
uint64_t ctx_fold_room(const struct ctx_fold *f);

/* The reason as text ("under the trigger" ...) for a closing line. */
const char *ctx_fold_text(enum ctx_fold_why why);

#endif
