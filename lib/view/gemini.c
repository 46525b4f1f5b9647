/* SPDX-License-Identifier: MIT */
/*
 * Gemini contents: {"role":"user"|"model","parts":[...]}.  Keys may be in camel
 * case or snake case; calls may lack ids.
 * Format and rules: ai.google.dev/api (Content, Part) and the guides on
 * function calling and thought signatures; ctx-stream(5) lists them.
 */
#include <string.h>

#include "view/dialect.h"

static const struct ctx_word roles[] = {
	{ "user", CTX_USER }, { "model", CTX_ASSISTANT },
	{ "function", CTX_USER }, { "system", CTX_SYSTEM }, { NULL, 0 }
};

/* The member that tells what a part is. */
enum member {
	M_NONE, M_TEXT, M_CALL, M_RESPONSE, M_DATA, M_FILE, M_CODE, M_OUTPUT
};

static const struct ctx_word members[] = {
	{ "text", M_TEXT }, { "functionCall", M_CALL },
	{ "function_call", M_CALL }, { "functionResponse", M_RESPONSE },
	{ "function_response", M_RESPONSE }, { "inlineData", M_DATA },
	{ "inline_data", M_DATA }, { "fileData", M_FILE },
	{ "file_data", M_FILE }, { "executableCode", M_CODE },
	{ "executable_code", M_CODE }, { "codeExecutionResult", M_OUTPUT },
	{ "code_execution_result", M_OUTPUT }, { NULL, M_NONE }
};

static enum member
member_of(const struct ctx_doc *doc, uint32_t e, uint32_t *value)
{
	return (enum member)ctx_shape_union(doc, e, members, value);
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t parts = ctx_node_if(doc, s->key[CTX_K_PARTS], '['), e, v;
	uint32_t role = s->key[CTX_K_ROLE];
	enum ctx_match fit = CTX_MATCH_MAYBE;
	int typed = 0, other = 0, strange = 0;

	if (s->key[CTX_K_KIND] != CTX_NONE || (role == CTX_NONE ?
	    !ctx_shape_filled(doc, parts) : ctx_node_word(doc, role, roles, -1) == -1))
		return CTX_MATCH_NOT;
	/* an answer that was cut off before its first word has no parts */
	if (parts == CTX_NONE && !ctx_shape_bare(s, doc))
		return CTX_MATCH_NOT;
	if (ctx_node_is(doc, role, "model"))
		fit = CTX_MATCH_SURE;
	CTX_FOR_LIST(doc, e, parts) {
		/* a part that names its type is not a Gemini part */
		if (ctx_node_if(doc, CTX_GET(doc, e, "type"), '"') != CTX_NONE)
			typed = 1;
		else if (CTX_GIVEN(doc, e, "type") != CTX_NONE ||
		    CTX_GIVEN(doc, e, "part_kind") != CTX_NONE)
			other = 1;
		else if (member_of(doc, e, &v) != M_NONE)
			return CTX_MATCH_SURE;
		else
			strange = 1;
	}
	/* one of a type that nobody knows may be anyone's */
	if (other || (typed &&
	    ctx_dialect_ai_sdk.match(s, doc) > CTX_MATCH_WEAK))
		return CTX_MATCH_NOT;
	if ((typed || strange) && fit != CTX_MATCH_SURE)
		return CTX_MATCH_WEAK;
	return fit;
}

static void
set_link(struct ctx_part *p, const struct ctx_doc *doc, uint32_t v)
{
	p->flags |= CTX_BY_NAME | CTX_RAW;
	ctx_part_set_id(p, doc, CTX_GET(doc, v, "id"));
	p->name = ctx_node_str(doc, CTX_GET(doc, v, "name"));
}

/*
 * Set the text of a response: the one string member that tools put their output
 * in, or the whole object.
 */
static void
set_response(struct ctx_part *p, const struct ctx_doc *doc, uint32_t v)
{
	uint32_t response = CTX_GIVEN(doc, v, "response"), first;

	p->text = response;
	if (ctx_node_if(doc, response, '{') == CTX_NONE)
		return;
	if (CTX_GIVEN(doc, response, "error") != CTX_NONE)
		p->flags |= CTX_ERROR;
	first = response + 1;
	if (first >= doc->node[response].next ||
	    doc->node[first + 1].next != doc->node[response].next ||
	    ctx_node_type(doc, first + 1) != '"')
		return;
	p->text = first + 1;
	p->flags &= ~(unsigned)CTX_RAW;
}

static enum ctx_kind
kind_of_data(const struct ctx_doc *doc, uint32_t v)
{
	uint32_t mime = CTX_GIVEN(doc, v, "mimeType");
	struct ctx_str s;

	if (mime == CTX_NONE)
		mime = CTX_GET(doc, v, "mime_type");
	s = ctx_node_str(doc, mime);
	return s.len > 6 && ctx_node_begins(s, "image/") ? CTX_IMAGE :
	    CTX_FILE;
}

