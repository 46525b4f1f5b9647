/* SPDX-License-Identifier: MIT */
/* Conversation lines; see split.h. */
#include "cmd/store/split.h"

static int
view(struct store_split *s, const char *raw, size_t len, struct ctx_err *err)
{
	struct ctx_rec *r;

	ctx_convo_reset(&s->one);
	if ((r = ctx_convo_add_rec(&s->one)) == NULL)
		return ctx_fail_nomem(err);
	r->raw = raw;
	r->len = len;
	r->root = 0;
	if (ctx_doc_scan(&s->one.doc, raw, len, err) == -1)
		return -1;
	return ctx_dialect_view(&s->one, 0, NULL, 0, err);
}

static void
add_node(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t node)
{
	ctx_buf_add(out, doc->raw + doc->node[node].off, doc->node[node].len);
}

/*
 * A prompt as the content of a message: a string or a list as it is.  Gemini's
 * object with parts, which no message has, becomes a list of its texts; one
 * without a text stays, so that nothing is lost.
 */
static void
add_content(struct ctx_buf *out, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t parts = CTX_GET(doc, node, "parts"), e, text;
	size_t start = out->len;

	CTX_FOR_LIST(doc, e, parts) {
		text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');
		if (text == CTX_NONE)
			continue;
		ctx_buf_adds(out, out->len == start ? "[" : ",");
		ctx_buf_adds(out, "{\"type\":\"text\",\"text\":");
		add_node(out, doc, text);
		ctx_buf_addc(out, '}');
	}
	if (out->len > start)
		ctx_buf_addc(out, ']');
	else
		add_node(out, doc, node);
}

/* Null, "", [] and {} say nothing. */
static int
is_empty(const struct ctx_doc *doc, uint32_t node)
{
	char type = ctx_node_type(doc, node);

	return type == 'n' || (type == '"' && doc->node[node].len == 2) ||
	    ((type == '[' || type == '{') && doc->node[node].next == node + 1);
}

/*
 * The prompts beside the messages, whichever dialect's: a request may have been
 * put together from several.
 */
static int
give_prompts(struct store_split *s, const struct ctx_doc *doc,
    store_split_fn *fn, void *arg, struct ctx_err *err)
{
	const struct ctx_dialect *d;
	struct ctx_shape shape;
	uint32_t node;
	size_t i, k;

	ctx_shape_of(&shape, doc, 0);
	for (i = 0; (d = ctx_dialects[i]) != NULL; i++)
		for (k = 0; k < 2 && d->system[k] != CTX_K_ROLE; k++) {
			node = shape.key[d->system[k]];
			if (node == CTX_NONE || is_empty(doc, node))
				continue;
			ctx_buf_reset(&s->line);
			ctx_buf_adds(&s->line,
			    "{\"role\":\"system\",\"content\":");
			add_content(&s->line, doc, node);
			ctx_buf_adds(&s->line, "}\n");
			if (ctx_buf_fail(&s->line, err) == -1 ||
			    fn(s->line.data, s->line.len, arg, err) == -1)
				return -1;
		}
	return 0;
}

int
store_split(struct store_split *s, const char *raw, size_t len,
    store_split_fn *fn, void *arg, struct ctx_err *err)
{
	struct ctx_doc doc;
	uint32_t e, list;

	if (view(s, raw, len, err) == -1)
		return -1;
	if (s->one.rec[0].shape != CTX_REC_CONVERSATION)
		return 0;
	doc = ctx_convo_doc(&s->one, 0);
	list = s->one.rec[0].list;
	if (ctx_node_type(&doc, 0) == '{' &&
	    give_prompts(s, &doc, fn, arg, err) == -1)
		return -1;
	/* every element, also one that no dialect knows */
	CTX_FOR_LIST(&doc, e, list) {
		ctx_buf_reset(&s->line);
		add_node(&s->line, &doc, e);
		ctx_buf_addc(&s->line, '\n');
		if (ctx_buf_fail(&s->line, err) == -1 ||
		    fn(s->line.data, s->line.len, arg, err) == -1)
			return -1;
	}
	return 1;
}

void
store_split_done(struct store_split *s)
{
	ctx_convo_done(&s->one);
	ctx_buf_done(&s->line);
}
