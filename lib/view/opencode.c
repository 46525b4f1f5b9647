/* SPDX-License-Identifier: MIT */
/*
 * OpenCode's sessions, as "opencode export" writes them: a document {"info",
 * "messages":[{"info":{"role",...},"parts":[...]}]}, in which a call and its
 * result are one part.
 * Format: derived from real files, version 1.18, and from the program's source
 * (packages/opencode, session/message-v2).
 */
#include "view/dialect.h"

#include <stdlib.h>
#include <string.h>

enum part { P_OTHER, P_TEXT, P_REASONING, P_TOOL, P_FILE, P_ASIDE };

static const struct ctx_word types[] = {
	{ "text", P_TEXT }, { "reasoning", P_REASONING }, { "tool", P_TOOL },
	{ "file", P_FILE }, { "step-start", P_ASIDE },
	{ "step-finish", P_ASIDE }, { "patch", P_ASIDE },
	{ "snapshot", P_ASIDE }, { "agent", P_ASIDE }, { "retry", P_ASIDE },
	{ "compaction", P_ASIDE }, { NULL, 0 }
};

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "assistant", CTX_ASSISTANT }, { NULL, 0 }
};

static uint32_t
role_of(const struct ctx_doc *doc, uint32_t node)
{
	return CTX_GET(doc, CTX_GET(doc, node, "info"), "role");
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_node_if(doc, s->key[CTX_K_PARTS], '[') != CTX_NONE &&
	    s->key[CTX_K_ROLE] == CTX_NONE &&
	    ctx_node_word(doc, role_of(doc, s->node), roles, -1) != -1 ?
	    CTX_MATCH_SURE : CTX_MATCH_NOT;
}

/* What a call has brought; CTX_NONE while it runs. */
static uint32_t
output_of(const struct ctx_doc *doc, uint32_t state)
{
	uint32_t status = CTX_GET(doc, state, "status");

	return ctx_node_is(doc, status, "completed") ?
	    CTX_GIVEN(doc, state, "output") :
	    ctx_node_is(doc, status, "error") ? CTX_GIVEN(doc, state, "error") :
	    CTX_NONE;
}

static struct ctx_part *
add_half(struct ctx_convo *c, const struct ctx_doc *doc, enum ctx_kind kind,
    uint32_t list, uint32_t e)
{
	struct ctx_part *p = ctx_convo_put_part(c, kind, list, e);

	if (p != NULL) {
		ctx_part_set_id(p, doc, CTX_GET(doc, e, "callID"));
		p->name = ctx_node_str(doc, CTX_GET(doc, e, "tool"));
	}
	return p;
}

/*
 * Add a call and its result.  One that is still open can be answered by a part
 * that has no input: that is how emit writes a result.
 */
static int
add_tool(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	uint32_t state = CTX_GET(doc, e, "state");
	uint32_t input = CTX_GIVEN(doc, state, "input");
	uint32_t out = output_of(doc, state);
	unsigned both = input != CTX_NONE && out != CTX_NONE ? CTX_SERVER : 0;
	struct ctx_part *p;

	if (input != CTX_NONE || out == CTX_NONE) {
		if ((p = add_half(c, doc, CTX_CALL, list, e)) == NULL)
			return -1;
		p->flags = both;
		ctx_part_set_value(p, doc, input);
	}
	if (out == CTX_NONE)
		return 0;
	if ((p = add_half(c, doc, CTX_RESULT, list, e)) == NULL)
		return -1;
	p->flags = both;
	if (ctx_node_is(doc, CTX_GET(doc, state, "status"), "error"))
		p->flags |= CTX_ERROR;
	/* what was compacted is no longer sent */
	if (CTX_GIVEN(doc, CTX_GET(doc, state, "time"), "compacted") ==
	    CTX_NONE)
		ctx_part_set_value(p, doc, out);
	else if (ctx_convo_put_copies(c, doc, out) == -1)
		return -1;
	/* for the interface */
	return ctx_convo_put_copies(c, doc, CTX_GET(doc, state, "metadata"));
}

