/* SPDX-License-Identifier: MIT */
/* Nodes of a record; see node.h. */
#include "view/node.h"

#include <string.h>

struct ctx_str
ctx_node_str(const struct ctx_doc *doc, uint32_t i)
{
	struct ctx_str s = { NULL, 0 };

	if (i != CTX_NONE && ctx_node_type(doc, i) == '"') {
		s.p = doc->raw + doc->node[i].off + 1;
		s.len = doc->node[i].len - 2;
	}
	return s;
}

int
ctx_node_is(const struct ctx_doc *doc, uint32_t i, const char *text)
{
	struct ctx_str s = ctx_node_str(doc, i);
	size_t len;

	/* most comparisons end here, with a different word without escapes */
	if (s.p == NULL || (s.p[0] != text[0] && s.p[0] != '\\'))
		return 0;
	len = strlen(text);
	if (s.len == len && memcmp(s.p, text, len) == 0)
		return 1;
	return memchr(s.p, '\\', s.len) != NULL &&
	    ctx_str_equal(s.p, s.len, text, len);
}

int
ctx_node_word(const struct ctx_doc *doc, uint32_t i,
    const struct ctx_word *words, int otherwise)
{
	if (i != CTX_NONE)
		for (; words->word != NULL; words++)
			if (ctx_node_is(doc, i, words->word))
				return words->means;
	return otherwise;
}
