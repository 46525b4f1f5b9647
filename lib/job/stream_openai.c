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

/* Are the arguments of a call's function JSON yet?  Returns -1 if out of memory. */
static int
is_whole(struct ctx_stream *s, struct ctx_grow *function)
{
	struct ctx_grow *arguments = ctx_grow_find(function, "arguments");

	ctx_buf_reset(&s->word);
	if (arguments != NULL && ctx_str_decode(&s->word,
	    arguments->text.data, arguments->text.len) == -1)
		return -1;
	return ctx_doc_try(&s->doc, s->word.data, s->word.len);
}

/* Leave out the calls of message m that are not whole. */
static int
leave_calls(struct ctx_stream *s, struct ctx_grow *m)
{
	struct ctx_grow *calls = ctx_grow_find(m, "tool_calls"), *next, *e;
	struct ctx_grow *call = ctx_grow_find(m, "function_call");
	struct ctx_grow *before = NULL;
	int rc = call == NULL || call->kind == CTX_GROW_NULL ? 1 :
	    is_whole(s, call);

	if (rc == 0)
		ctx_grow_take(m, "function_call", &s->left);
	for (e = calls != NULL ? calls->first : NULL; e != NULL && rc != -1;
	    e = next) {
		next = e->next;
		rc = is_whole(s, ctx_grow_find(e, "function"));
		if (rc == 0)
			ctx_grow_move(calls, before, e, &s->left);
		else
			before = e;
	}
	return rc == -1 ? -1 : 0;
}

static int
finish(struct ctx_stream *s)
{
	struct ctx_grow *choice = ctx_grow_find(&s->root, "choices");
	struct ctx_grow *m, *calls, *e;

	choice = choice != NULL ? choice->first : NULL;
	m = ctx_grow_find(choice, "message");
	calls = ctx_grow_find(m, "tool_calls");
	for (e = calls != NULL ? calls->first : NULL; e != NULL; e = e->next)
		ctx_grow_drop(e, "index");
	if (m != NULL && !s->ended && leave_calls(s, m) == -1)
		return -1;
	if (calls != NULL && calls->kind == CTX_GROW_LIST && calls->n == 0)
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
