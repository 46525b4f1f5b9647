/* SPDX-License-Identifier: MIT */
/*
 * Marks in a request up to which its beginning is cached: Anthropic's cache_control and
 * Bedrock's cachePoint.  At most four are taken.  They are at the end of
 *
 *	the last message	so that the next request finds everything before it
 *	the last message of the request before	so that this one does, however many blocks
 *			the answer and its results have: a mark is looked for in
 *			the twenty blocks before the next one only
 *	the system prompt	also when the messages before it have changed
 *	the tools	also when the system prompt has changed
 *
 * (platform.claude.com/docs/en/build-with-claude/prompt-caching).
 */
#ifndef CTX_EDIT_BREAKPOINT_H
#define CTX_EDIT_BREAKPOINT_H

#include "base/buf.h"
#include "decide/param.h"

/*
 * Add the marks to the request in b, as how says.  Marks that it has count; of more than
 * four, the first ones in the messages are taken out.  Returns 0, or -1 with *err.
 */
int	ctx_breakpoint_put(struct ctx_buf *b,
	    const struct ctx_param_caching *how, struct ctx_err *err)
	    CTX_CHECKED;

#endif
