/* SPDX-License-Identifier: MIT */
/* What requests cost; see usage.h. */
#include "view/usage.h"

#include <string.h>

/* Where a request's tokens are, and whether those of a cache are beside. */
static const struct {
	const char *key;
	int beside;
} inputs[] = {
	{ "input_tokens", 1 }, { "prompt_tokens", 0 },
	{ "promptTokenCount", 0 }, { "prompt_token_count", 0 },
	{ "inputTokens", 1 }, { "input", 1 }
};

static const char *const cached[] = {
	"cache_read_input_tokens", "cache_creation_input_tokens",
	"cacheReadInputTokens", "cacheWriteInputTokens", "cacheRead",
	"cacheWrite"
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

uint32_t
ctx_usage_in(const struct ctx_doc *doc, uint32_t node)
{
	static const char *const members[] = { "usage", "usageMetadata",
	    "usage_metadata", "tokens", "last_token_usage" };
	uint32_t v;
	size_t i;

	if (ctx_node_if(doc, node, '{') == CTX_NONE)
		return CTX_NONE;
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		v = ctx_node_if(doc, CTX_GET(doc, node, members[i]), '{');
		if (v != CTX_NONE && ctx_usage_input(doc, v) > 0)
			return v;
	}
	return number(doc, node, "input_tokens") > 0 ? node : CTX_NONE;
}

struct ctx_str
ctx_usage_model(const struct ctx_doc *doc, uint32_t node)
{
	static const char *const keys[] = { "model", "modelVersion",
	    "modelID", NULL };

	return ctx_node_if(doc, node, '{') == CTX_NONE ?
	    (struct ctx_str){ NULL, 0 } : ctx_node_first(doc, node, keys);
}

uint32_t
ctx_usage_of_msg(const struct ctx_convo *c, uint32_t m, struct ctx_str *model)
{
	const struct ctx_msg *msg = &c->msg[m];
	struct ctx_doc doc = ctx_convo_doc(c, msg->rec);
	uint32_t unit = ctx_convo_unit(c, m), usage = CTX_NONE, of;
	uint32_t object = ctx_node_if(&doc, unit, '{');
	const uint32_t at[4] = { msg->node, unit, CTX_GET(&doc, object,
	    "message"), CTX_GET(&doc, object, "info") };
	size_t i;

	for (i = 0; i < 4; i++) {
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
