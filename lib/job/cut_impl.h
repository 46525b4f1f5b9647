/* SPDX-License-Identifier: MIT */
/*
 * What the parts of job/cut share, and nobody else: cut.c is the job and what
 * becomes of a conversation, cut_lines.c keeps message lines until that is
 * known, cut_whole.c edits conversation lines, cut_weigh.c says what a message
 * is to the window.
 */
#ifndef CTX_JOB_CUT_IMPL_H
#define CTX_JOB_CUT_IMPL_H

#include "decide/links.h"
#include "decide/refs.h"
#include "decide/stays.h"
#include "job/cut.h"
#include "write/spill.h"

/* A conversation as the policy knows it. */
struct ctx_cut_history {
	struct ctx_window win;
	struct ctx_refs refs;
	struct ctx_stays stays;
};

struct ctx_cut {
	struct ctx_job job;
	struct ctx_cut_opts opts;
	struct ctx_cut_sums sums;
	struct ctx_cost own_cost;	/* of another's; opts.cost is it */

	/* working storage */
	struct ctx_pairer pairer;
	struct ctx_plan plan;
	struct ctx_edit edit;
	struct ctx_cut_history whole;	/* of a conversation line */
	struct ctx_convo again;		/* a message to be written otherwise */
	size_t held;			/* bytes held back, see window.h */
	struct ctx_spill spill;		/* records of their own memory */
	unsigned char *more;		/* ctx_group_marks of the turn in hand */
	size_t capmore;
	struct ctx_cut_held **kept;	/* of this file, to be written */
	size_t nkept, capkept;
};

/* Messages m to end of c, of one record. */
struct ctx_cut_msgs {
	const struct ctx_convo *c;
	uint32_t m, end;
};

/* The item that they are: its flags and, where costs are wanted, its cost. */
int	ctx_cut_item(struct ctx_cut *k, struct ctx_cut_history *h,
	    const struct ctx_cut_msgs *of, struct ctx_win_item *item,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Note what they say that may be referred to, and refer to.  They are the
 * window's last item; their text stays where it is while the item does.
 */
int	ctx_cut_refer(struct ctx_cut *k, struct ctx_cut_history *h,
	    const struct ctx_cut_msgs *of, struct ctx_err *err) CTX_CHECKED;

/* What is asked of whoever keeps a conversation's messages. */
struct ctx_cut_asked {
	/* Does any of item i fit that many tokens?  1, 0, or -1 with *err. */
	int (*part)(void *arg, size_t i, uint64_t room, struct ctx_err *err);
	void *arg;
	/* how it is named if it cannot be made to fit */
	uint64_t line;
	const char *name;
	size_t namelen;
};

/*
 * The conversation is at its end: what stays is marked in the window, and
 * counted.  1; 0: it cannot be made to fit, which is reported; -1 with *err.
 */
int	ctx_cut_choose(struct ctx_cut *k, struct ctx_cut_history *h,
	    const struct ctx_cut_asked *asked, struct ctx_win_cut *cut,
	    struct ctx_err *err) CTX_CHECKED;

/* Begins what is left of a history of this dialect with a user's message? */
int	ctx_cut_from_user(const struct ctx_cut *k, const struct ctx_dialect *d);

/* Is what is written another history than what came? */
static inline int
ctx_cut_changed(const struct ctx_win_cut *cut)
{
	return cut->dropped + cut->lean > 0 || cut->part != SIZE_MAX;
}

#define CTX_CUT_NOTE	128

/*
 * "[12 earlier messages (3456 tokens) left out here]" in out, of CTX_CUT_NOTE
 * bytes: its length, or 0 if item i does not follow the gap.
 */
size_t	ctx_cut_note(const struct ctx_cut *k, const struct ctx_win_cut *cut,
	    size_t i, char *out);

/* A turn of message lines, the end of their conversation, and its state. */
int	ctx_cut_lines_turn(struct ctx_cut *k, const struct ctx_turn *turn,
	    struct ctx_err *err) CTX_CHECKED;
int	ctx_cut_lines_end(struct ctx_strand *strand, void *job,
	    struct ctx_err *err) CTX_CHECKED;
void	ctx_cut_lines_free(void *state);
/* All of the file's are written, in input order; or forgotten. */
int	ctx_cut_lines_write(struct ctx_cut *k, struct ctx_err *err)
	    CTX_CHECKED;
void	ctx_cut_lines_forget(struct ctx_cut *k);

/* A conversation line, which leaves at once. */
int	ctx_cut_whole(struct ctx_cut *k, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

#endif
