/* SPDX-License-Identifier: MIT */
/*
 * ChatGPT's data export, conversations.json: a list of conversations {"title",
 * "mapping":{ID:{"id","message","parent","children"}},"current_node"}.  The
 * messages form a tree, in no order; current_node ends the branch that is shown.
 * A message that is not for all is a call of the tool that it is for, and
 * messages of the role tool that follow it are the result.
 * Format: derived from conversations that users published, of 2025 and 2026, and
 * from descriptions of the export (mitkury/chatgpt-export-parser,
 * docs/chatgpt-data-export-format.md); OpenAI does not document it.
 */
#include "view/dialect.h"

#include "view/tree.h"

static const struct ctx_tree_form form = { NULL, "parent" };

enum type {
	T_OTHER, T_PARTS, T_TEXT, T_ERROR, T_DISPLAY, T_THOUGHTS, T_RECAP,
	T_ABOUT
};

static const struct ctx_word types[] = {
	{ "text", T_PARTS }, { "multimodal_text", T_PARTS },
	{ "code", T_TEXT }, { "execution_output", T_TEXT },
	{ "tether_quote", T_TEXT }, { "sonic_webpage", T_TEXT },
	{ "system_error", T_ERROR }, { "tether_browsing_display", T_DISPLAY },
	{ "thoughts", T_THOUGHTS }, { "reasoning_recap", T_RECAP },
	{ "user_editable_context", T_ABOUT }, { NULL, 0 }
};

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT },
	{ "system", CTX_SYSTEM }, { "developer", CTX_SYSTEM },
	{ "tool", CTX_TOOL }, { NULL, 0 }
};

/* Is it a conversation?  Its first node tells. */
static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t mapping = ctx_node_if(doc, s->key[CTX_K_MAPPING], '{');
	uint32_t node = mapping == CTX_NONE ? CTX_NONE : mapping + 2;

	return node != CTX_NONE && CTX_GET(doc, node, "children") != CTX_NONE &&
	    CTX_GET(doc, node, "message") != CTX_NONE ? CTX_MATCH_SURE :
	    CTX_MATCH_NOT;
}

static int
put_string(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t object,
    uint32_t text, unsigned flags)
{
	struct ctx_part *p;

	if (ctx_node_str(doc, text).len == 0)
		return 0;
	if ((p = ctx_convo_put_part(c, CTX_TEXT, object, text)) == NULL)
		return -1;
	p->flags = flags;
	p->text = text;
	return 0;
}

/* Add an element of "parts": a string, or what points to an image or a file. */
static int
add_element(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, unsigned flags)
{
	static const struct ctx_word kinds[] = {
		{ "image_asset_pointer", CTX_IMAGE },
		{ "audio_asset_pointer", CTX_FILE },
		{ "video_container_asset_pointer", CTX_FILE },
		{ "real_time_user_audio_video_asset_pointer", CTX_FILE },
		{ "audio_transcription", CTX_TEXT }, { NULL, 0 }
	};
	struct ctx_part *p;

	if (ctx_node_type(doc, e) == '"')
		return put_string(c, doc, list, e, flags);
	p = ctx_convo_put_part(c, (enum ctx_kind)ctx_node_word(doc,
	    CTX_GET(doc, e, "content_type"), kinds, CTX_OTHER), list, e);
	if (p == NULL)
		return -1;
	p->flags = flags;
	if (p->kind == CTX_TEXT)
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');
	return 0;
}

/* Add each element of list as thinking. */
static int
add_thoughts(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		if ((p = ctx_convo_put_part(c, CTX_THINKING, list, e)) == NULL)
			return -1;
		p->text = ctx_node_if(doc, CTX_GIVEN(doc, e, "content"), '"');
		if (ctx_node_str(doc, p->text).len == 0)
			p->text = CTX_GET(doc, e, "summary");
	}
	return 0;
}

/* Add what content says; with CTX_INNER in flags, to the result before it. */
static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t content,
    unsigned flags)
{
	uint32_t list = CTX_GET(doc, content, "parts"), e;
	enum type type = (enum type)ctx_node_word(doc, CTX_GET(doc, content,
	    "content_type"), types, T_OTHER);

	switch (type) {
	case T_THOUGHTS:
		return add_thoughts(c, doc, CTX_GET(doc, content, "thoughts"));
	case T_RECAP:		/* how long it took */
		return 0;
	case T_ABOUT:
		return put_string(c, doc, content, CTX_GET(doc, content,
		    "user_profile"), flags) == -1 ? -1 : put_string(c, doc,
		    content, CTX_GET(doc, content, "user_instructions"), flags);
	case T_DISPLAY:
		return put_string(c, doc, content, CTX_GET(doc, content,
		    "result"), flags);
	default:
		break;
	}
	if (ctx_node_if(doc, list, '[') == CTX_NONE)
		return put_string(c, doc, content, CTX_GET(doc, content,
		    "text"), flags);
	CTX_FOR_LIST(doc, e, list)
		if (add_element(c, doc, list, e, flags) == -1)
			return -1;
	return 0;
}

