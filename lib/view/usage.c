/* SPDX-License-Identifier: MIT */
/* What requests cost; see usage.h. */
#include "view/usage.h"

#include <string.h>

#include "base/when.h"

/* Where a request's tokens are, and whether those of a cache are beside. */
static const struct {
	const char *key;
	int beside;
} inputs[] = {
	{ "input_tokens", 1 }, { "prompt_tokens", 0 },
	{ "promptTokenCount", 0 }, { "prompt_token_count", 0 },
	{ "inputTokens", 1 }, { "input", 1 }, { "prompt_eval_count", 0 }
};

static const char *const cached[] = {
	"cache_read_input_tokens", "cache_creation_input_tokens",
	"cacheReadInputTokens", "cacheWriteInputTokens", "cacheReadTokens",
	"cacheWriteTokens", "cacheRead", "cacheWrite"
};

/* The number that is member key; 0 if it is none, or not of tokens. */
static uint64_t
number(const struct ctx_doc *doc, uint32_t node, const char *key)
{
	struct ctx_str s;
	uint64_t n = 0;

	node = CTX_GET(doc, node, key);
	if (node == CTX_NONE)
		return 0;
	s = ctx_node_json(doc, node);
	for (; s.len > 0 && *s.p >= '0' && *s.p <= '9'; s.p++, s.len--)
		if ((n = n * 10 + (uint64_t)(*s.p - '0')) > 1000000000)
			return 0;
	return s.len == 0 ? n : 0;
}

uint64_t
ctx_usage_input(const struct ctx_doc *doc, uint32_t usage)
{
	uint32_t cache = ctx_node_if(doc, CTX_GET(doc, usage, "cache"), '{');
	uint64_t n = 0;
	size_t i, k;

	for (i = 0; i < sizeof(inputs) / sizeof(inputs[0]) && n == 0; i++) {
		n = number(doc, usage, inputs[i].key);
		if (n == 0 || !inputs[i].beside)
			continue;
		for (k = 0; k < sizeof(cached) / sizeof(cached[0]); k++)
			n += number(doc, usage, cached[k]);
		n += number(doc, cache, "read") + number(doc, cache, "write");
	}
	return n;
}

/* The first of these members of object node that is a number over 0, or 0. */
static uint64_t
first(const struct ctx_doc *doc, uint32_t node, const char *const *keys)
{
	uint64_t n = 0;

	for (; *keys != NULL && n == 0; keys++)
		n = number(doc, node, *keys);
	return n;
}

/* The first of these members in the details that an object has, or 0. */
static uint64_t
in_details(const struct ctx_doc *doc, uint32_t usage, const char *const *keys)
{
	static const char *const details[] = { "cache",
	    "prompt_tokens_details", "input_tokens_details",
	    "input_token_details" };
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < sizeof(details) / sizeof(details[0]) && n == 0; i++)
		n = first(doc, ctx_node_if(doc, CTX_GET(doc, usage,
		    details[i]), '{'), keys);
	return n;
}

/* The tokens read from a cache: beside the others, or in details of these. */
static uint64_t
read_from_cache(const struct ctx_doc *doc, uint32_t usage)
{
	static const char *const keys[] = { "cache_read_input_tokens",
	    "cacheReadInputTokens", "cacheRead", "cacheReadTokens",
	    "cachedContentTokenCount", "cached_content_token_count",
	    "cached_input_tokens", "prompt_cache_hit_tokens", "cached",
	    "cache_read_tokens", NULL };
	static const char *const in[] = { "read", "cached_tokens",
	    "cache_read", NULL };
	uint64_t n = first(doc, usage, keys);

	return n > 0 ? n : in_details(doc, usage, in);
}

/* The tokens written to a cache. */
static uint64_t
written_to_cache(const struct ctx_doc *doc, uint32_t usage)
{
	static const char *const keys[] = { "cache_creation_input_tokens",
	    "cacheWriteInputTokens", "cacheWrite", "cacheWriteTokens",
	    "cache_write_input_tokens", "cache_write_tokens", NULL };
	static const char *const in[] = { "write", "cache_write_tokens",
	    "cache_creation", NULL };
	uint64_t n = first(doc, usage, keys);

	return n > 0 ? n : in_details(doc, usage, in);
}

/* The tokens of the answer with its reasoning; input: of the request. */
static uint64_t
output_of(const struct ctx_doc *doc, uint32_t usage, uint64_t input)
{
	static const char *const output[] = { "completion_tokens",
	    "output_tokens", "outputTokens", "output",
	    "candidatesTokenCount", "candidates_token_count", "eval_count",
	    NULL };
	/* that is not in the output */
	static const char *const reasoning[] = { "thoughtsTokenCount",
	    "thoughts_token_count", "thoughts", "reasoning", NULL };
	uint64_t n = first(doc, usage, output) + first(doc, usage, reasoning);
	uint64_t total = number(doc, usage, "prompt_tokens") > 0 ?
	    number(doc, usage, "total_tokens") : 0;

	/* xAI's completion_tokens are without the reasoning */
	return total > input && total - input > n ? total - input : n;
}

struct ctx_usage
ctx_usage_read(const struct ctx_doc *doc, uint32_t usage)
{
	/* what tools of the server put into the prompt */
	static const char *const server[] = { "toolUsePromptTokenCount",
	    "tool_use_prompt_token_count", "tool", NULL };
	uint64_t input = ctx_usage_input(doc, usage) +
	    first(doc, usage, server);

	return (struct ctx_usage){
		.input = input,
		.cached = read_from_cache(doc, usage),
		.written = written_to_cache(doc, usage),
		.hour = number(doc, ctx_node_if(doc, CTX_GET(doc, usage,
		    "cache_creation"), '{'), "ephemeral_1h_input_tokens"),
		.output = output_of(doc, usage, input)
	};
}

