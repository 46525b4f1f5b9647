/* SPDX-License-Identifier: MIT */
/*
 * Messages that are already in the dialect of the target.  They are not taken
 * apart: their JSON is written as it came, so that nothing in it can be lost.
 */
#ifndef CTX_EDIT_OWN_H
#define CTX_EDIT_OWN_H

#include "edit/edit.h"
#include "edit/target.h"

struct ctx_own {		/* working storage; all zero is valid */
	struct ctx_edit edit;
	struct ctx_convo fixed, line;
};

void	ctx_own_done(struct ctx_own *o);

/*
 * Is every message of c in the target's dialect, without an envelope?  This is
 * also s->all_own then.
 */
int	ctx_own_all(struct ctx_script *s, const struct ctx_convo *c);

/*
 * For a conversation that is wholly in the target's dialect: add to plan what
 * the target needs besides valid links, namely short ids and arguments that are
 * strings.  plan is settled before and after.  Returns 0, or -1 with
 * CTX_ENOMEM.
 */
int	ctx_own_fit(struct ctx_script *s, struct ctx_plan *plan,
	    const struct ctx_convo *c, unsigned needs, struct ctx_err *err)
	    CTX_CHECKED;

/*
 * Carry out plan on such a conversation and read the result, which then needs
 * no changes.  It is valid until the next call.  Returns NULL with *err if
 * memory ran out or the plan contradicts itself.
 */
struct ctx_convo *ctx_own_fix(struct ctx_own *o, const struct ctx_plan *plan,
	    const struct ctx_convo *c, const struct ctx_dialect *own,
	    struct ctx_err *err) CTX_CHECKED;

/*
 * Set the fate of the messages of s->c that can be written as they are to
 * CTX_AS_IS.  plan has not been told to keep what it moves.
 */
void	ctx_own_mark(struct ctx_script *s, const struct ctx_plan *plan,
	    unsigned needs);

/* Is message m the first of those that share its element or its line? */
int	ctx_own_begins(const struct ctx_convo *c, uint32_t m);

/* Does message m carry parts of dialect own, which are to be restored there? */
int	ctx_own_kept(const struct ctx_convo *c, uint32_t m,
	    const struct ctx_dialect *own);

/* Has message m a text that is not blank? */
int	ctx_own_says(const struct ctx_convo *c, uint32_t m);

/* Write message m, and those that share its element or line, as they are. */
void	ctx_own_put(struct ctx_writer *w, uint32_t m);

#endif
