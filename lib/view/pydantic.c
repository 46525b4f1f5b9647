/* SPDX-License-Identifier: MIT */
/*
 * pydantic-ai ModelMessage: {"kind":"request"|"response","parts":[...]}.  A
 * request holds what other dialects send as messages of several roles, so each
 * of its parts is a message here.  The library itself puts results in order
 * before it sends them, so nothing is moved.
 * Format: ai.pydantic.dev/api/messages.
 */
#include <string.h>

#include "view/dialect.h"

enum part {
	P_OTHER, P_SYSTEM, P_USER, P_RETURN, P_RETRY, P_TEXT, P_THINKING,
	P_CALL, P_SERVER_CALL, P_SERVER_RETURN, P_FILE
};

static const struct ctx_word parts_of[] = {
	{ "tool-call", P_CALL }, { "tool-return", P_RETURN },
	{ "text", P_TEXT }, { "user-prompt", P_USER },
	{ "system-prompt", P_SYSTEM }, { "thinking", P_THINKING },
	{ "retry-prompt", P_RETRY }, { "builtin-tool-call", P_SERVER_CALL },
	{ "builtin-tool-return", P_SERVER_RETURN }, { "file", P_FILE },
	{ NULL, 0 }
};

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t parts = ctx_node_if(doc, s->key[CTX_K_PARTS], '[');

	if (parts == CTX_NONE || s->key[CTX_K_ROLE] != CTX_NONE ||
	    (!ctx_node_is(doc, s->key[CTX_K_KIND], "request") &&
	    !ctx_node_is(doc, s->key[CTX_K_KIND], "response")))
		return CTX_MATCH_NOT;
	return CTX_MATCH_SURE;
}

/* An image or file, CTX_OTHER if the value is none. */
static enum ctx_kind
medium(const struct ctx_doc *doc, uint32_t e)
{
	static const struct ctx_word kinds[] = {
		{ "image-url", CTX_IMAGE }, { "binary", CTX_FILE },
		{ "document-url", CTX_FILE }, { "audio-url", CTX_FILE },
		{ "video-url", CTX_FILE }, { NULL, 0 }
	};
	struct ctx_str mime;

	if (ctx_node_if(doc, e, '{') == CTX_NONE)
		return CTX_OTHER;
	mime = ctx_node_str(doc, CTX_GET(doc, e, "media_type"));
	return mime.len > 6 && ctx_node_begins(mime, "image/") ? CTX_IMAGE :
	    (enum ctx_kind)ctx_node_word(doc, CTX_GET(doc, e, "kind"), kinds,
	    CTX_OTHER);
}

/* Add a text or a medium from the list that a prompt's content may be. */
static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		p = ctx_convo_put_part(c, CTX_TEXT, list, e);
		if (p == NULL)
			return -1;
		if (ctx_node_type(doc, e) == '"')
			p->text = e;
		else
			p->kind = medium(doc, e);
	}
	return 0;
}

/* Is it a medium that a tool returned, and not data of its own with such a kind? */
static int
is_returned(const struct ctx_doc *doc, uint32_t e)
{
	uint32_t kind = ctx_node_if(doc, e, '{') == CTX_NONE ? CTX_NONE :
	    CTX_GET(doc, e, "kind");

	return kind != CTX_NONE && medium(doc, e) != CTX_OTHER &&
	    ctx_node_str(doc, CTX_GET(doc, e, ctx_node_is(doc, kind,
	    "binary") ? "data" : "url")).p != NULL;
}

/* Add a medium inside of a result. */
static int
add_returned(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	struct ctx_part *p = ctx_convo_put_part(c, medium(doc, e), list, e);

	if (p == NULL)
		return -1;
	p->flags = CTX_INNER;
	return 0;
}

/*
 * Add what the tool whose part is at node returned, after its result: the content
 * is any JSON, or a medium, or a list in which there are some.
 */
static int
add_return(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t node,
    uint32_t content)
{
	uint32_t list = ctx_node_if(doc, content, '['), e, media = 0;

	if (content != CTX_NONE && is_returned(doc, content))
		return add_returned(c, doc, node, content);
	CTX_FOR_LIST(doc, e, list)
		media += (uint32_t)is_returned(doc, e);
	if (media == 0) {
		ctx_part_set_value(&c->part[c->npart - 1], doc, content);
		return 0;
	}
	CTX_FOR_LIST(doc, e, list)
		if ((is_returned(doc, e) ? add_returned(c, doc, list, e) :
		    ctx_convo_put_odd(c, doc, list, e)) == -1)
			return -1;
	return 0;
}

static void
set_link(struct ctx_part *p, const struct ctx_doc *doc, uint32_t e)
{
	ctx_part_set_id(p, doc, CTX_GET(doc, e, "tool_call_id"));
	p->name = ctx_node_str(doc, CTX_GET(doc, e, "tool_name"));
	if (p->id.p == NULL)
		p->flags |= CTX_BY_NAME;
}

