/* SPDX-License-Identifier: MIT */
/*
 * OpenAI chat completions: {"role","content","tool_calls"|"tool_call_id"}.
 * Format and rules: platform.openai.com/docs/api-reference/chat (messages,
 * tool_calls) and the API's own error messages; ctx-stream(5) lists them.
 */
#include "view/dialect.h"
#include "view/dialect_openai.h"

/* Not a table of words, since it is asked twice for each message. */
static int
role_of(const struct ctx_doc *doc, uint32_t node, int otherwise)
{
	if (ctx_node_is(doc, node, "assistant"))
		return CTX_ASSISTANT;
	if (ctx_node_is(doc, node, "tool") ||
	    ctx_node_is(doc, node, "function"))
		return CTX_TOOL;
	if (ctx_node_is(doc, node, "user"))
		return CTX_USER;
	if (ctx_node_is(doc, node, "system") ||
	    ctx_node_is(doc, node, "developer"))
		return CTX_SYSTEM;
	return otherwise;
}

/* The value of a part of Cohere's with a document: its data. */
static uint32_t
document_of(const struct ctx_doc *doc, uint32_t e)
{
	uint32_t document = CTX_NONE, data;

	if (ctx_node_is(doc, CTX_GET(doc, e, "type"), "document"))
		document = CTX_GIVEN(doc, e, "document");
	data = CTX_GIVEN(doc, document, "data");
	return data != CTX_NONE ? data : document;
}

/*
 * The content parts that this API has, and those that Mistral and Cohere add;
 * others belong to other dialects.
 */
static enum ctx_kind
part_kind(const struct ctx_doc *doc, uint32_t e)
{
	static const struct ctx_word kinds[] = {
		{ "text", CTX_TEXT }, { "refusal", CTX_TEXT },
		{ "image_url", CTX_IMAGE }, { "input_audio", CTX_FILE },
		{ "file", CTX_FILE }, { "document_url", CTX_FILE },
		{ NULL, 0 }
	};
	uint32_t type = CTX_GET(doc, e, "type");

	/* Anthropic's has a string */
	if (ctx_node_is(doc, type, "thinking") && ctx_node_if(doc,
	    CTX_GET(doc, e, "thinking"), '[') != CTX_NONE)
		return CTX_THINKING;
	if (document_of(doc, e) != CTX_NONE)
		return CTX_FILE;
	/* the AI SDK's has its data beside its type */
	if (ctx_node_is(doc, type, "file") &&
	    CTX_GIVEN(doc, e, "file") == CTX_NONE &&
	    (CTX_GIVEN(doc, e, "mediaType") != CTX_NONE ||
	    CTX_GIVEN(doc, e, "mimeType") != CTX_NONE))
		return CTX_OTHER;
	return (enum ctx_kind)ctx_node_word(doc, type, kinds, CTX_OTHER);
}

/* Is part e Cohere's thinking?  Anthropic's blocks are spelled like it. */
static int
is_thought(const struct ctx_doc *doc, uint32_t e)
{
	return ctx_node_is(doc, CTX_GET(doc, e, "type"), "thinking") &&
	    ctx_node_if(doc, CTX_GET(doc, e, "thinking"), '"') != CTX_NONE;
}

/* Whose mark has part e of a content? */
static enum ctx_openai_mark
part_mark(const struct ctx_doc *doc, uint32_t e)
{
	if (document_of(doc, e) != CTX_NONE)
		return CTX_OPENAI_COHERE;
	return part_kind(doc, e) == CTX_THINKING ||
	    ctx_node_is(doc, CTX_GET(doc, e, "type"), "document_url") ?
	    CTX_OPENAI_MISTRAL : CTX_OPENAI_PLAIN;
}

static enum ctx_openai_mark
mark_of(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t images = ctx_node_if(doc, s->key[CTX_K_IMAGES], '['), e;
	enum ctx_openai_mark mark;

	if (ctx_node_if(doc, s->key[CTX_K_TOOL_PLAN], '"') != CTX_NONE)
		return CTX_OPENAI_COHERE;
	if (ctx_node_if(doc, s->key[CTX_K_THINKING], '"') != CTX_NONE ||
	    ctx_node_if(doc, s->key[CTX_K_TOOL_NAME], '"') != CTX_NONE ||
	    (images != CTX_NONE && ctx_node_type(doc, images + 1) == '"'))
		return CTX_OPENAI_OLLAMA;
	CTX_FOR_LIST(doc, e, s->key[CTX_K_CONTENT])
		if ((mark = part_mark(doc, e)) != CTX_OPENAI_PLAIN)
			return mark;
	return CTX_OPENAI_PLAIN;
}

