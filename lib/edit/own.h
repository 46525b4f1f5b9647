/* SPDX-License-Identifier: MIT */
/*
 * Messages that are already in the dialect of the target.  They are not taken
 * apart: their JSON is written as it came, so that nothing in it can be lost.
 */
#ifndef CTX_EDIT_OWN_H
#define CTX_EDIT_OWN_H

#include "edit/target.h"

/*
 * Is every message of c in the target's dialect, without an envelope?  This is
 * also s->all_own then.
 */
int	ctx_own_all(struct ctx_script *s, const struct ctx_convo *c);

/*
 * Set the fate of the messages of s->c that can be written as they are to
 * CTX_AS_IS.  plan has not been told to keep what it moves.
 */
void	ctx_own_mark(struct ctx_script *s, const struct ctx_plan *plan,
	    unsigned needs);

/* Is message m the first of those that share its element or its line? */
int	ctx_own_begins(const struct ctx_convo *c, uint32_t m);

/* Does message m carry parts of dialect own, or, if that is NULL, of any? */
int	ctx_own_kept(const struct ctx_convo *c, uint32_t m,
	    const struct ctx_dialect *own);

/* Has message m a text that is not blank? */
int	ctx_own_says(const struct ctx_convo *c, uint32_t m);

/* Write message m, and those that share its element or line, as they are. */
void	ctx_own_put(struct ctx_writer *w, uint32_t m);

#endif
