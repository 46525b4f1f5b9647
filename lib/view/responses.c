/* SPDX-License-Identifier: MIT */
/*
 * OpenAI Responses items: {"type":"message"|"function_call"|...}.  Each item is
 * a message here, including calls, results and reasoning; consecutive items of
 * the assistant are one message to the API.
 * Format and rules: platform.openai.com/docs/api-reference/responses (input
 * items) and the API's own error messages; ctx-stream(5) lists them.
 */
#include <string.h>

#include "view/dialect.h"

enum item {
	I_NONE, I_MESSAGE, I_CALL, I_OUTPUT, I_SERVER, I_SEARCH, I_FOUND,
	I_APPROVAL, I_APPROVED, I_REASONING, I_COMPACTION, I_TOOLS,
	I_REFERENCE, I_GHOST
};

static const struct ctx_word items[] = {
	{ "message", I_MESSAGE }, { "function_call", I_CALL },
	{ "function_call_output", I_OUTPUT }, { "reasoning", I_REASONING },
	{ "custom_tool_call", I_CALL }, { "custom_tool_call_output", I_OUTPUT },
	{ "local_shell_call", I_CALL }, { "local_shell_call_output", I_OUTPUT },
	{ "shell_call", I_CALL }, { "shell_call_output", I_OUTPUT },
	{ "computer_call", I_CALL }, { "computer_call_output", I_OUTPUT },
	{ "apply_patch_call", I_CALL }, { "apply_patch_call_output", I_OUTPUT },
	{ "mcp_approval_request", I_APPROVAL },
	{ "mcp_approval_response", I_APPROVED },
	{ "mcp_call", I_SERVER }, { "mcp_list_tools", I_SERVER },
	{ "web_search_call", I_SERVER }, { "file_search_call", I_SERVER },
	{ "image_generation_call", I_SERVER },
	{ "code_interpreter_call", I_SERVER },
	{ "tool_search_call", I_SEARCH }, { "tool_search_output", I_FOUND },
	{ "item_reference", I_REFERENCE }, { "additional_tools", I_TOOLS },
	{ "compaction", I_COMPACTION }, { "ghost_snapshot", I_GHOST },
	{ NULL, 0 }
};

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT },
	{ "system", CTX_SYSTEM }, { "developer", CTX_SYSTEM }, { NULL, 0 }
};

static const struct ctx_word kinds[] = {
	{ "input_text", CTX_TEXT }, { "output_text", CTX_TEXT },
	{ "refusal", CTX_TEXT }, { "summary_text", CTX_TEXT },
	{ "input_image", CTX_IMAGE }, { "computer_screenshot", CTX_IMAGE },
	{ "input_file", CTX_FILE }, { "input_audio", CTX_FILE }, { NULL, 0 }
};

/* Match a message item; without "type", its role and content parts decide. */
static enum ctx_match
match_message(const struct ctx_shape *s, const struct ctx_doc *doc,
    int typed)
{
	uint32_t content = s->key[CTX_K_CONTENT], e, type;
	enum ctx_match fit = typed ? CTX_MATCH_SURE : CTX_MATCH_MAYBE;

	if (ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALLS]) ||
	    ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALL_ID]) ||
	    ctx_node_word(doc, s->key[CTX_K_ROLE], roles, -1) == -1)
		return CTX_MATCH_NOT;
	if (!ctx_shape_filled(doc, content))
		return ctx_shape_bare(s, doc) ? fit : CTX_MATCH_NOT;
	if (ctx_node_type(doc, content) == '"')
		return fit;
	if (ctx_node_type(doc, content) != '[')
		return CTX_MATCH_NOT;
	CTX_FOR_LIST(doc, e, content) {
		type = CTX_GET(doc, e, "type");
		if (ctx_node_is(doc, type, "refusal"))
			continue;	/* chat completions have them, too */
		if (ctx_node_word(doc, type, kinds, -1) == -1)
			return fit == CTX_MATCH_SURE && !typed ? fit :
			    CTX_MATCH_WEAK;
		fit = CTX_MATCH_SURE;
	}
	return fit;
}

/*
 * What an item is.  New tools of the provider come with names such as
 * "browser_call"; a type that ends so is taken for one of theirs.
 */
static enum item
item_of(const struct ctx_doc *doc, uint32_t type, enum item otherwise)
{
	struct ctx_str s = ctx_node_str(doc, type);
	enum item known = (enum item)ctx_node_word(doc, type, items,
	    (int)I_NONE);

	if (known != I_NONE)
		return known;
	if ((s.len > 5 && memcmp(s.p + s.len - 5, "_call", 5) == 0) ||
	    (s.len > 12 && memcmp(s.p + s.len - 12, "_call_output", 12) == 0))
		return I_SERVER;
	return otherwise;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	if (s->key[CTX_K_TYPE] == CTX_NONE)
		return s->key[CTX_K_ROLE] == CTX_NONE ? CTX_MATCH_NOT :
		    match_message(s, doc, 0);
	switch (item_of(doc, s->key[CTX_K_TYPE], I_NONE)) {
	case I_NONE:
		return CTX_MATCH_NOT;
	case I_MESSAGE:
		return match_message(s, doc, 1);
	case I_GHOST:
		return CTX_MATCH_ASIDE;
	default:
		return CTX_MATCH_SURE;
	}
}

