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
	{ "Cohere", "{\"usage\":{\"billed_units\":{\"input_tokens\":5},"
	    "\"tokens\":{\"input_tokens\":71,\"output_tokens\":8}}}", 71 },
	{ "Ollama", "{\"prompt_eval_count\":26,\"eval_count\":298}", 26 },
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

/* All that an answer says. */
static const struct {
	const char *what, *json;
	struct ctx_usage want;
} whole[] = {
	{ "Gemini, with what tools of the server found", "{\"usageMetadata\":{"
	    "\"promptTokenCount\":12,\"candidatesTokenCount\":3,"
	    "\"toolUsePromptTokenCount\":100,\"thoughtsTokenCount\":20,"
	    "\"totalTokenCount\":135}}", { 112, 0, 0, 0, 23 } },
	{ "Gemini CLI", "{\"tokens\":{\"input\":12,\"output\":3,\"cached\":4,"
	    "\"thoughts\":20,\"tool\":100,\"total\":135}}",
	    { 112, 4, 0, 0, 23 } },
	{ "xAI, with its reasoning beside", "{\"usage\":{\"prompt_tokens\":30,"
	    "\"completion_tokens\":9,\"total_tokens\":239,"
	    "\"completion_tokens_details\":{\"reasoning_tokens\":200}}}",
	    { 30, 0, 0, 0, 209 } },
	{ "OpenAI, with its reasoning inside", "{\"usage\":{"
	    "\"prompt_tokens\":30,\"completion_tokens\":209,"
	    "\"total_tokens\":239,\"completion_tokens_details\":{"
	    "\"reasoning_tokens\":200}}}", { 30, 0, 0, 0, 209 } },
	{ "OpenRouter", "{\"usage\":{\"prompt_tokens\":1000,"
	    "\"completion_tokens\":10,\"total_tokens\":1010,"
	    "\"prompt_tokens_details\":{\"cached_tokens\":640,"
	    "\"cache_write_tokens\":100}}}", { 1000, 640, 100, 0, 10 } },
	{ "Pydantic AI", "{\"usage\":{\"input_tokens\":1000,"
	    "\"cache_write_tokens\":50,\"cache_read_tokens\":800,"
	    "\"output_tokens\":10}}", { 1000, 800, 50, 0, 10 } },
	{ "LangChain", "{\"usage_metadata\":{\"input_tokens\":350,"
	    "\"output_tokens\":240,\"total_tokens\":590,"
	    "\"input_token_details\":{\"cache_creation\":200,"
	    "\"cache_read\":100}}}", { 350, 100, 200, 0, 240 } },
	{ "Bedrock's total is without its cache", "{\"usage\":{"
	    "\"inputTokens\":30,\"outputTokens\":628,\"totalTokens\":658,"
	    "\"cacheReadInputTokens\":100}}", { 130, 100, 0, 0, 628 } },
	{ "Ollama", "{\"prompt_eval_count\":26,\"eval_count\":298}",
	    { 26, 0, 0, 0, 298 } },
	{ "Cohere", "{\"usage\":{\"tokens\":{\"input_tokens\":71,"
	    "\"output_tokens\":8}}}", { 71, 0, 0, 0, 8 } },
};

static void
check_whole(struct ctx_doc *doc)
{
	struct ctx_usage got;
	size_t i;

	for (i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		TEST("%s: all", whole[i].what);
		if (!CHECK(ctx_doc_scan(doc, whole[i].json,
		    strlen(whole[i].json), NULL) == 0))
			continue;
		got = ctx_usage_read(doc, ctx_usage_in(doc, 0));
		CHECK_INT(got.input, whole[i].want.input);
		CHECK_INT(got.cached, whole[i].want.cached);
		CHECK_INT(got.written, whole[i].want.written);
		CHECK_INT(got.hour, whole[i].want.hour);
		CHECK_INT(got.output, whole[i].want.output);
	}
}

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
	check_whole(&doc);
	ctx_doc_done(&doc);
	return CHECK_DONE("usage");
}
