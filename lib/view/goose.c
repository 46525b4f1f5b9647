/* SPDX-License-Identifier: MIT */
/*
 * Sessions of goose (block/goose, since 2026 aaif-goose/goose): a document
 * {"working_dir",...,"conversation":[...]}, as "goose session export --format
 * json" writes it, and the .jsonl files of versions before 1.10, whose first
 * line is the session.  A message has the same form for all APIs.
 * Format: derived from the program's source: crates/goose/src/message.rs at
 * 1f2f6b14, crates/goose/src/conversation/message.rs and tool_result_serde.rs
 * at 05132966 and 893b3e5f, crates/goose-provider-types/src/conversation/
 * message.rs at 3a31f2fd, and from the contents of a real database of version
 * 1.45 (WildChildForLife/lantern, fixtures/goose-home, at 0391e0df).  What is
 * sent: crates/goose/src/conversation/mod.rs at 08dc4786 and context_mgmt/
 * mod.rs at 0036b819; providers/formats/anthropic.rs at 00f85252, openai.rs.
 */
#include "view/dialect.h"

enum part {
	P_OTHER, P_TEXT, P_IMAGE, P_FILE, P_CALL, P_RESULT, P_THINKING,
	P_REASONING, P_SEALED, P_RESOURCE, P_ASIDE, P_ERROR
};

static const struct ctx_word types[] = {
	{ "text", P_TEXT }, { "image", P_IMAGE }, { "document", P_FILE },
	{ "toolRequest", P_CALL }, { "frontendToolRequest", P_CALL },
	{ "toolResponse", P_RESULT }, { "thinking", P_THINKING },
	{ "reasoning", P_REASONING }, { "redactedThinking", P_SEALED },
	/* for the interface */
	{ "toolConfirmationRequest", P_ASIDE }, { "actionRequired", P_ASIDE },
	{ "systemNotification", P_ASIDE }, { "error", P_ERROR },
	{ "contextLengthExceeded", P_ASIDE },
	{ "summarizationRequested", P_ASIDE },
	{ "conversationCompacted", P_ASIDE }, { NULL, 0 }
};

/* Content of a result, as MCP has it. */
static const struct ctx_word contents[] = {
	{ "text", P_TEXT }, { "image", P_IMAGE }, { "audio", P_FILE },
	{ "resource", P_RESOURCE }, { NULL, 0 }
};

static const enum ctx_kind kinds[] = {
	[P_OTHER] = CTX_OTHER, [P_TEXT] = CTX_TEXT, [P_IMAGE] = CTX_IMAGE,
	[P_FILE] = CTX_FILE, [P_CALL] = CTX_CALL, [P_RESULT] = CTX_RESULT,
	[P_THINKING] = CTX_THINKING, [P_REASONING] = CTX_THINKING,
	[P_SEALED] = CTX_THINKING
};

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT }, { NULL, 0 }
};

static enum part
part_of(const struct ctx_doc *doc, uint32_t e)
{
	return (enum part)ctx_node_word(doc, CTX_GET(doc, e, "type"), types,
	    P_OTHER);
}

/* What is in the way of a call, or of a result. */
static uint32_t
outcome_of(const struct ctx_doc *doc, uint32_t e, enum part what)
{
	return ctx_node_if(doc, what == P_CALL ? CTX_GET(doc, e, "toolCall") :
	    CTX_GET(doc, e, "toolResult"), '{');
}

/*
 * Metadata that only goose writes tells whether the model is shown the message.
 * It is not shown notices for the user and, after a compaction, what is before
 * the summary.
 */
static enum ctx_match
match_metadata(const struct ctx_doc *doc, uint32_t message)
{
	uint32_t shown = CTX_GIVEN(doc, CTX_GET(doc, message, "metadata"),
	    "agentVisible");

	if (shown == CTX_NONE)
		return CTX_MATCH_MAYBE;
	return ctx_node_type(doc, shown) == 'f' ? CTX_MATCH_ASIDE :
	    CTX_MATCH_SURE;
}

