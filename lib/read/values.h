/* SPDX-License-Identifier: MIT */
/*
 * Cuts JSON objects out of bytes that arrive in pieces: objects one after another,
 * or the elements of a list, each as soon as it ends.  What an object holds is not
 * checked.  All zero is the start.
 */
#ifndef CTX_READ_VALUES_H
#define CTX_READ_VALUES_H

#include <stddef.h>

#include "base/buf.h"

struct ctx_values {
	struct ctx_buf value;	/* the unfinished object */
	size_t depth;		/* of brackets in it */
	int string, escape;	/* it is in a string; after a backslash */
	enum { CTX_VALUES_BEGIN, CTX_VALUES_ROW, CTX_VALUES_LIST,
	    CTX_VALUES_END } state;
	int odd;		/* something else came, and all after it is
				   skipped */
};

/*
 * Take p[0 .. len).  Calls value with each object that ends there, borrowed; if it
 * returns anything but 0, that is returned.  Returns 0, or -1 if out of memory.
 */
int	ctx_values_feed(struct ctx_values *v, const char *p, size_t len,
	    int (*value)(void *arg, const char *p, size_t len), void *arg);

/* Has an object, or the list, begun and not ended? */
static inline int
ctx_values_open(const struct ctx_values *v)
{
	return v->depth > 0 || v->state == CTX_VALUES_LIST;
}

void	ctx_values_done(struct ctx_values *v);

#endif
