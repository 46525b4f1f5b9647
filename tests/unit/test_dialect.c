/* SPDX-License-Identifier: MIT */
/*
 * Which dialects a message with a role, a text and nothing else may have: what
 * detection relies on when it asks no others after OpenAI's.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "view/dialect.h"

/* The roles of all dialects, and words that are none. */
static const char *const roles[] = {
	"user", "assistant", "system", "developer", "tool", "function", "model",
	"human", "gpt", "ai", "chatbot", "CHATBOT", "toolResult", "info",
	"message", "session", "summary", "x", "us\\u0065r", ""
};

static const char *const texts[] = {
	"x", "message", "session_meta", "model", "text", "{}", "\\u0041"
};

/* Is any dialect surer of the message than OpenAI's, which says maybe? */
static void
test_plain(const char *form, const char *role, const char *text)
{
	struct ctx_err err = { 0 };
	struct ctx_doc doc = { 0 };
	struct ctx_shape s;
	enum ctx_match fit;
	char line[200];
	size_t i;

	snprintf(line, sizeof(line), form, role, text);
	TEST("%s", line);
	if (!CHECK_INT(ctx_doc_scan(&doc, line, strlen(line), &err), 0))
		return;
	ctx_shape_of(&s, &doc, 0);
	fit = ctx_dialects[0]->match(&s, &doc);
	CHECK(ctx_dialects[0] == &ctx_dialect_openai);
	for (i = 1; fit == CTX_MATCH_MAYBE && ctx_dialects[i] != NULL; i++)
		CHECK(ctx_dialects[i]->match(&s, &doc) <= CTX_MATCH_MAYBE);
	ctx_doc_done(&doc);
}

int
main(void)
{
	static const char *const forms[] = {
		"{\"role\":\"%s\",\"content\":\"%s\"}",
		"{\"content\":\"%2$s\",\"role\":\"%1$s\"}"
	};
	size_t i, k, n;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		for (k = 0; k < sizeof(roles) / sizeof(roles[0]); k++)
			for (n = 0; n < sizeof(texts) / sizeof(texts[0]); n++)
				test_plain(forms[i], roles[k], texts[n]);
	return CHECK_DONE("dialect");
}
