/* SPDX-License-Identifier: MIT */
/*
 * AI SDK: ModelMessage, {"role","content":[{"type":"tool-call",...}]}, its
 * form before version 5 (args, result), and UI messages,
 * {"id","role","parts":[{"type":"tool-NAME",...}]}, where a call and its
 * result are one part.
 * Format: ai-sdk.dev/docs/reference (ModelMessage, UIMessage) and the source
 * of the ai package.
 */
#include <string.h>

#include "view/dialect.h"

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT },
	{ "tool", CTX_TOOL }, { "system", CTX_SYSTEM }, { "data", CTX_USER },
	{ NULL, 0 }
};

enum part {
	P_OTHER, P_TEXT, P_REASONING, P_SEALED, P_CALL, P_RESULT, P_ASK,
	P_ANSWER, P_IMAGE, P_FILE, P_UI_TOOL, P_UI_OLD_TOOL, P_UI_ASIDE
};

static const struct ctx_word types[] = {
	{ "text", P_TEXT }, { "tool-call", P_CALL },
	{ "tool-result", P_RESULT }, { "reasoning", P_REASONING },
	{ "redacted-reasoning", P_SEALED },
	{ "tool-approval-request", P_ASK },
	{ "tool-approval-response", P_ANSWER }, { "image", P_IMAGE },
	{ "file", P_FILE }, { "dynamic-tool", P_UI_TOOL },
	{ "tool-invocation", P_UI_OLD_TOOL }, { "step-start", P_UI_ASIDE },
	{ "source-url", P_UI_ASIDE }, { "source-document", P_UI_ASIDE },
	{ "source", P_UI_ASIDE }, { NULL, 0 }
};

static int
starts(struct ctx_str s, const char *with)
{
	return s.len > strlen(with) && ctx_node_begins(s, with);
}

/* The type of part e in a message's content. */
static enum part
part_of(const struct ctx_doc *doc, uint32_t e)
{
	enum part p = (enum part)ctx_node_word(doc, CTX_GET(doc, e, "type"),
	    types, P_OTHER);

	if (p == P_IMAGE && CTX_GIVEN(doc, e, "image") == CTX_NONE)
		return P_OTHER;
	if (p == P_FILE && CTX_GIVEN(doc, e, "mediaType") == CTX_NONE &&
	    CTX_GIVEN(doc, e, "mimeType") == CTX_NONE)
		return P_OTHER;
	return p >= P_UI_TOOL ? P_OTHER : p;
}

/* The type of part e of a UI message. */
static enum part
ui_part_of(const struct ctx_doc *doc, uint32_t e)
{
	uint32_t type = CTX_GET(doc, e, "type");
	struct ctx_str s = ctx_node_str(doc, type);
	enum part p = (enum part)ctx_node_word(doc, type, types, P_OTHER);

	if (p == P_OTHER && starts(s, "tool-"))
		return P_UI_TOOL;
	if (p == P_OTHER && starts(s, "data-"))
		return P_UI_ASIDE;
	return p;
}

/* Part e is the first of a UI message, or of OpenTelemetry's. */
static enum ctx_match
match_ui(const struct ctx_shape *s, const struct ctx_doc *doc, uint32_t e)
{
	if (ctx_node_if(doc, CTX_GET(doc, e, "type"), '"') == CTX_NONE)
		return CTX_MATCH_NOT;
	return ui_part_of(doc, e) == P_OTHER ||
	    ctx_dialect_otel.match(s, doc) == CTX_MATCH_SURE ?
	    CTX_MATCH_WEAK : CTX_MATCH_SURE;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t content = s->key[CTX_K_CONTENT], e;
	enum ctx_match fit = CTX_MATCH_MAYBE;

	if (ctx_node_word(doc, s->key[CTX_K_ROLE], roles, -1) == -1 ||
	    ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALLS]) ||
	    ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALL_ID]))
		return CTX_MATCH_NOT;
	CTX_FOR_LIST(doc, e, s->key[CTX_K_PARTS])
		return match_ui(s, doc, e);
	if (!ctx_shape_filled(doc, content))
		return ctx_shape_bare(s, doc) ? CTX_MATCH_MAYBE : CTX_MATCH_NOT;
	if (ctx_node_if(doc, content, '"') != CTX_NONE)
		return CTX_MATCH_MAYBE;
	if (ctx_node_if(doc, content, '[') == CTX_NONE)
		return CTX_MATCH_NOT;
	CTX_FOR_LIST(doc, e, content)
		switch (part_of(doc, e)) {
		case P_OTHER:
			return fit == CTX_MATCH_SURE ? fit : CTX_MATCH_WEAK;
		case P_TEXT:
			break;
		default:
			fit = CTX_MATCH_SURE;
		}
	return fit;
}

