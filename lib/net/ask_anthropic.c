/* SPDX-License-Identifier: MIT */
/* Anthropic's messages. */
#include <string.h>

#include "net/ask_format.h"

static json_t *
request(const struct ctx_ask *ask, const char *system, const char *user)
{
	json_t *root = json_pack("{s:s, s:s, s:[{s:s, s:s}], s:i}",
	    "model", ask->model,
	    "system", system,
	    "messages", "role", "user", "content", user,
	    "max_tokens", (int)ask->max_tokens);

	root = ctx_ask_add_temperature(root, ask);
	return ctx_ask_add(root, "stream", json_boolean(ask->stream));
}

/* Tokens read from a cache also count as input. */
static void
read_usage(const json_t *usage, struct ctx_ask_answer *a)
{
	int64_t in = -1, made = 0, cached = 0;

	ctx_ask_take_count(usage, "input_tokens", &in);
	ctx_ask_take_count(usage, "cache_creation_input_tokens", &made);
	ctx_ask_take_count(usage, "cache_read_input_tokens", &cached);
	if (in >= 0 && made >= 0 && cached >= 0 && in <= INT32_MAX &&
	    made <= INT32_MAX && cached <= INT32_MAX)
		a->prompt_tokens = in + made + cached;
	ctx_ask_take_count(usage, "cache_read_input_tokens",
	    &a->cached_tokens);
	ctx_ask_take_count(usage, "output_tokens", &a->output_tokens);
}

static int
read_whole(json_t *root, struct ctx_ask_answer *a)
{
	const json_t *block;
	size_t i;

	json_array_foreach(json_object_get(root, "content"), i, block)
		ctx_ask_add_text(a, json_object_get(block, "text"));
	ctx_ask_take_finish(root, "stop_reason", a);
	read_usage(json_object_get(root, "usage"), a);
	return 1;
}

static int
read_event(json_t *root, struct ctx_ask_answer *a)
{
	const char *type = json_string_value(json_object_get(root, "type"));
	const json_t *delta = json_object_get(root, "delta");

	if (type == NULL)
		return 0;
	if (strcmp(type, "message_start") == 0)
		read_usage(json_object_get(json_object_get(root, "message"),
		    "usage"), a);
	else if (strcmp(type, "content_block_delta") == 0)
		ctx_ask_add_text(a, json_object_get(delta, "text"));
	else if (strcmp(type, "message_delta") == 0) {
		ctx_ask_take_finish(delta, "stop_reason", a);
		ctx_ask_take_count(json_object_get(root, "usage"),
		    "output_tokens", &a->output_tokens);
	}
	return strcmp(type, "message_stop") == 0;
}

static const char *const header[] = { "anthropic-version: 2023-06-01", NULL };

const struct ctx_ask_format ctx_ask_anthropic = {
	.name = "anthropic",
	.request = request,
	.header = header,
	.key_header = "x-api-key: %s",
	.read = read_whole,
	.event = read_event
};
