/* SPDX-License-Identifier: MIT */
/* Names of tools that an API refuses; see lib/decide/api.c for what it takes. */
#ifndef CTX_EDIT_TOOL_NAME_H
#define CTX_EDIT_TOOL_NAME_H

#include "decide/api.h"

/* Does api, which may be NULL, take the name, as spelled in JSON? */
int	ctx_tool_name_is_good(const struct ctx_api *api, struct ctx_str name);

/*
 * Append a name that api takes in place of one that it does not.  It depends on the
 * name alone, so that each request of a session has the same one, and so that it can
 * be mapped back: its characters, with _ for those that are not taken, as far as
 * there is room, and _ with eight digits of a hash (FNV-1a) of the whole.
 */
void	ctx_tool_name_make(struct ctx_buf *out, const struct ctx_api *api,
	    struct ctx_str name);

#endif
