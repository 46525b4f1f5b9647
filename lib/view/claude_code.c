/* SPDX-License-Identifier: MIT */
/*
 * Claude Code session files, and its stream-json output: Anthropic messages in
 * the records of a log.  Each block of a response is in a record of its own;
 * records with the same message.id are one message, even if results of parallel
 * calls are written between them.  Subagents' records are side conversations.
 * Format: derived from real files, versions 1 and 2.1; it is not documented.
 */
#include "view/dialect.h"

#include <inttypes.h>

#include "view/envelope.h"

enum record { R_NONE, R_MESSAGE, R_ASIDE };

static const struct ctx_word records[] = {
	{ "progress", R_ASIDE }, { "user", R_MESSAGE },
	{ "assistant", R_MESSAGE }, { "system", R_ASIDE },
	{ "summary", R_ASIDE }, { "file-history-snapshot", R_ASIDE },
	{ "queue-operation", R_ASIDE }, { "attachment", R_ASIDE },
	{ "result", R_ASIDE }, { "stream_event", R_ASIDE }, { NULL, 0 }
};

/* Every record has at least one of these members. */
static int
is_record(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return s->key[CTX_K_UUID] != CTX_NONE ||
	    CTX_GET(doc, s->node, "sessionId") != CTX_NONE ||
	    CTX_GET(doc, s->node, "session_id") != CTX_NONE ||
	    CTX_GET(doc, s->node, "leafUuid") != CTX_NONE ||
	    CTX_GET(doc, s->node, "messageId") != CTX_NONE;
}

/* New versions add types of records that are not messages. */
static int
is_new_aside(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_node_if(doc, s->key[CTX_K_TYPE], '"') != CTX_NONE &&
	    ctx_node_if(doc, CTX_GET(doc, s->node, "sessionId"), '"') !=
	    CTX_NONE && s->key[CTX_K_MESSAGE] == CTX_NONE &&
	    s->key[CTX_K_ROLE] == CTX_NONE;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t message = ctx_node_if(doc, s->key[CTX_K_MESSAGE], '{');
	struct ctx_shape inner;

	switch (ctx_node_word(doc, s->key[CTX_K_TYPE], records, R_NONE)) {
	case R_MESSAGE:
		if (message == CTX_NONE)
			return CTX_MATCH_NOT;
		ctx_shape_of(&inner, doc, message);
		return ctx_dialect_anthropic.match(&inner, doc) ==
		    CTX_MATCH_NOT ? CTX_MATCH_NOT : CTX_MATCH_SURE;
	case R_ASIDE:
		return s->key[CTX_K_CONTENT] == CTX_NONE ||
		    s->key[CTX_K_ROLE] == CTX_NONE ? is_record(s, doc) ?
		    CTX_MATCH_ASIDE : CTX_MATCH_NOT : CTX_MATCH_NOT;
	default:
		return is_new_aside(s, doc) ? CTX_MATCH_ASIDE : CTX_MATCH_NOT;
	}
}

static int
is_true(const struct ctx_doc *doc, uint32_t node)
{
	return ctx_node_if(doc, node, 't') != CTX_NONE;
}

/* The name of the record's side conversation; .p is NULL for the main one. */
static struct ctx_str
thread_of(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t side = CTX_GET(doc, s->node, "isSidechain");
	struct ctx_str name;

	name = ctx_node_str(doc, CTX_GET(doc, s->node, "parent_tool_use_id"));
	if (name.p == NULL && is_true(doc, side)) {
		name = ctx_node_str(doc, CTX_GET(doc, s->node, "agentId"));
		if (name.p == NULL)	/* version 1 has no name for it */
			name = ctx_node_json(doc, side);
	}
	return name;
}

static int
add_copy(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	return ctx_node_if(doc, node, '"') == CTX_NONE ? 0 :
	    ctx_convo_put_copy(c, node);
}

