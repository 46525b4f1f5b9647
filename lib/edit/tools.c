/* SPDX-License-Identifier: MIT */
/* Definitions of tools; see tools.h. */
#include "edit/tools.h"

#include <stdlib.h>
#include <string.h>

#include "base/strmap.h"

void
ctx_tools_done(struct ctx_tools *t)
{
	free(t->tool);
	memset(t, 0, sizeof(*t));
}

static struct ctx_tool *
add(struct ctx_tools *t, struct ctx_str name)
{
	struct ctx_tool *tool;

	if (CTX_ROOM(t->tool, t->n, &t->cap) == -1)
		return NULL;
	tool = t->tool + t->n++;
	memset(tool, 0, sizeof(*tool));
	tool->name = name;
	return tool;
}

/* The schema at node v; Bedrock has an object around it. */
static uint32_t
schema_of(const struct ctx_doc *doc, uint32_t v)
{
	uint32_t in = ctx_node_if(doc, CTX_GET(doc, v, "json"), '{');

	return in != CTX_NONE && CTX_GET(doc, v, "type") == CTX_NONE ? in : v;
}

/* declared: by a functionDeclaration of Google's. */
static int
read_one(struct ctx_tools *t, const struct ctx_doc *doc, uint32_t e,
    int declared)
{
	static const char *const keys[] = { "parameters", "input_schema",
	    "inputSchema", "parametersJsonSchema", "parameters_json_schema" };
	uint32_t in = ctx_node_if(doc, CTX_GET(doc, e, "function"), '{');
	struct ctx_tool *tool;
	struct ctx_str name;
	uint32_t v;
	size_t i;

	if (in == CTX_NONE)
		in = ctx_node_if(doc, CTX_GET(doc, e, "custom"), '{');
	if (in == CTX_NONE)
		in = ctx_node_if(doc, CTX_GET(doc, e, "toolSpec"), '{');
	if (in == CTX_NONE)
		in = e;
	name = ctx_node_str(doc, CTX_GET(doc, in, "name"));
	if (name.p == NULL)
		return 0;
	if ((tool = add(t, name)) == NULL)
		return -1;
	v = CTX_GET(doc, e, "defer_loading");
	tool->deferred = v != CTX_NONE && ctx_node_type(doc, v) == 't';
	tool->about = ctx_node_str(doc, CTX_GET(doc, in, "description"));
	tool->declared = declared;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		v = ctx_node_if(doc, CTX_GET(doc, in, keys[i]), '{');
		if (v == CTX_NONE)
			continue;
		tool->schema = ctx_node_json(doc, schema_of(doc, v));
		tool->google = declared && i == 0;
	}
	/* Anthropic's may be called so, too, but have a schema */
	tool->custom = tool->schema.p == NULL &&
	    ctx_node_is(doc, CTX_GET(doc, e, "type"), "custom");
	v = ctx_node_if(doc, CTX_GET(doc, in, "format"), '{');
	if (tool->custom && v != CTX_NONE)
		tool->format = ctx_node_json(doc, v);
	return 0;
}

int
ctx_tools_read(struct ctx_tools *t, const struct ctx_doc *doc, uint32_t node,
    struct ctx_err *err)
{
	uint32_t e, k, list = node, in;

	if (ctx_node_type(doc, node) == '{')
		list = CTX_GET(doc, node, "tools");
	if (list == CTX_NONE)
		list = CTX_GET(doc, CTX_GET(doc, node, "toolConfig"), "tools");
	CTX_FOR_LIST(doc, e, list) {
		in = CTX_GET(doc, e, "functionDeclarations");
		if (in == CTX_NONE)
			in = CTX_GET(doc, e, "function_declarations");
		CTX_FOR_LIST(doc, k, in)
			if (read_one(t, doc, k, 1) == -1)
				return ctx_fail_nomem(err);
		if (in == CTX_NONE && read_one(t, doc, e, 0) == -1)
			return ctx_fail_nomem(err);
	}
	return 0;
}

/* The names of the tools that s calls, one at a time. */
struct calls {
	const struct ctx_script *s;
	uint32_t item, part;	/* the next ones */
	unsigned flags;		/* of the last one */
};

/* The name of the next call that is told or carried; .p is NULL at the end. */
static struct ctx_str
next_call(struct calls *at)
{
	const struct ctx_script *s = at->s;
	const struct ctx_said *it;
	const struct ctx_part *p;

	while (at->item < s->nitem) {
		it = &s->item[at->item++];
		at->flags = it->flags;
		if (it->kind == CTX_CALL && it->name.p != NULL)
			return it->name;
	}
	while (at->part < s->c->npart) {
		p = &s->c->part[at->part++];
		at->flags = p->flags;
		if (s->fate[p->msg] == CTX_AS_IS && p->kind == CTX_CALL &&
		    !(p->flags & CTX_SERVER) && p->name.p != NULL)
			return p->name;
	}
	return (struct ctx_str){ NULL, 0 };
}

int
ctx_tools_complete(struct ctx_tools *t, const struct ctx_script *s,
    size_t *nmade, struct ctx_err *err)
{
	struct ctx_strmap names = { 0 };
	struct calls at = { s, 0, 0, 0 };
	struct ctx_tool *tool;
	struct ctx_str name;
	size_t i, n, known;
	int rc = 0;

	*nmade = 0;
	for (i = 0; i < t->n && rc == 0; i++)
		if (ctx_strmap_add(&names, t->tool[i].name.p,
		    t->tool[i].name.len) == CTX_STRMAP_FULL)
			rc = -1;
	while (rc == 0 && (name = next_call(&at)).p != NULL) {
		known = names.n;
		n = ctx_strmap_add(&names, name.p, name.len);
		tool = n == known ? add(t, name) : NULL;
		if (n == CTX_STRMAP_FULL || (n == known && tool == NULL))
			rc = -1;
		else if (tool != NULL)
			tool->custom = (at.flags & CTX_CUSTOM) != 0;
		*nmade += n == known;
	}
	ctx_strmap_done(&names);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}
