/* SPDX-License-Identifier: MIT */
/* Messages of a scene that are kept, to be shown once more is known of them. */
#ifndef CTX_SHOW_REEL_H
#define CTX_SHOW_REEL_H

#include "show/scene.h"

/* All zero is empty. */
struct ctx_reel {
	struct ctx_shown *m;
	size_t n, cap;
};

/* Add a copy of m.  Returns 0, or -1 with CTX_ENOMEM. */
int	ctx_reel_add(struct ctx_reel *r, const struct ctx_shown *m,
	    struct ctx_err *err) CTX_CHECKED;

void	ctx_reel_done(struct ctx_reel *r);

#endif
