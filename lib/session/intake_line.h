/* SPDX-License-Identifier: MIT */
/* How a line is treated according to its dialect; for intake.c and imports. */
#ifndef CTX_SESSION_INTAKE_LINE_H
#define CTX_SESSION_INTAKE_LINE_H

#include "session/intake.h"

/*
 * Set *line to the line as it is to be stored, valid until the next call, and
 * *tokens to the count that it carries, or -1.  Returns 0, or -1 with
 * CTX_EINPUT (err->col set) or CTX_ENOMEM.
 */
int	ctx_intake_line_read(struct ctx_intake *in, struct ctx_str *line,
	    int64_t *tokens, struct ctx_err *err);

/*
 * Set the role of a scanned line and whether it opens a turn.  A line with a
 * whole conversation has no role.  Returns 0, or -1 if out of memory.
 */
int	ctx_intake_line_role(struct ctx_intake *in, struct ctx_entry *line,
	    struct ctx_err *err);

/* Called with each message as a line of its own, valid until it returns. */
typedef int ctx_intake_fn(struct ctx_intake *in, const char *raw, size_t len,
	    struct ctx_err *err);

/*
 * Split a conversation line into its messages, including system prompts that
 * are stored outside of them.  Returns 1 if all were passed to fn, 0 if the
 * line is not a conversation, or -1, also when fn returns that.
 */
int	ctx_intake_line_split(struct ctx_intake *in, const char *raw,
	    size_t len, ctx_intake_fn *fn, struct ctx_err *err);

#endif
