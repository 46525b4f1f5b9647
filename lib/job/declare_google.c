/* SPDX-License-Identifier: MIT */
/* What Google's models read of functions; see declare_google.h. */
#include "job/declare_google.h"

#include <string.h>

#include "job/declare.h"

#define DEPTH_MAX	64
#define REFS_MAX	5	/* times that a reference is followed */

/* --- values ------------------------------------------------------------ */

/* A string without its quotes, a number or a word, or one of {}[],: */
struct token {
	char type;		/* the first byte */
	int key;		/* of an object's member */
	struct ctx_str s;
};

static int
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Take a string whose opening quote is at s->p. */
static void
take_string(struct ctx_str *s, struct token *t)
{
	const char *end = s->p + s->len, *p = s->p + 1;

	t->s.p = p;
	while (p < end && *p != '"')
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	t->s.len = (uint32_t)(p - t->s.p);
	s->p = p < end ? p + 1 : end;
	for (p = s->p; p < end && is_blank(*p); p++)
		;
	t->key = p < end && *p == ':';
	s->len = (uint32_t)(end - s->p);
}

/* Take the next token of a JSON text; 0 at its end. */
static int
next(struct ctx_str *s, struct token *t)
{
	uint32_t n = 1;

	for (; s->len > 0 && is_blank(*s->p); s->p++, s->len--)
		;
	if (s->len == 0)
		return 0;
	*t = (struct token){ .type = *s->p };
	if (*s->p == '"') {
		take_string(s, t);
		return 1;
	}
	if (memchr("{}[],:", *s->p, 6) == NULL)
		while (n < s->len && !is_blank(s->p[n]) &&
		    memchr("{}[],:\"", s->p[n], 7) == NULL)
			n++;
	t->s = (struct ctx_str){ s->p, n };
	s->p += n;
	s->len -= n;
	return 1;
}

/* Write a string in its shortest spelling. */
static void
put_quoted(struct ctx_buf *out, struct ctx_str s)
{
	struct ctx_buf text = { 0 };

	ctx_str_decode(&text, s.p, s.len);
	ctx_buf_addc(out, '"');
	if (text.len > 0)
		ctx_str_encode(out, text.data, text.len);
	ctx_buf_addc(out, '"');
	out->failed |= text.failed;
	ctx_buf_done(&text);
}

/* The strings of a value, and the names of members. */
static void
put_strings(struct ctx_buf *out, struct ctx_str json)
{
	struct token t;

	while (next(&json, &t))
		if (t.type == '"') {
			ctx_str_decode(out, t.s.p, t.s.len);
			ctx_buf_addc(out, CTX_GOOGLE_BORDER);
		}
}

/* A token as Python's json.dumps has it, with a blank after , and : */
static void
put_spaced(struct ctx_buf *out, const struct token *t)
{
	if (t->type == '"')
		put_quoted(out, t->s);
	else
		ctx_buf_add(out, t->s.p, t->s.len);
	if (t->type == ',' || t->type == ':')
		ctx_buf_addc(out, ' ');
}

/* All of it like that, or an object as arguments: (city = "Rome", n = 2). */
static void
put_python(struct ctx_buf *out, struct ctx_str json, int arguments)
{
	struct token t;
	int depth = 0, equals = 0;

	if (arguments)
		ctx_buf_addc(out, '(');
	while (next(&json, &t)) {
		depth -= t.type == '}' || t.type == ']';
		if (arguments && depth == 0 &&
		    (t.type == '{' || t.type == '}'))
			;
		else if (arguments && depth == 1 && t.key) {
			ctx_str_decode(out, t.s.p, t.s.len);
			equals = 1;
		} else if (equals && t.type == ':') {
			ctx_buf_adds(out, " = ");
			equals = 0;
		} else
			put_spaced(out, &t);
		depth += t.type == '{' || t.type == '[';
	}
	if (arguments)
		ctx_buf_addc(out, ')');
}

static void
put_between(struct ctx_buf *out, struct ctx_str text)
{
	ctx_buf_addc(out, CTX_GOOGLE_TOKEN);
	ctx_str_decode(out, text.p, text.len);
	ctx_buf_addc(out, CTX_GOOGLE_TOKEN);
}

