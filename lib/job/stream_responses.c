/* SPDX-License-Identifier: MIT */
/*
 * Streams of OpenAI's Responses: the response at its beginning and end, and between
 * them its items and deltas of these (platform.openai.com/docs/api-reference/
 * responses-streaming).  The items count only where the response has none.
 */
#include "job/stream_impl.h"

#include <string.h>

/* An event with a piece of a text: where it goes. */
static const struct piece {
	const char *event;
	const char *list, *at;	/* the list in the item, and what has the index;
				   NULL: a member of the item */
	const char *type, *key;	/* of the element, and its text */
	int told;
} pieces[] = {
	{ "output_text.delta", "content", "content_index", "output_text",
	    "text", 1 },
	{ "refusal.delta", "content", "content_index", "refusal", "refusal",
	    1 },
	{ "reasoning_text.delta", "content", "content_index",
	    "reasoning_text", "text", 0 },
	{ "reasoning_summary_text.delta", "summary", "summary_index",
	    "summary_text", "text", 0 },
	{ "function_call_arguments.delta", NULL, NULL, NULL, "arguments", 0 },
	{ "custom_tool_call_input.delta", NULL, NULL, NULL, "input", 0 }
};

static int
take_piece(struct ctx_stream *s, struct ctx_grow *g, const struct piece *p,
    const struct ctx_doc *doc)
{
	struct ctx_str type = { p->type, 0 };
	struct ctx_grow *m;

	if (p->list != NULL) {
		if ((g = ctx_grow_member(g, p->list)) == NULL ||
		    (g = ctx_grow_element(g, ctx_stream_index(doc,
		    CTX_GET(doc, 0, p->at)))) == NULL)
			return -1;
		type.len = (uint32_t)strlen(p->type);
		if ((m = ctx_grow_member(g, "type")) == NULL ||
		    (m->text.len == 0 && ctx_grow_add(m, type) == -1))
			return -1;
	}
	return ctx_stream_grow(s, g, p->key, ctx_node_str(doc, CTX_GET(doc, 0,
	    "delta")), p->told);
}

/* The part of a list that begins or ends. */
static int
take_part(struct ctx_grow *g, const char *list, const char *at,
    const struct ctx_doc *doc)
{
	g = ctx_grow_member(g, list);
	if (g != NULL)
		g = ctx_grow_element(g, ctx_stream_index(doc, CTX_GET(doc, 0,
		    at)));
	return g == NULL ? -1 : ctx_grow_set(g, doc, CTX_GET(doc, 0, "part"));
}

static int
take_item(struct ctx_stream *s, struct ctx_str type, const struct ctx_doc *doc)
{
	struct ctx_grow *g;
	size_t i;

	if (CTX_GET(doc, 0, "output_index") == CTX_NONE)
		return 0;
	g = ctx_grow_element(&s->items, ctx_stream_index(doc, CTX_GET(doc, 0,
	    "output_index")));
	if (g == NULL)
		return -1;
	if (ctx_str_starts(type, "output_item.")) {
		g->whole = ctx_str_is(type, "output_item.done");
		return ctx_grow_set(g, doc, CTX_GET(doc, 0, "item"));
	}
	if (ctx_str_starts(type, "content_part."))
		return take_part(g, "content", "content_index", doc);
	if (ctx_str_starts(type, "reasoning_summary_part."))
		return take_part(g, "summary", "summary_index", doc);
	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		if (ctx_str_is(type, pieces[i].event))
			return take_piece(s, g, &pieces[i], doc);
	return 0;
}

/* Of a response that was cut, leave out calls that had begun; texts end there. */
static int
leave_open(struct ctx_stream *s)
{
	struct ctx_str end = { "incomplete", 10 };
	struct ctx_grow *e, *m;

	ctx_stream_leave(s, &s->items, "_call");
	for (e = s->items.first; e != NULL; e = e->next) {
		m = ctx_grow_find(e, "status");
		if (e->whole || m == NULL)
			continue;
		ctx_buf_reset(&m->text);
		if (ctx_grow_add(m, end) == -1)
			return -1;
	}
	return 0;
}

static int
finish(struct ctx_stream *s)
{
	struct ctx_grow *out = ctx_grow_member(&s->root, "output"), was;

	if (out == NULL)
		return -1;
	if (!s->ended && leave_open(s) == -1)
		return -1;
	if (s->items.n == 0 || (out->kind == CTX_GROW_JSON && s->ended))
		return 0;
	was = *out;
	out->kind = s->items.kind;
	out->first = s->items.first;
	out->last = s->items.last;
	out->n = s->items.n;
	out->text = s->items.text;
	s->items = (struct ctx_grow){ .kind = was.kind, .first = was.first,
	    .last = was.last, .n = was.n, .text = was.text };
	return 0;
}

int
ctx_stream_responses(struct ctx_stream *s, const struct ctx_doc *doc)
{
	struct ctx_str type = ctx_node_str(doc, CTX_GET(doc, 0, "type"));
	uint32_t response = CTX_GIVEN(doc, 0, "response");

	s->finish = finish;
	type.p += sizeof("response.") - 1;
	type.len -= (uint32_t)sizeof("response.") - 1;
	if (ctx_node_if(doc, response, '{') != CTX_NONE) {
		s->ended |= ctx_str_is(type, "completed") ||
		    ctx_str_is(type, "incomplete") ||
		    ctx_str_is(type, "failed");
		return ctx_grow_set(&s->root, doc, response);
	}
	return take_item(s, type, doc);
}
