/* SPDX-License-Identifier: MIT */
/* Members that tell conversations apart; see apart.h. */
#include "view/apart.h"

#include <string.h>

#include "read/node.h"

static uint32_t
value_of(const struct ctx_doc *doc, const char *name)
{
	uint32_t v = CTX_GET(doc, 0, name);

	return v != CTX_NONE && strchr("{[n", ctx_node_type(doc, v)) == NULL ?
	    v : CTX_NONE;
}

void
ctx_apart_see(struct ctx_apart *a, const struct ctx_doc *doc)
{
	static const char *const names[] = { "thread_id", "conversation_id",
		"session_id", "chat_id", "threadId", "conversationId",
		"sessionId", "chatId" };
	uint32_t v = CTX_NONE;
	size_t i;

	for (i = 0; !a->begun && v == CTX_NONE &&
	    i < sizeof(names) / sizeof(names[0]); i++)
		if ((v = value_of(doc, names[i])) != CTX_NONE)
			a->name = names[i];
	if (a->begun && a->name != NULL && a->values.n < CTX_APART_MAX)
		v = value_of(doc, a->name);
	a->begun = 1;
	if (v != CTX_NONE && ctx_strmap_add(&a->values, doc->raw +
	    doc->node[v].off, doc->node[v].len) == CTX_STRMAP_FULL) {
		ctx_apart_done(a);
		a->begun = 1;
	}
}

void
ctx_apart_done(struct ctx_apart *a)
{
	ctx_strmap_done(&a->values);
	memset(a, 0, sizeof(*a));
}
