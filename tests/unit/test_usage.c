/* SPDX-License-Identifier: MIT */
/* What requests cost, as answers and logs have it. */
#include "view/usage.h"

#include "check.h"

static const struct {
	const char *what, *json;
	unsigned tokens;	/* 0: nothing is found */
} rows[] = {
	{ "Anthropic, with its cache beside", "{\"usage\":{\"input_tokens\":3,"
	    "\"cache_creation_input_tokens\":100,"
	    "\"cache_read_input_tokens\":2000,\"output_tokens\":7}}", 2103 },
	{ "Responses, with its cache inside", "{\"usage\":{\"input_tokens\":90,"
	    "\"input_tokens_details\":{\"cached_tokens\":80}}}", 90 },
	{ "OpenAI chat, with its cache inside", "{\"usage\":{"
	    "\"prompt_tokens\":90,\"cache_read_input_tokens\":80}}", 90 },
	{ "Gemini", "{\"usageMetadata\":{\"promptTokenCount\":12,"
	    "\"cachedContentTokenCount\":5}}", 12 },
	{ "Bedrock", "{\"usage\":{\"inputTokens\":5,"
	    "\"cacheReadInputTokens\":6,\"cacheWriteInputTokens\":7}}", 18 },
	{ "pi", "{\"usage\":{\"input\":5,\"cacheRead\":6,\"cacheWrite\":7}}",
	    18 },
	{ "opencode", "{\"tokens\":{\"input\":5,\"cache\":{\"read\":6,"
	    "\"write\":7}}}", 18 },
	{ "Gemini CLI", "{\"tokens\":{\"input\":5,\"cached\":4}}", 5 },
	{ "an event of Codex", "{\"total_token_usage\":{\"input_tokens\":99},"
	    "\"last_token_usage\":{\"input_tokens\":9,"
	    "\"cached_input_tokens\":4}}", 9 },
	{ "the object itself", "{\"input_tokens\":4}", 4 },
	{ "nothing", "{}", 0 },
	{ "no object", "[]", 0 },
	{ "null", "{\"usage\":null}", 0 },
	{ "nothing was used", "{\"usage\":{\"input_tokens\":0}}", 0 },
	{ "no number", "{\"usage\":{\"input_tokens\":\"9\"}}", 0 },
	{ "no whole number", "{\"usage\":{\"input_tokens\":9.5}}", 0 },
	{ "less than nothing", "{\"usage\":{\"input_tokens\":-9}}", 0 },
	{ "no number of tokens", "{\"usage\":{\"input_tokens\":"
	    "99999999999999999999999}}", 0 },
};

int
main(void)
{
	struct ctx_doc doc = { 0 };
	uint32_t usage;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		TEST("%s", rows[i].what);
		if (!CHECK(ctx_doc_scan(&doc, rows[i].json,
		    strlen(rows[i].json), NULL) == 0))
			continue;
		usage = ctx_usage_in(&doc, 0);
		CHECK_INT(usage != CTX_NONE, rows[i].tokens > 0);
		if (usage != CTX_NONE)
			CHECK_INT(ctx_usage_input(&doc, usage),
			    rows[i].tokens);
	}
	ctx_doc_done(&doc);
	return CHECK_DONE("usage");
}
