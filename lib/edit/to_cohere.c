/* SPDX-License-Identifier: MIT */
/* Cohere's chat API, version 2, as a target. */
#include "edit/target.h"

static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content" }, { .name = "tool_calls" },
	{ .name = "tool_plan" }, { .name = "tool_call_id" },
	{ .name = "citations" }, { .name = NULL }
};

/* What is taken beside the messages: docs.cohere.com/reference/chat. */
static const struct ctx_takes request[] = {
	{ .name = "citation_options" }, { .name = "documents" },
	{ .name = "frequency_penalty" }, { .name = "k" },
	{ .name = "logprobs" }, { .name = "max_tokens" }, { .name = "p" },
	{ .name = "presence_penalty" }, { .name = "priority" },
	{ .name = "raw_prompting" }, { .name = "response_format" },
	{ .name = "safety_mode" }, { .name = "seed" },
	{ .name = "stop_sequences" }, { .name = "stream" },
	{ .name = "strict_tools" }, { .name = "temperature" },
	{ .name = "thinking" }, { .name = "tool_choice" }, { .name = NULL }
};

const struct ctx_target ctx_to_cohere = {
	.name = "cohere",
	.role = { "system", "user", "assistant" },
	.list = "messages",
	.takes = message,
	.step = ctx_put_chat,
	.results = ctx_put_chat_results,
	.chat = &(const struct ctx_chat){
		.thought = ",\"tool_plan\":\"",
		.part = "{\"type\":\"thinking\",\"thinking\":\"",
		.part_end = "\"}",
		.keeps = CTX_CHAT_ITS_OWN
	},
	.request = &(const struct ctx_request_words){
		.model = "model",
		.tool_has = " function ",
		.tool = "{\"type\":\"function\",\"function\":{",
		.tool_end = "}}",
		.schema = ",\"parameters\":",
		.choice = {
			.name = "tool_choice",
			.automatic = "",
			.none = "\"NONE\"",
			.required = "\"REQUIRED\""
		},
		.max_output = "max_tokens",
		.limits = " max_tokens ",
		.stream = 1,
		.members = request,
		.needs = CTX_NEED_STRINGS
	}
};
