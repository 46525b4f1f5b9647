/* SPDX-License-Identifier: MIT */
/*
 * Continue's sessions: a document {"sessionId","history":[{"message":{...},
 * "contextItems":[],"toolCallStates":[...]}]}.  Messages are OpenAI's with
 * toolCalls in place of tool_calls; the results are in toolCallStates alone,
 * beside their calls.
 * Format: derived from real files, CLI version 1.5, and from the program's
 * source (core/index.d.ts: Session, ChatHistoryItem, ToolCallState).
 */
#include "view/dialect.h"

#include "view/beside.h"

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT },
	{ "thinking", CTX_ASSISTANT }, { "system", CTX_SYSTEM },
	{ "tool", CTX_TOOL }, { NULL, 0 }
};

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return s->key[CTX_K_MESSAGE] != CTX_NONE && ctx_node_if(doc,
	    CTX_GET(doc, s->node, "contextItems"), '[') != CTX_NONE &&
	    ctx_node_word(doc, CTX_GET(doc,
	    s->key[CTX_K_MESSAGE], "role"), roles, -1) != -1 ?
	    CTX_MATCH_SURE : CTX_MATCH_NOT;
}

/* The states of a message, each of which belongs to one call at the most. */
struct states {
	uint32_t list;
	uint32_t next;		/* behind the last one that was found */
	uint32_t end;
	uint32_t part;		/* the first of the message */
};

static void
begin_states(struct states *s, const struct ctx_convo *c,
    const struct ctx_doc *doc, uint32_t list)
{
	s->list = list;
	s->part = c->npart;
	s->next = s->end = 0;
	if (ctx_node_if(doc, list, '[') != CTX_NONE) {
		s->next = list + 1;
		s->end = doc->node[list].next;
	}
}

/* The first state from e on, before end, with that id; or CTX_NONE. */
static uint32_t
find(const struct ctx_doc *doc, uint32_t e, uint32_t end, struct ctx_str id)
{
	struct ctx_str its;

	for (; e < end; e = doc->node[e].next) {
		its = ctx_node_str(doc, CTX_GET(doc, e, "toolCallId"));
		if (its.p != NULL && ctx_str_same(id, its))
			return e;
	}
	return CTX_NONE;
}

static int
is_taken(const struct ctx_convo *c, const struct states *s, uint32_t state)
{
	uint32_t i;

	for (i = s->part; i < c->npart; i++)
		if (c->part[i].place[0].node == state)
			return 1;
	return 0;
}

/*
 * The state of the next call with that id, CTX_NONE if there is none.  Mostly
 * they are in the order of the calls.
 */
static uint32_t
state_of(const struct ctx_convo *c, const struct ctx_doc *doc,
    struct states *s, struct ctx_str id)
{
	uint32_t e;

	if (id.p == NULL || s->end == 0)
		return CTX_NONE;
	if ((e = find(doc, s->next, s->end, id)) != CTX_NONE) {
		s->next = doc->node[e].next;
		return e;
	}
	e = find(doc, s->list + 1, s->next, id);
	while (e != CTX_NONE && is_taken(c, s, e))
		e = find(doc, doc->node[e].next, s->next, id);
	return e;
}

/* Add the texts of a result, each in an element of the list. */
static int
add_output(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	uint32_t e;

	CTX_FOR_LIST(doc, e, list) {
		if ((p = ctx_convo_put_part(c, CTX_TEXT, list, e)) == NULL)
			return -1;
		p->flags = CTX_INNER;
		p->text = ctx_node_if(doc, CTX_GET(doc, e, "content"), '"');
	}
	return 0;
}

/*
 * Add a call, and its result if its state has one.  Their first place is the
 * state, which shows that they belong together.
 */