/* How does a message match, whosever its marks are? */
static enum ctx_match
match_any(const struct ctx_shape *s, const struct ctx_doc *doc,
    enum ctx_openai_mark own)
{
	uint32_t content = s->key[CTX_K_CONTENT], e;
	enum ctx_match fit = CTX_MATCH_MAYBE;
	int role = role_of(doc, s->key[CTX_K_ROLE], -1);
	char t;

	if (role == -1)
		return CTX_MATCH_NOT;
	if (ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALLS]) ||
	    s->key[CTX_K_FUNCTION_CALL] != CTX_NONE)
		return role == CTX_ASSISTANT ? CTX_MATCH_SURE : CTX_MATCH_NOT;
	if (ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALL_ID]))
		return role == CTX_TOOL ? CTX_MATCH_SURE : CTX_MATCH_NOT;
	if (!ctx_shape_filled(doc, content) && !ctx_shape_bare(s, doc))
		return CTX_MATCH_NOT;
	t = content == CTX_NONE ? 'n' : ctx_node_type(doc, content);
	if (t == '"' || t == 'n')
		return role == CTX_TOOL ? CTX_MATCH_SURE : CTX_MATCH_MAYBE;
	if (t != '[')
		return CTX_MATCH_NOT;
	CTX_FOR_LIST(doc, e, content)
		switch (part_kind(doc, e)) {
		case CTX_TEXT:
			if (ctx_shape_cited(doc, e))
				return CTX_MATCH_WEAK;
			break;
		case CTX_OTHER:
			if (own == CTX_OPENAI_COHERE && is_thought(doc, e))
				break;
			return CTX_MATCH_WEAK;
		default:
			fit = CTX_MATCH_SURE;
		}
	return fit;
}

enum ctx_match
ctx_dialect_openai_match(const struct ctx_shape *s, const struct ctx_doc *doc,
    enum ctx_openai_mark own)
{
	enum ctx_match fit;
	enum ctx_openai_mark mark;
	int role;

	if (ctx_shape_plain(s, doc)) {
		role = role_of(doc, s->key[CTX_K_ROLE], -1);
		return role == -1 ? CTX_MATCH_NOT : role == CTX_TOOL ?
		    CTX_MATCH_SURE : CTX_MATCH_MAYBE;
	}
	fit = match_any(s, doc, own);
	if (fit == CTX_MATCH_NOT ||
	    (mark = mark_of(s, doc)) == CTX_OPENAI_PLAIN)
		return fit;
	return mark == own && fit != CTX_MATCH_WEAK ? CTX_MATCH_SURE :
	    CTX_MATCH_WEAK;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_dialect_openai_match(s, doc, CTX_OPENAI_PLAIN);
}

/* Add the texts of a part of thinking, the first of them to the part itself. */
static int
add_thoughts(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    unsigned flags)
{
	struct ctx_part *p = &c->part[c->npart - 1];
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		if (p == NULL &&
		    (p = ctx_convo_add_part(c, CTX_THINKING)) == NULL)
			return -1;
		p->flags = flags;
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');
		p = NULL;
	}
	return 0;
}

/* Add the text or data of one element of a content list. */
static int
add_element(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, unsigned flags)
{
	enum ctx_kind kind = is_thought(doc, e) ? CTX_THINKING :
	    part_kind(doc, e);
	struct ctx_part *p;

	if (flags & CTX_INNER && document_of(doc, e) != CTX_NONE)
		return ctx_convo_put_json(c, doc, list, e,
		    document_of(doc, e));
	if (kind == CTX_OTHER && flags & CTX_INNER)
		return ctx_convo_put_odd(c, doc, list, e);
	if ((p = ctx_convo_put_part(c, kind, list, e)) == NULL)
		return -1;
	p->flags = flags;
	if (kind == CTX_THINKING) {
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "thinking"), '"');
		return add_thoughts(c, doc, CTX_GET(doc, e, "thinking"),
		    flags);
	}
	if (kind != CTX_TEXT)
		return 0;
	p->text = CTX_GIVEN(doc, e, "text");
	if (p->text == CTX_NONE &&
	    (p->text = CTX_GET(doc, e, "refusal")) != CTX_NONE)
		p->flags |= CTX_REFUSAL;
	return 0;
}