/* {city:|Rome|,n:2}, where | is a control token. */
static void
put_control(struct ctx_buf *out, struct ctx_str json)
{
	struct token t;

	while (next(&json, &t))
		if (t.type != '"')
			ctx_buf_add(out, t.s.p, t.s.len);
		else if (t.key)
			ctx_str_decode(out, t.s.p, t.s.len);
		else
			put_between(out, t.s);
}

void
ctx_declare_google_value(struct ctx_buf *out, enum ctx_charge_form form,
    struct ctx_str json, int arguments)
{
	if (form == CTX_FORM_TEXTS)
		put_strings(out, json);
	else if (form == CTX_FORM_PYTHON)
		put_python(out, json, arguments);
	else
		put_control(out, json);
}

/* --- schemas ----------------------------------------------------------- */

/* The references that are being followed, the innermost first. */
struct refs {
	struct ctx_str name;
	const struct refs *up;
};

/* A schema that is written. */
struct schema {
	const struct ctx_doc *doc;
	uint32_t node;
	const struct refs *refs;
	int depth;
};

static struct ctx_str
string_of(const struct schema *s, const char *key)
{
	return ctx_node_str(s->doc, CTX_GET(s->doc, s->node, key));
}

static uint32_t
list_of(const struct schema *s, const char *key)
{
	uint32_t v = ctx_node_if(s->doc, CTX_GET(s->doc, s->node, key), '[');

	return v != CTX_NONE && ctx_node_is_void(s->doc, v) ? CTX_NONE : v;
}

/* The list of alternatives, by any of its names. */
static uint32_t
any_of(const struct schema *s)
{
	uint32_t v = list_of(s, "anyOf");

	if (v == CTX_NONE)
		v = list_of(s, "any_of");
	return v != CTX_NONE ? v : list_of(s, "oneOf");
}

/* The properties, unless there are none. */
static uint32_t
properties_of(const struct schema *s)
{
	uint32_t v = ctx_node_if(s->doc, CTX_GET(s->doc, s->node,
	    "properties"), '{');

	return v != CTX_NONE && s->doc->node[v].next > v + 1 ? v : CTX_NONE;
}

static int
is_required(const struct schema *s, uint32_t key)
{
	struct ctx_str name = ctx_node_str(s->doc, key), r;
	uint32_t e, list = list_of(s, "required");

	CTX_FOR_LIST(s->doc, e, list) {
		r = ctx_node_str(s->doc, e);
		if (r.p != NULL && ctx_str_equal(name.p, name.len, r.p, r.len))
			return 1;
	}
	return 0;
}

/* The schema at node, inside of s. */
static struct schema
inner(const struct schema *s, uint32_t node)
{
	return (struct schema){ s->doc, node, s->refs, s->depth + 1 };
}

/* Is there room, and a schema, to go on with? */
static int
may_go_on(const struct ctx_buf *out, const struct schema *s)
{
	return s->depth < DEPTH_MAX && out->len < CTX_DECLARE_MAX &&
	    ctx_node_if(s->doc, s->node, '{') != CTX_NONE;
}

/* The last name in a reference such as "#/$defs/place". */
static struct ctx_str
last_name(struct ctx_str ref)
{
	uint32_t i;

	for (i = ref.len; i > 0 && ref.p[i - 1] != '/'; i--)
		;
	return (struct ctx_str){ ref.p + i, ref.len - i };
}

/*
 * Follow the reference that s is.  Returns 1 with *to, 0 if s is none, or -1 if
 * it has been followed often enough.
 */
static int
follow(const struct schema *s, struct schema *to, struct refs *refs)
{
	struct ctx_str ref = string_of(s, "$ref");
	const struct refs *r;
	uint32_t defs;
	int n = 0;

	if (ref.p == NULL || ref.len == 0)
		return 0;
	for (r = s->refs; r != NULL; r = r->up)
		n += ctx_str_same(r->name, ref);
	if (n >= REFS_MAX)
		return -1;
	*refs = (struct refs){ ref, s->refs };
	defs = CTX_GET(s->doc, 0, "$defs");
	if (defs == CTX_NONE)
		defs = CTX_GET(s->doc, 0, "definitions");
	ref = last_name(ref);
	*to = inner(s, defs == CTX_NONE ? CTX_NONE : ctx_doc_get(s->doc, defs,
	    ref.p, ref.len));
	to->refs = refs;
	return 1;
}

