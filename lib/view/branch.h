/* SPDX-License-Identifier: MIT */
/*
 * The branch of a conversation that is read, where its messages form a tree:
 * that of its last message, which a program would resume.
 *
 * Names: ctx_branch_, struct ctx_branches.
 */
#ifndef CTX_VIEW_BRANCH_H
#define CTX_VIEW_BRANCH_H

#include "view/chain.h"
#include "view/dialect.h"

struct ctx_branches {		/* all zero is valid */
	int each;		/* set by the caller: all are wanted */
	int sent;		/* set by the caller: what a summary replaced is
				   taken out, too */
	uint32_t nbeside;	/* messages that the last call took out, */
	uint32_t nreplaced;	/* and those of them that were replaced */

	/* working storage */
	unsigned char *gone, *done;	/* by message */
	size_t capgone, capdone;
	/* the conversation as it came */
	struct ctx_rec *rec;
	struct ctx_msg *msg;
	struct ctx_part *part;
	uint32_t nmsg, npart;
	size_t caprec, capmsg, cappart;
};

void	ctx_branch_done(struct ctx_branches *b);

/*
 * Take the messages that are not in the branch out of c, whose records stay as
 * they are; c->beside tells which.  Its messages have not been paired.  Returns
 * 0, or -1 with CTX_ENOMEM.
 */
int	ctx_branch_first(struct ctx_branches *b, struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Make c the branch before it, by its last message.  Returns 1; 0 if there is
 * none, or not each is wanted; or -1 with CTX_ENOMEM.
 */
int	ctx_branch_next(struct ctx_branches *b, struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Mark in ch->rec, c's chain, what records of c are beside the branch of its
 * last message, or of ch->tip, by the parents that ch has now.  Other than above, what a
 * summary replaced is in the branch.  Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_branch_mark(struct ctx_chain *ch, const struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

/* Is message m of c, whose chain ch is, marked so?  No, if ch is NULL. */
static inline int
ctx_branch_is_off(const struct ctx_chain *ch, const struct ctx_convo *c,
    uint32_t m)
{
	uint32_t link = c->rec[c->msg[m].rec].link;

	return ch != NULL && link > 0 && ch->rec[link - 1].beside;
}

/*
 * Note in c->until which calls are answered after messages of the other side
 * came: the branch, or what is beside it.  Two programs went on with a session.
 * Returns 0, or -1 with CTX_ENOMEM.
 */
int	ctx_branch_late(const struct ctx_chain *ch, struct ctx_convo *c,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Did the summary at message boundary replace message m before it?  Not what
 * precedes the log of the summary's program, nor a prompt that it still sends.
 */
int	ctx_branch_replaced(const struct ctx_convo *c, uint32_t boundary,
	    uint32_t m);

/* Is node an element, or the root of a line, that was taken out of c? */
int	ctx_branch_is_beside(const struct ctx_convo *c, uint32_t rec,
	    uint32_t node);

#endif