static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t content,
    unsigned flags)
{
	uint32_t e;

	if (ctx_node_if(doc, content, '"') != CTX_NONE)
		/* the text of a result itself is not an inner part */
		return flags & CTX_INNER ? 0 : ctx_convo_put_text(c, content);
	CTX_FOR_LIST(doc, e, content)
		if (add_element(c, doc, content, e, flags) == -1)
			return -1;
	return 0;
}

/* Set the name and the arguments, a string or the JSON itself, from object f. */
static void
set_call(struct ctx_part *p, const struct ctx_doc *doc, uint32_t f)
{
	uint32_t args = CTX_GET(doc, f, "arguments");

	p->name = ctx_node_str(doc, CTX_GET(doc, f, "name"));
	if (args == CTX_NONE)
		args = CTX_GET(doc, f, "input");
	if (ctx_node_if(doc, args, 'n') == CTX_NONE)
		ctx_part_set_value(p, doc, args);
}

/* Set the id; one that is empty is none. */
static void
set_id(struct ctx_part *p, const struct ctx_doc *doc, uint32_t node)
{
	if (ctx_node_str(doc, node).len > 0)
		ctx_part_set_id(p, doc, node);
}

static int
add_call(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	struct ctx_part *p = ctx_convo_put_part(c, CTX_CALL, list, e);
	uint32_t f;

	if (p == NULL)
		return -1;
	p->flags = CTX_LIST_GOES;
	set_id(p, doc, CTX_GET(doc, e, "id"));
	if (p->id.p == NULL)	/* some servers give none: Ollama, Writer */
		p->flags |= CTX_BY_NAME;
	if (ctx_node_is(doc, CTX_GET(doc, e, "type"), "custom"))
		p->flags |= CTX_CUSTOM;
	if ((f = CTX_GIVEN(doc, e, "function")) == CTX_NONE &&
	    (f = CTX_GIVEN(doc, e, "custom")) == CTX_NONE)
		f = e;		/* some logs leave out the object around them */
	set_call(p, doc, f);
	if (f == e && p->name.p == NULL && p->text == CTX_NONE &&
	    CTX_GIVEN(doc, e, "type") != CTX_NONE &&
	    !ctx_node_is(doc, CTX_GET(doc, e, "type"), "function"))
		p->flags |= CTX_NO_TOOL;
	return 0;
}

static int
add_calls(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s)
{
	uint32_t list = s->key[CTX_K_TOOL_CALLS], e;
	uint32_t call = s->key[CTX_K_FUNCTION_CALL];
	struct ctx_part *p;

	CTX_FOR_LIST(doc, e, list)
		if (add_call(c, doc, list, e) == -1)
			return -1;
	if (ctx_node_if(doc, list, '[') != CTX_NONE &&
	    doc->node[list].next == list + 1 &&
	    ctx_convo_put_part(c, CTX_HOLLOW, s->node, list) == NULL)
		return -1;
	if (ctx_node_if(doc, call, '{') != CTX_NONE) {
		p = ctx_convo_put_part(c, CTX_CALL, s->node, call);
		if (p == NULL)
			return -1;
		p->flags = CTX_BY_NAME;
		set_call(p, doc, call);
	}
	return 0;
}

/* Add a member of the message that is a text: refusal or reasoning. */
static int
add_member(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s, enum ctx_key key, enum ctx_kind kind)
{
	uint32_t node = s->key[key];
	struct ctx_part *p;

	if (ctx_node_if(doc, node, '"') == CTX_NONE)
		return 0;
	if ((p = ctx_convo_put_part(c, kind, s->node, node)) == NULL)
		return -1;
	p->text = node;
	if (key == CTX_K_REFUSAL)
		p->flags = CTX_REFUSAL;
	return 0;
}

/* Add the images beside the content: base64, each a string. */
static int
add_images(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		if (ctx_node_type(doc, e) != '"')
			continue;
		if ((p = ctx_convo_put_part(c, CTX_IMAGE, list, e)) == NULL)
			return -1;
		p->flags = CTX_LIST_GOES;
	}
	return 0;
}

