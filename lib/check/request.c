/* SPDX-License-Identifier: MIT */
/* Rules for the members of a request around its messages; see check.h. */
#include "check/check.h"
#include "decide/idset.h"

#include <string.h>

/* Where dialects keep a tool: a list, perhaps a list in its elements, and an
   object in its elements. */
struct tools {
	const char *dialect;
	const char *around;	/* object around the list and the choice, or
				   NULL */
	const char *inner;	/* list in each element, or NULL */
	const char *object;	/* object with the members, or NULL */
	const char *schema;	/* member */
	const char *inside;	/* member of that with the schema, or NULL */
	int has_type;		/* an element of another type than "function"
				   or "custom" is the provider's own */
};

static const struct tools layouts[] = {
	{ "openai", NULL, NULL, "function", "parameters", NULL, 1 },
	{ "anthropic", NULL, NULL, NULL, "input_schema", NULL, 1 },
	{ "openai-responses", NULL, NULL, NULL, "parameters", NULL, 1 },
	{ "gemini", NULL, "functionDeclarations", NULL, "parameters", NULL, 0 },
	{ "bedrock", "toolConfig", NULL, "toolSpec", "inputSchema", "json", 0 }
};

/* The tools of a request. */
struct walk {
	struct ctx_check *k;
	const struct tools *at;
	struct ctx_doc doc;
	uint32_t rec, root;
	uint32_t in;		/* the object with the tools */
	struct ctx_str chosen;	/* by tool_choice; .p is NULL if none is */
	uint32_t choice;	/* its node */
	int is_there;
	struct ctx_idset *names;
};

/* A schema is an object, and its type, if it has one, is "object". */
static int
is_schema(const struct ctx_doc *doc, uint32_t node)
{
	uint32_t type;

	if (node == CTX_NONE || ctx_node_type(doc, node) == 'n')
		return 1;
	if (ctx_node_type(doc, node) != '{')
		return 0;
	type = ctx_node_if(doc, CTX_GET(doc, node, "type"), '"');
	return type == CTX_NONE || ctx_node_is(doc, type, "object") ||
	    ctx_node_is(doc, type, "OBJECT");
}

static int
check_tool(struct walk *w, uint32_t tool, struct ctx_err *err)
{
	const struct ctx_api *a = w->k->rules;
	uint32_t node = CTX_GET(&w->doc, tool, "name"), schema;
	struct ctx_str name = ctx_node_str(&w->doc, node);
	struct ctx_seen_id *e;

	if (name.p == NULL || name.len == 0 || (a->name_max != 0 && name.len >
	    a->name_max) || !ctx_api_chars(a->name_chars, name))
		return ctx_check_found(w->k, CTX_F_TOOL_NAME, w->rec,
		    node != CTX_NONE ? node : tool, err);
	w->is_there |= w->chosen.p != NULL && ctx_str_same(w->chosen, name);
	if ((e = ctx_idset_see(w->names, name.p, name.len)) == NULL)
		return ctx_fail_nomem(err);
	if (e->uses++ > 0)
		return ctx_check_found(w->k, CTX_F_TOOL_TWICE, w->rec, node,
		    err);
	schema = CTX_GET(&w->doc, tool, w->at->schema);
	if (w->at->inside != NULL)
		schema = CTX_GET(&w->doc, schema, w->at->inside);
	return is_schema(&w->doc, schema) ? 0 :
	    ctx_check_found(w->k, CTX_F_TOOL_SCHEMA, w->rec, schema, err);
}

/* Is the tool one that the provider runs, which has rules of its own? */
static int
is_provided(const struct walk *w, uint32_t e)
{
	uint32_t type = CTX_GET(&w->doc, e, "type");

	return w->at->has_type && ctx_node_if(&w->doc, type, '"') != CTX_NONE
	    && !ctx_node_is(&w->doc, type, "function") &&
	    !ctx_node_is(&w->doc, type, "custom");
}

