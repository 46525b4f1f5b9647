/* SPDX-License-Identifier: MIT */
/*
 * Claude Code session files, and what it prints as stream-json: Anthropic
 * messages in the records of a log.  One block of a response stands in a
 * record of its own; what shares message.id is one message, though results of
 * parallel calls are written between.  Subagents' records are conversations
 * on the side.
 * Format: read from real files, versions 1 and 2.1; there is no description.
 */
#include <string.h>

#include "view/view.h"

enum record { R_NONE, R_MESSAGE, R_ASIDE };

static const struct ctx_word records[] = {
	{ "progress", R_ASIDE }, { "user", R_MESSAGE },
	{ "assistant", R_MESSAGE }, { "system", R_ASIDE },
	{ "summary", R_ASIDE }, { "file-history-snapshot", R_ASIDE },
	{ "queue-operation", R_ASIDE }, { "attachment", R_ASIDE },
	{ "result", R_ASIDE }, { "stream_event", R_ASIDE }, { NULL, 0 }
};

/* Members that all of its records have one of. */
static int
is_record(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return s->key[CTX_K_UUID] != CTX_NONE ||
	    CTX_GET(doc, s->node, "sessionId") != CTX_NONE ||
	    CTX_GET(doc, s->node, "session_id") != CTX_NONE ||
	    CTX_GET(doc, s->node, "leafUuid") != CTX_NONE ||
	    CTX_GET(doc, s->node, "messageId") != CTX_NONE;
}

static enum ctx_fit
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t message = ctx_node_if(doc, s->key[CTX_K_MESSAGE], '{');
	struct ctx_shape inner;

	switch (ctx_node_word(doc, s->key[CTX_K_TYPE], records, R_NONE)) {
	case R_MESSAGE:
		if (message == CTX_NONE)
			return CTX_FIT_NOT;
		ctx_shape_of(&inner, doc, message);
		return ctx_anthropic.match(&inner, doc) == CTX_FIT_NOT ?
		    CTX_FIT_NOT : CTX_FIT_SURE;
	case R_ASIDE:
		return s->key[CTX_K_CONTENT] == CTX_NONE ||
		    s->key[CTX_K_ROLE] == CTX_NONE ? is_record(s, doc) ?
		    CTX_FIT_ASIDE : CTX_FIT_NOT : CTX_FIT_NOT;
	default:
		return CTX_FIT_NOT;
	}
}

static int
is_true(const struct ctx_doc *doc, uint32_t node)
{
	return ctx_node_if(doc, node, 't') != CTX_NONE;
}

/* What tells the side conversation from others; .p NULL for the main one. */
static struct ctx_str
thread_of(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t side = CTX_GET(doc, s->node, "isSidechain");
	struct ctx_str name;

	name = ctx_node_str(doc, CTX_GET(doc, s->node, "parent_tool_use_id"));
	if (name.p == NULL && is_true(doc, side)) {
		name = ctx_node_str(doc, CTX_GET(doc, s->node, "agentId"));
		if (name.p == NULL) {	/* version 1 did not tell them apart */
			name.p = doc->raw + doc->node[side].off;
			name.len = doc->node[side].len;
		}
	}
	return name;
}

static int
add_copy(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_part *p;

	if (ctx_node_if(doc, node, '"') == CTX_NONE)
		return 0;
	if ((p = ctx_convo_add_part(c, CTX_COPY)) == NULL)
		return -1;
	p->flags = CTX_INNER;
	p->text = node;
	return 0;
}

/* Strings of a toolUseResult, or of its "file", that hold output. */
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
	if (ctx_anthropic.view(c, doc, &inner, err) == -1)
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

/* --- new records ------------------------------------------------------ */

static uint64_t
hash(uint64_t h, const char *p, size_t len)
{
	while (len-- > 0)
		h = (h ^ (unsigned char)*p++) * 1099511628211u;
	return h ^ h >> 29;
}

/* A UUID made from what is unique about the record: no chance, no clock. */
static void
emit_uuid(struct ctx_buf *out, struct ctx_str parent,
    const struct ctx_new *what)
{
	uint64_t a = hash(14695981039346656037u, parent.p, parent.len), b;

	a = hash(a, what->id.p, what->id.len);
	a = hash(a, what->text, what->textlen);
	b = hash(a ^ 0x9e3779b97f4a7c15u, parent.p, parent.len);
	ctx_buf_addf(out, "%08x-%04x-8%03x-%04x-%012llx",
	    (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff),
	    (unsigned)(a & 0xfff), (unsigned)(b >> 48 & 0x3fff) | 0x8000,
	    (unsigned long long)(b & 0xffffffffffffu));
}

/* Members that a record shares with those around it, and its parent. */
static void
emit_frame(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const shared[] = { "isSidechain", "agentId",
	    "userType", "cwd", "sessionId", "version", "gitBranch",
	    "timestamp" };
	struct ctx_str parent = { NULL, 0 };
	uint32_t v;
	size_t i;

	if (what->doc != NULL)
		parent = ctx_node_str(what->doc, CTX_GET(what->doc,
		    what->like, "uuid"));
	ctx_buf_adds(out, "{\"parentUuid\":");
	if (parent.p == NULL)
		ctx_buf_adds(out, "null");
	else {
		ctx_buf_addc(out, '"');
		ctx_buf_add(out, parent.p, parent.len);
		ctx_buf_addc(out, '"');
	}
	ctx_buf_adds(out, ",\"uuid\":\"");
	emit_uuid(out, parent, what);
	ctx_buf_addc(out, '"');
	for (i = 0; what->doc != NULL &&
	    i < sizeof(shared) / sizeof(shared[0]); i++) {
		v = ctx_doc_get(what->doc, what->like, shared[i],
		    strlen(shared[i]));
		if (v == CTX_NONE)
			continue;
		ctx_buf_addf(out, ",\"%s\":", shared[i]);
		ctx_buf_add(out, what->doc->raw + what->doc->node[v].off,
		    what->doc->node[v].len);
	}
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	const char *role = what->role == CTX_ASSISTANT ? "assistant" : "user";

	emit_frame(out, what);
	ctx_buf_addf(out, ",\"type\":\"%s\",\"message\":", role);
	if (what->kind == CTX_NEW_TEXT) {
		ctx_buf_addf(out, "{\"role\":\"%s\",\"content\":[{\"type\":"
		    "\"text\",\"text\":\"", role);
		ctx_str_encode(out, what->text, what->textlen);
		ctx_buf_adds(out, "\"}]}");
	} else
		ctx_anthropic.emit(out, what);
	return ctx_buf_adds(out, "}");
}

const struct ctx_dialect ctx_claude_code = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "claude-code",
	.title = "Claude Code session files",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LEADS |
	    CTX_RULE_LOG,
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.emit = emit
};
