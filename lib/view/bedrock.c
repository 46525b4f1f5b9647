/* SPDX-License-Identifier: MIT */
/*
 * Messages of Amazon Bedrock's Converse API:
 * {"role":"user"|"assistant","content":[{"text"}|{"toolUse"}|...]}
 * A content block is a union: its one member says what it is.
 * Format and rules: docs.aws.amazon.com/bedrock/latest/APIReference (Message,
 * ContentBlock, ToolUseBlock, ToolResultBlock, DocumentBlock) and the API's own
 * error messages; ctx-stream(5) lists them.
 */
#include "view/dialect.h"

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT },
	{ "system", CTX_SYSTEM }, { NULL, 0 }
};

enum block {
	B_NONE, B_TEXT, B_USE, B_RESULT, B_IMAGE, B_FILE, B_REASONING,
	B_GUARDED, B_CITED, B_JSON, B_MARK
};

static const struct ctx_word blocks[] = {
	{ "text", B_TEXT }, { "toolUse", B_USE }, { "toolResult", B_RESULT },
	{ "image", B_IMAGE }, { "document", B_FILE }, { "video", B_FILE },
	{ "audio", B_FILE }, { "searchResult", B_FILE },
	{ "reasoningContent", B_REASONING }, { "guardContent", B_GUARDED },
	{ "citationsContent", B_CITED }, { "json", B_JSON },
	{ "cachePoint", B_MARK }, { NULL, 0 }
};

static const enum ctx_kind kinds[] = {
	[B_NONE] = CTX_OTHER, [B_TEXT] = CTX_TEXT, [B_USE] = CTX_CALL,
	[B_RESULT] = CTX_RESULT, [B_IMAGE] = CTX_IMAGE, [B_FILE] = CTX_FILE,
	[B_REASONING] = CTX_THINKING, [B_GUARDED] = CTX_OTHER,
	[B_CITED] = CTX_OTHER, [B_JSON] = CTX_OTHER, [B_MARK] = CTX_OTHER
};

/* Is member v, which is a string, all that e has? */
static int
is_alone(const struct ctx_doc *doc, uint32_t e, uint32_t v)
{
	uint32_t k;

	CTX_FOR_KEYS(doc, k, e)
		if (k + 1 != v && ctx_shape_filled(doc, k + 1))
			return 0;
	return ctx_node_type(doc, v) == '"';
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t content = s->key[CTX_K_CONTENT], e, v;
	int sure = 0, text = 0, typed = 0;

	if (ctx_node_word(doc, s->key[CTX_K_ROLE], roles, -1) == -1 ||
	    ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALLS]) ||
	    s->key[CTX_K_FUNCTION_CALL] != CTX_NONE ||
	    ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALL_ID]))
		return CTX_MATCH_NOT;
	if (!ctx_shape_filled(doc, content))
		return ctx_shape_bare(s, doc) ? CTX_MATCH_MAYBE : CTX_MATCH_NOT;
	if (ctx_node_type(doc, content) != '[')
		return CTX_MATCH_NOT;
	CTX_FOR_LIST(doc, e, content) {
		/* a block that names its type is another dialect's */
		if (CTX_GIVEN(doc, e, "type") != CTX_NONE)
			typed = 1;
		else if (ctx_shape_union(doc, e, blocks, &v) > B_TEXT)
			sure |= ctx_node_type(doc, v) == '{';
		else if (v != CTX_NONE)
			text |= is_alone(doc, e, v);
	}
	if (sure || (text && !typed))
		return CTX_MATCH_SURE;
	return typed && !text ? CTX_MATCH_NOT : CTX_MATCH_WEAK;
}

/* The only element of a list, or CTX_NONE. */
static uint32_t
only_of(const struct ctx_doc *doc, uint32_t list)
{
	return ctx_node_if(doc, list, '[') != CTX_NONE &&
	    doc->node[list].next > list + 1 &&
	    doc->node[list + 1].next == doc->node[list].next ? list + 1 :
	    CTX_NONE;
}

static int	add_blocks(struct ctx_convo *, const struct ctx_doc *, uint32_t,
		    unsigned);

static void
set_use(struct ctx_part *p, const struct ctx_doc *doc, uint32_t v)
{
	p->flags |= CTX_RAW;
	if (CTX_GIVEN(doc, v, "type") != CTX_NONE)	/* server_tool_use */
		p->flags |= CTX_SERVER;
	ctx_part_set_id(p, doc, CTX_GET(doc, v, "toolUseId"));
	p->name = ctx_node_str(doc, CTX_GET(doc, v, "name"));
	p->text = CTX_GIVEN(doc, v, "input");
}

