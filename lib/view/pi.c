/* SPDX-License-Identifier: MIT */
/*
 * Session files of pi (badlogic/pi-mono): a tree of records with id and
 * parentId, in which messages have the same form for all APIs.
 * Format: derived from real files, version 3, and from the program's
 * docs/session.md and source (packages/coding-agent, session-manager).
 */
#include "view/dialect.h"

#include <inttypes.h>

#include "view/envelope.h"

enum record { R_NONE, R_MESSAGE, R_CUSTOM, R_SUMMARY, R_FIRST, R_ASIDE };

static const struct ctx_word records[] = {
	{ "message", R_MESSAGE }, { "custom_message", R_CUSTOM },
	{ "compaction", R_SUMMARY }, { "branch_summary", R_SUMMARY },
	{ "session", R_FIRST }, { "model_change", R_ASIDE },
	{ "thinking_level_change", R_ASIDE }, { "custom", R_ASIDE },
	{ "label", R_ASIDE }, { "session_info", R_ASIDE }, { NULL, 0 }
};

enum role { U_NONE, U_USER, U_ASSISTANT, U_RESULT, U_SHELL, U_SUMMARY };

static const struct ctx_word roles[] = {
	{ "user", U_USER }, { "assistant", U_ASSISTANT },
	{ "toolResult", U_RESULT }, { "bashExecution", U_SHELL },
	{ "custom", U_USER }, { "hookMessage", U_USER },
	{ "branchSummary", U_SUMMARY }, { "compactionSummary", U_SUMMARY },
	{ NULL, 0 }
};

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	enum record r = (enum record)ctx_node_word(doc, s->key[CTX_K_TYPE],
	    records, R_NONE);

	if (r == R_FIRST)
		return s->key[CTX_K_TIMESTAMP] != CTX_NONE &&
		    CTX_GET(doc, s->node, "cwd") != CTX_NONE ?
		    CTX_MATCH_ASIDE : CTX_MATCH_NOT;
	/* in the first versions records had neither id nor parentId */
	if (r == R_NONE || s->key[CTX_K_TIMESTAMP] == CTX_NONE ||
	    s->key[CTX_K_ROLE] != CTX_NONE || s->key[CTX_K_UUID] != CTX_NONE)
		return CTX_MATCH_NOT;
	if (r == R_MESSAGE)
		return ctx_node_word(doc, CTX_GET(doc, s->key[CTX_K_MESSAGE],
		    "role"), roles, U_NONE) == U_NONE ? CTX_MATCH_NOT :
		    CTX_MATCH_SURE;
	if (r == R_ASIDE)
		return CTX_MATCH_ASIDE;
	return CTX_GET(doc, s->node, r == R_CUSTOM ? "content" : "summary") !=
	    CTX_NONE ? CTX_MATCH_SURE : CTX_MATCH_NOT;
}

/* Add a part whose text, if it has one, is e's member key. */
static struct ctx_part *
add_part(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, unsigned flags)
{
	static const struct ctx_word kinds[] = {
		{ "text", CTX_TEXT }, { "thinking", CTX_THINKING },
		{ "toolCall", CTX_CALL }, { "image", CTX_IMAGE }, { NULL, 0 }
	};
	static const struct ctx_word members[] = {
		{ "reasoning_content", 1 }, { "reasoning", 1 },
		{ "reasoning_text", 1 }, { NULL, 0 }
	};
	struct ctx_part *p = ctx_convo_put_part(c, (enum ctx_kind)
	    ctx_node_word(doc, CTX_GET(doc, e, "type"), kinds, CTX_OTHER),
	    list, e);
	uint32_t sign = CTX_GET(doc, e, "thinkingSignature");

	if (p == NULL)
		return NULL;
	p->flags = flags;
	switch (p->kind) {
	case CTX_TEXT:
		p->text = CTX_GET(doc, e, "text");
		break;
	case CTX_THINKING:
		p->text = CTX_GET(doc, e, "thinking");
		/* for Chat it is the name of the member that had the text */
		if (ctx_shape_filled(doc, sign) &&
		    !ctx_node_word(doc, sign, members, 0))
			p->flags |= CTX_SIGNED;
		break;
	case CTX_CALL:
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
		p->name = ctx_node_str(doc, CTX_GET(doc, e, "name"));
		ctx_part_set_value(p, doc, CTX_GET(doc, e, "arguments"));
		break;
	default:
		break;
	}
	return p;
}

static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t content,
    unsigned flags)
{
	uint32_t e;

	if (ctx_node_if(doc, content, '"') != CTX_NONE)
		return ctx_convo_put_text(c, content);
	CTX_FOR_LIST(doc, e, content)
		if (add_part(c, doc, content, e, flags) == NULL)
			return -1;
	return 0;
}

static int
add_result(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t message)
{
	struct ctx_part *p = ctx_convo_add_part(c, CTX_RESULT);
	uint32_t content = CTX_GET(doc, message, "content");

	if (p == NULL)
		return -1;
	ctx_part_set_id(p, doc, CTX_GET(doc, message, "toolCallId"));
	p->name = ctx_node_str(doc, CTX_GET(doc, message, "toolName"));
	if (ctx_node_if(doc, CTX_GET(doc, message, "isError"), 't') !=
	    CTX_NONE)
		p->flags |= CTX_ERROR;
	p->text = ctx_node_if(doc, content, '"');
	return p->text != CTX_NONE ? 0 :
	    add_content(c, doc, content, CTX_INNER);
}

