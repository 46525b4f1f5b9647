/* SPDX-License-Identifier: MIT */
/* Access to the nodes of a line.  CTX_NONE counts as a node of no type. */
#ifndef CTX_READ_NODE_H
#define CTX_READ_NODE_H

#include <string.h>

#include "read/span.h"

/* Contents of string node i of doc; .p is NULL if it is not a string. */
static inline struct ctx_str
ctx_node_str(const struct ctx_doc *doc, uint32_t i)
{
	struct ctx_str s = { NULL, 0 };

	if (i != CTX_NONE && ctx_node_type(doc, i) == '"') {
		s.p = doc->raw + doc->node[i].off + 1;
		s.len = doc->node[i].len - 2;
	}
	return s;
}

/* Do string contents s, of which there may be none, spell text? */
int	ctx_node_spells(struct ctx_str s, const char *text);

/* Do they spell a text that begins with text, which is ASCII? */
int	ctx_node_begins(struct ctx_str s, const char *text);

/* Does string node i spell text?  0 for CTX_NONE and other types. */
static inline int
ctx_node_is(const struct ctx_doc *doc, uint32_t i, const char *text)
{
	struct ctx_str s = ctx_node_str(doc, i);

	if (s.p == NULL)
		return 0;
	/* most comparisons end here; a literal is compared without a call */
	if (s.len == strlen(text) && memcmp(s.p, text, strlen(text)) == 0)
		return 1;
	return (s.p[0] == text[0] || s.p[0] == '\\') &&
	    ctx_node_spells(s, text);
}

/* The JSON of node i as it is in doc; .p is NULL for CTX_NONE. */
static inline struct ctx_str
ctx_node_json(const struct ctx_doc *doc, uint32_t i)
{
	struct ctx_str s = { NULL, 0 };

	if (i != CTX_NONE) {
		s.p = doc->raw + doc->node[i].off;
		s.len = doc->node[i].len;
	}
	return s;
}

/* Append the JSON of node i. */
static inline int
ctx_node_put(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t i)
{
	return ctx_buf_add(out, doc->raw + doc->node[i].off, doc->node[i].len);
}

/* Append the decoded text of string node i, if it is one. */
int	ctx_node_decode(struct ctx_buf *out, const struct ctx_doc *doc,
	    uint32_t i);

/* Is node i a key?  A key is followed by a colon, and nothing else is. */
static inline int
ctx_node_is_key(const struct ctx_doc *doc, uint32_t i)
{
	const char *p = doc->raw + doc->node[i].off;

	if (*p != '"' || i == 0)
		return 0;
	/* inside an object there is always a next byte to look at */
	for (p += doc->node[i].len; *p == ' ' || *p == '\t' || *p == '\n' ||
	    *p == '\r'; p++)
		;
	return *p == ':';
}

/*
 * The value of a list at byte *at, whose next node is *e; both move on to the next
 * one.  It is JSON; numbers in lists have no nodes.  Returns 0 at the end.  Begin
 * after the bracket, with the node after the list's.
 */
int	ctx_node_each_value(const struct ctx_doc *doc, uint32_t list,
	    size_t *at, uint32_t *e, struct ctx_str *value);

/* The commas between the elements of a list, from byte from up to byte to. */
uint64_t ctx_node_commas(const struct ctx_doc *doc, size_t from, size_t to);

/* The index of element e in list, where not every element has a node. */
uint64_t ctx_node_index(const struct ctx_doc *doc, uint32_t list, uint32_t e);

/*
 * Append the JSON Pointer (RFC 6901) from node from to node, which is in it,
 * as the contents of a JSON string.  A key has the path of its object.
 */
void	ctx_node_path(struct ctx_buf *b, const struct ctx_doc *doc,
	    uint32_t from, uint32_t node);

/* The node in root whose JSON, or contents, begins at p; else root. */
uint32_t ctx_node_at(const struct ctx_doc *doc, uint32_t root, const char *p);

/* The number of strings, numbers and literals in a node's value. */
uint64_t ctx_node_values(const struct ctx_doc *doc, uint32_t node);

/* A table of words and their meanings, ended by a NULL word. */
struct ctx_word {
	const char *word;
	int means;
};
/* The meaning of string node i; otherwise if it is not in the table. */
int	ctx_node_word(const struct ctx_doc *doc, uint32_t i,
	    const struct ctx_word *words, int otherwise);

/* Member key of node i, which may be CTX_NONE. */
#define CTX_GET(doc, i, key) ((i) == CTX_NONE ? CTX_NONE : \
	ctx_doc_get((doc), (i), (key), strlen(key)))
/* The first of node i's members keys, ended by NULL, that is a string. */
struct ctx_str	ctx_node_first(const struct ctx_doc *doc, uint32_t i,
	    const char *const *keys);

/* Node i if it has that type (its first byte), else CTX_NONE. */
static inline uint32_t
ctx_node_if(const struct ctx_doc *doc, uint32_t i, char type)
{
	return i != CTX_NONE && ctx_node_type(doc, i) == type ? i : CTX_NONE;
}

/* Is node i a list without elements, also such as have no nodes? */
static inline int
ctx_node_is_void(const struct ctx_doc *doc, uint32_t i)
{
	return ctx_node_if(doc, i, '[') != CTX_NONE &&
	    doc->node[i].next == i + 1 && ctx_node_values(doc, i) == 0;
}

/* Node i unless it is null, which libraries write for what is absent. */
static inline uint32_t
ctx_node_given(const struct ctx_doc *doc, uint32_t i)
{
	return i != CTX_NONE && ctx_node_type(doc, i) != 'n' ? i : CTX_NONE;
}

/* Member key of node i, as CTX_GET, unless it is null. */
#define CTX_GIVEN(doc, i, key) ctx_node_given((doc), CTX_GET(doc, i, key))

/* for (e in list i), where i may be CTX_NONE or not a list */
#define CTX_FOR_LIST(doc, e, i) \
	if (ctx_node_if((doc), (i), '[') != CTX_NONE) \
		for ((e) = (i) + 1; (e) < (doc)->node[i].next; \
		    (e) = (doc)->node[e].next)

/* for (key k of object i), where i may be CTX_NONE or not an object */
#define CTX_FOR_KEYS(doc, k, i) \
	if (ctx_node_if((doc), (i), '{') != CTX_NONE) \
		for ((k) = (i) + 1; (k) < (doc)->node[i].next; \
		    (k) = (doc)->node[(k) + 1].next)

#endif
