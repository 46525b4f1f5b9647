/* SPDX-License-Identifier: MIT */
/* Members of requests that models refuse; see param.h. */
#include "decide/param.h"

#include <stdio.h>
#include <string.h>

#define SAMPLING " temperature top_p presence_penalty frequency_penalty " \
	"logprobs top_logprobs logit_bias "
/* before them: 3.x, 4.0, 4.1, 4.5 and 4.6 */
#define CLAUDE_47 "claude-opus-4-7 claude-opus-4-8 claude-opus-5 " \
	"claude-sonnet-5 claude-haiku-5 claude-fable claude-mythos"

/* Read in November 2026. */
static const struct ctx_param_row rows[] = {
	/* developers.openai.com/api/docs/guides/reasoning; the reference of
	   chat completions: "not compatible with o-series models" */
	{ .api = "openai", .models = "o1 o3 o4 gpt-5 gpt-6",
	    .names = " max_tokens ", .instead = "max_completion_tokens" },
	/* the same guide: its models have no sampling parameters; recorded:
	   gpt-5-nano took a temperature of 1, which is the default */
	{ .api = "openai", .models = "o1 o3 o4 gpt-5 !gpt-5-chat !gpt-5.",
	    .names = SAMPLING },
	{ .api = "openai-responses",
	    .models = "o1 o3 o4 gpt-5 !gpt-5-chat !gpt-5.",
	    .names = SAMPLING },
	/* developers.openai.com/api/docs/guides/latest-model: from GPT-5.1 on
	   with a reasoning effort of none; recorded for gpt-5.4-nano */
	{ .api = "openai", .models = "gpt-5. gpt-6", .names = SAMPLING,
	    .perhaps = 1 },
	{ .api = "openai-responses", .models = "gpt-5. gpt-6",
	    .names = SAMPLING, .perhaps = 1 },
	/* the reference: "not supported with latest reasoning models" */
	{ .api = "openai", .models = "o3 o4-mini !o3-mini", .names = " stop " },
	/* platform.claude.com/docs/en/about-claude/models/migration-guide and
	   /docs/en/models/sonnet-5/migration-guide: 400 from Opus 4.7 on */
	{ .api = "anthropic", .models = CLAUDE_47,
	    .names = " temperature top_p top_k " },
	{ .api = "bedrock", .models = CLAUDE_47,
	    .names = " inferenceConfig.temperature inferenceConfig.topP " },
	/* the same pages, and /docs/en/models/opus-5-5/migration-guide: thinking
	   is adaptive, and no call can be forced */
	{ .api = "anthropic", .models = "claude-opus-4-7 claude-sonnet-5 "
	    "claude-opus-5-5", .names = " thinking.budget_tokens " },
	{ .api = "anthropic", .models = "claude-sonnet-5-5 claude-opus-5-5",
	    .names = " tool_choice.forced " },
	/* platform.claude.com/docs/en/about-claude/models/migrating-to-claude-4:
	   one of both only */
	{ .api = "anthropic", .models = "claude-opus-4-1 claude-opus-4-5 "
	    "claude-sonnet-4-5 claude-haiku-4-5 claude-opus-4-6 "
	    "claude-sonnet-4-6", .names = " top_p ", .beside = "temperature" },
	/* api-docs.deepseek.com/api/create-chat-completion,
	   docs.mistral.ai/api (which refuses members that it does not know),
	   docs.ollama.com/api/openai-compatibility */
	{ .api = "deepseek", .names = " max_completion_tokens ",
	    .instead = "max_tokens" },
	{ .api = "mistral", .names = " max_completion_tokens ",
	    .instead = "max_tokens" },
	{ .api = "ollama", .names = " max_completion_tokens ",
	    .instead = "max_tokens" }
};

static const struct ctx_param_caching caching[] = {
	/* platform.claude.com/docs/en/build-with-claude/prompt-caching */
	{ "anthropic", NULL, CTX_CACHE_MARKS, 1 },
	/* docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html;
	   Nova has no checkpoints in tools */
	{ "bedrock", "claude- !claude-v !claude-instant !claude-3-haiku "
	    "!claude-3-sonnet !claude-3-opus !claude-3-5-sonnet",
	    CTX_CACHE_POINTS, 1 },
	{ "bedrock", "nova-", CTX_CACHE_POINTS, 0 },
	/* openrouter.ai/docs/guides/best-practices/prompt-caching */
	{ "openrouter", "claude-", CTX_CACHE_WHOLE, 0 },
	/* developers.openai.com/api/docs/guides/prompt-caching */
	{ "openai", NULL, CTX_CACHE_KEY, 0 },
	{ "openai-responses", NULL, CTX_CACHE_KEY, 0 },
	/* docs.mistral.ai/studio-api/conversations/advanced/prompt-caching */
	{ "mistral", NULL, CTX_CACHE_KEY, 0 },
	/* DeepSeek, Gemini, Groq and Ollama cache without being told; Gemini's
	   explicit cache is an object of its own, which --set can name */
	{ NULL, NULL, CTX_CACHE_NONE, 0 }
};

static int
is_for(const char *api, const char *models, const char *of,
    struct ctx_str model)
{
	return strcmp(api, of) == 0 && (models == NULL ||
	    (model.p != NULL && ctx_api_has_model(models, model)));
}

const struct ctx_param_row *
ctx_param_refused(const char *api, struct ctx_str model, const char *name,
    int (*has)(const void *arg, const char *name), const void *arg)
{
	const struct ctx_param_row *r = rows;
	const struct ctx_param_row *end = r + sizeof(rows) / sizeof(*r);
	char word[64];

	if ((size_t)snprintf(word, sizeof(word), " %s ", name) >= sizeof(word))
		return NULL;
	for (; r < end; r++)
		if (is_for(r->api, r->models, api, model) &&
		    strstr(r->names, word) != NULL && (r->beside == NULL ||
		    (has != NULL && has(arg, r->beside))))
			return r;
	return NULL;
}

const struct ctx_param_caching *
ctx_param_cached(const char *api, struct ctx_str model)
{
	const struct ctx_param_caching *r = caching;

	while (r->api != NULL && !is_for(r->api, r->models, api, model))
		r++;
	return r;
}