static int
add_call(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e, struct states *states)
{
	struct ctx_part *p = ctx_convo_put_part(c, CTX_CALL, list, e), call;
	uint32_t f = CTX_GET(doc, e, "function"), state, out;

	if (p == NULL)
		return -1;
	p->flags = CTX_LIST_GOES;
	ctx_part_set_id(p, doc, CTX_GET(doc, e, "id"));
	p->name = ctx_node_str(doc, CTX_GET(doc, f, "name"));
	ctx_part_set_value(p, doc, CTX_GET(doc, f, "arguments"));
	if ((state = state_of(c, doc, states, p->id)) == CTX_NONE)
		return 0;
	p->place[1] = p->place[0];
	p->place[0] = (struct ctx_place){ state, states->list };
	p->flags &= ~(unsigned)CTX_LIST_GOES;
	out = ctx_node_if(doc, CTX_GET(doc, state, "output"), '[');
	if (out == CTX_NONE)
		return 0;
	call = *p;
	p = ctx_convo_put_part(c, CTX_RESULT, states->list, state);
	if (p == NULL)
		return -1;
	ctx_part_set_id(p, doc, CTX_GET(doc, state, "toolCallId"));
	p->name = call.name;
	if (ctx_node_is(doc, CTX_GET(doc, state, "status"), "errored"))
		p->flags |= CTX_ERROR;
	return add_output(c, doc, out);
}

static int
add_content(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t content,
    enum ctx_kind text)
{
	static const struct ctx_word kinds[] = {
		{ "text", CTX_TEXT }, { "imageUrl", CTX_IMAGE }, { NULL, 0 }
	};
	struct ctx_part *p;
	uint32_t e;

	if (ctx_node_if(doc, content, '"') != CTX_NONE) {
		if ((p = ctx_convo_add_part(c, text)) == NULL)
			return -1;
		p->text = content;
		return 0;
	}
	CTX_FOR_LIST(doc, e, content) {
		p = ctx_convo_put_part(c, (enum ctx_kind)ctx_node_word(doc,
		    CTX_GET(doc, e, "type"), kinds, CTX_OTHER), content, e);
		if (p == NULL)
			return -1;
		if (p->kind == CTX_TEXT) {
			p->kind = text;
			p->text = CTX_GET(doc, e, "text");
		}
	}
	return 0;
}

static int
add_result(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t message)
{
	struct ctx_part *p = ctx_convo_add_part(c, CTX_RESULT);

	if (p == NULL)
		return -1;
	ctx_part_set_id(p, doc, CTX_GET(doc, message, "toolCallId"));
	ctx_part_set_value(p, doc, CTX_GET(doc, message, "content"));
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t message = s->key[CTX_K_MESSAGE];
	uint32_t content = CTX_GET(doc, message, "content");
	uint32_t calls = CTX_GET(doc, message, "toolCalls"), e;
	struct states states;
	enum ctx_role role = (enum ctx_role)ctx_node_word(doc, CTX_GET(doc,
	    message, "role"), roles, CTX_USER);

	if (ctx_convo_add_msg(c, role, message, content) == NULL)
		return ctx_fail_nomem(err);
	if (role == CTX_TOOL)
		return add_result(c, doc, message) == -1 ?
		    ctx_fail_nomem(err) : 0;
	if (add_content(c, doc, content, ctx_node_is(doc, CTX_GET(doc, message,
	    "role"), "thinking") ? CTX_THINKING : CTX_TEXT) == -1)
		return ctx_fail_nomem(err);
	begin_states(&states, c, doc, CTX_GET(doc, s->node, "toolCallStates"));
	CTX_FOR_LIST(doc, e, calls)
		if (add_call(c, doc, calls, e, &states) == -1)
			return ctx_fail_nomem(err);
	return 0;
}

/* The editor's sessions have a message of the role tool besides. */
static int
settle(struct ctx_convo *c)
{
	return ctx_beside_settle(c, &ctx_dialect_continue);
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	static const char *const names[] = { "system", "user", "assistant",
	    "tool" };

	ctx_buf_addf(out, "{\"message\":{\"role\":\"%s\"",
	    names[what->role]);
	if (what->kind == CTX_NEW_RESULT)
		ctx_buf_addf(out, ",\"toolCallId\":\"%.*s\"",
		    CTX_STR_ARGS(what->id));
	ctx_buf_adds(out, ",\"content\":\"");
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"},\"contextItems\":[]}");
}

const struct ctx_dialect ctx_dialect_continue = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "continue",
	.title = "Continue's sessions",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT | CTX_RULE_SESSION,
	.list = CTX_K_HISTORY,
	.match = match,
	.view = view,
	.settle = settle,
	.emit = emit
};