/* Add the texts and images of a list, each with these flags. */
static int
add_list(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    unsigned flags)
{
	enum ctx_kind kind;
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		kind = (enum ctx_kind)ctx_node_word(doc,
		    CTX_GET(doc, e, "type"), kinds, CTX_OTHER);
		if (kind == CTX_OTHER && flags & CTX_INNER) {
			if (ctx_convo_put_odd(c, doc, list, e) == -1)
				return -1;
			continue;
		}
		if ((p = ctx_convo_put_part(c, kind, list, e)) == NULL)
			return -1;
		p->flags = flags;
		if (p->kind == CTX_TEXT) {
			p->text = CTX_GIVEN(doc, e, "text");
			if (p->text == CTX_NONE && (p->text = CTX_GET(doc, e,
			    "refusal")) != CTX_NONE)
				p->flags |= CTX_REFUSAL;
		}
	}
	return 0;
}

static int
add_message(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s)
{
	uint32_t content = s->key[CTX_K_CONTENT];

	if (ctx_convo_add_msg(c, (enum ctx_role)ctx_node_word(doc,
	    s->key[CTX_K_ROLE], roles, CTX_USER), s->node, content) == NULL)
		return -1;
	return ctx_node_if(doc, content, '"') == CTX_NONE ?
	    add_list(c, doc, content, 0) : ctx_convo_put_text(c, content);
}

/* Add a message of this role with one part, which goes with the message. */
static struct ctx_part *
add_item(struct ctx_convo *c, const struct ctx_shape *s, enum ctx_role role,
    enum ctx_kind kind)
{
	return ctx_convo_add_msg(c, role, s->node, CTX_NONE) == NULL ? NULL :
	    ctx_convo_add_part(c, kind);
}

static void
set_id(struct ctx_part *p, const struct ctx_doc *doc, uint32_t id)
{
	p->idnode = id;
	p->id = ctx_node_str(doc, id);
}

static int
add_call(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s)
{
	struct ctx_part *p = add_item(c, s, CTX_ASSISTANT, CTX_CALL);
	uint32_t id = s->key[CTX_K_CALL_ID];

	if (p == NULL)
		return -1;
	set_id(p, doc, id != CTX_NONE ? id : s->key[CTX_K_ID]);
	if (ctx_node_is(doc, s->key[CTX_K_TYPE], "custom_tool_call"))
		p->flags |= CTX_CUSTOM;
	p->name = ctx_node_str(doc, s->key[CTX_K_NAME]);
	if (p->name.p == NULL)
		p->name = ctx_node_str(doc, s->key[CTX_K_TYPE]);
	p->text = s->key[CTX_K_ARGUMENTS];
	if (p->text == CTX_NONE)
		p->text = s->key[CTX_K_INPUT];
	if (p->text == CTX_NONE)
		p->text = CTX_GET(doc, s->node, "action");
	ctx_part_set_value(p, doc, p->text);
	return 0;
}

/* The output of a computer's call is its screenshot, which is in no list. */
static int
add_output(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s)
{
	struct ctx_part *p = add_item(c, s, CTX_TOOL, CTX_RESULT);
	uint32_t out = s->key[CTX_K_OUTPUT], id = s->key[CTX_K_CALL_ID];
	int kind;

	if (p == NULL)
		return -1;
	set_id(p, doc, id != CTX_NONE ? id : s->key[CTX_K_ID]);
	if (ctx_node_if(doc, out, '[') != CTX_NONE)
		return add_list(c, doc, out, CTX_INNER);
	kind = ctx_node_if(doc, out, '{') == CTX_NONE ? CTX_TEXT :
	    ctx_node_word(doc, CTX_GET(doc, out, "type"), kinds, CTX_TEXT);
	if (kind == CTX_TEXT) {
		ctx_part_set_value(p, doc, out);
		return 0;
	}
	p = ctx_convo_put_part(c, (enum ctx_kind)kind, s->node, out);
	if (p == NULL)
		return -1;
	p->flags = CTX_INNER;
	return 0;
}

/* Reasoning's texts are for people, but they are all that can be counted. */
static int
add_reasoning(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s)
{
	uint32_t lists[2], e, sealed;
	struct ctx_part *p = add_item(c, s, CTX_ASSISTANT, CTX_THINKING);
	int k, first = 1;

	if (p == NULL)
		return -1;
	sealed = CTX_GET(doc, s->node, "encrypted_content");
	if (ctx_node_if(doc, sealed, '"') != CTX_NONE)
		p->flags |= CTX_SIGNED;
	lists[0] = s->key[CTX_K_SUMMARY];
	lists[1] = s->key[CTX_K_CONTENT];
	for (k = 0; k < 2; k++)
		CTX_FOR_LIST(doc, e, lists[k]) {
			if (!first && (p = ctx_convo_add_part(c,
			    CTX_THINKING)) == NULL)
				return -1;
			first = 0;
			p->text = CTX_GET(doc, e, "text");
		}
	return 0;
}

