/* SPDX-License-Identifier: MIT */
/*
 * OpenTelemetry's gen_ai messages:
 * {"role","parts":[{"type":"text","content"},{"type":"tool_call",...}]}
 * Format: the JSON schemas of the semantic conventions (open-telemetry/
 * semantic-conventions, docs/gen-ai/gen-ai-input-messages.json and its
 * neighbours, versions 1.37 to 1.41), and traces of pydantic-ai, of Microsoft's
 * Agent Framework and of Extensions.AI (langfuse/langfuse 627514467,
 * worker/src/__tests__/chatml/framework-traces).  pydantic-ai has "result" for
 * "response", and results in messages of the user.
 */
#include "view/dialect.h"

#include <string.h>

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT },
	{ "system", CTX_SYSTEM }, { "tool", CTX_TOOL }, { NULL, 0 }
};

enum part {
	P_OTHER, P_TEXT, P_REASONING, P_FILE, P_CALL, P_RESULT, P_SERVER_CALL,
	P_SERVER_RESULT, P_BLOB, P_URI
};

static const struct ctx_word types[] = {
	{ "text", P_TEXT }, { "reasoning", P_REASONING }, { "file", P_FILE },
	{ "tool_call", P_CALL }, { "tool_call_response", P_RESULT },
	{ "server_tool_call", P_SERVER_CALL },
	{ "server_tool_call_response", P_SERVER_RESULT },
	{ "blob", P_BLOB }, { "uri", P_URI }, { NULL, 0 }
};

static enum part
part_of(const struct ctx_doc *doc, uint32_t e)
{
	return (enum part)ctx_node_word(doc, CTX_GET(doc, e, "type"), types,
	    P_OTHER);
}

/* Is part e of a type that UI messages of the AI SDK have too, but not theirs? */
static int
is_own(const struct ctx_doc *doc, uint32_t e, enum part what)
{
	if (what == P_FILE)
		return CTX_GIVEN(doc, e, "file_id") != CTX_NONE;
	return what > P_FILE || (what != P_OTHER &&
	    CTX_GIVEN(doc, e, "text") == CTX_NONE &&
	    ctx_node_if(doc, CTX_GET(doc, e, "content"), '"') != CTX_NONE);
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t parts = ctx_node_if(doc, s->key[CTX_K_PARTS], '['), e;
	enum ctx_match fit = CTX_MATCH_MAYBE;

	if (ctx_node_word(doc, s->key[CTX_K_ROLE], roles, -1) == -1 ||
	    s->key[CTX_K_KIND] != CTX_NONE)
		return CTX_MATCH_NOT;
	if (parts == CTX_NONE)
		return ctx_shape_bare(s, doc) ? CTX_MATCH_MAYBE : CTX_MATCH_NOT;
	CTX_FOR_LIST(doc, e, parts) {
		if (is_own(doc, e, part_of(doc, e)))
			return CTX_MATCH_SURE;
		fit = ctx_node_if(doc, CTX_GET(doc, e, "type"), '"') ==
		    CTX_NONE ? CTX_MATCH_NOT : fit == CTX_MATCH_NOT ? fit :
		    CTX_MATCH_WEAK;
	}
	return fit;
}

/* A call, or what answers one.  Without an id they are paired in order. */
static void
set_tool(struct ctx_part *p, const struct ctx_doc *doc, uint32_t e,
    const char *const keys[2])
{
	uint32_t v = ctx_doc_get(doc, e, keys[0], strlen(keys[0]));

	if (v == CTX_NONE && keys[1] != NULL)
		v = ctx_doc_get(doc, e, keys[1], strlen(keys[1]));
	ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
	if (p->id.p == NULL)
		p->flags |= CTX_BY_ORDER;
	p->name = ctx_node_str(doc, CTX_GET(doc, e, "name"));
	ctx_part_set_value(p, doc, v);
}

static enum ctx_kind
kind_of_data(const struct ctx_doc *doc, uint32_t e)
{
	return ctx_node_is(doc, CTX_GET(doc, e, "modality"), "image") ||
	    ctx_node_begins(ctx_node_str(doc, CTX_GET(doc, e, "mime_type")),
	    "image/") ? CTX_IMAGE : CTX_FILE;
}

static int
add_part(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	static const struct {
		enum ctx_kind kind;
		unsigned flags;
		const char *keys[2];	/* of a call's input or result */
	} how[] = {
		[P_OTHER] = { .kind = CTX_OTHER },
		[P_TEXT] = { .kind = CTX_TEXT },
		[P_REASONING] = { .kind = CTX_THINKING },
		[P_FILE] = { .kind = CTX_FILE },
		[P_BLOB] = { .kind = CTX_FILE },
		[P_URI] = { .kind = CTX_FILE },
		[P_CALL] = { CTX_CALL, 0, { "arguments" } },
		[P_RESULT] = { CTX_RESULT, 0, { "response", "result" } },
		[P_SERVER_CALL] = { CTX_CALL, CTX_SERVER,
		    { "server_tool_call" } },
		[P_SERVER_RESULT] = { CTX_RESULT, CTX_SERVER,
		    { "server_tool_call_response" } }
	};
	enum part what = part_of(doc, e);
	struct ctx_part *p = ctx_convo_put_part(c, how[what].kind, list, e);

	if (p == NULL)
		return -1;
	p->flags = how[what].flags;
	if (how[what].keys[0] != NULL)
		set_tool(p, doc, e, how[what].keys);
	else if (p->kind == CTX_FILE)
		p->kind = kind_of_data(doc, e);
	else if (what != P_OTHER)
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "content"), '"');
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t parts = s->key[CTX_K_PARTS], e;
	struct ctx_msg *m = ctx_convo_add_msg(c, (enum ctx_role)ctx_node_word(
	    doc, s->key[CTX_K_ROLE], roles, CTX_USER), s->node, parts);

	if (m == NULL)
		return ctx_fail_nomem(err);
	if (ctx_shape_filled(doc, s->key[CTX_K_NAME]))
		m->name = ctx_node_str(doc, s->key[CTX_K_NAME]);
	CTX_FOR_LIST(doc, e, parts)
		if (add_part(c, doc, parts, e) == -1)
			return ctx_fail_nomem(err);
	return 0;
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const names[] = { "system", "user", "assistant",
	    "tool" };

	ctx_buf_addf(out, "{\"role\":\"%s\",\"parts\":[", names[what->role]);
	if (what->kind == CTX_NEW_MOVED) {
		ctx_buf_add(out, what->raw, what->rawlen);
		return ctx_buf_adds(out, "]}");
	}
	if (what->kind == CTX_NEW_TEXT)
		ctx_buf_adds(out, ctx_dialect_otel.text_element);
	else {
		ctx_buf_adds(out, "{\"type\":\"tool_call_response\",");
		if (what->id.p != NULL)
			ctx_buf_addf(out, "\"id\":\"%.*s\",",
			    CTX_STR_ARGS(what->id));
		ctx_buf_adds(out, "\"response\":\"");
	}
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}]}");
}

const struct ctx_dialect ctx_dialect_otel = {
	.text_element = "{\"type\":\"text\",\"content\":\"",
	.name = "otel",
	.title = "OpenTelemetry's gen_ai messages",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT,
	.list = CTX_K_GEN_AI_INPUT,
	.system = { CTX_K_GEN_AI_SYSTEM },
	.match = match,
	.view = view,
	.emit = emit
};