/* Add a call of the tool that the message is for. */
static int
add_call(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t message,
    struct ctx_str id)
{
	uint32_t content = CTX_GET(doc, message, "content");
	uint32_t list = CTX_GET(doc, content, "parts");
	struct ctx_part *p = ctx_convo_add_part(c, CTX_CALL);

	if (p == NULL)
		return -1;
	p->id = id;
	p->name = ctx_node_str(doc, CTX_GET(doc, message, "recipient"));
	p->text = ctx_shape_filled(doc, list) ? list + 1 :
	    CTX_GET(doc, content, "text");
	p->text = ctx_node_if(doc, p->text, '"');
	return 0;
}

/* Is the message for a tool? */
static int
is_call(const struct ctx_doc *doc, uint32_t message)
{
	uint32_t to = CTX_GET(doc, message, "recipient");

	return ctx_node_str(doc, to).len > 0 && !ctx_node_is(doc, to, "all") &&
	    ctx_node_is(doc, CTX_GET(doc, CTX_GET(doc, message, "author"),
	    "role"), "assistant");
}

static uint32_t
message_of(const struct ctx_doc *doc, const struct ctx_tree *t, uint32_t i)
{
	return ctx_node_if(doc, CTX_GET(doc, t->e[i].node, "message"), '{');
}

static enum ctx_role
role_of(const struct ctx_doc *doc, uint32_t message)
{
	return (enum ctx_role)ctx_node_word(doc, CTX_GET(doc, CTX_GET(doc,
	    message, "author"), "role"), roles, CTX_USER);
}

/* The id of the call that element i, a tool's message, answers. */
static struct ctx_str
call_of(const struct ctx_doc *doc, const struct ctx_tree *t, uint32_t i)
{
	uint32_t up = t->e[i].parent, message, steps;

	for (steps = 0; up != CTX_NONE && steps < t->n; steps++) {
		message = message_of(doc, t, up);
		if (is_call(doc, message))
			return t->e[up].id;
		if (message != CTX_NONE && role_of(doc, message) != CTX_TOOL)
			break;
		up = t->e[up].parent;
	}
	return t->e[i].id;
}

static int
add_message(struct ctx_convo *c, const struct ctx_doc *doc,
    const struct ctx_tree *t, uint32_t i)
{
	uint32_t message = message_of(doc, t, i);
	uint32_t content = CTX_GET(doc, message, "content");
	enum ctx_role role = role_of(doc, message);
	struct ctx_msg *m;
	struct ctx_part *p;

	if ((m = ctx_convo_add_msg(c, role, message, content)) == NULL)
		return -1;
	m->elem = t->e[i].node;
	m->list = c->rec[0].list;
	if (role == CTX_ASSISTANT && t->e[i].parent != CTX_NONE &&
	    role_of(doc, message_of(doc, t, t->e[i].parent)) == role)
		m->flags |= CTX_JOINED;
	if (is_call(doc, message))
		return add_call(c, doc, message, t->e[i].id);
	if (role != CTX_TOOL)
		return add_content(c, doc, content, 0);
	if ((p = ctx_convo_add_part(c, CTX_RESULT)) == NULL)
		return -1;
	p->id = call_of(doc, t, i);
	p->name = ctx_node_str(doc, CTX_GET(doc, CTX_GET(doc, message,
	    "author"), "name"));
	if (ctx_node_is(doc, CTX_GET(doc, content, "content_type"),
	    "system_error"))
		p->flags |= CTX_ERROR;
	return add_content(c, doc, content, CTX_INNER);
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t mapping = s->key[CTX_K_MAPPING], k;
	struct ctx_tree t = { 0 };
	int rc;

	if (s->node != c->rec[0].root)
		return 0;	/* in a list of them */
	rc = ctx_tree_read(&t, doc, mapping, &form);
	c->rec[0].shape = CTX_REC_CONVERSATION;
	c->rec[0].list = mapping;
	if (rc == 0)
		ctx_tree_order(&t, ctx_tree_find(&t, ctx_node_str(doc,
		    CTX_GET(doc, s->node, "current_node"))));
	for (k = 0; k < t.n && rc == 0; k++)
		if (message_of(doc, &t, t.order[k]) != CTX_NONE)
			rc = add_message(c, doc, &t, t.order[k]);
	ctx_tree_done(&t);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	return ctx_tree_branches(c, tip, &form, gone);
}

const struct ctx_dialect ctx_dialect_chatgpt = {
	.name = "chatgpt",
	.title = "ChatGPT's data export",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LOG,
	.is_export = 1,
	.branches = branches,
	.list = CTX_K_MAPPING,
	.match = match,
	.view = view
};