/* Add the strings of a toolUseResult, or of its "file", that hold output. */
static int
add_copies(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	uint32_t e;

	if (node == CTX_NONE)
		return 0;
	CTX_FOR_LIST(doc, e, node)
		if (add_copy(c, doc, CTX_GET(doc, e, "text")) == -1)
			return -1;
	if (add_copy(c, doc, node) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "stdout")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "stderr")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "content")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "result")) == -1 ||
	    add_copy(c, doc, CTX_GET(doc, node, "originalFile")) == -1)
		return -1;
	node = CTX_GET(doc, node, "file");
	return add_copy(c, doc, CTX_GET(doc, node, "content"));
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	struct ctx_shape inner;
	struct ctx_msg *m;
	uint32_t i;

	ctx_shape_of(&inner, doc, s->key[CTX_K_MESSAGE]);
	if (ctx_dialect_anthropic.view(c, doc, &inner, err) == -1)
		return -1;
	m = &c->msg[c->nmsg - 1];
	c->rec[m->rec].thread = thread_of(s, doc);
	if (m->role == CTX_ASSISTANT) {
		m->join = ctx_node_str(doc, inner.key[CTX_K_ID]);
		return 0;
	}
	if (is_true(doc, CTX_GET(doc, s->node, "isCompactSummary")))
		m->flags |= CTX_SUMMARY | CTX_BOUNDARY;
	for (i = m->part; i < m->part + m->npart; i++)
		if (c->part[i].kind == CTX_RESULT)
			return add_copies(c, doc, CTX_GET(doc, s->node,
			    "toolUseResult")) == -1 ? ctx_fail_nomem(err) : 0;
	return 0;
}

static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	return ctx_envelope_branches(c, tip, &ctx_dialect_claude_code, gone);
}

/* The record that begins the chain of what is sent after a compaction. */
static int
emit_boundary(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_envelope_emit(out, what);
	return ctx_buf_addf(out, ",\"type\":\"system\",\"subtype\":"
	    "\"compact_boundary\",\"content\":\"Conversation compacted\","
	    "\"isMeta\":false,\"level\":\"info\",\"compactMetadata\":"
	    "{\"trigger\":\"manual\",\"preTokens\":%" PRIu64 "}}",
	    what->tokens);
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	const char *role = what->role == CTX_ASSISTANT ? "assistant" : "user";

	if (what->kind == CTX_NEW_BOUNDARY)
		return emit_boundary(out, what);
	ctx_envelope_emit(out, what);
	if (what->kind == CTX_NEW_SUMMARY)
		ctx_buf_adds(out, ",\"isVisibleInTranscriptOnly\":true,"
		    "\"isCompactSummary\":true");
	ctx_buf_addf(out, ",\"type\":\"%s\",\"message\":", role);
	if (what->kind == CTX_NEW_TEXT || what->kind == CTX_NEW_SUMMARY) {
		ctx_buf_addf(out, "{\"role\":\"%s\",\"content\":[{\"type\":"
		    "\"text\",\"text\":\"", role);
		ctx_str_encode(out, what->text, what->textlen);
		ctx_buf_adds(out, "\"}]}");
	} else
		ctx_dialect_anthropic.emit(out, what);
	return ctx_buf_adds(out, "}");
}

/* What it says in the user's name in records that are not marked isMeta. */
static const char *const own_texts[] = { "<local-command-stdout>",
    "<local-command-stderr>", "<bash-stdout>", "<bash-stderr>",
    "<task-notification>", "[Request interrupted by user", NULL };

const struct ctx_dialect ctx_dialect_claude_code = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "claude-code",
	.title = "Claude Code session files",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LEADS |
	    CTX_RULE_LOG | CTX_RULE_WHOLE_PAIRS,
	.family = "anthropic",
	.branches = branches,
	.chain = &(const struct ctx_chain_form){ .id = "uuid",
	    .parent = "parentUuid", .logical = "logicalParentUuid",
	    .leaf = "leafUuid" },
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.own = &(const struct ctx_dialect_own){ own_texts, "isMeta", NULL },
	.summary = CTX_SUMMARY_BOUNDED,
	.emit = emit
};
