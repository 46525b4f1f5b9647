/* SPDX-License-Identifier: MIT */
/* Numbers in messages; see cli_carried.h. */
#include "cli_carried.h"

#include <string.h>

int
cli_carried(const struct ctx_convo *c, uint32_t m, const char *key,
    uint64_t *n)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t v;
	size_t i;

	if (ctx_node_type(&doc, c->msg[m].node) != '{')
		return 0;
	v = ctx_doc_get(&doc, c->msg[m].node, key, strlen(key));
	/* a session file's message may carry it on the record around it */
	if (v == CTX_NONE)
		v = ctx_doc_get(&doc, c->rec[c->msg[m].rec].root, key,
		    strlen(key));
	/* 18 digits are more than any message has */
	if (v == CTX_NONE || doc.node[v].len > 18)
		return 0;
	*n = 0;
	for (i = 0; i < doc.node[v].len; i++) {
		char ch = doc.raw[doc.node[v].off + i];

		if (ch < '0' || ch > '9')
			return 0;
		*n = *n * 10 + (uint64_t)(ch - '0');
	}
	return 1;
}
