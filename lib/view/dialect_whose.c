/* SPDX-License-Identifier: MIT */
/* Whose the words of a user's message are; see dialect.h. */
#include "view/dialect.h"

static int
is_true(const struct ctx_doc *doc, uint32_t node, const char *name)
{
	return name != NULL && node != CTX_NONE && ctx_node_if(doc,
	    ctx_doc_get(doc, node, name, strlen(name)), 't') != CTX_NONE;
}

/* Did the program write part i? */
static int
is_own_part(const struct ctx_convo *c, uint32_t i, const struct ctx_doc *doc,
    const struct ctx_dialect_own *own)
{
	struct ctx_str text = ctx_part_text(c, i);
	size_t k;

	if (is_true(doc, c->part[i].place[0].node, own->part))
		return 1;
	for (k = 0; own->texts != NULL && own->texts[k] != NULL; k++)
		if (ctx_node_begins(text, own->texts[k]))
			return 1;
	return 0;
}

enum ctx_whose
ctx_dialect_whose(const struct ctx_convo *c, uint32_t m)
{
	const struct ctx_msg *msg = &c->msg[m];
	const struct ctx_dialect *d = ctx_msg_dialect(c, m);
	const struct ctx_dialect_own *own = d != NULL ? d->own : NULL;
	struct ctx_doc doc = ctx_convo_doc(c, msg->rec);
	enum ctx_whose is = CTX_WHOSE_NONE;
	uint32_t i;

	if (msg->role != CTX_USER)
		return CTX_WHOSE_NONE;
	CTX_FOR_PARTS(c, m, i) {
		const struct ctx_part *p = &c->part[i];

		if (p->flags & CTX_INNER || p->kind == CTX_RESULT ||
		    p->kind == CTX_HOLLOW || p->kind == CTX_COPY)
			continue;
		is = CTX_WHOSE_OWN;
		if (own == NULL || !is_own_part(c, i, &doc, own))
			return msg->flags & CTX_SUMMARY || (own != NULL &&
			    is_true(&doc, c->rec[msg->rec].root,
			    own->record)) ? CTX_WHOSE_OWN : CTX_WHOSE_TYPED;
	}
	return is;
}