static void
set_call(struct ctx_part *p, const struct ctx_doc *doc, uint32_t e)
{
	uint32_t input = CTX_GIVEN(doc, e, "input");

	ctx_part_set_id(p, doc, CTX_GET(doc, e, "toolCallId"));
	p->name = ctx_node_str(doc, CTX_GET(doc, e, "toolName"));
	ctx_part_set_value(p, doc, input != CTX_NONE ? input :
	    CTX_GET(doc, e, "args"));
}

/* Add the inner texts and images of a result that is a list of them. */
static int
add_inner(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	static const struct ctx_word kinds[] = {
		{ "text", CTX_TEXT }, { "media", CTX_IMAGE },
		{ "image-data", CTX_IMAGE }, { "image-url", CTX_IMAGE },
		{ "file-data", CTX_FILE }, { "file-url", CTX_FILE },
		{ "file", CTX_FILE }, { NULL, 0 }
	};
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		p = ctx_convo_put_part(c, (enum ctx_kind)ctx_node_word(doc,
		    CTX_GET(doc, e, "type"), kinds, CTX_OTHER), list, e);
		if (p == NULL)
			return -1;
		p->flags = CTX_INNER;
		if (p->kind == CTX_FILE && starts(ctx_node_str(doc, CTX_GET(doc,
		    e, "mediaType")), "image/"))
			p->kind = CTX_IMAGE;
		if (p->kind == CTX_TEXT)
			p->text = CTX_GET(doc, e, "text");
	}
	return 0;
}

/* Version 5 has output, {"type","value"}; earlier ones result, any value. */
static int
set_result(struct ctx_convo *c, struct ctx_part *p, const struct ctx_doc *doc,
    uint32_t e)
{
	uint32_t out = CTX_GIVEN(doc, e, "output"), type;

	ctx_part_set_id(p, doc, CTX_GET(doc, e, "toolCallId"));
	p->name = ctx_node_str(doc, CTX_GET(doc, e, "toolName"));
	if (out == CTX_NONE) {
		if (ctx_node_if(doc, CTX_GET(doc, e, "isError"), 't') !=
		    CTX_NONE)
			p->flags |= CTX_ERROR;
		ctx_part_set_value(p, doc, CTX_GET(doc, e, "result"));
		return 0;
	}
	type = CTX_GET(doc, out, "type");
	if (ctx_node_is(doc, type, "content"))
		return add_inner(c, doc, CTX_GET(doc, out, "value"));
	if (starts(ctx_node_str(doc, type), "error") ||
	    ctx_node_is(doc, type, "execution-denied"))
		p->flags |= CTX_ERROR;
	ctx_part_set_value(p, doc, CTX_GET(doc, out, "value"));
	return 0;
}

