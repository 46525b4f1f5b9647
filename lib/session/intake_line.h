/* SPDX-License-Identifier: MIT */
/* What is done to a line because of its dialect: for intake.c alone. */
#ifndef CTX_SESSION_INTAKE_LINE_H
#define CTX_SESSION_INTAKE_LINE_H

#include "session/intake.h"

/*
 * *line as it is to be stored, good until the next call, and *tokens that it
 * carries, or -1.  0, or -1 with CTX_EINPUT (err->col set) or
 * CTX_ENOMEM.
 */
int	ctx_intake_line_read(struct ctx_intake *in, struct ctx_str *line,
	    int64_t *tokens, struct ctx_err *err);

/*
 * The role of a scanned line, and whether it opens a turn.  A line with a whole
 * conversation has none.  0, or -1 out of memory.
 */
int	ctx_intake_line_role(struct ctx_intake *in, struct ctx_entry *line,
	    struct ctx_err *err);

/* Gets each message as a line of its own, good until it returns. */
typedef int ctx_intake_fn(struct ctx_intake *in, const char *raw, size_t len,
	    struct ctx_err *err);

/*
 * A conversation line as the messages in it, system prompts that stand beside
 * them included.  1: all were handed over; 0: it is no conversation; -1, also
 * when fn returned that.
 */
int	ctx_intake_line_split(struct ctx_intake *in, const char *raw,
	    size_t len, ctx_intake_fn *fn, struct ctx_err *err);

#endif