/*
 * The name of the type in upper case; of old libraries it is a number.  One
 * that is longer than name is no type.
 */
static struct ctx_str
type_of(const struct schema *s, char name[16])
{
	static const char *const names[] = { "", "STRING", "NUMBER", "INTEGER",
	    "BOOLEAN", "ARRAY", "OBJECT" };
	struct ctx_str json = ctx_node_json(s->doc, CTX_GET(s->doc, s->node,
	    "type"));
	uint32_t i, n = 0;

	if (json.len == 1 && *json.p >= '1' && *json.p <= '6') {
		json.p = names[*json.p - '0'];
		return (struct ctx_str){ json.p, (uint32_t)strlen(json.p) };
	}
	if (json.len > 2 && *json.p == '"')
		for (i = 1; i < json.len - 1 && n < 16; i++)
			name[n++] = json.p[i] >= 'a' && json.p[i] <= 'z' ?
			    (char)(json.p[i] - 'a' + 'A') : json.p[i];
	return (struct ctx_str){ name, n };
}

/* Does the type of s have that name? */
static int
is_type(const struct schema *s, const char *name)
{
	char buf[16];

	return ctx_str_is(type_of(s, buf), name);
}

/* --- bare texts -------------------------------------------------------- */

static void
put_text(struct ctx_buf *out, struct ctx_str s)
{
	if (s.p == NULL)
		return;
	ctx_str_decode(out, s.p, s.len);
	ctx_buf_addc(out, CTX_GOOGLE_BORDER);
}

/* The strings and numbers of a list, each alone. */
static void
put_texts(struct ctx_buf *out, struct ctx_str json)
{
	struct token t;

	while (next(&json, &t))
		if (memchr("{}[],:", t.type, 6) == NULL)
			put_text(out, t.s);
}

static void
put_bare(struct ctx_buf *out, const struct schema *s)
{
	uint32_t k, props = properties_of(s), any = any_of(s);
	struct schema in;

	if (!may_go_on(out, s))
		return;
	if (CTX_GIVEN(s->doc, s->node, "type") != CTX_NONE)
		ctx_buf_addc(out, CTX_GOOGLE_TOKEN);
	put_text(out, string_of(s, "description"));
	put_text(out, string_of(s, "format"));
	put_texts(out, ctx_node_json(s->doc, list_of(s, "enum")));
	put_texts(out, ctx_node_json(s->doc, list_of(s, "required")));
	CTX_FOR_KEYS(s->doc, k, props) {
		in = inner(s, k + 1);
		put_text(out, ctx_node_str(s->doc, k));
		put_bare(out, &in);
	}
	in = inner(s, CTX_GET(s->doc, s->node, "items"));
	put_bare(out, &in);
	CTX_FOR_LIST(s->doc, k, any) {
		in = inner(s, k);
		put_bare(out, &in);
	}
}

/* --- Python ------------------------------------------------------------ */

/* A function or class that is written, and the classes that come before it. */
struct module {
	struct ctx_buf *classes;
	size_t size;		/* bytes written so far, in all buffers */
};

static void put_python_type(struct ctx_buf *out, struct module *all,
    const struct schema *s, struct ctx_str name);

/* Write a name in camel case: "get_weather" is "GetWeather". */
static void
put_camel(struct ctx_buf *out, struct ctx_str name)
{
	struct ctx_buf text = { 0 };
	int first = 1, letter;
	size_t i;
	char c;

	ctx_str_decode(&text, name.p, name.len);
	for (i = 0; i < text.len; i++) {
		c = text.data[i];
		letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		if (letter || (c >= '0' && c <= '9'))
			ctx_buf_addc(out, first && c >= 'a' ?
			    (char)(c - 'a' + 'A') : c);
		first = !letter && (c < '0' || c > '9');
	}
	out->failed |= text.failed;
	ctx_buf_done(&text);
}