/* A time as programs write it: a text, or seconds or thousandths. */
static int
read_time(const struct ctx_doc *doc, uint32_t node, int64_t *when)
{
	struct ctx_str s = ctx_node_str(doc, node);
	uint64_t n = 0;

	if (s.p != NULL)
		return ctx_when_scan(s.p, s.len, when);
	if (node == CTX_NONE)
		return -1;
	s = ctx_node_json(doc, node);
	for (; s.len > 0 && *s.p >= '0' && *s.p <= '9'; s.p++, s.len--)
		if ((n = n * 10 + (uint64_t)(*s.p - '0')) > INT64_MAX / 100)
			return -1;
	if (n < 100000000 || (s.len > 0 && *s.p != '.'))
		return -1;
	/* in 1973 and later; thousandths of that time are seconds of 5138 */
	*when = (int64_t)n * (n < 100000000000 ? CTX_SECOND :
	    CTX_SECOND / 1000);
	return *when / CTX_SECOND < 100000000000 ? 0 : -1;
}

int
ctx_usage_when(const struct ctx_doc *doc, uint32_t node, int64_t *when)
{
	static const char *const keys[] = { "timestamp", "ts", "createdAt",
	    "created_at", "created" };
	size_t i;

	if (ctx_node_if(doc, node, '{') == CTX_NONE)
		return -1;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (read_time(doc, CTX_GET(doc, node, keys[i]), when) == 0)
			return 0;
	return read_time(doc, CTX_GET(doc, ctx_node_if(doc, CTX_GET(doc, node,
	    "time"), '{'), "created"), when);
}

uint32_t
ctx_usage_in(const struct ctx_doc *doc, uint32_t node)
{
	static const char *const members[] = { "usage", "usageMetadata",
	    "usage_metadata", "tokens", "metrics", "last_token_usage" };
	static const char *const itself[] = { "input_tokens",
	    "prompt_eval_count", NULL };
	uint32_t v;
	size_t i;

	if (ctx_node_if(doc, node, '{') == CTX_NONE)
		return CTX_NONE;
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		v = ctx_node_if(doc, CTX_GET(doc, node, members[i]), '{');
		if (v != CTX_NONE && ctx_usage_input(doc, v) == 0)
			v = ctx_node_if(doc, CTX_GET(doc, v, "tokens"), '{');
		if (v != CTX_NONE && ctx_usage_input(doc, v) > 0)
			return v;
	}
	return first(doc, node, itself) > 0 ? node : CTX_NONE;
}

struct ctx_str
ctx_usage_model(const struct ctx_doc *doc, uint32_t node)
{
	static const char *const keys[] = { "model", "modelVersion",
	    "modelID", "model_name", NULL };
	struct ctx_str name = { NULL, 0 };
	uint32_t info;

	if (ctx_node_if(doc, node, '{') == CTX_NONE)
		return name;
	name = ctx_node_first(doc, node, keys);
	/* LangChain */
	info = ctx_node_if(doc, CTX_GET(doc, node, "response_metadata"), '{');
	if (name.p == NULL && info != CTX_NONE)
		name = ctx_node_first(doc, info, keys);
	/* Cline */
	info = ctx_node_if(doc, CTX_GET(doc, node, "modelInfo"), '{');
	if (name.p == NULL && info != CTX_NONE)
		name = ctx_node_str(doc, CTX_GET(doc, info, "id"));
	return name;
}

void
ctx_usage_at(const struct ctx_convo *c, uint32_t m, uint32_t at[CTX_USAGE_AT])
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t unit = ctx_convo_unit(c, m);
	uint32_t object = ctx_node_if(&doc, unit, '{');

	at[0] = c->msg[m].node;
	at[1] = unit;
	at[2] = CTX_GET(&doc, object, "message");
	at[3] = CTX_GET(&doc, object, "info");
}

uint32_t
ctx_usage_of_msg(const struct ctx_convo *c, uint32_t m, struct ctx_str *model)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[m].rec);
	uint32_t at[CTX_USAGE_AT], usage = CTX_NONE, of;
	size_t i;

	ctx_usage_at(c, m, at);
	for (i = 0; i < CTX_USAGE_AT; i++) {
		of = ctx_usage_in(&doc, at[i]);
		if (usage == CTX_NONE)
			usage = of;
		if (model->p == NULL)
			*model = ctx_usage_model(&doc, at[i]);
	}
	/* Continue names it beside the tokens */
	if (model->p == NULL)
		*model = ctx_usage_model(&doc, usage);
	return usage;
}

uint32_t
ctx_usage_of_rec(const struct ctx_convo *c, uint32_t r, struct ctx_str *model)
{
	struct ctx_doc doc = ctx_convo_doc(c, r);
	uint32_t payload, usage;

	if (c->rec[r].root == CTX_NONE)
		return CTX_NONE;
	payload = ctx_node_if(&doc, CTX_GET(&doc, ctx_node_if(&doc,
	    c->rec[r].root, '{'), "payload"), '{');
	*model = ctx_usage_model(&doc, payload);
	usage = ctx_usage_in(&doc, ctx_node_if(&doc, CTX_GET(&doc, payload,
	    "info"), '{'));
	return usage != CTX_NONE ? usage : ctx_usage_in(&doc, payload);
}
