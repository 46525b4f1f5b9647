/* SPDX-License-Identifier: MIT */
/*
 * Declarations of functions as OpenAI's models read them: TypeScript, of which
 * OpenAI's description of its harmony format has examples (github.com/openai/
 * harmony, docs/format.md, "Function calling").
 */
#ifndef CTX_JOB_DECLARE_H
#define CTX_JOB_DECLARE_H

#include "edit/tools.h"

/* A longer declaration is cut short: references can nest without an end. */
#define CTX_DECLARE_MAX		(4 << 20)

/*
 * Append the declaration of a tool, decoded, with the blank line after it.
 * Returns 0, or -1 with CTX_EINPUT (its schema is not JSON) or CTX_ENOMEM.
 */
int	ctx_declare(struct ctx_buf *out, const struct ctx_tool *tool,
	    struct ctx_err *err) CTX_CHECKED;

#endif
