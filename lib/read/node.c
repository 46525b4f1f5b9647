/* SPDX-License-Identifier: MIT */
/* Nodes of a record; see node.h. */
#include "read/node.h"

#include <string.h>

int
ctx_node_spells(struct ctx_str s, const char *text)
{
	size_t same;

	if (s.p == NULL)
		return 0;
	/* no string has a NUL, so that the text is not left */
	same = ctx_str_agrees(s.p, s.len, text, SIZE_MAX);
	return same == s.len ? text[same] == '\0' : s.p[same] == '\\' &&
	    ctx_str_equal(s.p, s.len, text, strlen(text));
}

int
ctx_node_begins(struct ctx_str s, const char *text)
{
	size_t n = strlen(text), same;

	if (s.p == NULL)
		return 0;
	same = ctx_str_agrees(s.p, s.len, text, n);
	if (same == n || same == s.len || s.p[same] != '\\')
		return same == n;
	return ctx_str_equal(s.p, ctx_str_cut(s.p, s.len, n), text, n);
}

int
ctx_node_decode(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t i)
{
	struct ctx_str s = ctx_node_str(doc, i);

	return s.p == NULL ? 0 : ctx_str_decode(out, s.p, s.len);
}

struct ctx_str
ctx_node_first(const struct ctx_doc *doc, uint32_t i, const char *const *keys)
{
	struct ctx_str s = { NULL, 0 };

	for (; *keys != NULL && s.p == NULL; keys++)
		s = ctx_node_str(doc, CTX_GET(doc, i, *keys));
	return s;
}

int
ctx_node_word(const struct ctx_doc *doc, uint32_t i,
    const struct ctx_word *words, int otherwise)
{
	struct ctx_str s = ctx_node_str(doc, i);

	/* most of the words begin with another letter */
	for (; s.p != NULL && words->word != NULL; words++)
		if ((s.p[0] == words->word[0] || s.p[0] == '\\') &&
		    ctx_node_spells(s, words->word))
			return words->means;
	return otherwise;
}

/* --- paths and sizes ---------------------------------------------------- */

/* Append /KEY, with the escapes of a JSON Pointer; the key's own are kept. */
static void
add_key(struct ctx_buf *b, struct ctx_str key)
{
	uint32_t i;

	ctx_buf_addc(b, '/');
	for (i = 0; i < key.len; i++)
		if (key.p[i] == '~')
			ctx_buf_adds(b, "~0");
		else if (key.p[i] == '/')
			ctx_buf_adds(b, "~1");
		else
			ctx_buf_addc(b, key.p[i]);
}

int
ctx_node_each_value(const struct ctx_doc *doc, uint32_t list, size_t *at,
    uint32_t *e, struct ctx_str *value)
{
	*at += strspn(doc->raw + *at, " \t\r\n,");
	if (doc->raw[*at] == ']')
		return 0;
	value->p = doc->raw + *at;
	if (*e < doc->node[list].next && doc->node[*e].off == *at) {
		value->len = doc->node[*e].len;
		*e = doc->node[*e].next;
	} else
		value->len = (uint32_t)strcspn(value->p, " \t\r\n,]");
	*at += value->len;
	return 1;
}

uint64_t
ctx_node_commas(const struct ctx_doc *doc, size_t from, size_t to)
{
	uint64_t n = 0;

	for (; from < to; from++)
		n += doc->raw[from] == ',';
	return n;
}

uint64_t
ctx_node_index(const struct ctx_doc *doc, uint32_t list, uint32_t e)
{
	size_t end = doc->node[list].off + (size_t)1;
	uint64_t n = 0;
	uint32_t k;

	/* what has no node there is between the commas, too */
	for (k = list + 1; k <= e; k = doc->node[k].next) {
		n += ctx_node_commas(doc, end, doc->node[k].off);
		end = doc->node[k].off + (size_t)doc->node[k].len;
	}
	return n;
}

void
ctx_node_path(struct ctx_buf *b, const struct ctx_doc *doc, uint32_t from,
    uint32_t node)
{
	uint32_t at, k, v;

	for (at = from; at != node; at = v) {
		if (ctx_node_type(doc, at) == '[') {
			for (v = at + 1; doc->node[v].next <= node;
			    v = doc->node[v].next)
				;
			ctx_buf_addf(b, "/%llu", (unsigned long long)
			    ctx_node_index(doc, at, v));
			continue;
		}
		for (k = at + 1; doc->node[k + 1].next <= node;
		    k = doc->node[k + 1].next)
			;
		if (k == node)
			return;
		v = k + 1;
		add_key(b, ctx_node_str(doc, k));
	}
}

uint32_t
ctx_node_at(const struct ctx_doc *doc, uint32_t root, const char *p)
{
	uint32_t lo = root, hi = doc->node[root].next, mid;
	size_t at = (size_t)(p - doc->raw);

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (doc->node[mid].off + (size_t)(ctx_node_type(doc, mid) ==
		    '"') < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < doc->node[root].next && doc->node[lo].off <= at ? lo : root;
}

uint64_t
ctx_node_values(const struct ctx_doc *doc, uint32_t node)
{
	const struct ctx_node *v = &doc->node[node];
	size_t end;
	uint64_t n;
	uint32_t k;

	if (ctx_node_type(doc, node) == '{') {
		for (n = 0, k = node + 1; k < v->next;
		    k = doc->node[k + 1].next)
			n += ctx_node_values(doc, k + 1);
		return n;
	}
	if (ctx_node_type(doc, node) != '[')
		return 1;
	if (strspn(doc->raw + v->off + 1, " \t\r\n") >= (size_t)v->len - 2)
		return 0;
	end = v->off + (size_t)1;
	for (n = 1, k = node + 1; k < v->next; k = doc->node[k].next) {
		n += ctx_node_commas(doc, end, doc->node[k].off) - 1 +
		    ctx_node_values(doc, k);
		end = doc->node[k].off + (size_t)doc->node[k].len;
	}
	return n + ctx_node_commas(doc, end, v->off + (size_t)v->len);
}
