/* SPDX-License-Identifier: MIT */
/*
 * Is a stored message one of a tool's calls or results?  Apart from the rest of
 * ctx-store, whose threads are others than those of view/turn.h.
 */
#ifndef CTX_CMD_STORE_TOOL_H
#define CTX_CMD_STORE_TOOL_H

#include "base/err.h"

struct tool;

/* A tool's name, kept.  NULL: out of memory. */
struct tool *tool_new(const char *name);

/* The next line; the message in question comes last.  0 or -1 with *err. */
int	tool_take(struct tool *t, const char *raw, size_t len,
	    struct ctx_err *err);

/*
 * Has the last line a call of the tool, or a result of one?  1, 0, or -1 with
 * *err.  The next line is the first of another message's.
 */
int	tool_is(struct tool *t, struct ctx_err *err);

void	tool_free(struct tool *t);	/* t may be NULL */

#endif
