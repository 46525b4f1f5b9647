/* SPDX-License-Identifier: MIT */
/*
 * Streams of Anthropic's messages: a message, its blocks, and deltas of these
 * (platform.claude.com/docs/en/build-with-claude/streaming).
 */
#include "job/stream_impl.h"

/* The block that an event is about. */
static struct ctx_grow *
block_of(struct ctx_stream *s, const struct ctx_doc *doc)
{
	struct ctx_grow *list = ctx_grow_member(&s->root, "content");

	return list == NULL ? NULL : ctx_grow_element(list,
	    ctx_stream_index(doc, CTX_GET(doc, 0, "index")));
}

/* Add the strings of a delta to the block's members of the same names. */
static int
take_delta(struct ctx_stream *s, struct ctx_grow *block,
    const struct ctx_doc *doc, uint32_t delta)
{
	struct ctx_grow *g;
	struct ctx_str key, text;
	uint32_t k;

	CTX_FOR_KEYS(doc, k, delta) {
		key = ctx_node_str(doc, k);
		text = ctx_node_str(doc, k + 1);
		if (ctx_str_is(key, "citation")) {
			g = ctx_grow_member(block, "citations");
			if (g == NULL || (g = ctx_grow_more(g)) == NULL ||
			    ctx_grow_set(g, doc, k + 1) == -1)
				return -1;
		}
		if (text.p == NULL || ctx_str_is(key, "type"))
			continue;
		if ((g = ctx_grow_member_of(block, doc, k)) == NULL ||
		    ctx_grow_add(g, text) == -1)
			return -1;
		if (ctx_str_is(key, "text") && s->text != NULL)
			s->text(s->arg, text);
	}
	return 0;
}

/*
 * The input of a call that has come in pieces.  What is not JSON, since the model's
 * answer was too long, is written as the API's documents say.
 */
static int
end_block(struct ctx_stream *s, struct ctx_grow *block)
{
	struct ctx_grow *pieces = ctx_grow_find(block, "partial_json"), *input;
	struct ctx_buf *b = &s->word;
	int rc;

	block->whole = 1;
	if (pieces == NULL)
		return 0;
	ctx_buf_reset(b);
	if (pieces->text.len > 0) {
		ctx_str_decode(b, pieces->text.data, pieces->text.len);
		rc = b->failed ? -1 : ctx_doc_try(&s->doc, b->data, b->len);
		if (rc == -1 || (input = ctx_grow_member(block, "input")) ==
		    NULL)
			return -1;
		if (rc == 0) {
			ctx_buf_reset(b);
			ctx_buf_adds(b, "{\"INVALID_JSON\":\"");
			ctx_buf_add(b, pieces->text.data, pieces->text.len);
			ctx_buf_adds(b, "\"}");
		}
		if (b->failed || ctx_grow_set_json(input, b->data, b->len) ==
		    -1)
			return -1;
	}
	ctx_grow_drop(block, "partial_json");
	return 0;
}

/* What is left out of a response that was cut: calls that had begun. */
static int
finish(struct ctx_stream *s)
{
	struct ctx_grow *list = ctx_grow_find(&s->root, "content"), *e;

	if (list == NULL || list->kind != CTX_GROW_LIST)
		return 0;
	if (!s->ended)
		ctx_stream_leave(s, list, "tool_use");
	for (e = list->first; e != NULL; e = e->next)
		if (end_block(s, e) == -1)
			return -1;
	return 0;
}

int
ctx_stream_anthropic(struct ctx_stream *s, const struct ctx_doc *doc)
{
	struct ctx_str type = ctx_node_str(doc, CTX_GET(doc, 0, "type"));
	struct ctx_grow *g;

	s->finish = finish;
	if (ctx_str_is(type, "message_start"))
		return ctx_grow_set(&s->root, doc, CTX_GET(doc, 0,
		    "message"));
	if (ctx_str_is(type, "message_stop"))
		s->ended = 1;
	if (ctx_str_is(type, "message_delta")) {
		g = ctx_grow_member(&s->root, "usage");
		return g == NULL || ctx_grow_update(g, doc, CTX_GET(doc, 0,
		    "usage"), "") == -1 ? -1 : ctx_grow_update(&s->root, doc,
		    CTX_GET(doc, 0, "delta"), "");
	}
	if (!ctx_str_starts(type, "content_block_"))
		return 0;
	if ((g = block_of(s, doc)) == NULL)
		return -1;
	if (ctx_str_is(type, "content_block_start"))
		return ctx_grow_set(g, doc, CTX_GET(doc, 0, "content_block"));
	if (ctx_str_is(type, "content_block_delta"))
		return take_delta(s, g, doc, CTX_GET(doc, 0, "delta"));
	return ctx_str_is(type, "content_block_stop") ? end_block(s, g) : 0;
}