static int
check_tools(struct walk *w, uint32_t list, struct ctx_err *err)
{
	uint32_t e, tool;

	CTX_FOR_LIST(&w->doc, e, list) {
		if (is_provided(w, e)) {
			tool = CTX_GET(&w->doc, e, "name");
			w->is_there |= w->chosen.p != NULL && tool != CTX_NONE
			    && ctx_str_same(w->chosen,
			    ctx_node_str(&w->doc, tool));
			continue;
		}
		tool = w->at->object == NULL ? e :
		    CTX_GET(&w->doc, e, w->at->object);
		if (tool == CTX_NONE)
			continue;	/* {"type":"custom"}: not checked */
		if (check_tool(w, tool, err) == -1)
			return -1;
	}
	return 0;
}

/*
 * The name in {"type":"function","function":{"name":…}}, or in
 * {"tool":{"name":…}}, and the like.
 */
static void
find_choice(struct walk *w)
{
	uint32_t choice = CTX_GET(&w->doc, w->root, "tool_choice"), type, name;

	if (w->at->around != NULL) {
		w->choice = CTX_GET(&w->doc, CTX_GET(&w->doc, w->in,
		    "toolChoice"), "tool");
		w->chosen = ctx_node_str(&w->doc, CTX_GET(&w->doc, w->choice,
		    "name"));
		return;
	}
	type = CTX_GET(&w->doc, choice, "type");
	/* "tool" is Anthropic's: texts do not tell whose a request is */
	if (!ctx_node_is(&w->doc, type, "function") &&
	    (w->at->object != NULL || !ctx_node_is(&w->doc, type, "tool")))
		return;
	name = CTX_GET(&w->doc, choice, "name");
	if (name == CTX_NONE)
		name = CTX_GET(&w->doc, CTX_GET(&w->doc, choice, "function"),
		    "name");
	w->choice = choice;
	w->chosen = ctx_node_str(&w->doc, name);
}

static int
check_all_tools(struct walk *w, struct ctx_err *err)
{
	uint32_t list, e;

	w->in = w->at->around == NULL ? w->root :
	    CTX_GET(&w->doc, w->root, w->at->around);
	list = CTX_GET(&w->doc, w->in, "tools");
	find_choice(w);
	if (w->at->inner == NULL) {
		if (check_tools(w, list, err) == -1)
			return -1;
	} else
		CTX_FOR_LIST(&w->doc, e, list)
			if (check_tools(w, CTX_GET(&w->doc, e, w->at->inner),
			    err) == -1)
				return -1;
	if (w->chosen.p != NULL && !w->is_there)
		return ctx_check_found(w->k, CTX_F_TOOL_CHOICE, w->rec,
		    w->choice, err);
	return 0;
}

/* At most four blocks of a request may be marked for the prompt cache. */
#define CACHE_MARKS 4

static int
check_marks(struct walk *w, struct ctx_err *err)
{
	uint32_t i, mark, end = w->doc.node[w->root].next, n = 0;

	if (strcmp(w->at->dialect, "anthropic") != 0)
		return 0;
	for (i = w->root; i < end; i++) {
		mark = ctx_node_if(&w->doc, CTX_GET(&w->doc, i, "cache_control"),
		    '{');
		if (mark != CTX_NONE && ++n == CACHE_MARKS + 1)
			return ctx_check_found(w->k, CTX_F_CACHE_MARKS,
			    w->rec, mark, err);
	}
	return 0;
}

int
ctx_check_request(struct ctx_check *k, uint32_t rec, struct ctx_err *err)
{
	const struct ctx_dialect *d = k->c->rec[rec].dialect;
	struct ctx_idset names = { 0 };
	struct walk w = { .k = k, .rec = rec, .names = &names,
	    .root = k->c->rec[rec].root };
	size_t i;
	int rc;

	w.doc = ctx_convo_doc(k->c, rec);
	while (d != NULL && d->base != NULL)
		d = d->base;
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (d != NULL && strcmp(layouts[i].dialect, d->name) == 0)
			w.at = &layouts[i];
	if (w.at == NULL || ctx_node_type(&w.doc, w.root) != '{')
		return 0;
	k->rules = ctx_api_for(k->api, k->c->rec[rec].dialect);
	rc = check_all_tools(&w, err);
	if (rc == 0)
		rc = check_marks(&w, err);
	ctx_idset_done(&names);
	return rc;
}
