/* SPDX-License-Identifier: MIT */
/* The line for what a command or a tool listed, found or compared. */
#ifndef CTX_JOB_RAN_H
#define CTX_JOB_RAN_H

#include "base/wording.h"
#include "text/listing.h"

struct ctx_ran {
	struct ctx_str title;	/* the command, or the tool and its arguments */
	int tool;		/* it is a tool's */
	enum ctx_wording lang;
	size_t width;		/* of the line, in characters; 0: no limit */
};

/*
 * Append the line, without a newline:
 *
 *	[command run] grep -rn main src (12 matching lines, 2 files: a.c 9, b.c 3)
 *	[命令已运行] git diff (2个文件, +4, −1: a.c +3 −1, b.c +1 −0)
 *
 * or [tool run] and [工具已运行].  Names that do not fit are counted: … +12.
 * Returns 0, or -1 if out of memory.
 */
int	ctx_ran_line(const struct ctx_ran *r, const struct ctx_listing *l,
	    struct ctx_buf *out) CTX_CHECKED;

/* Does a text begin like such a line, in either language? */
int	ctx_ran_is_line(const char *p, size_t len);

#endif
