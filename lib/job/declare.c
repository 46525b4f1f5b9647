/* SPDX-License-Identifier: MIT */
/* Functions as TypeScript; see declare.h. */
#include "job/declare.h"

#include <string.h>

#define DEPTH_MAX	20
#define REFS_MAX	5

/*
 * A schema: an object, and what it refers to by "$ref", of which its own members
 * take precedence.
 */
struct schema {
	const struct ctx_doc *doc;
	uint32_t own, of;	/* CTX_NONE: none */
};

static uint32_t
member(const struct schema *s, const char *key)
{
	uint32_t v = ctx_doc_get(s->doc, s->own, key, strlen(key));

	return v != CTX_NONE || s->of == CTX_NONE ? v :
	    ctx_doc_get(s->doc, s->of, key, strlen(key));
}

static uint32_t
list_of(const struct schema *s, const char *key)
{
	return ctx_node_if(s->doc, member(s, key), '[');
}

/* What a reference such as "#/$defs/place" refers to; CTX_NONE if nothing. */
static uint32_t
referred(const struct ctx_doc *doc, struct ctx_str ref)
{
	uint32_t node = 0;
	size_t len;

	while (ref.len > 0 && (*ref.p == '#' || *ref.p == '/')) {
		ref.p++;
		ref.len--;
	}
	while (ref.len > 0 && ctx_node_if(doc, node, '{') != CTX_NONE) {
		for (len = 0; len < ref.len && ref.p[len] != '/'; len++)
			;
		node = ctx_doc_get(doc, node, ref.p, len);
		if (len < ref.len)
			len++;
		ref.p += len;
		ref.len -= (uint32_t)len;
	}
	return ctx_node_if(doc, node, '{');
}

static struct schema
schema_at(const struct ctx_doc *doc, uint32_t node)
{
	struct schema s = { doc, ctx_node_if(doc, node, '{'), CTX_NONE };
	uint32_t ref;
	int i;

	for (i = 0, node = s.own; i < REFS_MAX && node != CTX_NONE; i++) {
		ref = CTX_GET(doc, node, "$ref");
		if (ref == CTX_NONE)
			break;
		node = referred(doc, ctx_node_str(doc, ref));
		if (node != CTX_NONE)
			s.of = node;
	}
	return s;
}

/* --- texts ---------------------------------------------------------- */

static int
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Write each line of a text as a comment, without the space around it. */
static void
put_comment(struct ctx_buf *out, const char *p, size_t len)
{
	const char *end = p + len, *line, *next;

	while (p < end && is_space(*p))
		p++;
	while (end > p && is_space(end[-1]))
		end--;
	for (line = p; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (next == NULL)
			next = end;
		for (p = line; p < next && is_space(*p); p++)
			;
		for (len = (size_t)(next - p); len > 0 &&
		    is_space(p[len - 1]); len--)
			;
		ctx_buf_adds(out, len > 0 ? "// " : "//");
		ctx_buf_add(out, p, len);
		ctx_buf_addc(out, '\n');
	}
}

/* The same for an escaped string.  Returns whether it has any text. */
static int
put_escaped(struct ctx_buf *out, struct ctx_str s)
{
	struct ctx_buf text = { 0 };
	size_t before = out->len;

	if (s.p == NULL)
		return 0;
	ctx_str_decode(&text, s.p, s.len);
	if (!text.failed)
		put_comment(out, text.data, text.len);
	out->failed |= text.failed;
	ctx_buf_done(&text);
	return out->len > before;
}

/* A JSON value, of a string in its shortest spelling. */
static void
put_value(struct ctx_buf *out, const char *json, size_t len, int quoted)
{
	struct ctx_buf text = { 0 };

	if (*json != '"') {
		ctx_buf_add(out, json, len);
		return;
	}
	ctx_str_decode(&text, json + 1, len - 2);
	ctx_buf_adds(out, quoted ? "\"" : "");
	if (quoted)
		ctx_str_encode(out, text.data, text.len);
	else
		ctx_buf_add(out, text.data, text.len);
	ctx_buf_adds(out, quoted ? "\"" : "");
	out->failed |= text.failed;
	ctx_buf_done(&text);
}

static void
put_node(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t node,
    int quoted)
{
	struct ctx_str json = ctx_node_json(doc, node);

	put_value(out, json.p, json.len, quoted);
}

