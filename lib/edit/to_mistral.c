/* SPDX-License-Identifier: MIT */
/* Mistral's chat completions as a target. */
#include "edit/target.h"

/* The API refuses a user's message after results (error 3230): answer first. */
static void
between(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_str text = ctx_marker_text(w->s->notes,
	    CTX_MARKER_TURN_END);
	const struct ctx_step *st = &w->s->step[i], *before = st - 1;
	const struct ctx_msg *msg = w->s->c->msg;

	if (!w->request || st->role != CTX_USER || (before->as_is ?
	    msg[before->msg].role != CTX_TOOL : before->nresult == 0) ||
	    (st->as_is && msg[st->msg].role == CTX_TOOL))
		return;
	ctx_put_begin(w);
	ctx_put_3(w, "\"role\":\"assistant\",\"content\":\"", text, "\"");
	ctx_put_end(w);
	ctx_trace_mark(&w->s->trace, CTX_MADE, NULL, text, "message");
}

static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content" }, { .name = "name" },
	{ .name = "tool_calls" }, { .name = "tool_call_id" },
	{ .name = "prefix" }, { .name = NULL }
};

/* What is taken beside the messages: docs.mistral.ai/api. */
static const struct ctx_takes request[] = {
	{ .name = "frequency_penalty" }, { .name = "guardrails" },
	{ .name = "max_tokens" }, { .name = "metadata" }, { .name = "n" },
	{ .name = "parallel_tool_calls" }, { .name = "prediction" },
	{ .name = "presence_penalty" }, { .name = "prompt_cache_key" },
	{ .name = "prompt_mode" }, { .name = "random_seed" },
	{ .name = "reasoning_effort" }, { .name = "response_format" },
	{ .name = "safe_prompt" }, { .name = "stop" }, { .name = "stream" },
	{ .name = "temperature" }, { .name = "tool_choice" },
	{ .name = "top_p" }, { .name = NULL }
};

const struct ctx_target ctx_to_mistral = {
	.name = "mistral",
	.role = { "system", "user", "assistant" },
	.needs = CTX_NEED_NINE,
	.list = "messages",
	.takes = message,
	.step = ctx_put_chat,
	.results = ctx_put_chat_results,
	.between = between,
	.chat = &(const struct ctx_chat){
		.part = "{\"type\":\"thinking\",\"thinking\":["
		    "{\"type\":\"text\",\"text\":\"",
		.part_end = "\"}]}",
		.nothing = "\"\"",
		.files = CTX_CHAT_LINKS,
		.keeps = CTX_CHAT_ITS_OWN
	},
	.request = &(const struct ctx_request_words){
		.model = "model",
		.tool_has = " function ",
		.tool = "{\"type\":\"function\",\"function\":{",
		.tool_end = "}}",
		.schema = ",\"parameters\":",
		.choice = CTX_CHAT_CHOICE,
		.max_output = "max_tokens",
		.limits = " max_tokens ",
		.stream = 1,
		.members = request,
		.needs = CTX_NEED_STRINGS
	}
};
