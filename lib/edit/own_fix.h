/* SPDX-License-Identifier: MIT */
/*
 * Repairs of a conversation that is already in the dialect of the target, where it is
 * (see own.h).
 */
#ifndef CTX_EDIT_OWN_FIX_H
#define CTX_EDIT_OWN_FIX_H

#include "edit/edit.h"
#include "edit/target.h"

struct ctx_own {		/* working storage; all zero is valid */
	struct ctx_edit edit;
	struct ctx_convo fixed, line;
};

void	ctx_own_done(struct ctx_own *o);

/*
 * For a conversation that is wholly in the target's dialect: add to plan what
 * the target needs besides valid links: ids and names of tools that it takes,
 * arguments that are strings, and contents.  plan is settled before and after.
 * Returns 0, or -1 with CTX_ENOMEM.
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

/* Does the API refuse the name of the tool that p calls, or is the result of? */
int	ctx_own_misnamed(const struct ctx_script *s, const struct ctx_part *p);

/*
 * Has message m an empty list of contents, or, from a user, none, and carries nothing
 * for other dialects?
 */
int	ctx_own_hollow(const struct ctx_convo *c, uint32_t m);

#endif
