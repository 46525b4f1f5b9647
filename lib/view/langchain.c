/* SPDX-License-Identifier: MIT */
/*
 * LangChain dumps, which have the same members in three forms:
 *
 *	{"type":"ai","data":{...}}			messages_to_dict
 *	{"lc":1,"type":"constructor","id":[...,"AIMessage"],"kwargs":{...}}
 *	{"type":"ai","content":...}			model_dump
 *
 * Which histories are valid depends on the provider, but all of them require
 * results to come after their calls.
 * Format: the langchain_core source (messages, load) and its JS counterpart.
 */
#include <string.h>

#include "view/dialect_openai.h"

enum type { T_NONE, T_HUMAN, T_AI, T_SYSTEM, T_TOOL, T_CHAT, T_REMOVE };

static const struct ctx_word types[] = {
	{ "human", T_HUMAN }, { "ai", T_AI }, { "system", T_SYSTEM },
	{ "tool", T_TOOL }, { "function", T_TOOL }, { "chat", T_CHAT },
	{ "developer", T_SYSTEM }, { "remove", T_REMOVE },
	{ "HumanMessageChunk", T_HUMAN }, { "AIMessageChunk", T_AI },
	{ "SystemMessageChunk", T_SYSTEM }, { "ToolMessageChunk", T_TOOL },
	{ "FunctionMessageChunk", T_TOOL }, { "ChatMessageChunk", T_CHAT },
	{ NULL, 0 }
};

static const struct ctx_word classes[] = {
	{ "HumanMessage", T_HUMAN }, { "AIMessage", T_AI },
	{ "SystemMessage", T_SYSTEM }, { "ToolMessage", T_TOOL },
	{ "FunctionMessage", T_TOOL }, { "ChatMessage", T_CHAT },
	{ "RemoveMessage", T_REMOVE }, { "HumanMessageChunk", T_HUMAN },
	{ "AIMessageChunk", T_AI }, { "SystemMessageChunk", T_SYSTEM },
	{ "ToolMessageChunk", T_TOOL }, { "FunctionMessageChunk", T_TOOL },
	{ "ChatMessageChunk", T_CHAT }, { NULL, 0 }
};

/* The class that a constructor form names: the last element of its id. */
static enum type
class_of(const struct ctx_doc *doc, uint32_t id)
{
	uint32_t e, last = CTX_NONE;

	CTX_FOR_LIST(doc, e, id)
		last = e;
	return (enum type)ctx_node_word(doc, last, classes, T_NONE);
}

/* The type of message s; sets *body to the node with its members. */
static enum type
body_of(const struct ctx_shape *s, const struct ctx_doc *doc, uint32_t *body)
{
	enum type t;

	if (s->key[CTX_K_LC] != CTX_NONE) {
		*body = ctx_node_if(doc, s->key[CTX_K_KWARGS], '{');
		return *body == CTX_NONE ? T_NONE :
		    class_of(doc, s->key[CTX_K_ID]);
	}
	t = (enum type)ctx_node_word(doc, s->key[CTX_K_TYPE], types, T_NONE);
	if (t == T_NONE)
		return T_NONE;
	*body = ctx_node_if(doc, s->key[CTX_K_DATA], '{');
	if (*body != CTX_NONE)
		return t;
	*body = s->node;
	/* records of session logs can have type "system" too */
	return s->key[CTX_K_CONTENT] == CTX_NONE ||
	    s->key[CTX_K_UUID] != CTX_NONE ||
	    s->key[CTX_K_ROLE] != CTX_NONE ? T_NONE : t;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t body;

	if (s->key[CTX_K_TYPE] == CTX_NONE)
		return CTX_MATCH_NOT;
	switch (body_of(s, doc, &body)) {
	case T_NONE:
		return CTX_MATCH_NOT;
	case T_REMOVE:
		return CTX_MATCH_ASIDE;
	default:
		return CTX_MATCH_SURE;
	}
}

static int
add_call(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	struct ctx_part *p = ctx_convo_put_part(c, CTX_CALL, list, e);
	uint32_t args;

	if (p == NULL)
		return -1;
	ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
	p->name = ctx_node_str(doc, CTX_GET(doc, e, "name"));
	args = CTX_GIVEN(doc, e, "args");
	ctx_part_set_value(p, doc, args != CTX_NONE ? args :
	    CTX_GET(doc, e, "input"));
	return 0;
}

/* Each call of a message is searched for among the others, so limit them. */
#define CALLS_MAX	1024