/* The first line of a file, and a session in a list of them. */
static enum ctx_match
match_session(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return s->key[CTX_K_CONTENT] == CTX_NONE &&
	    s->key[CTX_K_MESSAGES] == CTX_NONE &&
	    s->key[CTX_K_CONVERSATION] == CTX_NONE &&
	    ctx_node_str(doc, CTX_GET(doc, s->node, "working_dir")).len > 0 &&
	    CTX_GIVEN(doc, s->node, "message_count") != CTX_NONE ?
	    CTX_MATCH_ASIDE : CTX_MATCH_NOT;
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t content = s->key[CTX_K_CONTENT], e;
	enum ctx_match fit = match_metadata(doc, s->node);
	enum part what;

	if (s->key[CTX_K_ROLE] == CTX_NONE)
		return match_session(s, doc);
	if (ctx_node_word(doc, s->key[CTX_K_ROLE], roles, -1) == -1 ||
	    (ctx_shape_filled(doc, content) ?
	    ctx_node_if(doc, content, '[') == CTX_NONE ||
	    ctx_shape_filled(doc, s->key[CTX_K_TOOL_CALLS]) :
	    !ctx_shape_bare(s, doc)))
		return CTX_MATCH_NOT;
	if (fit != CTX_MATCH_MAYBE)
		return fit;
	CTX_FOR_LIST(doc, e, content)
		switch (what = part_of(doc, e)) {
		case P_OTHER:
			return fit == CTX_MATCH_SURE ? fit : CTX_MATCH_WEAK;
		case P_CALL:
		case P_RESULT:
			if (outcome_of(doc, e, what) == CTX_NONE)
				break;
			/* FALLTHROUGH */
		case P_SEALED:
		case P_ASIDE:
			fit = CTX_MATCH_SURE;
			break;
		default:
			break;
		}
	return fit;
}

/* Is the content for others than the model? */
static int
is_hidden(const struct ctx_doc *doc, uint32_t e)
{
	uint32_t to = ctx_node_if(doc, CTX_GET(doc, CTX_GET(doc, e,
	    "annotations"), "audience"), '['), role;

	CTX_FOR_LIST(doc, role, to)
		if (ctx_node_is(doc, role, "assistant"))
			return 0;
	return to != CTX_NONE;
}

static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	enum part what = (enum part)ctx_node_word(doc, CTX_GET(doc, e, "type"),
	    contents, P_OTHER);
	uint32_t in = what == P_RESOURCE ? CTX_GET(doc, e, "resource") : e;
	uint32_t text = what == P_TEXT || what == P_RESOURCE ?
	    ctx_node_if(doc, CTX_GET(doc, in, "text"), '"') : CTX_NONE;
	struct ctx_part *p;

	if (is_hidden(doc, e))
		return text == CTX_NONE ? 0 : ctx_convo_put_copy(c, text);
	if (what == P_OTHER)
		return ctx_convo_put_odd(c, doc, list, e);
	if (what == P_RESOURCE)
		what = text == CTX_NONE ? P_FILE : P_TEXT;
	if ((p = ctx_convo_put_part(c, kinds[what], list, e)) == NULL)
		return -1;
	p->flags = CTX_INNER;
	p->text = text;
	return 0;
}

/*
 * Add what result p brought.  Its value was a list of contents before there was
 * an object around it; structuredContent repeats them for programs.
 */
static int
add_outcome(struct ctx_convo *c, const struct ctx_doc *doc, struct ctx_part *p,
    uint32_t outcome)
{
	uint32_t value = CTX_GIVEN(doc, outcome, "value"), list = value, e;

	if (ctx_node_is(doc, CTX_GET(doc, outcome, "status"), "error")) {
		p->flags |= CTX_ERROR;
		ctx_part_set_value(p, doc, CTX_GET(doc, outcome, "error"));
		return 0;
	}
	if (ctx_node_if(doc, value, '{') != CTX_NONE)
		list = CTX_GET(doc, value, "content");
	if (ctx_node_if(doc, CTX_GET(doc, value, "isError"), 't') != CTX_NONE)
		p->flags |= CTX_ERROR;
	CTX_FOR_LIST(doc, e, list)
		if (add_content(c, doc, list, e) == -1)
			return -1;
	return ctx_convo_put_copies(c, doc, ctx_node_if(doc, value, '{') ==
	    CTX_NONE ? CTX_NONE : CTX_GET(doc, value, "structuredContent"));
}