static int
add_part(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, enum ctx_role role)
{
	static const enum ctx_kind kinds[] = {
		[P_OTHER] = CTX_OTHER, [P_TEXT] = CTX_TEXT,
		[P_REASONING] = CTX_THINKING, [P_SEALED] = CTX_THINKING,
		[P_CALL] = CTX_CALL, [P_RESULT] = CTX_RESULT,
		[P_ASK] = CTX_CALL, [P_ANSWER] = CTX_RESULT,
		[P_IMAGE] = CTX_IMAGE, [P_FILE] = CTX_FILE
	};
	enum part what = part_of(doc, e);
	struct ctx_part *p = ctx_convo_put_part(c, kinds[what], list, e);

	if (p == NULL)
		return -1;
	switch (what) {
	case P_TEXT:
	case P_REASONING:
		p->text = CTX_GET(doc, e, "text");
		if (CTX_GIVEN(doc, e, "signature") != CTX_NONE ||
		    (what == P_REASONING && CTX_GIVEN(doc, e,
		    "providerOptions") != CTX_NONE))
			p->flags |= CTX_SIGNED;
		return 0;
	case P_CALL:
		if (ctx_node_if(doc, CTX_GET(doc, e, "providerExecuted"),
		    't') != CTX_NONE)
			p->flags |= CTX_SERVER;
		set_call(p, doc, e);
		return 0;
	case P_RESULT:
		if (role == CTX_ASSISTANT)
			p->flags |= CTX_SERVER;
		return set_result(c, p, doc, e);
	case P_ASK:
	case P_ANSWER:
		p->flags |= CTX_NO_TOOL;
		p->asks = ctx_node_if(doc, CTX_GET(doc, e, "toolCallId"), '"');
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "approvalId"));
		return 0;
	default:
		return 0;
	}
}

/*
 * The output of a UI message's tool part.  A tool may return null; the state
 * tells that from a call that was not answered.
 */
static uint32_t
ui_output(const struct ctx_doc *doc, uint32_t body)
{
	uint32_t state = CTX_GET(doc, body, "state");
	uint32_t out = CTX_GIVEN(doc, body, "output");

	if (out == CTX_NONE)
		out = CTX_GIVEN(doc, body, "result");
	if (out == CTX_NONE && ctx_node_is(doc, state, "output-available"))
		out = CTX_GET(doc, body, "output");
	if (out == CTX_NONE && ctx_node_is(doc, state, "result"))
		out = CTX_GET(doc, body, "result");
	return out;
}

/* Why the call failed: an error, or what the user said who denied it. */
static uint32_t
ui_failure(const struct ctx_doc *doc, uint32_t body)
{
	uint32_t text = CTX_GIVEN(doc, body, "errorText");
	uint32_t state = CTX_GET(doc, body, "state");

	if (text != CTX_NONE || !ctx_node_is(doc, state, "output-denied"))
		return text;
	text = CTX_GIVEN(doc, CTX_GIVEN(doc, body, "approval"), "reason");
	return text != CTX_NONE ? text : state;
}

/* Add a UI message's tool part: the call and, if there is one, its result. */
static int
add_ui_tool(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, uint32_t body)
{
	struct ctx_part *p = ctx_convo_put_part(c, CTX_CALL, list, e);
	struct ctx_str type = ctx_node_str(doc, CTX_GET(doc, e, "type"));
	struct ctx_str name, id;
	uint32_t out = ui_output(doc, body), idnode;
	uint32_t failed = ui_failure(doc, body);

	if (p == NULL)
		return -1;
	p->flags = CTX_SERVER;
	set_call(p, doc, body);
	if (p->name.p == NULL && type.len > 5) {
		p->name.p = type.p + 5;
		p->name.len = type.len - 5;
	}
	if (out == CTX_NONE && failed == CTX_NONE)
		return 0;
	name = p->name;
	id = p->id;
	idnode = p->idnode;
	if ((p = ctx_convo_put_part(c, CTX_RESULT, list, e)) == NULL)
		return -1;
	p->flags = CTX_SERVER | (failed != CTX_NONE ? CTX_ERROR : 0);
	p->name = name;
	p->id = id;
	p->idnode = idnode;
	ctx_part_set_value(p, doc, out != CTX_NONE ? out : failed);
	return 0;
}

