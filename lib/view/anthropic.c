/* SPDX-License-Identifier: MIT */
/*
 * Anthropic messages: {"role":"user"|"assistant","content":string|blocks}.
 * Format and rules: docs.anthropic.com, Messages API (content blocks, tool
 * use, extended thinking) and the API's own error messages; ctx-stream(5)
 * lists them.
 */
#include "view/dialect.h"

enum block {
	B_TEXT, B_THINKING, B_REDACTED, B_TOOL_USE, B_TOOL_RESULT, B_IMAGE,
	B_DOCUMENT, B_SERVER_USE, B_SERVER_RESULT, B_COMPACTION, B_OTHER
};

static const struct ctx_word blocks[] = {
	{ "text", B_TEXT }, { "tool_use", B_TOOL_USE },
	{ "tool_result", B_TOOL_RESULT }, { "thinking", B_THINKING },
	{ "redacted_thinking", B_REDACTED }, { "image", B_IMAGE },
	{ "document", B_DOCUMENT }, { "search_result", B_DOCUMENT },
	{ "compaction", B_COMPACTION },
	{ "server_tool_use", B_SERVER_USE },
	{ "mcp_tool_use", B_SERVER_USE }, { NULL, 0 }
};

static const enum ctx_kind kinds[] = {
	[B_TEXT] = CTX_TEXT, [B_THINKING] = CTX_THINKING,
	[B_REDACTED] = CTX_THINKING, [B_TOOL_USE] = CTX_CALL,
	[B_TOOL_RESULT] = CTX_RESULT, [B_IMAGE] = CTX_IMAGE,
	[B_DOCUMENT] = CTX_FILE, [B_SERVER_USE] = CTX_CALL,
	[B_SERVER_RESULT] = CTX_RESULT, [B_OTHER] = CTX_OTHER,
	[B_COMPACTION] = CTX_OTHER
};

/*
 * Each of the server's tools has a type for its results, and there are new ones
 * every year: web_search_tool_result, advisor_tool_result.
 */
static int
is_server_result(const struct ctx_doc *doc, uint32_t e)
{
	static const char end[] = "_tool_result";
	struct ctx_str type = ctx_node_str(doc, CTX_GET(doc, e, "type"));
	size_t len = sizeof(end) - 1;

	return type.len > len && memcmp(type.p + type.len - len, end, len) ==
	    0 && ctx_node_str(doc, CTX_GET(doc, e, "tool_use_id")).p != NULL;
}

static enum block
block_of(const struct ctx_doc *doc, uint32_t e)
{
	enum block b = (enum block)ctx_node_word(doc, CTX_GET(doc, e, "type"),
	    blocks, B_OTHER);

	if (b == B_OTHER && is_server_result(doc, e))
		return B_SERVER_RESULT;
	if ((b == B_IMAGE && CTX_GIVEN(doc, e, "source") == CTX_NONE) ||
	    (b == B_THINKING && ctx_node_if(doc, CTX_GET(doc, e, "thinking"),
	    '[') != CTX_NONE))
		return B_OTHER;		/* another dialect's */
	return b;
}

/* Look for blocks that only this dialect has in its message lists. */
static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t role = s->key[CTX_K_ROLE], content = s->key[CTX_K_CONTENT];
	uint32_t e;
	enum ctx_match fit = CTX_MATCH_MAYBE;

	if (ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALLS]) ||
	    s->key[CTX_K_FUNCTION_CALL] != CTX_NONE ||
	    ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALL_ID]))
		return CTX_MATCH_NOT;
	if (!ctx_node_is(doc, role, "user") &&
	    !ctx_node_is(doc, role, "assistant") &&
	    !ctx_node_is(doc, role, "system"))
		return CTX_MATCH_NOT;
	if (!ctx_shape_filled(doc, content))
		return ctx_shape_bare(s, doc) ? CTX_MATCH_MAYBE : CTX_MATCH_NOT;
	if (ctx_node_type(doc, content) == '"')
		return CTX_MATCH_MAYBE;
	if (ctx_node_type(doc, content) != '[')
		return CTX_MATCH_NOT;
	CTX_FOR_LIST(doc, e, content)
		switch (block_of(doc, e)) {
		case B_OTHER:
			return fit == CTX_MATCH_SURE ? fit : CTX_MATCH_WEAK;
		case B_TEXT:
			if (!ctx_shape_cited(doc, e))
				break;
			/* FALLTHROUGH */
		default:
			fit = CTX_MATCH_SURE;
		}
	return fit;
}

static int	add_blocks(struct ctx_convo *, const struct ctx_doc *, uint32_t,
		    unsigned);

/* Is it a list of a program's own, such as Cline's, in place of blocks? */
static int
is_plain_list(const struct ctx_doc *doc, uint32_t content)
{
	uint32_t e;

	CTX_FOR_LIST(doc, e, content)
		if (ctx_node_if(doc, e, '{') == CTX_NONE ||
		    CTX_GET(doc, e, "type") != CTX_NONE)
			return 0;
	return ctx_shape_filled(doc, ctx_node_if(doc, content, '['));
}

