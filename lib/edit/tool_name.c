/* SPDX-License-Identifier: MIT */
/* Names of tools; see tool_name.h. */
#include "edit/tool_name.h"

#include "base/fnv.h"
#include "base/utf8.h"

#define HASH	9	/* bytes of "_0123abcd" */

int
ctx_tool_name_is_good(const struct ctx_api *api, struct ctx_str name)
{
	if (api == NULL || api->name_max == 0)
		return 1;
	return name.len > 0 && name.len <= api->name_max &&
	    ctx_api_chars(api->name_chars, name);
}

void
ctx_tool_name_make(struct ctx_buf *out, const struct ctx_api *api,
    struct ctx_str name)
{
	struct ctx_str text = { NULL, 0 }, c = { NULL, 1 };
	size_t from = out->len, to = from, i, step;
	uint64_t hash;

	if (name.len == 0)
		ctx_buf_adds(out, "unknown_tool");
	else
		ctx_str_decode(out, name.p, name.len);
	if (out->failed)
		return;
	text.p = out->data + from;
	text.len = (uint32_t)(out->len - from);
	if (ctx_tool_name_is_good(api, text))
		return;
	hash = ctx_fnv(CTX_FNV_BEGIN, text.p, text.len);
	for (i = from; i < out->len && to - from < api->name_max - HASH;
	    i += step) {
		step = ctx_utf8_step(out->data + i, out->len - i, NULL);
		c.p = out->data + i;
		out->data[to++] = ctx_api_chars(api->name_chars, c) ? *c.p :
		    '_';
	}
	out->len = to;
	ctx_buf_addf(out, "_%08x", (unsigned)(hash ^ hash >> 32));
}
