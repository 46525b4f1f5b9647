/* SPDX-License-Identifier: MIT */
/*
 * Results as lines that name their calls: {"id":...,"output":...}, which are
 * written together for an API later.
 */
#include "edit/target.h"

static void
put_results(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->result, *end;

	for (end = it + st->nresult; it < end; it++) {
		ctx_put_begin(w);
		if (it->id.p != NULL)
			ctx_put_3(w, "\"id\":\"", it->id, "\",");
		if (it->name.p != NULL)
			ctx_put_3(w, "\"name\":\"", it->name, "\",");
		ctx_put(w, "\"output\":");
		if (it->flags & CTX_RAW)
			ctx_put_json(w, it->text);
		else
			ctx_put_quoted(w, it);
		ctx_put(w, it->flags & CTX_ERROR ? ",\"error\":true}\n" :
		    "}\n");
	}
}

const struct ctx_target ctx_to_results = {
	.name = "results",
	.only_text = 1,
	.results = put_results
};
