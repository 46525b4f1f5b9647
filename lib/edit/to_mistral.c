/* SPDX-License-Identifier: MIT */
/* Mistral's chat completions as a target. */
#include "edit/target.h"

/* The API refuses a user's message after results (error 3230): answer first. */
static void
between(struct ctx_writer *w, uint32_t i)
{
	static const char text[] = "[The turn ended here.]";
	const struct ctx_step *st = &w->s->step[i], *before = st - 1;
	const struct ctx_msg *msg = w->s->c->msg;

	if (!w->request || st->role != CTX_USER || (before->as_is ?
	    msg[before->msg].role != CTX_TOOL : before->nresult == 0) ||
	    (st->as_is && msg[st->msg].role == CTX_TOOL))
		return;
	ctx_put_begin(w);
	ctx_put(w, "\"role\":\"assistant\",\"content\":\"");
	ctx_put(w, text);
	ctx_put(w, "\"");
	ctx_put_end(w);
	ctx_trace_mark(&w->s->trace, CTX_MADE, NULL,
	    (struct ctx_str){ text, sizeof(text) - 1 }, "message");
}

static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content" }, { .name = "name" },
	{ .name = "tool_calls" }, { .name = "tool_call_id" },
	{ .name = "prefix" }, { .name = NULL }
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
		.first = ",\"tools\":[{\"type\":\"function\",\"function\":{",
		.next = "}},{\"type\":\"function\",\"function\":{",
		.schema = ",\"parameters\":",
		.last = "}}]",
		.max_output = ",\"max_tokens\":",
		.max_end = "",
		.needs = CTX_NEED_STRINGS
	}
};
