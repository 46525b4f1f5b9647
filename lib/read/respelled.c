/* SPDX-License-Identifier: MIT */
/* Values in their shortest spelling; see respelled.h. */
#include "read/respelled.h"

#include "read/node.h"
#include "read/spell.h"

void
ctx_respelled_done(struct ctx_respelled *p)
{
	ctx_buf_done(&p->text);
	ctx_doc_done(&p->doc);
}

const struct ctx_doc *
ctx_respelled_of(struct ctx_respelled *p, const struct ctx_doc *doc,
    uint32_t e, uint32_t *top)
{
	struct ctx_str json = ctx_node_json(doc, e);

	*top = e;
	if (ctx_spell_is_plain(json))
		return doc;
	*top = 0;
	ctx_buf_reset(&p->text);
	ctx_spell_plain(&p->text, json);
	return p->text.failed || ctx_doc_try(&p->doc, p->text.data,
	    p->text.len) != 1 ? NULL : &p->doc;
}
