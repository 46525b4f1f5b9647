/* SPDX-License-Identifier: MIT */
/*
 * Definitions of tools for a request, from a list in any provider's form:
 * {"type":"function","function":{...}}, {"name","input_schema"},
 * {"functionDeclarations":[...]}.
 */
#ifndef CTX_EDIT_TOOLS_H
#define CTX_EDIT_TOOLS_H

#include "edit/target.h"

struct ctx_tools {
	struct ctx_tool *tool;
	size_t n, cap;
};

void	ctx_tools_done(struct ctx_tools *t);

/* Append the definitions in the list at node, or in its member "tools". */
int	ctx_tools_read(struct ctx_tools *t, const struct ctx_doc *doc,
	    uint32_t node, struct ctx_err *err) CTX_CHECKED;

/*
 * Append a tool without a definition for each tool that s calls and t lacks.
 * Sets *nmade to their number.
 */
int	ctx_tools_complete(struct ctx_tools *t, const struct ctx_script *s,
	    size_t *nmade, struct ctx_err *err) CTX_CHECKED;

#endif