/* The call with this id that was already added to m; NULL if there is none. */
static struct ctx_part *
known_call(struct ctx_convo *c, uint32_t m, struct ctx_str id)
{
	uint32_t i, first = c->msg[m].part;

	for (i = first; i < c->npart && i < first + CALLS_MAX; i++)
		if (c->part[i].kind == CTX_CALL && id.p != NULL &&
		    ctx_str_same(c->part[i].id, id) &&
		    c->part[i].place[1].node == CTX_NONE)
			return &c->part[i];
	return NULL;
}

/* Add another copy of a call, as the provider spells it. */
static int
add_call_again(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t m,
    uint32_t list, uint32_t e)
{
	struct ctx_part *p = known_call(c, m, ctx_node_str(doc, CTX_GET(doc,
	    e, "id")));

	if (p == NULL)
		return add_call(c, doc, list, e);
	p->place[1].node = e;
	p->place[1].list = list;
	return 0;
}

/* Add the calls that are next to the content; some of them are also in it. */
static int
add_calls(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t body,
    uint32_t m)
{
	uint32_t more = CTX_GET(doc, body, "additional_kwargs"), e, n = 0, k;
	uint32_t lists[3];

	lists[0] = CTX_GET(doc, body, "tool_calls");
	lists[1] = CTX_GET(doc, body, "invalid_tool_calls");
	lists[2] = CTX_GET(doc, more, "tool_calls");
	for (k = 0; k < 3; k++)
		CTX_FOR_LIST(doc, e, lists[k]) {
			if (n++ >= CALLS_MAX && k == 2)
				break;
			if ((n < CALLS_MAX ? add_call_again(c, doc, m,
			    lists[k], e) : add_call(c, doc, lists[k],
			    e)) == -1)
				return -1;
		}
	return 0;
}

static enum ctx_kind
kind_of(const struct ctx_doc *doc, uint32_t e)
{
	static const struct ctx_word kinds[] = {
		{ "text", CTX_TEXT }, { "refusal", CTX_TEXT },
		{ "text-plain", CTX_FILE },
		{ "image_url", CTX_IMAGE }, { "image", CTX_IMAGE },
		{ "tool_use", CTX_CALL }, { "tool_call", CTX_CALL },
		{ "thinking", CTX_THINKING }, { "reasoning", CTX_THINKING },
		{ "redacted_thinking", CTX_THINKING },
		{ "reasoning_content", CTX_THINKING },
		{ "input_audio", CTX_FILE }, { "audio", CTX_FILE },
		{ "video", CTX_FILE }, { "file", CTX_FILE },
		{ "document", CTX_FILE }, { "media", CTX_FILE }, { NULL, 0 }
	};

	if (ctx_node_type(doc, e) == '"')
		return CTX_TEXT;
	return (enum ctx_kind)ctx_node_word(doc, CTX_GET(doc, e, "type"),
	    kinds, CTX_OTHER);
}

static void
set_text(struct ctx_part *p, const struct ctx_doc *doc, uint32_t e)
{
	if (ctx_node_type(doc, e) == '"') {
		p->text = e;
		return;
	}
	if (ctx_node_is(doc, CTX_GET(doc, e, "type"), "refusal")) {
		p->text = CTX_GET(doc, e, "refusal");
		p->flags |= CTX_REFUSAL;
	} else if (p->kind == CTX_TEXT)
		p->text = CTX_GET(doc, e, "text");
	else if (p->kind == CTX_THINKING) {
		p->text = CTX_GIVEN(doc, e, "thinking");
		if (p->text == CTX_NONE)
			p->text = CTX_GET(doc, e, "reasoning");
		if (CTX_GIVEN(doc, e, "signature") != CTX_NONE)
			p->flags |= CTX_SIGNED;
	}
}

/* Add a string, or a list of strings and of the provider's blocks. */
static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t content,
    unsigned flags)
{
	struct ctx_part *p;
	enum ctx_kind kind;
	uint32_t e;

	if (ctx_node_if(doc, content, '"') != CTX_NONE)
		/* the text of a result itself is not an inner part */
		return flags & CTX_INNER ? 0 : ctx_convo_put_text(c, content);
	CTX_FOR_LIST(doc, e, content) {
		kind = kind_of(doc, e);
		if (kind == CTX_CALL && !(flags & CTX_INNER)) {
			if (add_call(c, doc, content, e) == -1)
				return -1;
			continue;
		}
		p = ctx_convo_put_part(c, kind == CTX_CALL ? CTX_OTHER : kind,
		    content, e);
		if (p == NULL)
			return -1;
		p->flags = flags;
		set_text(p, doc, e);
	}
	return 0;
}

