/* SPDX-License-Identifier: MIT */
/*
 * Streams of Gemini: responses whose parts follow each other (ai.google.dev/api/
 * generate-content).  Texts are joined, but a part with a signature stays one of
 * its own, as ai.google.dev/gemini-api/docs/thought-signatures asks.
 */
#include "job/stream_impl.h"


/* Is a part only a text, or only a thought?  Sets *thought. */
static int
is_text(const struct ctx_doc *doc, uint32_t part, int *thought)
{
	struct ctx_str key;
	uint32_t k;
	int text = 0;

	*thought = 0;
	CTX_FOR_KEYS(doc, k, part) {
		key = ctx_node_str(doc, k);
		if (ctx_str_is(key, "text"))
			text = ctx_node_type(doc, k + 1) == '"';
		else if (ctx_str_is(key, "thought"))
			*thought = ctx_node_type(doc, k + 1) == 't';
		else
			return 0;
	}
	return text;
}

static int
take_part(struct ctx_stream *s, struct ctx_grow *parts,
    const struct ctx_doc *doc, uint32_t part)
{
	uint32_t text = CTX_GET(doc, part, "text");
	int thought, joins = is_text(doc, part, &thought);
	uint64_t kind = joins ? 1 + (uint64_t)thought : 0;
	struct ctx_grow *g = parts->last;

	if (!thought && CTX_GET(doc, part, "thought") == CTX_NONE &&
	    ctx_node_str(doc, text).len > 0 && s->text != NULL)
		s->text(s->arg, ctx_node_str(doc, text));
	/* nothing is to be kept of an empty text */
	if (joins && ctx_node_str(doc, text).len == 0)
		return 0;
	if (joins && g != NULL && g->index == kind)
		return ctx_stream_grow(s, g, "text", ctx_node_str(doc, text),
		    0);
	if ((g = ctx_grow_more(parts)) == NULL)
		return -1;
	g->index = kind;
	return ctx_grow_set(g, doc, part);
}

static int
take_candidate(struct ctx_stream *s, const struct ctx_doc *doc, uint32_t c)
{
	uint32_t content = CTX_GET(doc, c, "content"), e, reason;
	struct ctx_grow *g = ctx_grow_member(&s->root, "candidates"), *parts;

	if (g == NULL || (g = ctx_grow_element(g, 0)) == NULL)
		return -1;
	reason = CTX_GET(doc, c, "finishReason");
	if (ctx_node_str(doc, reason).len > 0)
		s->ended = 1;
	if (ctx_stream_set(g, "finishReason", doc, reason) == -1 ||
	    ctx_stream_set(g, "finishMessage", doc, CTX_GET(doc, c,
	    "finishMessage")) == -1)
		return -1;
	if (content == CTX_NONE)
		return 0;
	if ((g = ctx_grow_member(g, "content")) == NULL ||
	    (parts = ctx_grow_member(g, "parts")) == NULL ||
	    ctx_stream_set(g, "role", doc, CTX_GET(doc, content, "role")) ==
	    -1)
		return -1;
	CTX_FOR_LIST(doc, e, CTX_GET(doc, content, "parts"))
		if (take_part(s, parts, doc, e) == -1)
			return -1;
	return 0;
}

int
ctx_stream_gemini(struct ctx_stream *s, const struct ctx_doc *doc)
{
	static const char *const members[] = { "promptFeedback",
	    "usageMetadata", "modelVersion", "responseId" };
	uint32_t list = CTX_GET(doc, 0, "candidates"), c;
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (ctx_stream_set(&s->root, members[i], doc, CTX_GET(doc, 0,
		    members[i])) == -1)
			return -1;
	if (CTX_GIVEN(doc, CTX_GET(doc, 0, "promptFeedback"),
	    "blockReason") != CTX_NONE)
		s->ended = 1;
	CTX_FOR_LIST(doc, c, list)
		if (ctx_stream_index(doc, CTX_GET(doc, c, "index")) == 0 &&
		    take_candidate(s, doc, c) == -1)
			return -1;
	return 0;
}
