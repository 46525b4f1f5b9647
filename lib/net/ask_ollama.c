/* SPDX-License-Identifier: MIT */
/* Ollama's chat. */
#include "net/ask_format.h"

#define CTX_STEP 1024	/* the requested window is a multiple of this */

static json_t *
request(const struct ctx_ask *ask, const char *system, const char *user)
{
	json_t *options = ctx_ask_add(ctx_ask_add_temperature(json_object(),
	    ask), "num_predict", json_integer(ask->max_tokens));
	uint64_t need = ask->prompt_tokens + ask->max_tokens + CTX_STEP;

	/* its default window is small, and it cuts longer prompts silently */
	if (options != NULL && ask->prompt_tokens > 0 && need < INT32_MAX &&
	    json_object_set_new(options, "num_ctx", json_integer(
	    (json_int_t)(need / CTX_STEP * CTX_STEP))) == -1) {
		json_decref(options);
		options = NULL;
	}
	return json_pack("{s:s, s:o, s:b, s:o}",
	    "model", ask->model,
	    "messages", ctx_ask_messages(system, user),
	    "stream", ask->stream,
	    "options", options);
}

static int
read_event(json_t *root, struct ctx_ask_answer *a)
{
	ctx_ask_add_text(a, json_object_get(json_object_get(root, "message"),
	    "content"));
	if (!json_is_true(json_object_get(root, "done")))
		return 0;
	ctx_ask_take_count(root, "prompt_eval_count", &a->prompt_tokens);
	ctx_ask_take_count(root, "eval_count", &a->output_tokens);
	a->finish = CTX_ASK_STOP;
	ctx_ask_take_finish(root, "done_reason", a);
	return 1;
}

const struct ctx_ask_format ctx_ask_ollama = {
	.name = "ollama",
	.lines = 1,
	.request = request,
	.key_header = "Authorization: Bearer %s",
	.read = read_event,
	.event = read_event
};
