/* SPDX-License-Identifier: MIT */
/* Schemas of Google's APIs as JSON Schema; see target.h. */
#include "edit/target.h"

#include <string.h>

static void put_value(struct ctx_writer *w, const struct ctx_doc *doc,
	    uint32_t node);

static int
is_true(const struct ctx_doc *doc, uint32_t node)
{
	return node != CTX_NONE && ctx_node_type(doc, node) == 't';
}

/* The name of a type, which Google also takes as its number in the proto. */
static struct ctx_str
type_of(const struct ctx_doc *doc, uint32_t node)
{
	static const char *const names[] = { "string", "number", "integer",
	    "boolean", "array", "object", "null" };
	struct ctx_str s = ctx_node_str(doc, node);
	struct ctx_str json = ctx_node_json(doc, node);

	if (s.p == NULL && json.len == 1 && json.p[0] >= '1' && json.p[0] <= '7') {
		s.p = names[json.p[0] - '1'];
		s.len = (uint32_t)strlen(s.p);
	}
	return s;
}

/* Write the type in lower case, as a list with "null" if that is allowed. */
static void
put_type(struct ctx_writer *w, struct ctx_str type, int nullable)
{
	uint32_t i;
	char c;

	ctx_put(w, nullable ? "[\"" : "\"");
	for (i = 0; i < type.len; i++) {
		c = type.p[i];
		ctx_buf_addc(w->out, c >= 'A' && c <= 'Z' ?
		    (char)(c - 'A' + 'a') : c);
	}
	ctx_put(w, nullable ? "\",\"null\"]" : "\"");
}

/* Write a list, with one more element if that is not NULL. */
static void
put_list(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t list,
    const char *more)
{
	struct ctx_str json = ctx_node_json(doc, list);
	uint32_t e;
	int n = 0;

	ctx_put(w, "[");
	if (list + 1 == doc->node[list].next) {	/* numbers have no nodes */
		ctx_buf_add(w->out, json.p + 1, json.len - 2);
		n = json.len > 2;
	}
	CTX_FOR_LIST(doc, e, list) {
		ctx_put_comma(w, &n);
		put_value(w, doc, e);
	}
	if (more != NULL) {
		ctx_put_comma(w, &n);
		ctx_put(w, more);
	}
	ctx_put(w, "]");
}

/* Write an object whose members are schemas. */
static void
put_named(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t object)
{
	uint32_t k;
	int n = 0;

	ctx_put(w, "{");
	CTX_FOR_KEYS(doc, k, object) {
		ctx_put_comma(w, &n);
		ctx_node_put(w->out, doc, k);
		ctx_put(w, ":");
		put_value(w, doc, k + 1);
	}
	ctx_put(w, "}");
}

/* Is the value of key k a string of digits, as protos spell 64-bit numbers? */
static int
is_number(const struct ctx_doc *doc, uint32_t k)
{
	static const struct ctx_word limits[] = { { "minItems", 1 },
	    { "maxItems", 1 }, { "minLength", 1 }, { "maxLength", 1 },
	    { "minProperties", 1 }, { "maxProperties", 1 }, { NULL, 0 } };
	struct ctx_str s = ctx_node_str(doc, k + 1);

	return ctx_node_word(doc, k, limits, 0) && s.len > 0 &&
	    strspn(s.p, "0123456789") == s.len;
}

static void
put_member(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t k,
    int nullable)
{
	enum { OTHER, TYPE, NAMED, ANY_OF, ENUM, DATA };
	static const struct ctx_word words[] = { { "type", TYPE },
	    { "properties", NAMED }, { "anyOf", ANY_OF }, { "enum", ENUM },
	    { "default", DATA }, { "example", DATA }, { NULL, 0 } };
	struct ctx_str text = ctx_node_str(doc, k + 1);
	int what = ctx_node_word(doc, k, words, OTHER);
	char type = ctx_node_type(doc, k + 1);

	ctx_node_put(w->out, doc, k);
	ctx_put(w, ":");
	if (what == TYPE && type_of(doc, k + 1).p != NULL)
		put_type(w, type_of(doc, k + 1), nullable);
	else if (what == NAMED && type == '{')
		put_named(w, doc, k + 1);
	else if (what == ANY_OF && type == '[')
		put_list(w, doc, k + 1, nullable ? "{\"type\":\"null\"}" : NULL);
	else if (what == ENUM && type == '[')
		put_list(w, doc, k + 1, nullable ? "null" : NULL);
	else if (what == DATA)
		ctx_node_put(w->out, doc, k + 1);
	else if (is_number(doc, k))
		ctx_put_str(w, text);
	else
		put_value(w, doc, k + 1);
}

/* Write a schema, or any other value as it is. */
static void
put_value(struct ctx_writer *w, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t k;
	int nullable, n = 0;

	if (ctx_node_type(doc, node) != '{') {
		ctx_node_put(w->out, doc, node);
		return;
	}
	nullable = is_true(doc, CTX_GET(doc, node, "nullable"));
	ctx_put(w, "{");
	CTX_FOR_KEYS(doc, k, node) {
		if (ctx_doc_key_is(doc, k, "nullable", 8))
			continue;
		ctx_put_comma(w, &n);
		put_member(w, doc, k, nullable);
	}
	ctx_put(w, "}");
}

void
ctx_put_schema(struct ctx_writer *w, struct ctx_str schema)
{
	int rc = ctx_doc_try(&w->doc, schema.p, schema.len);

	ctx_put_failed(w, rc == -1);
	if (rc == 1)
		put_value(w, &w->doc, 0);
}
