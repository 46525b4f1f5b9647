/* SPDX-License-Identifier: MIT */
/* Is a search hit a call or a result of a given tool? */
#ifndef CTX_SESSION_TOOLHIT_H
#define CTX_SESSION_TOOLHIT_H

#include "store/search/search.h"

struct ctx_toolhit;

/* For hits of a store; the name is copied.  NULL if out of memory. */
struct ctx_toolhit *ctx_toolhit_new(struct ctx_store *st, const char *name);
void	ctx_toolhit_free(struct ctx_toolhit *t);	/* t may be NULL */

/*
 * An accept function for struct ctx_search; arg is a struct ctx_toolhit.
 * Returns 1 if the hit has a call of the tool or a result of one, 0 if not, or
 * -1 with *err set.
 */
int	ctx_toolhit_accept(const struct ctx_hit *h, void *arg,
	    struct ctx_err *err);

#endif
