/* SPDX-License-Identifier: MIT */
/*
 * Streams of OpenAI's chat completions and of servers that imitate them: chunks with
 * deltas of messages (platform.openai.com/docs/api-reference/chat-streaming); and
 * Ollama's own, whose lines have parts of one message (docs.ollama.com/api).
 */
#include "job/stream_impl.h"

/* The message in a choice; its first members are these. */
static struct ctx_grow *
message_of(struct ctx_grow *g)
{
	struct ctx_grow *m = ctx_grow_member(g, "message"), *role;

	if (m == NULL || ctx_grow_find(m, "role") != NULL)
		return m;
	role = ctx_grow_member(m, "role");
	if (role == NULL || ctx_grow_add(role,
	    (struct ctx_str){ "assistant", 9 }) == -1)
		return NULL;
	return ctx_grow_member(m, "content") == NULL ? NULL : m;
}

static int
merge(struct ctx_stream *s, struct ctx_grow *message,
    const struct ctx_doc *doc, uint32_t delta)
{
	static const char *const told[] = { "content", "refusal" };
	struct ctx_str text;
	size_t i;

	for (i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		text = ctx_node_str(doc, CTX_GET(doc, delta, told[i]));
		if (text.len > 0 && s->text != NULL)
			s->text(s->arg, text);
	}
	return ctx_grow_merge(message, doc, delta);
}

/* Leave out calls whose arguments are no JSON yet. */
static int
leave_calls(struct ctx_stream *s, struct ctx_grow *calls)
{
	struct ctx_grow *e, *next, *before = NULL, *arguments;
	int rc;

	for (e = calls->first; e != NULL; e = next) {
		next = e->next;
		arguments = ctx_grow_find(ctx_grow_find(e, "function"),
		    "arguments");
		ctx_buf_reset(&s->word);
		if (arguments != NULL && ctx_str_decode(&s->word,
		    arguments->text.data, arguments->text.len) == -1)
			return -1;
		rc = ctx_doc_try(&s->doc, s->word.data, s->word.len);
		if (rc == -1)
			return -1;
		if (rc == 0)
			ctx_grow_move(calls, before, e, &s->left);
		else
			before = e;
	}
	return 0;
}

static int
finish(struct ctx_stream *s)
{
	struct ctx_grow *choice = ctx_grow_find(&s->root, "choices"), *m, *calls;
	struct ctx_grow *e;

	choice = choice != NULL ? choice->first : NULL;
	m = choice != NULL ? ctx_grow_find(choice, "message") : NULL;
	calls = m != NULL ? ctx_grow_find(m, "tool_calls") : NULL;
	if (calls == NULL || calls->kind != CTX_GROW_LIST)
		return 0;
	for (e = calls->first; e != NULL; e = e->next)
		ctx_grow_drop(e, "index");
	if (!s->ended && leave_calls(s, calls) == -1)
		return -1;
	if (calls->n == 0)
		ctx_grow_drop(m, "tool_calls");
	return 0;
}

int
ctx_stream_openai(struct ctx_stream *s, const struct ctx_doc *doc)
{
	uint32_t list = CTX_GET(doc, 0, "choices"), c, reason;
	struct ctx_grow *choice, *message;

	s->finish = finish;
	if (ctx_grow_update(&s->root, doc, 0, "choices") == -1)
		return -1;
	CTX_FOR_LIST(doc, c, list) {
		if (ctx_stream_index(doc, CTX_GET(doc, c, "index")) != 0)
			continue;
		choice = ctx_grow_member(&s->root, "choices");
		if (choice == NULL ||
		    (choice = ctx_grow_element(choice, 0)) == NULL ||
		    (message = message_of(choice)) == NULL ||
		    merge(s, message, doc, CTX_GET(doc, c, "delta")) == -1)
			return -1;
		reason = CTX_GET(doc, c, "finish_reason");
		if (ctx_node_str(doc, reason).len > 0)
			s->ended = 1;
		if (ctx_stream_set(choice, "finish_reason", doc, reason) == -1)
			return -1;
	}
	return 0;
}

int
ctx_stream_ollama(struct ctx_stream *s, const struct ctx_doc *doc)
{
	uint32_t m = CTX_GET(doc, 0, "message");
	struct ctx_grow *message;

	if (ctx_grow_update(&s->root, doc, 0, "message") == -1)
		return -1;
	if (m != CTX_NONE && ((message = message_of(&s->root)) == NULL ||
	    merge(s, message, doc, m) == -1))
		return -1;
	if (ctx_node_if(doc, CTX_GET(doc, 0, "done"), 't') != CTX_NONE)
		s->ended = 1;
	return 0;
}