/*
 * Add thinking.  What came without a signature, in a stream, is a part for each
 * piece of it.
 */
static void
set_thinking(const struct ctx_convo *c, struct ctx_part *p,
    const struct ctx_doc *doc, uint32_t e)
{
	p->text = ctx_node_if(doc, CTX_GET(doc, e, "thinking"), '"');
	if (ctx_node_str(doc, CTX_GET(doc, e, "signature")).len > 0)
		p->flags |= CTX_SIGNED;
	else if (p > c->part + c->msg[p->msg].part && p->text != CTX_NONE &&
	    p[-1].kind == CTX_THINKING && !(p[-1].flags & CTX_SIGNED) &&
	    ctx_shape_filled(doc, p[-1].text))
		p->flags |= CTX_CONTINUES;
}

static int
add_part(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	enum part what = part_of(doc, e);
	struct ctx_part *p;
	uint32_t value;

	if (what == P_ASIDE || what == P_ERROR || is_hidden(doc, e))
		return 0;
	if ((p = ctx_convo_put_part(c, kinds[what], list, e)) == NULL)
		return -1;
	switch (what) {
	case P_TEXT:
	case P_REASONING:
		p->text = CTX_GET(doc, e, "text");
		return 0;
	case P_THINKING:
		set_thinking(c, p, doc, e);
		return 0;
	case P_SEALED:
		p->flags |= CTX_SIGNED;
		return 0;
	case P_CALL:
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
		value = CTX_GET(doc, outcome_of(doc, e, what), "value");
		p->name = ctx_node_str(doc, CTX_GET(doc, value, "name"));
		ctx_part_set_value(p, doc, CTX_GET(doc, value, "arguments"));
		return 0;
	case P_RESULT:
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
		return add_outcome(c, doc, p, outcome_of(doc, e, what));
	default:
		return 0;
	}
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t content = s->key[CTX_K_CONTENT], e;
	enum ctx_role role = (enum ctx_role)ctx_node_word(doc,
	    s->key[CTX_K_ROLE], roles, CTX_USER);

	if (ctx_convo_add_msg(c, role, s->node, content) == NULL)
		return ctx_fail_nomem(err);
	CTX_FOR_LIST(doc, e, content)
		if (add_part(c, doc, content, e) == -1)
			return ctx_fail_nomem(err);
	return 0;
}

/*
 * The time is the neighbour's, so that the output does not depend on a clock.
 */
static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	uint32_t time = what->doc == NULL ? CTX_NONE : CTX_GET(what->doc,
	    what->like, "created");

	ctx_buf_addf(out, "{\"role\":\"%s\",\"created\":",
	    what->role == CTX_ASSISTANT ? "assistant" : "user");
	if (time != CTX_NONE)
		ctx_node_put(out, what->doc, time);
	else
		ctx_buf_addc(out, '0');
	ctx_buf_adds(out, ",\"content\":[");
	if (what->kind == CTX_NEW_MOVED)
		ctx_buf_add(out, what->raw, what->rawlen);
	else if (what->kind == CTX_NEW_RESULT)
		ctx_buf_addf(out, "{\"type\":\"toolResponse\",\"id\":\"%.*s\","
		    "\"toolResult\":{\"status\":\"error\",\"error\":\"",
		    CTX_STR_ARGS(what->id));
	else
		ctx_buf_adds(out, ctx_dialect_goose.text_element);
	if (what->kind != CTX_NEW_MOVED) {
		ctx_str_encode(out, what->text, what->textlen);
		ctx_buf_adds(out, what->kind == CTX_NEW_RESULT ? "\"}}" :
		    "\"}");
	}
	return ctx_buf_adds(out, "],\"metadata\":{\"userVisible\":true,"
	    "\"agentVisible\":true}}");
}

const struct ctx_dialect ctx_dialect_goose = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "goose",
	.title = "goose's sessions",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_RUNS |
	    CTX_RULE_LOG,
	.list = CTX_K_CONVERSATION,
	.match = match,
	.view = view,
	.emit = emit
};
