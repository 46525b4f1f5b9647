/* SPDX-License-Identifier: MIT */
/* What definitions of tools cost by OpenAI's Cookbook; see toolcost.h. */
#include "job/toolcost.h"

#include <string.h>

/* Without a model, everything is counted as for OpenAI. */
static int
by_openai(const struct ctx_cost *k)
{
	return k->choice.model == NULL ||
	    strcmp(k->choice.model->provider, "openai") == 0;
}

/* Count "name:type:description", without the full stop at its end. */
static int
add_line(struct ctx_cost *k, const struct ctx_str *part, size_t npart,
    uint64_t *n, struct ctx_err *err)
{
	struct ctx_buf line = { 0 };
	struct ctx_str s;
	size_t i;
	int rc;

	for (i = 0; i < npart; i++) {
		if (i > 0)
			ctx_buf_addc(&line, ':');
		ctx_buf_add(&line, part[i].p, part[i].len);
	}
	rc = ctx_buf_fail(&line, err);
	s.p = line.data;
	s.len = line.len;
	if (s.len > 0 && s.p[s.len - 1] == '.')
		s.len--;
	if (rc == 0)
		rc = ctx_cost_add(k, s, n, err);
	ctx_buf_done(&line);
	return rc;
}

/* Count the values of a property: 3 tokens each besides the text, less 3. */
static int
add_enum(struct ctx_cost *k, const struct ctx_doc *doc, uint32_t list,
    uint64_t *n, struct ctx_err *err)
{
	uint64_t marks = 0;
	uint32_t e = list + 1;
	struct ctx_str s;
	size_t at;

	if (ctx_node_if(doc, list, '[') == CTX_NONE)
		return 0;
	at = doc->node[list].off + 1;
	while (ctx_node_each_value(doc, list, &at, &e, &s)) {
		marks += 3;
		if (*s.p == '"') {
			s.p++;
			s.len -= 2;
		}
		if (ctx_cost_add(k, s, n, err) == -1)
			return -1;
	}
	*n += marks > 0 ? marks - 3 : 0;
	return 0;
}

/*
 * Count the properties of every object in a schema.  They are found in text
 * order at any depth, so hostile nesting uses no stack.
 */
static int
add_properties(struct ctx_cost *k, const struct ctx_doc *doc, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_str part[3];
	uint32_t i, props, p, v;

	for (i = 0; i < doc->n; i++) {
		if (ctx_node_type(doc, i) != '{')
			continue;
		props = ctx_node_if(doc, CTX_GET(doc, i, "properties"), '{');
		if (props == CTX_NONE || doc->node[props].next == props + 1)
			continue;
		*n += 3;
		CTX_FOR_KEYS(doc, p, props) {
			v = p + 1;
			part[0] = ctx_node_str(doc, p);
			part[1] = ctx_node_str(doc, CTX_GET(doc, v, "type"));
			part[2] = ctx_node_str(doc, CTX_GET(doc, v,
			    "description"));
			*n += 3;
			if (add_line(k, part, 3, n, err) == -1 || add_enum(k,
			    doc, CTX_GET(doc, v, "enum"), n, err) == -1)
				return -1;
		}
	}
	return 0;
}

static int
openai_tool(struct ctx_cost *k, const struct ctx_tool *tool, uint64_t *n,
    struct ctx_err *err)
{
	struct ctx_str part[2] = { tool->name, tool->about };
	const struct ctx_model *m = k->choice.model;
	struct ctx_doc doc = { 0 };
	int rc;

	/* Models with cl100k_base (gpt-4 and gpt-3.5) cost 3 more. */
	*n += m != NULL && strcmp(m->encoding, "cl100k_base") == 0 ? 10 : 7;
	rc = add_line(k, part, 2, n, err);
	if (rc == 0 && tool->schema.p != NULL) {
		rc = ctx_doc_scan(&doc, tool->schema.p, tool->schema.len, err);
		if (rc == 0)
			rc = add_properties(k, &doc, n, err);
		ctx_doc_done(&doc);
	}
	return rc;
}

int
ctx_toolcost_add(struct ctx_cost *k, const struct ctx_tool *tool, uint64_t *n,
    struct ctx_err *err)
{
	uint64_t more = 0;

	if (by_openai(k))
		return openai_tool(k, tool, n, err);
	if (ctx_cost_add(k, tool->name, n, err) == -1 ||
	    ctx_cost_add(k, tool->about, n, err) == -1)
		return -1;
	if (tool->schema.p != NULL &&
	    ctx_cost_value(k, tool->schema, 0, &more, err) == -1)
		return -1;
	*n += more;
	return 0;
}

void
ctx_toolcost_frame(const struct ctx_cost *k, uint64_t *n)
{
	if (by_openai(k))
		*n += 12;
}
