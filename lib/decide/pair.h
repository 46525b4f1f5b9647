/* SPDX-License-Identifier: MIT */
/*
 * Calls and their results, paired by position: a result answers the open call
 * with its id in its own turn, never one of an earlier turn.  Ids are not
 * unique in real histories, so no map of ids outlives a turn.
 *
 * All zero is a valid pairer; its memory is reused.
 *
 * Names: ctx_pairer_.
 */
#ifndef CTX_DECIDE_PAIR_H
#define CTX_DECIDE_PAIR_H

#include "view/turn.h"

struct ctx_pairer {
	struct ctx_waiting *wait;	/* open calls of a turn */
	size_t cap;
	uint32_t *bucket;
	size_t nbucket, capbucket;
	/* during ctx_pair_turn */
	const unsigned char *gone;
	const struct ctx_chain *chain;
	int off;		/* pairs results that are off the branch */
};

void	ctx_pairer_done(struct ctx_pairer *p);

/*
 * The bounds of one turn: msg[from .. run) is everything before the first
 * assistant message, msg[run .. end) is the rest up to the next turn.
 */
struct ctx_span_of_turn {
	uint32_t from, run, end;
};

/* Find the turn that begins at message from; 0 if there is none. */
int	ctx_pair_bounds(const struct ctx_convo *c, uint32_t from,
	    struct ctx_span_of_turn *t);

/*
 * Set the mate of every call and result of c, turn by turn.  If a part's mate
 * remains CTX_NONE, it is an unanswered call or a result without a call.
 * Returns 0, or -1 if out of memory.
 */
int	ctx_pair(struct ctx_pairer *p, struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * The same for one turn, whose mates are all CTX_NONE.  Messages of a record r
 * with gone[r] pair with none; gone may be NULL.  chain links the session, or is
 * NULL: results on the branch that is resumed come first, and answer calls on it.
 */
int	ctx_pair_turn(struct ctx_pairer *p, struct ctx_convo *c,
	    const struct ctx_span_of_turn *t, const unsigned char *gone,
	    const struct ctx_chain *chain, struct ctx_err *err) CTX_CHECKED;
/* Make all mates of c CTX_NONE. */
void	ctx_pair_clear(struct ctx_convo *c);

/* Does every call of c, already paired, have a result? */
int	ctx_pair_complete(const struct ctx_convo *c);

#endif
