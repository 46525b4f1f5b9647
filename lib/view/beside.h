/* SPDX-License-Identifier: MIT */
/*
 * Logs that have a result beside its call, in the place of the call, and perhaps
 * once more in a message.
 */
#ifndef CTX_VIEW_BESIDE_H
#define CTX_VIEW_BESIDE_H

#include "view/convo.h"

/* Make part i a copy: it is never sent. */
void	ctx_beside_copy(struct ctx_convo *c, uint32_t i);

/*
 * Of a result that a message of dialect of has, the one beside its call becomes a
 * copy; where calls of a message share an id, only as many as there would be more
 * results than calls.  Any other one is the only one: both are one part.  For
 * struct ctx_dialect's settle; the parts have no CTX_SERVER before that.
 */
int	ctx_beside_settle(struct ctx_convo *c, const struct ctx_dialect *of)
	    CTX_CHECKED;

#endif