/* Write the values of a list, each between two texts. */
static void
put_values(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t list,
    const char *before, const char *between, const char *after)
{
	size_t at = (size_t)doc->node[list].off + 1;
	uint32_t e = list + 1;
	struct ctx_str s;
	int n = 0;

	while (ctx_node_each_value(doc, list, &at, &e, &s)) {
		ctx_buf_adds(out, n++ > 0 ? between : "");
		ctx_buf_adds(out, before);
		put_value(out, s.p, s.len, 1);
		ctx_buf_adds(out, after);
	}
}

/* --- types ----------------------------------------------------------- */

static void put_type(struct ctx_buf *out, const struct schema *s,
    const char *type, int depth);

/*
 * Write the title, description and examples of a schema, or of what it refers to,
 * as comments.
 */
static void
put_comments(struct ctx_buf *out, const struct schema *s)
{
	struct ctx_str about = ctx_node_str(s->doc, member(s, "description"));
	struct ctx_str title = ctx_node_str(s->doc, member(s, "title"));
	uint32_t examples = list_of(s, "examples");

	if (put_escaped(out, title) && about.p != NULL && !ctx_str_blank(about))
		ctx_buf_adds(out, "//\n");
	put_escaped(out, about);
	if (examples == CTX_NONE || s->doc->node[examples].len < 3)
		return;
	ctx_buf_adds(out, "// Examples:\n");
	put_values(out, s->doc, examples, "// - ", "", "\n");
}

/* Write a type in a union or a list, whose own comments come first. */
static void
put_variant(struct ctx_buf *out, const struct schema *s, const char *type,
    int depth)
{
	struct ctx_buf text = { 0 };
	int commented;

	put_comments(&text, s);
	commented = text.len > 0;
	ctx_buf_adds(out, commented ? "\n" : "");
	ctx_buf_add(out, text.data, text.len);
	out->failed |= text.failed;
	ctx_buf_done(&text);
	put_type(out, s, type, depth);
	ctx_buf_adds(out, commented ? "\n" : "");
}

/* Write the types of a list of schemas. */
static void
put_union(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t list,
    int depth)
{
	struct schema s;
	uint32_t e;
	int n = 0;

	CTX_FOR_LIST(doc, e, list) {
		s = schema_at(doc, e);
		ctx_buf_adds(out, n++ > 0 ? " | " : "");
		put_variant(out, &s, NULL, depth);
	}
}

/* Write the types of one schema that has a list of their names. */
static void
put_types(struct ctx_buf *out, const struct schema *s, uint32_t list, int depth)
{
	static const char *const names[] = { "number", "integer", "object",
	    "array", "string", "boolean", "null" };
	uint32_t e;
	size_t i;
	int n = 0;

	CTX_FOR_LIST(s->doc, e, list) {
		for (i = 0; i < 6 && !ctx_node_is(s->doc, e, names[i]); i++)
			;
		ctx_buf_adds(out, n++ > 0 ? " | " : "");
		put_variant(out, s, ctx_node_is(s->doc, e, names[i]) ?
		    names[i] : "any", depth);
	}
}

static int
is_required(const struct schema *s, uint32_t key)
{
	struct ctx_str name = ctx_node_str(s->doc, key), r;
	uint32_t e;

	CTX_FOR_LIST(s->doc, e, list_of(s, "required")) {
		r = ctx_node_str(s->doc, e);
		if (r.p != NULL && ctx_str_equal(name.p, name.len, r.p, r.len))
			return 1;
	}
	return 0;
}

/* Write the property whose key is at k; its value is on one line or commented. */
static void
put_property(struct ctx_buf *out, const struct schema *s, uint32_t k, int depth)
{
	struct schema in = schema_at(s->doc, k + 1);

	put_node(out, s->doc, k, 0);
	ctx_buf_adds(out, is_required(s, k) ? ": " : "?: ");
	put_type(out, &in, NULL, depth);
}

/* Has any of the properties a comment before or after it? */
static int
is_commented(const struct ctx_doc *doc, uint32_t props)
{
	struct ctx_buf text = { 0 };
	struct schema s;
	uint32_t k;
	int found = 0;

	CTX_FOR_KEYS(doc, k, props) {
		s = schema_at(doc, k + 1);
		if (s.own == CTX_NONE)
			continue;
		put_comments(&text, &s);
		found |= text.len > 0 ||
		    CTX_GET(doc, s.own, "default") != CTX_NONE;
		ctx_buf_reset(&text);
	}
	ctx_buf_done(&text);
	return found;
}