static int
add_ui_part(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	uint32_t body = e;
	struct ctx_part *p;

	switch (ui_part_of(doc, e)) {
	case P_UI_OLD_TOOL:
		body = CTX_GET(doc, e, "toolInvocation");
		if (body == CTX_NONE)
			body = e;
		return add_ui_tool(c, doc, list, e, body);
	case P_UI_TOOL:
		return add_ui_tool(c, doc, list, e, body);
	case P_UI_ASIDE:
		return 0;
	case P_TEXT:
		p = ctx_convo_put_part(c, CTX_TEXT, list, e);
		break;
	case P_REASONING:
		p = ctx_convo_put_part(c, CTX_THINKING, list, e);
		break;
	case P_FILE:
		p = ctx_convo_put_part(c, starts(ctx_node_str(doc,
		    CTX_GET(doc, e, "mediaType")), "image/") ? CTX_IMAGE :
		    CTX_FILE, list, e);
		return p == NULL ? -1 : 0;
	default:
		p = ctx_convo_put_part(c, CTX_OTHER, list, e);
		return p == NULL ? -1 : 0;
	}
	if (p == NULL)
		return -1;
	p->text = CTX_GIVEN(doc, e, "text");
	if (p->text == CTX_NONE)
		p->text = CTX_GET(doc, e, "reasoning");
	return 0;
}

static int
add_parts(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s, enum ctx_role role)
{
	uint32_t content = s->key[CTX_K_CONTENT], e;
	uint32_t parts = s->key[CTX_K_PARTS];

	if (ctx_shape_filled(doc, parts)) {
		CTX_FOR_LIST(doc, e, parts)
			if (add_ui_part(c, doc, parts, e) == -1)
				return -1;
		return 0;
	}
	if (ctx_node_if(doc, content, '"') != CTX_NONE)
		return ctx_convo_put_text(c, content);
	CTX_FOR_LIST(doc, e, content)
		if (add_part(c, doc, content, e, role) == -1)
			return -1;
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	enum ctx_role role = (enum ctx_role)ctx_node_word(doc,
	    s->key[CTX_K_ROLE], roles, CTX_USER);

	return ctx_convo_add_msg(c, role, s->node, s->key[CTX_K_CONTENT]) ==
	    NULL || add_parts(c, doc, s, role) == -1 ? ctx_fail_nomem(err) : 0;
}

/* Is the neighbour in the form of versions before 5? */
static int
is_old(const struct ctx_new *what)
{
	uint32_t content, e;

	if (what->doc == NULL)
		return 0;
	content = CTX_GET(what->doc, what->like, "content");
	CTX_FOR_LIST(what->doc, e, content)
		if (CTX_GIVEN(what->doc, e, "args") != CTX_NONE)
			return 1;
	return 0;
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const names[] = { "system", "user", "assistant",
	    "tool" };
	int old = is_old(what);

	ctx_buf_addf(out, "{\"role\":\"%s\",", names[what->role]);
	if (what->kind == CTX_NEW_TEXT &&
	    what->doc != NULL && ctx_node_if(what->doc, CTX_GET(what->doc,
	    what->like, "parts"), '[') != CTX_NONE)
		ctx_buf_adds(out, "\"parts\":[{\"type\":\"text\",\"text\":\"");
	else if (what->kind == CTX_NEW_TEXT)
		ctx_buf_adds(out, "\"content\":[{\"type\":\"text\","
		    "\"text\":\"");
	else
		ctx_buf_addf(out, "\"content\":[{\"type\":\"tool-result\","
		    "\"toolCallId\":\"%.*s\",\"toolName\":\"%.*s\",%s\"",
		    CTX_STR_ARGS(what->id), CTX_STR_ARGS(what->name), old ?
		    "\"isError\":true,\"result\":" :
		    "\"output\":{\"type\":\"error-text\",\"value\":");
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, what->kind == CTX_NEW_TEXT || old ? "\"}]}" :
	    "\"}}]}");
}

const struct ctx_dialect ctx_dialect_ai_sdk = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "ai-sdk",
	.title = "AI SDK model and UI messages",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT,
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.emit = emit
};
