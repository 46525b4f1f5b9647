/* SPDX-License-Identifier: MIT */
/*
 * Claude.ai's data export, conversations.json: a list of conversations {"uuid",
 * "name","chat_messages":[{"uuid","sender","text","content":[...],"attachments",
 * "files","parent_message_uuid"}]}.  Where there are branches,
 * current_leaf_message_uuid ends the one that is shown; without it, it is the
 * last message.  Blocks are like Anthropic's, but one message has calls, their
 * results and what comes after them.
 * Format: derived from conversations and test files that users published, of
 * 2025 and 2026 (Sinity/polylogue, docs/providers/claude-ai.md, describes them);
 * Anthropic does not document it.
 */
#include "view/dialect.h"

#include <string.h>

#include "view/tree.h"

static const struct ctx_tree_form form = { "uuid", "parent_message_uuid" };

static const struct ctx_word roles[] = {
	{ "human", CTX_USER }, { "user", CTX_USER },
	{ "assistant", CTX_ASSISTANT }, { NULL, 0 }
};

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t list = ctx_node_if(doc, s->key[CTX_K_CHAT_MESSAGES], '[');

	return ctx_shape_filled(doc, list) && ctx_node_str(doc, CTX_GET(doc,
	    list + 1, "sender")).len > 0 ? CTX_MATCH_SURE : CTX_MATCH_NOT;
}

/* Add the texts in a result's list; other elements are JSON to it. */
static int
add_inner(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	uint32_t e, text;

	CTX_FOR_LIST(doc, e, list) {
		text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');
		if (text == CTX_NONE) {
			if (ctx_convo_put_odd(c, doc, list, e) == -1)
				return -1;
			continue;
		}
		if ((p = ctx_convo_put_part(c, CTX_TEXT, list, e)) == NULL)
			return -1;
		p->flags = CTX_INNER;
		p->text = text;
	}
	return 0;
}

/* Add block e of list to the last message. */
static int
add_block(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, enum ctx_kind kind)
{
	struct ctx_part *p = ctx_convo_put_part(c, kind, list, e);
	uint32_t content = CTX_GET(doc, e, "content");

	if (p == NULL)
		return -1;
	switch (kind) {
	case CTX_TEXT:
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "text"), '"');
		return 0;
	case CTX_THINKING:
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "thinking"), '"');
		return 0;
	case CTX_CALL:
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
		ctx_part_set_value(p, doc, CTX_GET(doc, e, "input"));
		break;
	case CTX_RESULT:
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "tool_use_id"));
		if (ctx_node_if(doc, CTX_GET(doc, e, "is_error"), 't') !=
		    CTX_NONE)
			p->flags |= CTX_ERROR;
		if (ctx_node_if(doc, content, '[') == CTX_NONE)
			ctx_part_set_value(p, doc, content);
		break;
	default:
		return 0;
	}
	p->name = ctx_node_str(doc, CTX_GET(doc, e, "name"));
	if (p->id.p == NULL)
		p->flags |= CTX_BY_NAME;
	return kind == CTX_RESULT ? add_inner(c, doc, content) : 0;
}

static struct ctx_msg *
begin(struct ctx_convo *c, enum ctx_role role, uint32_t node, uint32_t content,
    uint32_t elem)
{
	struct ctx_msg *m = ctx_convo_add_msg(c, role, node, content);

	if (m != NULL) {
		m->elem = elem;
		m->list = c->rec[0].list;
	}
	return m;
}

/*
 * Add the blocks of the message at node.  Results make a message of their own,
 * and so does what follows them.
 */
static int
add_blocks(struct ctx_convo *c, const struct ctx_doc *doc, enum ctx_role role,
    uint32_t list, uint32_t node)
{
	static const struct ctx_word kinds[] = {
		{ "text", CTX_TEXT }, { "thinking", CTX_THINKING },
		{ "tool_use", CTX_CALL }, { "tool_result", CTX_RESULT },
		{ "voice_note", CTX_TEXT }, { NULL, 0 }
	};
	enum ctx_role now = role, is;
	enum ctx_kind kind;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		kind = (enum ctx_kind)ctx_node_word(doc, CTX_GET(doc, e,
		    "type"), kinds, CTX_OTHER);
		/* a block of another type goes with the one before */
		is = kind == CTX_RESULT ? CTX_TOOL : kind == CTX_OTHER &&
		    now == CTX_TOOL ? now : role;
		if (is != now && begin(c, is, e, CTX_NONE, node) == NULL)
			return -1;
		now = is;
		if (add_block(c, doc, list, e, kind) == -1)
			return -1;
	}
	return 0;
}

/* Add what was attached: texts that were extracted, and files. */
static int
add_attached(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	static const char *const keys[] = { "attachments", "files",
	    "files_v2" };
	struct ctx_part *p;
	uint32_t list, e, text;
	size_t i;

	for (i = 0; i < 3; i++) {
		list = ctx_doc_get(doc, node, keys[i], strlen(keys[i]));
		CTX_FOR_LIST(doc, e, list) {
			text = ctx_node_if(doc, CTX_GIVEN(doc, e,
			    "extracted_content"), '"');
			p = ctx_convo_put_part(c, text != CTX_NONE ? CTX_TEXT :
			    CTX_FILE, list, e);
			if (p == NULL)
				return -1;
			p->text = text;
		}
	}
	return 0;
}

static int
add_message(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t list = CTX_GET(doc, node, "content");
	enum ctx_role role = (enum ctx_role)ctx_node_word(doc, CTX_GET(doc,
	    node, "sender"), roles, CTX_USER);

	if (begin(c, role, node, list, node) == NULL ||
	    add_attached(c, doc, node) == -1)
		return -1;
	/* before there were blocks, there was only a text */
	if (!ctx_shape_filled(doc, ctx_node_if(doc, list, '[')))
		return ctx_convo_put_text(c, CTX_GET(doc, node, "text"));
	return add_blocks(c, doc, role, list, node);
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t list = s->key[CTX_K_CHAT_MESSAGES], k;
	struct ctx_tree t = { 0 };
	int rc;

	if (s->node != c->rec[0].root)
		return 0;	/* in a list of them */
	rc = ctx_tree_read(&t, doc, list, &form);
	c->rec[0].shape = CTX_REC_CONVERSATION;
	c->rec[0].list = list;
	if (rc == 0)
		ctx_tree_order(&t, ctx_tree_find(&t, ctx_node_str(doc,
		    CTX_GET(doc, s->node, "current_leaf_message_uuid"))));
	for (k = 0; k < t.n && rc == 0; k++)
		rc = add_message(c, doc, t.e[t.order[k]].node);
	ctx_tree_done(&t);
	return rc == -1 ? ctx_fail_nomem(err) : 0;
}

static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	return ctx_tree_branches(c, tip, &form, gone);
}

const struct ctx_dialect ctx_dialect_claude_ai = {
	.name = "claude-ai",
	.title = "Claude.ai's data export",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LOG,
	.is_export = 1,
	.branches = branches,
	.list = CTX_K_CHAT_MESSAGES,
	.match = match,
	.view = view
};
