/* SPDX-License-Identifier: MIT */
/*
 * Mistral's chat completions: OpenAI's messages with parts of thinking that
 * have a list, document_url, a prefix, and ids of nine letters and digits.
 * Format and rules: docs.mistral.ai/api, recorded requests, and the API's error
 * messages.
 */
#include "view/dialect.h"
#include "view/dialect_openai.h"

static enum ctx_match
match(const struct ctx_shape *s, const struct ctx_doc *doc)
{
	return ctx_dialect_openai_match(s, doc, CTX_OPENAI_MISTRAL);
}

const struct ctx_dialect ctx_dialect_mistral = {
	.text_element = "{\"type\":\"text\",\"text\":\"",
	.name = "mistral",
	.title = "Mistral chat completions",
	/* an id with a suffix would be too long */
	.rules = CTX_RULE_PAIRS | CTX_RULE_ADJACENT | CTX_RULE_NEEDS_CONTENT |
	    CTX_RULE_TYPED,
	.base = &ctx_dialect_openai,
	.match = match,
	.list = CTX_K_MESSAGES,
	.view = ctx_dialect_openai_view,
	.emit = ctx_dialect_openai_emit
};
