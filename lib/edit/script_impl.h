/* SPDX-License-Identifier: MIT */
/* How a script is read: its messages are placed in steps, which are then told. */
#ifndef CTX_EDIT_SCRIPT_IMPL_H
#define CTX_EDIT_SCRIPT_IMPL_H

#include "edit/script.h"

/* Is part i a call or thinking in a message that is not the model's? */
int	ctx_script_stray(const struct ctx_convo *c, uint32_t i);
/* Is part i enough to make a message worth converting? */
int	ctx_script_speaks(const struct ctx_convo *c,
	    const struct ctx_plan *plan, unsigned needs, uint32_t i);
/*
 * The part of message m that is the conversation so far, and that the target
 * does not have; CTX_NONE if there is none.
 */
uint32_t ctx_script_compacted(const struct ctx_script *s, uint32_t m);
/* Count message m, of which nothing can be said. */
void	ctx_script_lose_message(struct ctx_script *s, uint32_t m);

/* These return 0, or -1 if out of memory. */

/* Add an empty step. */
int	ctx_script_step(struct ctx_script *s, enum ctx_role role);
/*
 * Put the messages into steps.  For targets with alternating roles, system
 * messages come first, since they are written outside the list.
 */
int	ctx_script_place(struct ctx_script *s, const struct ctx_plan *plan,
	    unsigned needs);
/* Add to each step what its messages say; a step that says nothing goes. */
int	ctx_script_tell(struct ctx_script *s, const struct ctx_plan *plan,
	    unsigned needs);

#endif