/* Add the images and files that a response has beside its JSON. */
static int
add_media(struct ctx_convo *c, const struct ctx_doc *doc, uint32_t list)
{
	struct ctx_part *p;
	enum ctx_kind kind;
	uint32_t e, v;

	CTX_FOR_LIST(doc, e, list) {
		kind = member_of(doc, e, &v) == M_NONE ? CTX_OTHER :
		    kind_of_data(doc, v);
		if ((p = ctx_convo_put_part(c, kind, list, e)) == NULL)
			return -1;
		p->flags = CTX_INNER;
	}
	return 0;
}

int
ctx_dialect_gemini_part(struct ctx_convo *c, const struct ctx_doc *doc,
    uint32_t list, uint32_t e)
{
	static const enum ctx_kind kinds[] = {
		[M_NONE] = CTX_OTHER, [M_TEXT] = CTX_TEXT,
		[M_CALL] = CTX_CALL, [M_RESPONSE] = CTX_RESULT,
		[M_DATA] = CTX_FILE, [M_FILE] = CTX_FILE,
		[M_CODE] = CTX_OTHER, [M_OUTPUT] = CTX_OTHER
	};
	uint32_t v, sign, thought;
	enum member m = member_of(doc, e, &v);
	struct ctx_part *p = ctx_convo_put_part(c, kinds[m], list, e);

	if (p == NULL)
		return -1;
	sign = CTX_GIVEN(doc, e, "thoughtSignature");
	if (sign == CTX_NONE)
		sign = CTX_GIVEN(doc, e, "thought_signature");
	if (sign != CTX_NONE)
		p->flags |= CTX_SIGNED;
	switch (m) {
	case M_TEXT:
		p->text = v;
		thought = CTX_GET(doc, e, "thought");
		if (ctx_node_if(doc, thought, 't') != CTX_NONE)
			p->kind = CTX_THINKING;
		break;
	case M_CALL:
		set_link(p, doc, v);
		p->text = CTX_GIVEN(doc, v, "args");
		break;
	case M_RESPONSE:
		set_link(p, doc, v);
		set_response(p, doc, v);
		return add_media(c, doc, CTX_GET(doc, v, "parts"));
	case M_DATA:
	case M_FILE:
		p->kind = kind_of_data(doc, v);
		break;
	default:
		break;
	}
	return 0;
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t parts = s->key[CTX_K_PARTS], e;

	if (ctx_convo_add_msg(c, (enum ctx_role)ctx_node_word(doc,
	    s->key[CTX_K_ROLE], roles, CTX_USER), s->node, parts) == NULL)
		return ctx_fail_nomem(err);
	CTX_FOR_LIST(doc, e, parts)
		if (ctx_dialect_gemini_part(c, doc, parts, e) == -1)
			return ctx_fail_nomem(err);
	return 0;
}

static int
emit_response(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_adds(out, "{\"functionResponse\":{");
	if (what->id.p != NULL)
		ctx_buf_addf(out, "\"id\":\"%.*s\",", CTX_STR_ARGS(what->id));
	ctx_buf_addf(out, "\"name\":\"%.*s\",\"response\":{\"error\":\"",
	    CTX_STR_ARGS(what->name));
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}}}");
}

int
ctx_dialect_gemini_emit(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_addc(out, '[');
	if (what->kind == CTX_NEW_RESULT)
		emit_response(out, what);
	else if (what->kind == CTX_NEW_MOVED)
		ctx_buf_add(out, what->raw, what->rawlen);
	else {
		ctx_buf_adds(out, "{\"text\":\"");
		ctx_str_encode(out, what->text, what->textlen);
		ctx_buf_adds(out, "\"}");
	}
	return ctx_buf_adds(out, "]");
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_buf_addf(out, "{\"role\":\"%s\",\"parts\":",
	    what->role == CTX_ASSISTANT ? "model" : "user");
	ctx_dialect_gemini_emit(out, what);
	return ctx_buf_adds(out, "}");
}

const struct ctx_dialect ctx_dialect_gemini = {
	.text_element = "{\"text\":\"",
	.name = "gemini",
	.title = "Gemini contents",
	.rules = CTX_RULE_PAIRS | CTX_RULE_IN_USER | CTX_RULE_NEEDS_PARTS |
	    CTX_RULE_FIRST_USER,
	.list = CTX_K_CONTENTS,
	.system = { CTX_K_SYSTEM_INSTRUCTION, CTX_K_SYSTEM_INSTRUCTION_SNAKE },
	.match = match,
	.view = view,
	.emit = emit
};
