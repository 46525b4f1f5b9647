/* SPDX-License-Identifier: MIT */
/*
 * The core: what must change so that every call has its results and every
 * result its call, in the order that the dialect's API requires, with as little
 * loss as possible.  It also fixes what the same APIs reject: reused ids, empty
 * blocks and empty messages.
 *
 * It works on one turn at a time or on a whole conversation.  Decisions depend
 * only on the turn, so a stream and its pieces get the same plan.
 *
 * Names: ctx_linker_.
 */
#ifndef CTX_DECIDE_LINKS_H
#define CTX_DECIDE_LINKS_H

#include "decide/idset.h"
#include "text/marker.h"
#include "decide/pair.h"
#include "decide/plan.h"

enum ctx_unanswered {
	CTX_TRIM,	/* cut the call from its message */
	CTX_DROP,	/* drop the message, and its other calls' results */
	CTX_REPAIR	/* add a result that says that there is none */
};

struct ctx_links_opts {
	enum ctx_unanswered unanswered;
	int keep_pending;	/* unanswered calls at the end stay */
	int drop_empty;		/* drop empty messages even where the API allows
				   them */
	int tell;		/* record changes in the plan */
	int last;		/* the conversation ends here */
	int lines;		/* these are message lines, of which none is the
				   last that an API will get */
	const struct ctx_chain *chain;	/* of a session, or NULL: what branch of
					   it is resumed */
	/* rules of this dialect that the server does not apply; or NULL */
	const struct ctx_dialect *without_for;
	unsigned without;
	const char *carries;	/* a message with this member is not empty; or
				   NULL */
	int no_signs;		/* signatures do not stay, so a call that bears
				   one for others may go */
	const struct ctx_markers *notes;
};

/* What is remembered of a conversation between turns.  All zero is a start. */
struct ctx_links {
	int elsewhere;		/* it continues messages that the API keeps, so
				   their results may lack a call here */
};

struct ctx_linker {		/* working storage; all zero is valid */
	struct ctx_pairer pairer;
	struct ctx_idset ids;	/* of the calls of a turn */
	struct ctx_place_in_turn *slot;
	size_t nslot, capslot;
	struct ctx_buf buf;
};

void	ctx_linker_done(struct ctx_linker *w);

/*
 * Pair c and add to plan the changes that its links need, by the rules of
 * c->dialect, or of OpenAI chat if that is undecided.  Fills plan->order with
 * all messages.  Returns 0, or -1 if out of memory.
 */
int	ctx_links_plan(struct ctx_linker *w, struct ctx_plan *plan,
	    struct ctx_convo *c, struct ctx_links *seen,
	    const struct ctx_links_opts *opts, struct ctx_err *err)
	    CTX_CHECKED;

#endif