static void
put_lines(struct ctx_buf *out, const struct schema *s, uint32_t props, int depth)
{
	struct schema in;
	uint32_t k, v, otherwise;

	ctx_buf_adds(out, "{\n");
	CTX_FOR_KEYS(s->doc, k, props) {
		in = schema_at(s->doc, k + 1);
		v = in.own;
		if (v != CTX_NONE)
			put_comments(out, &in);
		put_property(out, s, k, depth);
		ctx_buf_addc(out, ',');
		otherwise = CTX_GET(s->doc, v, "default");
		if (otherwise != CTX_NONE) {
			ctx_buf_adds(out, " // default: ");
			put_node(out, s->doc, otherwise,
			    CTX_GET(s->doc, v, "enum") == CTX_NONE);
		}
		ctx_buf_addc(out, '\n');
	}
	ctx_buf_addc(out, '}');
}

static void
put_object(struct ctx_buf *out, const struct schema *s, int depth)
{
	uint32_t props = ctx_node_if(s->doc, member(s, "properties"), '{'), k;
	int n = 0;

	if (props == CTX_NONE || s->doc->node[props].next == props + 1) {
		ctx_buf_adds(out, "object");
		return;
	}
	if (is_commented(s->doc, props)) {
		put_lines(out, s, props, depth);
		return;
	}
	ctx_buf_adds(out, "{ ");
	CTX_FOR_KEYS(s->doc, k, props) {
		ctx_buf_adds(out, n++ > 0 ? ", " : "");
		put_property(out, s, k, depth);
	}
	ctx_buf_adds(out, " }");
}

static void
put_array(struct ctx_buf *out, const struct schema *s, int depth)
{
	uint32_t items = ctx_node_if(s->doc, member(s, "items"), '{');
	struct schema in;

	if (items == CTX_NONE || s->doc->node[items].next == items + 1)
		ctx_buf_adds(out, "any");
	else {
		in = schema_at(s->doc, items);
		put_variant(out, &in, NULL, depth);
	}
	ctx_buf_adds(out, "[]");
}

/* Write the type of s that has this name. */
static void
put_named(struct ctx_buf *out, const struct schema *s, struct ctx_str type,
    int depth)
{
	if (ctx_str_is(type, "number") || ctx_str_is(type, "integer"))
		ctx_buf_adds(out, "number");
	else if (ctx_str_is(type, "object"))
		put_object(out, s, depth + 1);
	else if (ctx_str_is(type, "array"))
		put_array(out, s, depth + 1);
	else if (ctx_str_is(type, "string") || ctx_str_is(type, "boolean") ||
	    ctx_str_is(type, "null"))
		ctx_buf_add(out, type.p, type.len);
	else
		ctx_buf_adds(out, "any");
}

static void
put_type(struct ctx_buf *out, const struct schema *s, const char *type,
    int depth)
{
	const struct ctx_doc *doc = s->doc;
	struct ctx_str name = { type, type != NULL ? (uint32_t)strlen(type) :
	    0 };
	uint32_t v;

	if (s->own == CTX_NONE || depth > DEPTH_MAX ||
	    out->len > CTX_DECLARE_MAX)
		ctx_buf_adds(out, "any");
	else if ((v = list_of(s, "enum")) != CTX_NONE)
		put_values(out, doc, v, "", " | ", "");
	else if ((v = member(s, "const")) != CTX_NONE)
		put_node(out, doc, v, 1);
	else if ((v = list_of(s, "anyOf")) != CTX_NONE ||
	    (v = list_of(s, "oneOf")) != CTX_NONE)
		put_union(out, doc, v, depth + 1);
	else if (type == NULL && (v = list_of(s, "type")) != CTX_NONE)
		put_types(out, s, v, depth + 1);
	else
		put_named(out, s, type != NULL ? name :
		    ctx_node_str(doc, member(s, "type")), depth);
}

int
ctx_declare(struct ctx_buf *out, const struct ctx_tool *tool,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct schema s;
	uint32_t props = CTX_NONE;

	put_escaped(out, tool->about);
	ctx_buf_adds(out, "type ");
	ctx_str_decode(out, tool->name.p, tool->name.len);
	if (tool->schema.p != NULL) {
		if (ctx_doc_scan(&doc, tool->schema.p, tool->schema.len,
		    err) == -1) {
			ctx_doc_done(&doc);
			return -1;
		}
		s = schema_at(&doc, 0);
		props = ctx_node_if(&doc, CTX_GET(&doc, 0, "properties"), '{');
	}
	if (props != CTX_NONE && doc.node[props].next > props + 1) {
		ctx_buf_adds(out, " = (_: ");
		put_comments(out, &s);
		put_object(out, &s, 0);
		ctx_buf_adds(out, ") => any;\n\n");
	} else
		ctx_buf_adds(out, " = () => any;\n\n");
	ctx_doc_done(&doc);
	return ctx_buf_fail(out, err);
}