/* Write the text of what is described, and a line for each property. */
static void
put_docstring(struct ctx_buf *out, const struct schema *s, struct ctx_str about,
    const char *head)
{
	uint32_t k, props = properties_of(s);
	struct schema in;

	ctx_buf_adds(out, "  \"\"\"");
	ctx_str_decode(out, about.p, about.p != NULL ? about.len : 0);
	ctx_buf_adds(out, head);
	CTX_FOR_KEYS(s->doc, k, props) {
		ctx_buf_adds(out, "    ");
		ctx_node_decode(out, s->doc, k);
		ctx_buf_adds(out, ": ");
		in = inner(s, k + 1);
		about = string_of(&in, "description");
		ctx_str_decode(out, about.p, about.p != NULL ? about.len : 0);
		ctx_buf_addc(out, '\n');
	}
	ctx_buf_adds(out, "  \"\"\"\n");
}

/* Write a line for each property: a parameter of a function, or a field. */
static void
put_properties(struct ctx_buf *out, struct module *all, const struct schema *s,
    struct ctx_str name, const char *indent, const char *end)
{
	struct ctx_buf long_name = { 0 };
	uint32_t k, props = properties_of(s);
	struct schema in;

	CTX_FOR_KEYS(s->doc, k, props) {
		ctx_buf_reset(&long_name);
		ctx_buf_add(&long_name, name.p, name.len);
		put_camel(&long_name, ctx_node_str(s->doc, k));
		ctx_buf_adds(out, indent);
		ctx_node_decode(out, s->doc, k);
		ctx_buf_adds(out, ": ");
		in = inner(s, k + 1);
		put_python_type(out, all, &in, ctx_str_of(&long_name));
		ctx_buf_adds(out, is_required(s, k) ? "" : " | None = None");
		ctx_buf_adds(out, end);
		out->failed |= long_name.failed;
	}
	ctx_buf_done(&long_name);
}

/* Write the class of an object before what has it. */
static void
put_class(struct module *all, const struct schema *s, struct ctx_str name)
{
	struct ctx_buf text = { 0 };

	ctx_buf_adds(&text, "@dataclasses.dataclass(kw_only=True)\nclass ");
	ctx_buf_add(&text, name.p, name.len);
	ctx_buf_adds(&text, ":\n");
	put_docstring(&text, s, string_of(s, "description"),
	    "\n\n  Attributes:\n");
	all->size += text.len;
	put_properties(&text, all, s, name, "  ", "\n");
	ctx_buf_addc(&text, '\n');
	ctx_buf_add(all->classes, text.data, text.len);
	all->classes->failed |= text.failed;
	ctx_buf_done(&text);
}

/* A string with the quotes that Python chooses. */
static void
put_repr(struct ctx_buf *out, struct ctx_str s)
{
	struct ctx_buf text = { 0 };
	char quote;

	ctx_str_decode(&text, s.p, s.len);
	quote = text.len > 0 && memchr(text.data, '\'', text.len) != NULL ?
	    '"' : '\'';
	ctx_buf_addc(out, quote);
	ctx_buf_add(out, text.data, text.len);
	ctx_buf_addc(out, quote);
	out->failed |= text.failed;
	ctx_buf_done(&text);
}

/* Write the values of a list as Python writes them. */
static void
put_literals(struct ctx_buf *out, struct ctx_str json)
{
	struct token t;
	int n = 0;

	ctx_buf_adds(out, "Literal[");
	while (next(&json, &t)) {
		if (memchr("{}[],:", t.type, 6) != NULL)
			continue;
		ctx_buf_adds(out, n++ > 0 ? ", " : "");
		if (t.type == '"')
			put_repr(out, t.s);
		else
			ctx_buf_add(out, t.s.p, t.s.len);
	}
	ctx_buf_addc(out, ']');
}

/* Write a type that a word is enough for. */
static void
put_word(struct ctx_buf *out, const struct schema *s)
{
	static const char *const words[][2] = { { "STRING", "str" },
	    { "INTEGER", "int" }, { "NUMBER", "float" }, { "BOOLEAN", "bool" },
	    { "OBJECT", "dict" }, { "NULL", "None" } };
	size_t i, n = sizeof(words) / sizeof(words[0]);

	for (i = 0; i < n && !is_type(s, words[i][0]); i++)
		;
	ctx_buf_adds(out, i < n ? words[i][1] : "Any");
}