int
ctx_dialect_openai_audio(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t list, uint32_t audio)
{
	uint32_t text;

	if (ctx_node_if(doc, audio, '{') == CTX_NONE)
		return 0;
	if (ctx_convo_put_part(c, CTX_FILE, list, audio) == NULL)
		return -1;
	text = ctx_node_if(doc, CTX_GET(doc, audio, "transcript"), '"');
	return text == CTX_NONE ? 0 : ctx_convo_put_text(c, text);
}

static int
add_result(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s)
{
	struct ctx_part *p = ctx_convo_add_part(c, CTX_RESULT);
	int tool = !ctx_node_is(doc, s->key[CTX_K_ROLE], "function");

	if (p == NULL)
		return -1;
	if (tool)
		set_id(p, doc, s->key[CTX_K_TOOL_CALL_ID]);
	p->name = ctx_node_str(doc, s->key[CTX_K_NAME]);
	if (p->id.p == NULL)
		p->flags = CTX_BY_NAME;
	if (p->name.p == NULL) {	/* Ollama's */
		p->name = ctx_node_str(doc, s->key[CTX_K_TOOL_NAME]);
		if (p->id.p == NULL && p->name.p != NULL)
			p->flags |= CTX_TOOL_NAME;
	}
	if (p->id.p == NULL && tool && p->name.p == NULL)
		p->flags = CTX_BY_ORDER;
	p->text = ctx_node_if(doc, s->key[CTX_K_CONTENT], '"');
	return add_content(c, doc, s->key[CTX_K_CONTENT], CTX_INNER);
}

int
ctx_dialect_openai_view(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_shape *s, struct ctx_err *err)
{
	enum ctx_role role = (enum ctx_role)role_of(doc, s->key[CTX_K_ROLE],
	    CTX_USER);
	struct ctx_msg *m = ctx_convo_add_msg(c, role, s->node,
	    s->key[CTX_K_CONTENT]);

	if (m == NULL)
		return ctx_fail_nomem(err);
	m->name = ctx_node_str(doc, s->key[CTX_K_NAME]);
	if (role == CTX_TOOL)
		return add_result(c, doc, s) == -1 ? ctx_fail_nomem(err) : 0;
	if (ctx_shape_plain(s, doc))
		return ctx_convo_put_text(c, m->content) == -1 ?
		    ctx_fail_nomem(err) : 0;
	if (add_member(c, doc, s, CTX_K_REASONING_CONTENT,
	    CTX_THINKING) == -1 ||
	    add_member(c, doc, s, CTX_K_TOOL_PLAN, CTX_THINKING) == -1 ||
	    add_member(c, doc, s, CTX_K_THINKING, CTX_THINKING) == -1 ||
	    add_content(c, doc, m->content, 0) == -1 ||
	    add_images(c, doc, s->key[CTX_K_IMAGES]) == -1 ||
	    (role == CTX_ASSISTANT && ctx_dialect_openai_audio(c, doc,
	    s->node, s->key[CTX_K_AUDIO]) == -1) ||
	    add_member(c, doc, s, CTX_K_REFUSAL, CTX_TEXT) == -1 ||
	    add_calls(c, doc, s) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

int
ctx_dialect_openai_emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const names[] = { "system", "user", "assistant",
	    "tool" };

	if (what->kind == CTX_NEW_RESULT && what->id.p == NULL)
		ctx_buf_addf(out, what->doc != NULL && CTX_GIVEN(what->doc,
		    what->like, "tool_calls") != CTX_NONE ?
		    "{\"role\":\"tool\",\"tool_name\":\"%.*s\"" :
		    "{\"role\":\"function\",\"name\":\"%.*s\"",
		    CTX_STR_ARGS(what->name));
	else if (what->kind == CTX_NEW_RESULT)
		ctx_buf_addf(out,
		    "{\"role\":\"tool\",\"tool_call_id\":\"%.*s\"",
		    CTX_STR_ARGS(what->id));
	else
		ctx_buf_addf(out, "{\"role\":\"%s\"", names[what->role]);
	ctx_buf_adds(out, ",\"content\":\"");
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}");
}

const struct ctx_dialect ctx_dialect_openai = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "openai",
	.title = "OpenAI chat completions",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT | CTX_RULE_NEEDS_CONTENT |
	    CTX_RULE_UNIQUE_IDS | CTX_RULE_NO_EMPTY_CALLS | CTX_RULE_TYPED,
	.match = match,
	.list = CTX_K_MESSAGES,
	.view = ctx_dialect_openai_view,
	.emit = ctx_dialect_openai_emit
};
