/* SPDX-License-Identifier: MIT */
/* Is a hit of search one of a tool's calls or results? */
#ifndef CTX_SESSION_TOOLHIT_H
#define CTX_SESSION_TOOLHIT_H

#include "store/search/search.h"

struct ctx_toolhit;

/* For hits of a store; the name is copied.  NULL out of memory. */
struct ctx_toolhit *ctx_toolhit_new(struct ctx_store *st, const char *name);
void	ctx_toolhit_free(struct ctx_toolhit *t);	/* t may be NULL */

/*
 * A struct ctx_search's accept, arg a struct ctx_toolhit: 1: it has a call of
 * the tool, or a result of one; 0: it has not; -1: *err.
 */
int	ctx_toolhit_accept(const struct ctx_hit *h, void *arg,
	    struct ctx_err *err);

#endif