static int
add_part(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list,
    uint32_t e)
{
	enum part what = (enum part)ctx_node_word(doc, CTX_GET(doc, e, "type"),
	    types, P_OTHER);
	struct ctx_str mime;
	struct ctx_part *p;

	if (what == P_TOOL)
		return add_tool(c, doc, list, e);
	if (what == P_ASIDE || ctx_node_if(doc, CTX_GET(doc, e, "ignored"),
	    't') != CTX_NONE)
		return 0;
	if ((p = ctx_convo_put_part(c, CTX_OTHER, list, e)) == NULL)
		return -1;
	switch (what) {
	case P_TEXT:
	case P_REASONING:
		p->kind = what == P_TEXT ? CTX_TEXT : CTX_THINKING;
		p->text = CTX_GET(doc, e, "text");
		if (what == P_REASONING && ctx_shape_filled(doc, CTX_GET(doc,
		    e, "metadata")))
			p->flags |= CTX_SIGNED;
		return 0;
	case P_FILE:
		mime = ctx_node_str(doc, CTX_GET(doc, e, "mime"));
		p->kind = ctx_node_begins(mime, "image/") ? CTX_IMAGE :
		    CTX_FILE;
		return 0;
	default:
		return 0;
	}
}

/* Has message m, which emit wrote, only results? */
static int
only_results(const struct ctx_convo *c, const struct ctx_msg *m)
{
	uint32_t i;

	for (i = m->part; i < m->part + m->npart; i++)
		if (!(c->part[i].flags & CTX_INNER) &&
		    (c->part[i].kind != CTX_RESULT ||
		    c->part[i].flags & CTX_SERVER))
			return 0;
	return m->npart > 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t parts = s->key[CTX_K_PARTS], e;

	if (ctx_convo_add_msg(c, (enum ctx_role)ctx_node_word(doc,
	    role_of(doc, s->node), roles, CTX_USER), s->node, parts) == NULL)
		return ctx_fail_nomem(err);
	CTX_FOR_LIST(doc, e, parts)
		if (add_part(c, doc, parts, e) == -1)
			return ctx_fail_nomem(err);
	if (only_results(c, &c->msg[c->nmsg - 1]))
		c->msg[c->nmsg - 1].role = CTX_TOOL;
	return 0;
}

/* --- new messages -------------------------------------------------------- */

/* Of the message that a new one is like; CTX_NONE if it has no such member. */
static uint32_t
member(const struct ctx_new *what, const char *key)
{
	uint32_t info = what->doc == NULL ? CTX_NONE :
	    CTX_GET(what->doc, what->like, "info");

	return info == CTX_NONE ? CTX_NONE :
	    ctx_doc_get(what->doc, info, key, strlen(key));
}

/* Add node, or what stands for it if there is none. */
static void
put(struct ctx_buf *out, const struct ctx_new *what, const char *before,
    uint32_t node, const char *otherwise)
{
	ctx_buf_adds(out, before);
	if (node != CTX_NONE)
		ctx_node_put(out, what->doc, node);
	else
		ctx_buf_adds(out, otherwise);
}

/*
 * The program sorts messages by their ids, TYPE_ and twelve hexadecimal digits of
 * a time and a counter.  Take those before the next message's.
 */
static void
put_id(struct ctx_buf *out, const struct ctx_new *what, const char *type)
{
	uint32_t node = member(what, "id");
	struct ctx_str next = what->doc == NULL ? (struct ctx_str){ NULL, 0 } :
	    ctx_node_str(what->doc, node);
	char digits[13] = "";
	unsigned long long n;

	if (next.len >= 16)
		memcpy(digits, next.p + 4, 12);
	n = strtoull(digits, NULL, 16) - (what->role == CTX_ASSISTANT ? 1 : 2);
	ctx_buf_addf(out, "\"%s_%012llx%.*s\"", type, n & 0xffffffffffff,
	    next.len > 16 ? (int)next.len - 16 : 0,
	    next.len > 16 ? next.p + 16 : "");
}

