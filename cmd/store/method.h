/* SPDX-License-Identifier: MIT */
/* --method: whether messages are found by words, by meaning, or by both. */
#ifndef CTX_CMD_STORE_METHOD_H
#define CTX_CMD_STORE_METHOD_H

#include "cmd/store/helper.h"
#include "store/search/rank.h"

enum method_how { METHOD_UNSET, METHOD_KEYWORD, METHOD_MEANING, METHOD_BOTH };

/* All zero but helper.s. */
struct method {
	struct helper helper;
	enum method_how how;
};

/* --method and those of helper_opts, of a struct method. */
extern const struct cli_opt method_opts[];

/*
 * What is most like the question, the best first, if meaning counts: in the
 * context of where, in all of its thread if context is 0, or with NULL in the
 * whole store.  Unless --method asks for it, meaning counts where it can: there
 * is an endpoint, it answers, and the store has vectors of its model.
 *
 * Returns: 1 and r; 0: words alone; -1: reported.
 */
int	method_meaning(struct method *b, const char *question,
	    const struct ctx_where *where, int context, struct ctx_rank *r);

#endif