static int
add_result(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t body,
    uint32_t content)
{
	struct ctx_part *p = ctx_convo_add_part(c, CTX_RESULT);

	if (p == NULL)
		return -1;
	ctx_part_set_id(p, doc, CTX_GET(doc, body, "tool_call_id"));
	p->name = ctx_node_str(doc, CTX_GET(doc, body, "name"));
	if (p->id.p == NULL)
		p->flags |= CTX_BY_NAME;
	if (ctx_node_is(doc, CTX_GET(doc, body, "status"), "error"))
		p->flags |= CTX_ERROR;
	p->text = ctx_node_if(doc, content, '"');
	return add_content(c, doc, content, CTX_INNER);
}

/* Add what an answer of OpenAI's has beside its content: sound, or a refusal. */
static int
add_beside(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t more)
{
	uint32_t refusal = ctx_node_if(doc, CTX_GET(doc, more, "refusal"),
	    '"');
	struct ctx_part *p;

	if (ctx_dialect_openai_audio(c, doc, more, CTX_GET(doc, more,
	    "audio")) == -1)
		return -1;
	if (refusal == CTX_NONE)
		return 0;
	if ((p = ctx_convo_put_part(c, CTX_TEXT, more, refusal)) == NULL)
		return -1;
	p->flags = CTX_REFUSAL;
	p->text = refusal;
	return 0;
}

static enum ctx_role
role_of(const struct ctx_doc *doc, enum type type, uint32_t body)
{
	static const struct ctx_word chat[] = {
		{ "user", CTX_USER }, { "human", CTX_USER },
		{ "assistant", CTX_ASSISTANT }, { "ai", CTX_ASSISTANT },
		{ "system", CTX_SYSTEM }, { NULL, 0 }
	};

	switch (type) {
	case T_AI:
		return CTX_ASSISTANT;
	case T_SYSTEM:
		return CTX_SYSTEM;
	case T_TOOL:
		return CTX_TOOL;
	case T_CHAT:
		return (enum ctx_role)ctx_node_word(doc, CTX_GET(doc, body,
		    "role"), chat, CTX_USER);
	default:
		return CTX_USER;
	}
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t body = s->node, content, m = c->nmsg;
	enum type type = body_of(s, doc, &body);
	enum ctx_role role = role_of(doc, type, body);
	struct ctx_msg *msg;
	int rc;

	content = CTX_GET(doc, body, "content");
	if ((msg = ctx_convo_add_msg(c, role, body, content)) == NULL)
		return ctx_fail_nomem(err);
	msg->name = ctx_node_str(doc, CTX_GET(doc, body, "name"));
	if (role == CTX_TOOL || msg->name.len == 0)
		msg->name = (struct ctx_str){ NULL, 0 };
	if (role == CTX_TOOL) {
		rc = add_result(c, doc, body, content);
	} else {
		rc = add_content(c, doc, content, 0);
		if (rc == 0 && role == CTX_ASSISTANT)
			rc = add_beside(c, doc, CTX_GET(doc, body,
			    "additional_kwargs"));
		if (rc == 0 && role == CTX_ASSISTANT)
			rc = add_calls(c, doc, body, m);
	}
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

/* Use the neighbour's form, or that of messages_to_dict if there is none. */
static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const names[] = { "system", "human", "ai", "tool" };
	static const char *const class_names[] = { "SystemMessage",
	    "HumanMessage", "AIMessage", "ToolMessage" };
	const char *end = "\"}}";

	if (what->doc != NULL && CTX_GET(what->doc, what->like, "lc") !=
	    CTX_NONE)
		ctx_buf_addf(out, "{\"lc\":1,\"type\":\"constructor\",\"id\":["
		    "\"langchain\",\"schema\",\"messages\",\"%s\"],"
		    "\"kwargs\":{\"type\":\"%s\"", class_names[what->role],
		    names[what->role]);
	else if (what->doc != NULL && CTX_GET(what->doc, what->like,
	    "content") != CTX_NONE) {
		ctx_buf_addf(out, "{\"type\":\"%s\"", names[what->role]);
		end = "\"}";
	} else
		ctx_buf_addf(out, "{\"type\":\"%s\",\"data\":{\"type\":\"%s\"",
		    names[what->role], names[what->role]);
	if (what->kind == CTX_NEW_RESULT)
		ctx_buf_addf(out, ",\"tool_call_id\":\"%.*s\","
		    "\"status\":\"error\"", CTX_STR_ARGS(what->id));
	ctx_buf_adds(out, ",\"content\":\"");
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, end);
}

const struct ctx_dialect ctx_dialect_langchain = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "langchain",
	.title = "LangChain message dumps",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT,
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.emit = emit
};