/* What a message of the assistant must have. */
static void
put_answer(struct ctx_buf *out, const struct ctx_new *what, uint32_t model)
{
	struct ctx_new question = *what;

	question.role = CTX_USER;
	ctx_buf_adds(out, ",\"parentID\":");
	put_id(out, &question, "msg");
	put(out, what, ",\"mode\":", member(what, "agent"), "\"build\"");
	put(out, what, ",\"path\":", member(what, "path"),
	    "{\"cwd\":\"\",\"root\":\"\"}");
	ctx_buf_adds(out, ",\"cost\":0,\"tokens\":{\"input\":0,\"output\":0,"
	    "\"reasoning\":0,\"cache\":{\"read\":0,\"write\":0}}");
	put(out, what, ",\"providerID\":", CTX_GET(what->doc, model,
	    "providerID"), "\"\"");
	put(out, what, ",\"modelID\":", CTX_GET(what->doc, model, "modelID"),
	    "\"\"");
}

/* What a message must have if the program is to import it. */
static void
put_info(struct ctx_buf *out, const struct ctx_new *what)
{
	uint32_t model = member(what, "model");
	uint32_t time = CTX_GET(what->doc, member(what, "time"), "created");

	if (model == CTX_NONE)		/* an assistant's has its members */
		model = CTX_GET(what->doc, what->like, "info");
	put(out, what, ",\"time\":{\"created\":", time, "0");
	put(out, what, "},\"agent\":", member(what, "agent"), "\"build\"");
	if (what->role == CTX_ASSISTANT)
		put_answer(out, what, model);
	else {
		put(out, what, ",\"model\":{\"providerID\":",
		    CTX_GET(what->doc, model, "providerID"), "\"\"");
		put(out, what, ",\"modelID\":", CTX_GET(what->doc, model,
		    "modelID"), "\"\"");
		ctx_buf_addc(out, '}');
	}
	ctx_buf_adds(out, ",\"id\":");
	put_id(out, what, "msg");
	put(out, what, ",\"sessionID\":", member(what, "sessionID"), "\"\"");
}

static void
put_text(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_adds(out, "{\"type\":\"text\",\"text\":\"");
	ctx_str_encode(out, what->text, what->textlen);
	ctx_buf_addc(out, '"');
	if (member(what, "id") != CTX_NONE) {
		ctx_buf_adds(out, ",\"id\":");
		put_id(out, what, "prt");
		put(out, what, ",\"sessionID\":", member(what, "sessionID"),
		    "\"\"");
		ctx_buf_adds(out, ",\"messageID\":");
		put_id(out, what, "msg");
	}
	ctx_buf_addc(out, '}');
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_addf(out, "{\"info\":{\"role\":\"%s\"",
	    what->role == CTX_USER || what->role == CTX_SYSTEM ? "user" :
	    "assistant");
	if (what->kind == CTX_NEW_TEXT && member(what, "id") != CTX_NONE)
		put_info(out, what);
	ctx_buf_adds(out, "},\"parts\":[");
	if (what->kind == CTX_NEW_MOVED)
		ctx_buf_add(out, what->raw, what->rawlen);
	else if (what->kind == CTX_NEW_RESULT) {
		ctx_buf_addf(out, "{\"type\":\"tool\",\"callID\":\"%.*s\","
		    "\"tool\":\"%.*s\",\"state\":{\"status\":\"error\","
		    "\"error\":\"", CTX_STR_ARGS(what->id),
		    CTX_STR_ARGS(what->name));
		ctx_str_encode(out, what->text, what->textlen);
		ctx_buf_adds(out, "\"}}");
	} else
		put_text(out, what);
	return ctx_buf_adds(out, "]}");
}

const struct ctx_dialect ctx_dialect_opencode = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "opencode",
	.title = "OpenCode's exported sessions",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_SESSION,
	.list = CTX_K_MESSAGES,
	.match = match,
	.view = view,
	.own = &(const struct ctx_dialect_own){ NULL, NULL, "synthetic" },
	.emit = emit
};