/* Write alternatives. */
static void
put_union(struct ctx_buf *out, struct module *all, const struct schema *s,
    struct ctx_str name)
{
	uint32_t e, any = any_of(s);
	struct schema in;
	int n = 0;

	CTX_FOR_LIST(s->doc, e, any) {
		ctx_buf_adds(out, n++ > 0 ? " | " : "");
		in = inner(s, e);
		put_python_type(out, all, &in, name);
	}
}

static void
put_python_type(struct ctx_buf *out, struct module *all,
    const struct schema *s, struct ctx_str name)
{
	struct schema to;
	struct refs refs;
	int followed;

	all->size += 8;
	if (!may_go_on(out, s) || all->size > CTX_DECLARE_MAX)
		ctx_buf_adds(out, "Any");
	else if ((followed = follow(s, &to, &refs)) == 1)
		put_python_type(out, all, &to, name);
	else if (followed == -1)
		ctx_buf_adds(out, "dict");
	else if (list_of(s, "enum") != CTX_NONE)
		put_literals(out, ctx_node_json(s->doc, list_of(s, "enum")));
	else if (any_of(s) != CTX_NONE)
		put_union(out, all, s, name);
	else if (is_type(s, "ARRAY")) {
		to = inner(s, CTX_GET(s->doc, s->node, "items"));
		ctx_buf_adds(out, "list[");
		put_python_type(out, all, &to, name);
		ctx_buf_addc(out, ']');
	} else if (is_type(s, "OBJECT") && properties_of(s) != CTX_NONE) {
		put_class(all, s, name);
		ctx_buf_add(out, name.p, name.len);
	} else
		put_word(out, s);
}

static void
put_function(struct ctx_buf *out, const struct ctx_tool *tool,
    const struct schema *s)
{
	struct ctx_buf text = { 0 }, name = { 0 };
	struct module all = { out, 0 };

	put_camel(&name, tool->name);
	ctx_buf_adds(&text, "def ");
	ctx_str_decode(&text, tool->name.p, tool->name.len);
	ctx_buf_adds(&text, "(\n");
	put_properties(&text, &all, s, ctx_str_of(&name), "    ", ",\n");
	ctx_buf_adds(&text, ") -> dict:\n");
	put_docstring(&text, s, tool->about, "\n\n  Args:\n");
	ctx_buf_add(out, text.data, text.len);
	out->failed |= text.failed | name.failed;
	ctx_buf_done(&text);
	ctx_buf_done(&name);
}

/* --- control tokens ---------------------------------------------------- */

static void put_members(struct ctx_buf *out, const struct schema *s);

/* A schema, or what stands in its place. */
static void
put_schema(struct ctx_buf *out, const struct schema *s)
{
	struct schema to;
	struct refs refs;

	if (s->node != CTX_NONE && ctx_node_type(s->doc, s->node) != '{')
		put_control(out, ctx_node_json(s->doc, s->node));
	else if (!may_go_on(out, s))
		ctx_buf_adds(out, "{}");
	else if (follow(s, &to, &refs) == 1)
		put_schema(out, &to);
	else
		put_members(out, s);
}

/* Schemas by name, or in a list. */
static void
put_schemas(struct ctx_buf *out, const struct schema *s, uint32_t node)
{
	struct schema in;
	uint32_t k;
	int n = 0;

	ctx_buf_addc(out, ctx_node_type(s->doc, node));
	CTX_FOR_KEYS(s->doc, k, node) {
		ctx_buf_adds(out, n++ > 0 ? "," : "");
		ctx_node_decode(out, s->doc, k);
		ctx_buf_addc(out, ':');
		in = inner(s, k + 1);
		put_schema(out, &in);
	}
	CTX_FOR_LIST(s->doc, k, node) {
		ctx_buf_adds(out, n++ > 0 ? "," : "");
		in = inner(s, k);
		put_schema(out, &in);
	}
	ctx_buf_addc(out, ctx_node_type(s->doc, node) == '{' ? '}' : ']');
}

/* What a member of a schema is written as. */
enum member { M_VALUE, M_HIDDEN, M_TYPE, M_SCHEMA, M_SCHEMAS };

