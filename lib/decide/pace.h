/* SPDX-License-Identifier: MIT */
/*
 * When to change what was already sent.  A provider keeps the beginning of a
 * request that it has seen in a cache, where it costs a fraction.  A change
 * breaks the cache there, and everything behind it is paid for again.  So what
 * may go is not taken out at once, but together, at few places.
 *
 * The places depend only on the conversation up to them.  It is gone through
 * message by message, and what has gone by one message stays gone in all longer
 * conversations.  So the result for a conversation that grew begins with the
 * result for what it was, except where there is a new place.
 *
 * By default, a place is due when a request begins (a message of the user, or a
 * result, after the assistant's) and the change pays.  Where what is cached costs
 * 0.1 and all else 1.25, a change costs 1.15 for what it sends again, and each
 * request before it has cost 0.1 for what might have gone.  It pays
 *
 *	when it has cost as much as the change will: when what may go has been
 *	sent 11.5 times as many characters as the change sends again; or
 *
 *	after a times as many, if that is not much: at most 4,000 characters, or
 *	a tenth of what all requests so far have cost.  It will be paid by the
 *	requests to come, and if there are none, not much is lost.  a is a
 *	fourteenth of the requests so far, from 1 to 5: a short conversation
 *	sends little again.
 *
 * These figures were chosen on recorded sessions.
 *
 * Items go all together.  So running again on the result finds nothing more to
 * change: what is gone has no gain, so nothing pays before the last place, and
 * behind it all is as long as before.  If items may go alone, what stays is
 * longer before a later place than after it, and would be shorter the second
 * time; so what may go is then always as long as what is left of it.
 *
 * Where whole messages go, requests go with them and cannot be counted the
 * second time; a is then 5.
 */
#ifndef CTX_DECIDE_PACE_H
#define CTX_DECIDE_PACE_H

#include <stddef.h>
#include <stdint.h>

#include "decide/plan.h"
#include "view/chain.h"

#define CTX_PACE_PAYS	UINT64_MAX	/* a step: as soon as it has paid */

struct ctx_pace_opts {
	uint64_t step;		/* go when more than this many may go; 0: all go
				   at the end, and what went before does not
				   matter; CTX_PACE_PAYS */
	uint64_t when;		/* nothing goes up to this many tokens; 0: no
				   such limit */
	uint64_t down_to;	/* stop at this many; 0: do not stop */
	uint64_t least;		/* nothing goes unless so many tokens can */
	int partly;		/* those of the last messages may go alone;
				   lengths are then of what is left */
	int messages;		/* whole messages go */
};

/* Something that may go. */
struct ctx_pace_item {
	uint32_t msg;		/* the message that changes */
	uint32_t from;		/* it may go when this message has come */
	uint64_t gain;		/* characters that the message loses */
	uint32_t also;		/* another message that changes, and how much */
	uint64_t also_gain;	/* of gain is in that one; 0: none */
	uint64_t tokens;	/* tokens that the conversation loses, for when
				   and down_to */
	uint64_t saves;		/* the same, for least */
	uint64_t size;		/* for the caller */
	size_t of;		/* likewise */
	int goes;		/* the result */
	uint64_t since;		/* internal: requests when it might first go */
};

/* All zero is ready for use; memory is reused. */
struct ctx_pace {
	struct ctx_pace_item *item;	/* ordered by from */
	size_t n, cap;
	uint64_t *chars, *tokens;	/* of each message, set by the caller */
	size_t capchars, captokens;
	unsigned char *hidden;		/* messages that are as if they were not
					   there, with 0 chars and tokens */
	size_t caphidden;
	uint64_t *tree;			/* sums of chars */
	size_t captree;
};

void	ctx_pace_done(struct ctx_pace *w);

/* Prepare for c: no items, and messages without length.  0 or -1. */
int	ctx_pace_reset(struct ctx_pace *w, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

/* Add an item, which is all zero; NULL if out of memory. */
struct ctx_pace_item *ctx_pace_add(struct ctx_pace *w) CTX_CHECKED;

/*
 * The characters of a text as this module counts them: two more for each text,
 * so that a text is as long as the two that it is joined from.
 */
#define CTX_PACE_JOIN	2

/* Where to look for answers; all zero at first. */
struct ctx_pace_answers {
	uint32_t first;		/* the next message of the assistant, */
	uint32_t other;		/* and one of another join */
	const struct ctx_chain *chain;	/* set by the caller: messages that it
					   marks as beside the branch are none;
					   or NULL */
};

/*
 * The message in which the model has seen a result: the first of the assistant
 * from message from on, which grows from call to call, that is not one message
 * to the API with that of the result's call (CTX_NONE: it has none).  A program
 * may write the calls of one message as several, and results between them.
 * nmsg if there is none yet.
 */
uint32_t ctx_pace_answer(struct ctx_pace_answers *a,
	    const struct ctx_convo *c, uint32_t from, uint32_t call);

/* Decide which items go.  plan is not used if opts->step is 0. */
void	ctx_pace_run(struct ctx_pace *w, const struct ctx_convo *c,
	    const struct ctx_plan *plan, const struct ctx_pace_opts *opts);

#endif
