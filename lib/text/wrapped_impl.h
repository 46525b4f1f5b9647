/* SPDX-License-Identifier: MIT */
#ifndef CTX_TEXT_WRAPPED_IMPL_H
#define CTX_TEXT_WRAPPED_IMPL_H

#include "text/wrapped.h"

/* ctx_wrapped_open for a text that has no JSON around it. */
int	ctx_wrapped_lines(struct ctx_wrapped *w, struct ctx_str path,
	    struct ctx_str text) CTX_CHECKED;

/* The same for ctx_wrapped_output.  Returns 1, or 0 if it is not sure. */
int	ctx_wrapped_printed(struct ctx_wrapped *w, struct ctx_str text);

#endif
