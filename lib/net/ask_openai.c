/* SPDX-License-Identifier: MIT */
/* OpenAI's chat completions, and the many servers that imitate them. */
#include "net/ask_format.h"

static json_t *
request(const struct ctx_ask *ask, const char *system, const char *user)
{
	json_t *root = json_pack("{s:s, s:o, s:i}",
	    "model", ask->model,
	    "messages", ctx_ask_messages(system, user),
	    ask->limit != NULL ? ask->limit : "max_tokens",
	    (int)ask->max_tokens);

	root = ctx_ask_add_temperature(root, ask);
	root = ctx_ask_add(root, "stream", json_boolean(ask->stream));
	return !ask->stream ? root : ctx_ask_add(root, "stream_options",
	    json_pack("{s:b}", "include_usage", 1));
}

/* Read a message or a delta; a refusal is next to the content. */
static void
read_message(const json_t *m, struct ctx_ask_answer *a)
{
	const json_t *content = json_object_get(m, "content"), *part;
	size_t i;

	if (json_string_length(json_object_get(m, "refusal")) > 0)
		a->finish = CTX_ASK_REFUSED;
	ctx_ask_add_text(a, content);
	json_array_foreach(content, i, part)
		ctx_ask_add_text(a, json_object_get(part, "text"));
}

static void
read_usage(const json_t *root, struct ctx_ask_answer *a)
{
	const json_t *usage = json_object_get(root, "usage");

	ctx_ask_take_count(usage, "prompt_tokens", &a->prompt_tokens);
	ctx_ask_take_count(usage, "completion_tokens", &a->output_tokens);
	ctx_ask_take_count(json_object_get(usage, "prompt_tokens_details"),
	    "cached_tokens", &a->cached_tokens);
	/* DeepSeek's */
	ctx_ask_take_count(usage, "prompt_cache_hit_tokens",
	    &a->cached_tokens);
}

static void
read_choice(const json_t *root, const char *key, struct ctx_ask_answer *a)
{
	const json_t *choice = json_array_get(json_object_get(root,
	    "choices"), 0);

	read_usage(root, a);
	ctx_ask_take_finish(choice, "finish_reason", a);
	read_message(json_object_get(choice, key), a);
}

static int
read_whole(json_t *root, struct ctx_ask_answer *a)
{
	read_choice(root, "message", a);
	return 1;
}

/* Usage may come with the finish reason or after it; [DONE] ends the stream. */
static int
read_event(json_t *root, struct ctx_ask_answer *a)
{
	enum ctx_ask_finish was = a->finish;

	read_choice(root, "delta", a);
	if (was == CTX_ASK_REFUSED)
		a->finish = was;
	return 0;
}

const struct ctx_ask_format ctx_ask_openai = {
	.name = "openai",
	.request = request,
	.key_header = "Authorization: Bearer %s",
	.read = read_whole,
	.event = read_event
};
