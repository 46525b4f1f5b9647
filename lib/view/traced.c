/* SPDX-License-Identifier: MIT */
/* Records of traces; see traced.h. */
#include "view/traced.h"

#include <string.h>

static const enum ctx_key pairs[][2] = {
	{ CTX_K_GEN_AI_INPUT, CTX_K_GEN_AI_OUTPUT },
	{ CTX_K_INPUT, CTX_K_OUTPUT }, { CTX_K_INPUTS, CTX_K_OUTPUTS }
};

uint32_t
ctx_traced_request(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t in = ctx_node_if(doc, s->key[CTX_K_INPUT], '{');

	return in != CTX_NONE ? in :
	    ctx_node_if(doc, s->key[CTX_K_INPUTS], '{');
}

uint32_t
ctx_traced_list(const struct ctx_doc *doc, uint32_t list)
{
	while (list != CTX_NONE && doc->node[list].next > list + 1 &&
	    doc->node[list + 1].next == doc->node[list].next &&
	    ctx_node_type(doc, list + 1) == '[')
		list++;
	return list;
}

/* The member of e that an answer is in; CTX_NONE if e is one. */
static uint32_t
inside(const struct ctx_doc *doc, uint32_t e)
{
	static const struct {
		const char *key;
		int of_list;	/* it may be a list of answers */
	} keys[] = {
		{ "messages", 1 }, { "choices", 1 }, { "generations", 1 },
		{ "candidates", 1 }, { "output", 1 }, { "message", 0 },
		{ "content", 0 }
	};
	uint32_t v;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		v = ctx_doc_get(doc, e, keys[i].key, strlen(keys[i].key));
		if (ctx_node_if(doc, v, '{') != CTX_NONE || (keys[i].of_list &&
		    ctx_node_if(doc, v, '[') != CTX_NONE))
			return v;
	}
	return CTX_NONE;
}

/* The answer in value v. */
static uint32_t
unwrap(const struct ctx_doc *doc, uint32_t v)
{
	uint32_t in = v;

	for (; in != CTX_NONE; v = in != CTX_NONE ? in : v) {
		if (ctx_node_type(doc, v) == '{')
			in = inside(doc, v);
		else if (ctx_node_type(doc, v) != '[' ||
		    doc->node[v].next == v + 1)
			in = CTX_NONE;
		else if (ctx_node_type(doc, v + 1) == '[')
			in = v + 1;
		else	/* choices, of which the first is taken */
			in = ctx_node_type(doc, v + 1) == '{' ?
			    inside(doc, v + 1) : CTX_NONE;
	}
	return v;
}

uint32_t
ctx_traced_answer(const struct ctx_shape *s, const struct ctx_doc *doc,
    uint32_t list)
{
	uint32_t in, out;
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		in = s->key[pairs[i][0]];
		out = s->key[pairs[i][1]];
		if (in != CTX_NONE && list >= in && list < doc->node[in].next)
			return ctx_shape_filled(doc, out) ?
			    unwrap(doc, out) : CTX_NONE;
	}
	return CTX_NONE;
}

int
ctx_traced_is_whole(const struct ctx_convo *c)
{
	const struct ctx_msg *msg;
	uint32_t m;

	for (m = 0; m < c->nmsg; m++) {
		msg = &c->msg[m];
		if (msg->role == CTX_SYSTEM || (msg->role == CTX_USER &&
		    !(msg->npart > 0 &&
		    c->part[msg->part].kind == CTX_RESULT)))
			return 1;
	}
	return 0;
}
