/* SPDX-License-Identifier: MIT */
/* Members of an object in a buffer, and what models refuse. */
#include "decide/param.h"
#include "edit/member.h"

#include "check.h"

static const struct {
	const char *was, *name, *json, *want;	/* json NULL: remove */
} rows[] = {
	{ "{}", "a", "1", "{\"a\":1}" },
	{ "{\"b\":0}", "a", "[1]", "{\"b\":0,\"a\":[1]}" },
	{ "{\"a\":0,\"b\":0}", "a", "{}", "{\"a\":{},\"b\":0}" },
	{ "{ \"a\" : 0 , \"b\" : 0 }", "b", "2", "{ \"a\" : 0 , \"b\" : 2 }" },
	{ "{\"a\":{\"b\":1}}", "a", "2", "{\"a\":2}" },
	{ "{\"a\":{\"b\":1}}", "a.b", "2", "{\"a\":{\"b\":2}}" },
	{ "{\"a\":{}}", "a.b", "2", "{\"a\":{\"b\":2}}" },
	{ "{\"a\":{\"c\":1}}", "a.b.d", "2",
	    "{\"a\":{\"c\":1,\"b\":{\"d\":2}}}" },
	{ "{\"a\":[1]}", "a.b", "2", "{\"a\":{\"b\":2}}" },
	{ "{}", "a.b.c", "2", "{\"a\":{\"b\":{\"c\":2}}}" },
	{ "{}", "a\"", "2", "{\"a\\\"\":2}" },
	{ "{\"\\u0061\":1}", "a", "2", "{\"\\u0061\":2}" },
	{ "{\"a\":1,\"b\":2,\"c\":3}", "a", NULL, "{\"b\":2,\"c\":3}" },
	{ "{\"a\":1,\"b\":2,\"c\":3}", "b", NULL, "{\"a\":1,\"c\":3}" },
	{ "{\"a\":1,\"b\":2,\"c\":3}", "c", NULL, "{\"a\":1,\"b\":2}" },
	{ "{\"a\":{\"b\":1}}", "a.b", NULL, "{\"a\":{}}" },
	{ "{\"a\":1 , \"b\":[2] }", "b", NULL, "{\"a\":1 }" },
	{ "{\"a\":1}", "b", NULL, "{\"a\":1}" },
	{ "{\"a\":1}", "a.b", NULL, "{\"a\":1}" },
	{ "{\"a\":{\"b\":1}}", "a.c.d", NULL, "{\"a\":{\"b\":1}}" }
};

static void
test_set(void)
{
	struct ctx_str json;
	struct ctx_buf b;
	struct ctx_err err;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		b = (struct ctx_buf){ 0 };
		ctx_err_clear(&err);
		ctx_buf_adds(&b, rows[i].was);
		json.p = rows[i].json;
		json.len = json.p != NULL ? (uint32_t)strlen(json.p) : 0;
		CHECK_INT(ctx_member_set(&b, rows[i].name, json, &err), 0);
		CHECK_STR(ctx_buf_str(&b), rows[i].want);
		ctx_buf_done(&b);
	}
}

static int
has_it(const void *arg, const char *name)
{
	return strcmp(arg, name) == 0;
}

/* What a model does with a member: "takes", "perhaps", "refuses", or its other name. */
static const char *
takes(const char *api, const char *model, const char *name, const char *other)
{
	struct ctx_str m = { model, model != NULL ? (uint32_t)strlen(model) :
	    0 };
	const struct ctx_param_row *r = ctx_param_refused(api, m, name,
	    other != NULL ? has_it : NULL, other);

	return r == NULL ? "takes" : r->instead != NULL ? r->instead :
	    r->perhaps ? "perhaps" : "refuses";
}

static void
test_param(void)
{
	static const struct {
		const char *api, *model, *name, *other, *want;
	} t[] = {
		{ "openai", "gpt-4o", "temperature", NULL, "takes" },
		{ "openai", "gpt-4o", "max_tokens", NULL, "takes" },
		{ "openai", "o3-mini", "max_tokens", NULL,
		    "max_completion_tokens" },
		{ "openai", "o3-mini", "stop", NULL, "takes" },
		{ "openai", "o3", "stop", NULL, "refuses" },
		{ "openai", "gpt-5", "top_p", NULL, "refuses" },
		{ "openai", "gpt-5.4-nano", "top_p", NULL, "perhaps" },
		{ "openai", "gpt-5-chat-latest", "top_p", NULL, "takes" },
		{ "openai", "azure/gpt-5", "top_p", NULL, "refuses" },
		{ "openai", NULL, "top_p", NULL, "takes" },
		{ "deepseek", "x", "max_completion_tokens", NULL,
		    "max_tokens" },
		{ "anthropic", "claude-opus-4-6", "temperature", NULL,
		    "takes" },
		{ "anthropic", "claude-opus-4-7", "temperature", NULL,
		    "refuses" },
		{ "anthropic", "claude-sonnet-5-5", "top_k", NULL, "refuses" },
		{ "anthropic", "claude-haiku-4-5", "top_p", NULL, "takes" },
		{ "anthropic", "claude-haiku-4-5", "top_p", "temperature",
		    "refuses" },
		{ "bedrock", "us.anthropic.claude-opus-4-8",
		    "inferenceConfig.topP", NULL, "refuses" },
		{ "bedrock", "amazon.nova-pro-v1:0", "inferenceConfig.topP",
		    NULL, "takes" }
	};
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		CHECK_STR(takes(t[i].api, t[i].model, t[i].name, t[i].other),
		    t[i].want);
}

int
main(void)
{
	RUN(test_set());
	RUN(test_param());
	return CHECK_DONE("member");
}
