/* SPDX-License-Identifier: MIT */
/* A number for each call of a history, by its id. */
#ifndef CTX_SHOW_CALLS_H
#define CTX_SHOW_CALLS_H

#include "base/strmap.h"
#include "read/span.h"

/* All zero is ready for use. */
struct ctx_calls {
	struct ctx_strmap ids;
	uint64_t *of;
	size_t n, cap;
	struct ctx_buf word;
};

/*
 * Set *of to the number of the id in a conversation, which is 0 at first, or to
 * NULL if there is no id.  It is valid until the next call.  Returns 0, or -1
 * with CTX_ENOMEM.
 */
int	ctx_calls_find(struct ctx_calls *c, uint64_t conversation,
	    struct ctx_str id, uint64_t **of, struct ctx_err *err) CTX_CHECKED;

void	ctx_calls_done(struct ctx_calls *c);

#endif
