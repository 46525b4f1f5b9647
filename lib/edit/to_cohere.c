/* SPDX-License-Identifier: MIT */
/* Cohere's chat API, version 2, as a target. */
#include "edit/target.h"

static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content" }, { .name = "tool_calls" },
	{ .name = "tool_plan" }, { .name = "tool_call_id" },
	{ .name = "citations" }, { .name = NULL }
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
		.first = ",\"tools\":[{\"type\":\"function\",\"function\":{",
		.next = "}},{\"type\":\"function\",\"function\":{",
		.schema = ",\"parameters\":",
		.last = "}}]",
		.max_output = ",\"max_tokens\":",
		.max_end = "",
		.needs = CTX_NEED_STRINGS
	}
};