static int
add_string(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t of,
    const char *key)
{
	uint32_t text = ctx_node_if(doc, ctx_doc_get(doc, of, key,
	    strlen(key)), '"');

	return text == CTX_NONE ? 0 : ctx_convo_put_text(c, text);
}

/* Add what the object of a message says. */
static int
add_said(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t message,
    enum role role)
{
	switch (role) {
	case U_RESULT:
		return add_result(c, doc, message);
	case U_SHELL:
		return add_string(c, doc, message, "command") == -1 ? -1 :
		    add_string(c, doc, message, "output");
	case U_SUMMARY:
		return add_string(c, doc, message, "summary");
	default:
		return add_content(c, doc, CTX_GET(doc, message, "content"), 0);
	}
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	enum record r = (enum record)ctx_node_word(doc, s->key[CTX_K_TYPE],
	    records, R_NONE);
	uint32_t message = r == R_MESSAGE ? s->key[CTX_K_MESSAGE] : s->node;
	enum role role = r == R_CUSTOM ? U_USER : r == R_SUMMARY ? U_SUMMARY :
	    (enum role)ctx_node_word(doc, CTX_GET(doc, message, "role"), roles,
	    U_USER);
	struct ctx_msg *m = ctx_convo_add_msg(c, role == U_ASSISTANT ?
	    CTX_ASSISTANT : role == U_RESULT ? CTX_TOOL : CTX_USER, message,
	    CTX_GET(doc, message, "content"));

	if (m == NULL || add_said(c, doc, message, role) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

/*
 * A compaction names the first of the records before it that are still sent,
 * after its summary.  Leave out those before that one.
 */
static void
compacted(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	struct ctx_str first = { NULL, 0 }, id;
	struct ctx_doc doc;
	uint32_t m, root;
	int before = 0;

	for (m = tip + 1; m-- > 0;) {
		root = c->rec[c->msg[m].rec].root;
		doc = ctx_convo_doc(c, c->msg[m].rec);
		if (c->rec[c->msg[m].rec].dialect != &ctx_dialect_pi)
			continue;
		id = ctx_node_str(&doc, CTX_GET(&doc, root, "id"));
		if (before)
			gone[m] = 1;
		else if (first.p == NULL && !gone[m])
			first = ctx_node_str(&doc, CTX_GET(&doc, root,
			    "firstKeptEntryId"));
		/* one that names itself leaves out all before it */
		before |= first.p != NULL && ctx_str_same(id, first);
	}
}

static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	if (ctx_envelope_branches(c, tip, &ctx_dialect_pi, gone) == -1)
		return -1;
	compacted(c, tip, gone);
	return 0;
}

static void
emit_member(struct ctx_buf *out, const struct ctx_new *what, const char *of,
    const char *as)
{
	uint32_t v = what->doc == NULL ? CTX_NONE :
	    ctx_doc_get(what->doc, what->like, of, strlen(of));

	if (v == CTX_NONE)
		return;
	ctx_buf_addf(out, ",\"%s\":", as);
	ctx_node_put(out, what->doc, v);
}

/*
 * The time is the neighbour's, so that the output does not depend on a clock.
 */
static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	struct ctx_str parent = { NULL, 0 };
	unsigned id;

	if (what->doc != NULL)
		parent = ctx_node_str(what->doc, CTX_GET(what->doc, what->like,
		    "id"));
	id = (unsigned)(ctx_envelope_hash(parent, what) >> 32);
	ctx_buf_addf(out, "{\"type\":\"%s\",\"id\":\"%08x\"",
	    what->kind == CTX_NEW_SUMMARY ? "compaction" : "message", id);
	if (parent.p == NULL)
		ctx_buf_adds(out, ",\"parentId\":null");
	emit_member(out, what, "id", "parentId");
	emit_member(out, what, "timestamp", "timestamp");
	if (what->kind == CTX_NEW_SUMMARY) {
		ctx_buf_adds(out, ",\"summary\":\"");
		ctx_str_encode(out, what->text, what->textlen);
		return ctx_buf_addf(out, "\",\"firstKeptEntryId\":\"%08x\","
		    "\"tokensBefore\":%" PRIu64 "}", id, what->tokens);
	}
	ctx_buf_adds(out, ",\"message\":{\"role\":");
	if (what->kind == CTX_NEW_RESULT)
		ctx_buf_addf(out, "\"toolResult\",\"toolCallId\":\"%.*s\","
		    "\"toolName\":\"%.*s\",\"isError\":true",
		    CTX_STR_ARGS(what->id), CTX_STR_ARGS(what->name));
	else
		ctx_buf_adds(out, what->role == CTX_ASSISTANT ?
		    "\"assistant\"" : "\"user\"");
	ctx_buf_adds(out, ",\"content\":[{\"type\":\"text\",\"text\":\"");
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}]}}");
}

const struct ctx_dialect ctx_dialect_pi = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "pi",
	.title = "pi session files",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LOG,
	.branches = branches,
	.chain = &(const struct ctx_chain_form){ .id = "id",
	    .parent = "parentId", .leaf = "targetId",
	    .first = "firstKeptEntryId" },
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.summary = CTX_SUMMARY_RECORD,
	.emit = emit
};