static int
add_approval(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s, int response)
{
	struct ctx_part *p = add_item(c, s, response ? CTX_TOOL :
	    CTX_ASSISTANT, response ? CTX_RESULT : CTX_CALL);

	if (p == NULL)
		return -1;
	p->flags |= CTX_NO_TOOL;
	set_id(p, doc, response ? CTX_GET(doc, s->node,
	    "approval_request_id") : s->key[CTX_K_ID]);
	return 0;
}

/*
 * A search for tools, or the tools that it found: the server's, or the client's,
 * which are a pair.  What was found stands among the assistant's items, so that
 * other dialects keep both for the way back.
 */
static int
add_search(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s, int found)
{
	int client = ctx_node_is(doc, CTX_GET(doc, s->node, "execution"),
	    "client");
	struct ctx_part *p = add_item(c, s, CTX_ASSISTANT, !client ?
	    CTX_OTHER : found ? CTX_RESULT : CTX_CALL);

	if (p == NULL)
		return -1;
	if (client) {
		p->flags |= CTX_NO_TOOL;
		set_id(p, doc, s->key[CTX_K_CALL_ID]);
	}
	return 0;
}

/* The conversation so far, which only the API can read. */
static int
add_compaction(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s)
{
	struct ctx_part *p = add_item(c, s, CTX_USER, CTX_OTHER);

	if (p == NULL)
		return -1;
	p->flags = CTX_COMPACTED | CTX_SIGNED;
	p->text = ctx_node_if(doc, CTX_GET(doc, s->node, "encrypted_content"),
	    '"');
	c->msg[c->nmsg - 1].flags |= CTX_SUMMARY | CTX_BOUNDARY;
	return 0;
}

static int
add(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s)
{
	switch (item_of(doc, s->key[CTX_K_TYPE], I_MESSAGE)) {
	case I_CALL:
		return add_call(c, doc, s);
	case I_OUTPUT:
		return add_output(c, doc, s);
	case I_REASONING:
		return add_reasoning(c, doc, s);
	case I_APPROVAL:
		return add_approval(c, doc, s, 0);
	case I_APPROVED:
		return add_approval(c, doc, s, 1);
	case I_SEARCH:
		return add_search(c, doc, s, 0);
	case I_FOUND:
		return add_search(c, doc, s, 1);
	case I_COMPACTION:
		return add_compaction(c, doc, s);
	case I_TOOLS:
		return add_item(c, s, (enum ctx_role)ctx_node_word(doc,
		    s->key[CTX_K_ROLE], roles, CTX_SYSTEM), CTX_OTHER) ==
		    NULL ? -1 : 0;
	case I_REFERENCE:
		if (add_item(c, s, CTX_ASSISTANT, CTX_OTHER) == NULL)
			return -1;
		c->msg[c->nmsg - 1].flags |= CTX_REFERS;
		return 0;
	case I_SERVER:
		return add_item(c, s, CTX_ASSISTANT, CTX_OTHER) == NULL ? -1 :
		    0;
	default:
		return add_message(c, doc, s);
	}
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	return add(c, doc, s) == -1 ? ctx_fail_nomem(err) : 0;
}

/* An item of one type is answered by an item of another type. */
static const char *
output_type(const struct ctx_new *what)
{
	uint32_t type;

	if (what->doc == NULL)
		return "function_call_output";
	type = CTX_GET(what->doc, what->like, "type");
	return ctx_node_is(what->doc, type, "custom_tool_call") ?
	    "custom_tool_call_output" : "function_call_output";
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const names[] = { "system", "user", "assistant",
	    "user" };

	if (what->kind == CTX_NEW_RESULT)
		ctx_buf_addf(out, "{\"type\":\"%s\",\"call_id\":\"%.*s\","
		    "\"output\":\"", output_type(what),
		    CTX_STR_ARGS(what->id));
	else
		ctx_buf_addf(out, "{\"type\":\"message\",\"role\":\"%s\","
		    "\"content\":\"", names[what->role]);
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}");
}

const struct ctx_dialect ctx_dialect_responses = {
	.text_element = "{\"type\":\"input_text\",\"text\":\"",
	.name = "openai-responses",
	.title = "OpenAI Responses items",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LEADS |
	    CTX_RULE_RUNS | CTX_RULE_TYPED,
	.list = CTX_K_INPUT,
	.system = { CTX_K_INSTRUCTIONS },
	.elsewhere = { CTX_K_PREVIOUS_RESPONSE_ID, CTX_K_CONVERSATION },
	.match = match,
	.view = view,
	.emit = emit
};