static int
add_result(struct ctx_convo *c, const struct ctx_doc *doc, struct ctx_part *p,
    uint32_t e)
{
	uint32_t content = CTX_GET(doc, e, "content");

	p->idnode = CTX_GET(doc, e, "tool_use_id");
	p->id = ctx_node_str(doc, p->idnode);
	if (ctx_node_if(doc, CTX_GET(doc, e, "is_error"), 't') != CTX_NONE)
		p->flags |= CTX_ERROR;
	if (content == CTX_NONE)
		return 0;
	if (is_plain_list(doc, content)) {
		ctx_part_set_value(p, doc, content);
		return ctx_convo_put_copies(c, doc, content);
	}
	if (ctx_node_type(doc, content) != '"' && !(p->flags & CTX_SERVER))
		return add_blocks(c, doc, content, CTX_INNER);
	ctx_part_set_value(p, doc, content);
	return 0;
}

static void
set_call(struct ctx_part *p, const struct ctx_doc *doc, uint32_t e)
{
	p->idnode = CTX_GET(doc, e, "id");
	p->id = ctx_node_str(doc, p->idnode);
	p->name = ctx_node_str(doc, CTX_GET(doc, e, "name"));
	p->text = CTX_GIVEN(doc, e, "input");
	p->flags |= CTX_RAW;
}

static void
set_thinking(struct ctx_part *p, const struct ctx_doc *doc, uint32_t e)
{
	if (ctx_node_str(doc, CTX_GET(doc, e, "signature")).len > 0)
		p->flags |= CTX_SIGNED;
	p->text = CTX_GET(doc, e, "thinking");
}

/* The conversation so far.  What comes before it is no longer read. */
static void
add_compaction(struct ctx_convo *c, const struct ctx_doc *doc,
    struct ctx_part *p, uint32_t e)
{
	p->flags |= CTX_COMPACTED;
	p->text = ctx_node_if(doc, CTX_GET(doc, e, "content"), '"');
	if (p->text == CTX_NONE) {
		p->flags |= CTX_SIGNED;
		p->text = ctx_node_if(doc, CTX_GET(doc, e,
		    "encrypted_content"), '"');
	}
	c->msg[c->nmsg - 1].flags |= CTX_SUMMARY | CTX_BOUNDARY;
}

static int
add_one(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, unsigned flags)
{
	enum block b = block_of(doc, e);
	struct ctx_part *p;

	if (flags & CTX_INNER && kinds[b] != CTX_TEXT &&
	    kinds[b] != CTX_IMAGE && kinds[b] != CTX_FILE)
		return ctx_convo_put_odd(c, doc, list, e);
	if (b == B_SERVER_USE || b == B_SERVER_RESULT)
		flags |= CTX_SERVER;
	if ((p = ctx_convo_put_part(c, kinds[b], list, e)) == NULL)
		return -1;
	p->flags = flags;
	switch (b) {
	case B_TEXT:
		p->text = CTX_GET(doc, e, "text");
		return 0;
	case B_THINKING:
		set_thinking(p, doc, e);
		return 0;
	case B_REDACTED:
		p->flags |= CTX_SIGNED;
		return 0;
	case B_COMPACTION:
		add_compaction(c, doc, p, e);
		return 0;
	case B_TOOL_USE:
	case B_SERVER_USE:
		set_call(p, doc, e);
		return 0;
	case B_TOOL_RESULT:
	case B_SERVER_RESULT:
		return add_result(c, doc, p, e);
	default:
		return 0;
	}
}

static int
add_blocks(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    unsigned flags)
{
	uint32_t e;

	CTX_FOR_LIST(doc, e, list)
		if (add_one(c, doc, list, e, flags) == -1)
			return -1;
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t role = s->key[CTX_K_ROLE], content = s->key[CTX_K_CONTENT];
	int rc;

	if (ctx_convo_add_msg(c, ctx_node_is(doc, role, "assistant") ?
	    CTX_ASSISTANT : ctx_node_is(doc, role, "system") ? CTX_SYSTEM :
	    CTX_USER, s->node, content) == NULL)
		return ctx_fail_nomem(err);
	rc = ctx_node_if(doc, content, '"') != CTX_NONE ?
	    ctx_convo_put_text(c, content) : add_blocks(c, doc, content, 0);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

static int
emit_result(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_addf(out, "{\"type\":\"tool_result\",\"tool_use_id\":\"%.*s\","
	    "\"is_error\":true,\"content\":\"", CTX_STR_ARGS(what->id));
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}");
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_addf(out, "{\"role\":\"%s\",\"content\":",
	    what->role == CTX_ASSISTANT ? "assistant" : "user");
	if (what->kind == CTX_NEW_TEXT) {
		ctx_buf_addc(out, '"');
		ctx_str_encode(out, what->text, what->textlen);
		return ctx_buf_adds(out, "\"}");
	}
	ctx_buf_addc(out, '[');
	if (what->kind == CTX_NEW_RESULT)
		emit_result(out, what);
	else
		ctx_buf_add(out, what->raw, what->rawlen);
	return ctx_buf_adds(out, "]}");
}

const struct ctx_dialect ctx_dialect_anthropic = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "anthropic",
	.title = "Anthropic messages",
	.rules = CTX_RULE_PAIRS | CTX_RULE_IN_USER |
	    CTX_RULE_LEAD_PARTS | CTX_RULE_UNIQUE_IDS | CTX_RULE_NO_EMPTY |
	    CTX_RULE_FIRST_USER | CTX_RULE_TYPED | CTX_RULE_WHOLE_PAIRS,
	.lenient = CTX_RULE_FIRST_USER,
	.match = match,
	.list = CTX_K_MESSAGES,
	.system = { CTX_K_SYSTEM, CTX_K_SYSTEM_PROMPT },	/* Cline's */
	.view = view,
	.emit = emit
};
