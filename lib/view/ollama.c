/* SPDX-License-Identifier: MIT */
/*
 * Ollama's own chat API: OpenAI's messages with arguments that are objects,
 * results that name their tool instead of their call, thinking as a member, and
 * images as a list of base64 beside the content.
 * Format: docs.ollama.com/api/chat.  The server checks no history; what is
 * checked here is what models are trained on.
 */
#include "view/dialect.h"
#include "view/dialect_openai.h"

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_dialect_openai_match(s, doc, CTX_OPENAI_OLLAMA);
}

static int
emit(struct ctx_buf *out, const struct ctx_new *what)
{
	if (what->kind != CTX_NEW_RESULT)
		return ctx_dialect_openai_emit(out, what);
	ctx_buf_adds(out, "{\"role\":\"tool\"");
	if (what->id.p != NULL)
		ctx_buf_addf(out, ",\"tool_call_id\":\"%.*s\"",
		    CTX_STR_ARGS(what->id));
	ctx_buf_addf(out, ",\"tool_name\":\"%.*s\",\"content\":\"",
	    CTX_STR_ARGS(what->name));
	ctx_str_encode(out, what->text, what->textlen);
	return ctx_buf_adds(out, "\"}");
}

const struct ctx_dialect ctx_dialect_ollama = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "ollama",
	.title = "Ollama chat",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT | CTX_RULE_NEEDS_CONTENT |
	    CTX_RULE_UNIQUE_IDS,
	.base = &ctx_dialect_openai,
	.match = match,
	.list = CTX_K_MESSAGES,
	.view = ctx_dialect_openai_view,
	.emit = emit
};