/* Add one part of a request as a message. */
static int
add_request_part(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t list, uint32_t e)
{
	enum part part = (enum part)ctx_node_word(doc, CTX_GET(doc, e,
	    "part_kind"), parts_of, P_OTHER);
	uint32_t content = CTX_GET(doc, e, "content");
	int answers = part == P_RETURN || (part == P_RETRY &&
	    ctx_node_if(doc, CTX_GET(doc, e, "tool_call_id"), '"') !=
	    CTX_NONE && ctx_node_if(doc, CTX_GET(doc, e, "tool_name"), '"') !=
	    CTX_NONE);
	struct ctx_msg *m;
	struct ctx_part *p;

	m = ctx_convo_add_msg(c, part == P_SYSTEM ? CTX_SYSTEM : answers ?
	    CTX_TOOL : CTX_USER, e, content);
	if (m == NULL)
		return -1;
	m->elem = e;
	m->list = list;
	if (!answers && ctx_node_if(doc, content, '[') != CTX_NONE &&
	    part == P_USER)
		return add_content(c, doc, content);
	if ((p = ctx_convo_add_part(c, answers ? CTX_RESULT :
	    part == P_OTHER ? CTX_OTHER : CTX_TEXT)) == NULL)
		return -1;
	if (answers)
		set_link(p, doc, e);
	if (part == P_RETRY)
		p->flags |= CTX_ERROR;
	if (part == P_RETURN)
		return add_return(c, doc, e, content);
	ctx_part_set_value(p, doc, content);
	return 0;
}

static int
add_response_part(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t list, uint32_t e)
{
	static const enum ctx_kind kinds[] = {
		[P_OTHER] = CTX_OTHER, [P_SYSTEM] = CTX_OTHER,
		[P_USER] = CTX_OTHER, [P_RETURN] = CTX_OTHER,
		[P_RETRY] = CTX_OTHER, [P_TEXT] = CTX_TEXT,
		[P_THINKING] = CTX_THINKING, [P_CALL] = CTX_CALL,
		[P_SERVER_CALL] = CTX_CALL, [P_SERVER_RETURN] = CTX_RESULT,
		[P_FILE] = CTX_FILE
	};
	enum part part = (enum part)ctx_node_word(doc, CTX_GET(doc, e,
	    "part_kind"), parts_of, P_OTHER);
	struct ctx_part *p = ctx_convo_put_part(c, kinds[part], list, e);

	if (p == NULL)
		return -1;
	if (part == P_SERVER_CALL || part == P_SERVER_RETURN)
		p->flags |= CTX_SERVER;
	if (p->kind == CTX_CALL || p->kind == CTX_RESULT)
		set_link(p, doc, e);
	if (p->kind == CTX_CALL)
		ctx_part_set_value(p, doc, CTX_GET(doc, e, "args"));
	else if (p->kind == CTX_RESULT)
		ctx_part_set_value(p, doc, CTX_GET(doc, e, "content"));
	else if (p->kind == CTX_TEXT || p->kind == CTX_THINKING)
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "content"), '"');
	if (ctx_node_str(doc, CTX_GET(doc, e, "signature")).len > 0)
		p->flags |= CTX_SIGNED;
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t list = s->key[CTX_K_PARTS], e;

	if (ctx_node_is(doc, s->key[CTX_K_KIND], "request")) {
		CTX_FOR_LIST(doc, e, list)
			if (add_request_part(c, doc, list, e) == -1)
				return ctx_fail_nomem(err);
		return 0;
	}
	if (ctx_convo_add_msg(c, CTX_ASSISTANT, s->node, list) == NULL)
		return ctx_fail_nomem(err);
	CTX_FOR_LIST(doc, e, list)
		if (add_response_part(c, doc, list, e) == -1)
			return ctx_fail_nomem(err);
	return 0;
}

/*
 * The library requires a time.  Copy the neighbour's, so that the output does
 * not depend on the clock.
 */
static void
emit_time(struct ctx_buf *out, const struct ctx_new *what)
{
	uint32_t time;

	if (what->doc == NULL)
		return;
	time = CTX_GET(what->doc, what->like, "timestamp");
	if (time == CTX_NONE)
		return;
	ctx_buf_adds(out, ",\"timestamp\":");
	ctx_node_put(out, what->doc, time);
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const kinds[] = { "system-prompt", "user-prompt",
	    "text", "tool-return" };

	ctx_buf_addf(out, "{\"kind\":\"%s\",\"parts\":[{\"part_kind\":\"%s\"",
	    what->role == CTX_ASSISTANT ? "response" : "request",
	    kinds[what->role]);
	if (what->kind == CTX_NEW_RESULT)
		ctx_buf_addf(out, ",\"tool_name\":\"%.*s\"",
		    CTX_STR_ARGS(what->name));
	if (what->kind == CTX_NEW_RESULT && what->id.p != NULL)
		ctx_buf_addf(out, ",\"tool_call_id\":\"%.*s\"",
		    CTX_STR_ARGS(what->id));
	ctx_buf_adds(out, ",\"content\":\"");
	ctx_str_encode(out, what->text, what->textlen);
	ctx_buf_adds(out, "\"");
	if (what->role != CTX_ASSISTANT)
		emit_time(out, what);
	return ctx_buf_adds(out, "}]}");
}

const struct ctx_dialect ctx_dialect_pydantic = {
	.name = "pydantic-ai",
	.title = "pydantic-ai messages",
	.rules = CTX_RULE_PAIRS,
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.emit = emit
};
