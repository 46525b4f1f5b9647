/* SPDX-License-Identifier: MIT */
/*
 * Cohere's chat API, version 2: OpenAI's messages with a tool_plan beside the
 * calls, parts of thinking, and documents as results.
 * Format and rules: docs.cohere.com/reference/chat; recorded requests.
 */
#include "view/dialect.h"
#include "view/dialect_openai.h"

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_dialect_openai_match(s, doc, CTX_OPENAI_COHERE);
}

const struct ctx_dialect ctx_dialect_cohere = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "cohere",
	.title = "Cohere chat, version 2",
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT | CTX_RULE_NEEDS_CONTENT |
	    CTX_RULE_UNIQUE_IDS | CTX_RULE_TYPED,
	.base = &ctx_dialect_openai,
	.match = match,
	.list = CTX_K_MESSAGES,
	.view = ctx_dialect_openai_view,
	.emit = ctx_dialect_openai_emit
};