static enum member
member_of(const struct schema *s, uint32_t k)
{
	static const struct ctx_word words[] = {
		{ "$defs", M_HIDDEN }, { "definitions", M_HIDDEN },
		{ "$ref", M_HIDDEN }, { "$schema", M_HIDDEN },
		{ "additionalProperties", M_HIDDEN },
		{ "additional_properties", M_HIDDEN },
		{ "propertyOrdering", M_HIDDEN },
		{ "property_ordering", M_HIDDEN }, { "type", M_TYPE },
		{ "items", M_SCHEMA }, { "properties", M_SCHEMAS },
		{ "anyOf", M_SCHEMAS }, { "any_of", M_SCHEMAS },
		{ "oneOf", M_SCHEMAS }, { NULL, 0 }
	};
	enum member is = (enum member)ctx_node_word(s->doc, k, words, M_VALUE);
	struct ctx_str v = ctx_node_json(s->doc, k + 1);

	if (*v.p == 'n' || (*v.p == '"' && v.len == 2) || (*v.p != '[' &&
	    *v.p != '{' ? 0 : *v.p == '[' ? ctx_node_is_void(s->doc, k + 1) :
	    is != M_SCHEMA && s->doc->node[k + 1].next == k + 2))
		return M_HIDDEN;	/* null or empty */
	if ((is == M_TYPE && *v.p == '[') ||
	    (is == M_SCHEMAS && *v.p != '{' && *v.p != '['))
		return M_VALUE;
	return is;
}

static void
put_members(struct ctx_buf *out, const struct schema *s)
{
	enum member is;
	struct schema in;
	char type[16];
	uint32_t k;
	int n = 0;

	ctx_buf_addc(out, '{');
	CTX_FOR_KEYS(s->doc, k, s->node) {
		if ((is = member_of(s, k)) == M_HIDDEN)
			continue;
		ctx_buf_adds(out, n++ > 0 ? "," : "");
		ctx_node_decode(out, s->doc, k);
		ctx_buf_addc(out, ':');
		in = inner(s, k + 1);
		if (is == M_VALUE)
			put_control(out, ctx_node_json(s->doc, k + 1));
		else if (is == M_SCHEMA)
			put_schema(out, &in);
		else if (is == M_SCHEMAS)
			put_schemas(out, s, k + 1);
		else
			put_between(out, type_of(s, type));
	}
	ctx_buf_addc(out, '}');
}

static void
put_declaration(struct ctx_buf *out, const struct ctx_tool *tool,
    const struct schema *s)
{
	int about = tool->about.p != NULL && tool->about.len > 0;

	ctx_buf_addc(out, CTX_GOOGLE_TOKEN);
	ctx_buf_adds(out, "declaration:");
	ctx_str_decode(out, tool->name.p, tool->name.len);
	ctx_buf_addc(out, '{');
	if (about) {
		ctx_buf_adds(out, "description:");
		put_between(out, tool->about);
	}
	if (s->doc->n > 1) {
		ctx_buf_adds(out, about ? ",parameters:" : "parameters:");
		put_schema(out, s);
	}
	ctx_buf_addc(out, '}');
	ctx_buf_addc(out, CTX_GOOGLE_TOKEN);
}

int
ctx_declare_google(struct ctx_buf *out, enum ctx_charge_form form,
    const struct ctx_tool *tool, struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	struct schema s = { &doc, CTX_NONE, NULL, 0 };

	if (tool->schema.p != NULL) {
		if (ctx_doc_scan(&doc, tool->schema.p, tool->schema.len,
		    err) == -1) {
			ctx_doc_done(&doc);
			return -1;
		}
		s.node = 0;
	}
	if (form == CTX_FORM_PYTHON)
		put_function(out, tool, &s);
	else if (form == CTX_FORM_CONTROL)
		put_declaration(out, tool, &s);
	else {
		put_text(out, tool->name);
		put_text(out, tool->about);
		/* JSON Schema is not shown to these models */
		if (!tool->declared || tool->google)
			put_bare(out, &s);
	}
	ctx_doc_done(&doc);
	return ctx_buf_fail(out, err);
}
