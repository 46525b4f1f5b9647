/* SPDX-License-Identifier: MIT */
/*
 * Internals that the parts of job/cut share: cut.c is the job, and decides what
 * a message is to the window and what becomes of a conversation; cut_lines.c
 * holds message lines until that is known, and cut_settle.c sends them where they
 * belong then; cut_held.c has what is held; cut_whole.c edits conversation lines.
 */
#ifndef CTX_JOB_CUT_IMPL_H
#define CTX_JOB_CUT_IMPL_H

#include "decide/group.h"
#include "decide/refs.h"
#include "decide/stays.h"
#include "job/charge.h"
#include "job/cut.h"
#include "job/revise.h"
#include "write/spill.h"

/* A conversation as the policy sees it. */
struct ctx_cut_history {
	struct ctx_window win;
	struct ctx_refs refs;
	struct ctx_stays stays;
	struct ctx_charged charged;	/* of message lines: their request, */
	uint64_t also;			/* for which this was */
	uint32_t sent;		/* of a conversation line: the API reads
				   messages from this one on, and system
				   messages */
	uint64_t turn;		/* thoughts of the turn so far */
};

struct ctx_cut {
	struct ctx_job job;
	struct ctx_cut_opts opts;
	struct ctx_cut_sums sums;
	struct ctx_cost own_cost;	/* in a copy of a job; opts.cost points
					   to it */

	/* working storage */
	struct ctx_groups groups;	/* of the current turn */
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_buf note;
	struct ctx_cut_history whole;	/* of a conversation line */
	struct ctx_convo again;		/* a message that is to be rewritten */
	struct ctx_buf element;		/* of a record's list, as a line */
	size_t held;			/* bytes held back; see window.h */
	struct ctx_spill spill;		/* records that were copied */
	struct ctx_cut_held **kept;	/* of this file, to be written */
	size_t nkept, capkept;
};

/* Messages m to end of c, all of one record, which are an item of the window. */
struct ctx_cut_msgs {
	const struct ctx_convo *c;
	uint32_t m, end;
};

/*
 * Set of->end for the item that begins with message m: a record or an element of
 * a conversation's list.  A message of Pydantic AI may have both the system
 * prompt, which stays, and the user's, which need not: these have an item each.
 * So have the elements of a list that takes the place of all messages before it.
 */
void	ctx_cut_extent(struct ctx_cut_msgs *of);

/* Make the item for these messages: its flags and, if needed, its cost. */
int	ctx_cut_item(struct ctx_cut *k, struct ctx_cut_history *h,
	    const struct ctx_cut_msgs *of, struct ctx_win_item *item,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Charge the window for what goes out besides the messages of the conversation
 * that c begins or is, at least as much as it was charged before.
 */
int	ctx_cut_request(struct ctx_cut *k, struct ctx_cut_history *h,
	    const struct ctx_convo *c, struct ctx_err *err) CTX_CHECKED;

/*
 * Note the texts in these messages that can be referred to, and their own
 * references.  They are the window's last item, and their text must stay in
 * place as long as the item does.
 */
int	ctx_cut_refer(struct ctx_cut *k, struct ctx_cut_history *h,
	    const struct ctx_cut_msgs *of, struct ctx_err *err) CTX_CHECKED;

/* What ctx_cut_choose needs from whoever holds a conversation's messages. */
struct ctx_cut_asked {
	/* Does any of item i fit room tokens?  1, 0, or -1 with *err. */
	int (*part)(void *arg, size_t i, uint64_t room, struct ctx_err *err);
	void *arg;
	/* its name, in case it cannot be made to fit */
	uint64_t line;
	const char *name;
	size_t namelen;
};

/* Add what becomes of a conversation to the totals. */
void	ctx_cut_sum(struct ctx_cut *k, const struct ctx_win_cut *cut);

/*
 * At the end of the conversation: mark what stays in the window, and count it.
 * Returns 1; 0 if it cannot be made to fit, which is reported; -1 with *err.
 */
int	ctx_cut_choose(struct ctx_cut *k, struct ctx_cut_history *h,
	    const struct ctx_cut_asked *asked, struct ctx_win_cut *cut,
	    struct ctx_err *err) CTX_CHECKED;

/* Must what is left of a history in this dialect begin with a user? */
int	ctx_cut_from_user(const struct ctx_cut *k, const struct ctx_dialect *d);

/* Does the history that is written differ from the one that was read? */
static inline int
ctx_cut_changed(const struct ctx_win_cut *cut)
{
	return cut->dropped + cut->lean > 0 || cut->part != SIZE_MAX;
}

static inline struct ctx_revise
ctx_cut_revise(const struct ctx_cut *k)
{
	return (struct ctx_revise){ k->opts.cost, k->opts.notes };
}

/*
 * Write "[12 earlier messages (3456 tokens) left out here]" to k->note if item
 * i follows the gap.  Returns 1 if so, 0 if not, -1 with *err.
 */
int	ctx_cut_note(struct ctx_cut *k, const struct ctx_win_cut *cut, size_t i,
	    struct ctx_err *err) CTX_CHECKED;

/* Handle a turn of message lines, their conversation's end, and its state. */
int	ctx_cut_lines_turn(struct ctx_cut *k, const struct ctx_turn *turn,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_cut_lines_end(struct ctx_strand *strand, void *job,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_cut_lines_free(void *state);
/* Write all held lines of the file in input order, or forget them. */
int	ctx_cut_lines_write(struct ctx_cut *k, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_cut_lines_forget(struct ctx_cut *k);

/* Handle a conversation line, which is written at once. */
int	ctx_cut_whole(struct ctx_cut *k, struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

#endif
