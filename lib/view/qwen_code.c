/* SPDX-License-Identifier: MIT */
/*
 * Qwen Code session files: Gemini contents in the records of a log like Claude
 * Code's, a tree by uuid and parentUuid.  Each result of parallel calls is in a
 * record of its own.
 * Format: derived from real files, versions 0.15 and 0.24, and from the
 * program's source (packages/core, chatRecordingService); it is not documented.
 */
#include "view/dialect.h"

#include "view/envelope.h"

enum record { R_NONE, R_MESSAGE, R_ASIDE };

static const struct ctx_word records[] = {
	{ "user", R_MESSAGE }, { "assistant", R_MESSAGE },
	{ "tool_result", R_MESSAGE }, { "system", R_ASIDE }, { NULL, 0 }
};

/*
 * The contents that replace all earlier messages; CTX_NONE if there are none.
 */
static uint32_t
compressed(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_node_if(doc, CTX_GET(doc, CTX_GET(doc, s->node,
	    "systemPayload"), "compressedHistory"), '[');
}

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	uint32_t message = ctx_node_if(doc, s->key[CTX_K_MESSAGE], '{');
	struct ctx_shape inner;

	if (ctx_node_if(doc, s->key[CTX_K_UUID], '"') == CTX_NONE)
		return CTX_MATCH_NOT;
	switch (ctx_node_word(doc, s->key[CTX_K_TYPE], records, R_NONE)) {
	case R_MESSAGE:
		if (message == CTX_NONE)
			return CTX_MATCH_NOT;
		ctx_shape_of(&inner, doc, message);
		if (ctx_node_if(doc, inner.key[CTX_K_PARTS], '[') == CTX_NONE)
			return CTX_MATCH_NOT;
		return ctx_dialect_gemini.match(&inner, doc) ==
		    CTX_MATCH_NOT ? CTX_MATCH_NOT : CTX_MATCH_SURE;
	case R_ASIDE:
		if (compressed(s, doc) != CTX_NONE)
			return CTX_MATCH_SURE;
		return message == CTX_NONE ? CTX_MATCH_ASIDE : CTX_MATCH_NOT;
	default:
		return CTX_MATCH_NOT;
	}
}

static int
view(struct ctx_convo *c, const struct ctx_doc *doc, const struct ctx_shape *s,
    struct ctx_err *err)
{
	uint32_t message = ctx_node_if(doc, s->key[CTX_K_MESSAGE], '{');
	uint32_t first = c->nmsg, shown;
	struct ctx_shape inner;

	if (message == CTX_NONE) {
		if (ctx_dialect_nested(c, &ctx_dialect_gemini, doc,
		    compressed(s, doc), err) == -1)
			return -1;
		if (c->nmsg > first) {
			c->msg[first].flags |= CTX_BOUNDARY;
			c->msg[c->nmsg - 1].flags |= CTX_SUMMARY;
		}
		return 0;
	}
	ctx_shape_of(&inner, doc, message);
	if (ctx_dialect_gemini.view(c, doc, &inner, err) == -1)
		return -1;
	shown = ctx_node_if(doc, CTX_GET(doc, CTX_GET(doc, s->node,
	    "toolCallResult"), "resultDisplay"), '"');
	if (shown != CTX_NONE && ctx_convo_put_copy(c, shown) == -1)
		return ctx_fail_nomem(err);
	return 0;
}

static int
branches(const struct ctx_convo *c, uint32_t tip, unsigned char *gone)
{
	return ctx_envelope_branches(c, tip, &ctx_dialect_qwen_code, gone);
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	ctx_envelope_emit(out, what);
	ctx_buf_addf(out, ",\"type\":\"%s\",\"message\":",
	    what->role == CTX_ASSISTANT ? "assistant" :
	    what->kind == CTX_NEW_TEXT ? "user" : "tool_result");
	ctx_dialect_gemini.emit(out, what);
	return ctx_buf_adds(out, "}");
}

const struct ctx_dialect ctx_dialect_qwen_code = {
	.text_element = "{\"text\":\"",
	.name = "qwen-code",
	.title = "Qwen Code session files",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ANYWHERE | CTX_RULE_LOG,
	.family = "gemini",
	.branches = branches,
	.chain = &(const struct ctx_chain_form){ .id = "uuid",
	    .parent = "parentUuid" },
	.list = CTX_K_CONTENTS,
	.match = match,
	.view = view,
	.emit = emit
};
