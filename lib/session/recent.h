/* SPDX-License-Identifier: MIT */
/*
 * The part of a thread that a cut can keep, found from its end, so that the
 * time depends on the part and not on the log: the beginning, which shows the
 * dialect and may hold a running summary; system messages; and the newest
 * messages from the beginning of a turn on, with what they answer; and records
 * that are no messages after any of these.  Cut to the limit, it gives the same
 * as the whole log, unless a filter in between takes out a message: a record that
 * is none, after it, then stays with what is before that.
 *
 * The newest messages are more than the limit, since what filters make shorter
 * or take out must not be missed: results are not counted at all, and more than
 * a quarter is added.
 */
#ifndef CTX_SESSION_RECENT_H
#define CTX_SESSION_RECENT_H

#include "job/cost.h"
#include "store/log.h"

struct ctx_recent {
	/* set by the caller */
	struct ctx_store *st;
	struct ctx_where where;
	struct ctx_cost *cost;		/* ready, if there is a budget */
	uint64_t tokens;		/* the limits of the cut; 0: none */
	uint64_t messages;

	struct ctx_log_same same;	/* the log that is read */

	/*
	 * Results: the part is messages 1 to head, those beside, the user's
	 * that the newest answer, and the newest.
	 */
	int64_t head, asked;
	int64_t from;			/* 0: the whole log */
	const struct ctx_dialect *dialect;
};

/*
 * Find the part.  It is the whole log where a part would not do: in sessions of
 * coding agents, for messages in lists, and if a message refers to an earlier
 * text.  Returns 0, or -1 with *err.
 */
int	ctx_recent_find(struct ctx_recent *r, struct ctx_err *err);

/* Pass the part to fn.  Returns 0, or -1 with *err. */
int	ctx_recent_read(struct ctx_recent *r, ctx_message_fn *fn, void *arg,
	    struct ctx_err *err);

#endif
