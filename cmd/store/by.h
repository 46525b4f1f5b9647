/* SPDX-License-Identifier: MIT */
/* --by: whether messages are found by words, by meaning, or by both. */
#ifndef CTX_CMD_STORE_BY_H
#define CTX_CMD_STORE_BY_H

#include "cmd/store/helper.h"
#include "store/search/rank.h"

#define BY_OPT (CLI_LONG + 930)
#define BY_OPTS \
	{ BY_OPT, "by", "HOW", "what to find by: keyword, meaning or both" }, \
	HELPER_OPTS

enum by_how { BY_UNSET, BY_KEYWORD, BY_MEANING, BY_BOTH };

/* All zero but helper.s. */
struct by {
	struct helper helper;
	enum by_how how;
};

/* Take one of BY_OPTS; 0 if ch is none of them. */
int	by_opt(struct by *b, int ch);

/*
 * What is most like the question, the best first, if meaning counts: in the
 * context of where, in all of its thread if context is 0, or with NULL in the
 * whole store.  Unless --by asks for it, meaning counts where it can: there is
 * an endpoint, it answers, and the store has vectors of its model.
 *
 * Returns: 1 and r; 0: words alone; -1: reported.
 */
int	by_meaning(struct by *b, const char *question,
	    const struct ctx_where *where, int context, struct ctx_rank *r);

#endif