static int
add_result(struct ctx_convo *c, const struct ctx_doc *doc, struct ctx_part *p,
    uint32_t v)
{
	uint32_t content, text;

	if (CTX_GIVEN(doc, v, "type") != CTX_NONE)	/* nova_..._result */
		p->flags |= CTX_SERVER;
	if (ctx_node_is(doc, CTX_GET(doc, v, "status"), "error"))
		p->flags |= CTX_ERROR;
	ctx_part_set_id(p, doc, CTX_GET(doc, v, "toolUseId"));
	content = CTX_GET(doc, v, "content");
	text = CTX_GET(doc, only_of(doc, content), "text");
	if (text == CTX_NONE || !is_alone(doc, content + 1, text))
		return add_blocks(c, doc, content, CTX_INNER);
	p->text = text;
	return 0;
}

static void
set_reasoning(struct ctx_part *p, const struct ctx_doc *doc, uint32_t v)
{
	uint32_t text = CTX_GIVEN(doc, v, "reasoningText");

	p->text = ctx_node_if(doc, CTX_GET(doc, text, "text"), '"');
	if (text == CTX_NONE ||
	    ctx_node_str(doc, CTX_GET(doc, text, "signature")).len > 0)
		p->flags |= CTX_SIGNED;
}

/* A text inside an object: {"text":{"text"}} or {"content":[{"text"}]}. */
static void
set_wrapped(struct ctx_part *p, const struct ctx_doc *doc, uint32_t v)
{
	uint32_t in = CTX_GET(doc, v, "text");

	if (in == CTX_NONE)
		in = only_of(doc, CTX_GET(doc, v, "content"));
	p->text = ctx_node_if(doc, CTX_GET(doc, in, "text"), '"');
	if (p->text != CTX_NONE)
		p->kind = CTX_TEXT;
}

static int
add_block(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, unsigned flags)
{
	uint32_t v;
	enum block b = (enum block)ctx_shape_union(doc, e, blocks, &v);
	struct ctx_part *p;

	if (flags & CTX_INNER && kinds[b] != CTX_TEXT &&
	    kinds[b] != CTX_IMAGE && kinds[b] != CTX_FILE)
		return ctx_convo_put_json(c, doc, list, e,
		    b == B_JSON ? v : e);
	if ((p = ctx_convo_put_part(c, kinds[b], list, e)) == NULL)
		return -1;
	p->flags = flags;
	switch (b) {
	case B_TEXT:
		p->text = v;
		break;
	case B_USE:
		set_use(p, doc, v);
		break;
	case B_RESULT:
		return add_result(c, doc, p, v);
	case B_REASONING:
		set_reasoning(p, doc, v);
		break;
	case B_GUARDED:
	case B_CITED:
		set_wrapped(p, doc, v);
		break;
	default:
		break;
	}
	return 0;
}

static int
add_blocks(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    unsigned flags)
{
	uint32_t e;

	CTX_FOR_LIST(doc, e, list)
		if (add_block(c, doc, list, e, flags) == -1)
			return -1;
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t content = s->key[CTX_K_CONTENT];

	if (ctx_convo_add_msg(c, (enum ctx_role)ctx_node_word(doc,
	    s->key[CTX_K_ROLE], roles, CTX_USER), s->node, content) == NULL ||
	    add_blocks(c, doc, content, 0) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_addf(out, "{\"role\":\"%s\",\"content\":[",
	    what->role == CTX_ASSISTANT ? "assistant" : "user");
	if (what->kind == CTX_NEW_MOVED)
		ctx_buf_add(out, what->raw, what->rawlen);
	else {
		if (what->kind == CTX_NEW_RESULT)
			ctx_buf_addf(out, "{\"toolResult\":{\"toolUseId\":"
			    "\"%.*s\",\"status\":\"error\",\"content\":[",
			    CTX_STR_ARGS(what->id));
		ctx_buf_adds(out, "{\"text\":\"");
		ctx_str_encode(out, what->text, what->textlen);
		ctx_buf_adds(out, what->kind == CTX_NEW_RESULT ? "\"}]}}" :
		    "\"}");
	}
	return ctx_buf_adds(out, "]}");
}

const struct ctx_dialect ctx_dialect_bedrock = {
	.text_element = "{\"text\":\"",
	.name = "bedrock",
	.title = "Bedrock Converse",
	.rules = CTX_RULE_PAIRS | CTX_RULE_IN_USER | CTX_RULE_LEAD_PARTS |
	    CTX_RULE_UNIQUE_IDS | CTX_RULE_NO_EMPTY | CTX_RULE_NO_BLANK |
	    CTX_RULE_FIRST_USER,
	.lenient = CTX_RULE_FIRST_USER,
	.match = match,
	.list = CTX_K_MESSAGES,
	.system = { CTX_K_SYSTEM },
	.view = view,
	.emit = emit
};
