/* SPDX-License-Identifier: MIT */
/*
 * Ollama's chat as a target: the content is a string, and images are base64 in
 * a list beside it.
 */
#include "edit/target.h"
#include "view/media.h"

/* Read an image that can be written. */
static int
read_image(struct ctx_writer *w, const struct ctx_said *it,
    struct ctx_attachment *m)
{
	return (it->kind == CTX_IMAGE || it->kind == CTX_FILE) &&
	    ctx_target_attachment(w, it, m) && m->image && m->data.p != NULL &&
	    ctx_media_sniff(m->data).p != NULL;
}

/* Is nothing of a step written, so that a request has a note in its place? */
static int
is_omitted(struct ctx_writer *w, const struct ctx_step *st)
{
	struct ctx_attachment m;
	uint32_t i;

	for (i = st->item; i < st->item + st->nitem; i++)
		if (w->s->item[i].kind == CTX_TEXT ||
		    w->s->item[i].kind == CTX_CALL ||
		    read_image(w, &w->s->item[i], &m))
			return 0;
	for (i = st->kept; i < st->kept + st->nkept; i++)
		if (ctx_str_is(w->s->kept[i].from, w->t->name))
			return 0;
	return w->request;
}

/* Write the texts of a step as one string. */
static void
put_content(struct ctx_writer *w, const struct ctx_step *st)
{
	uint32_t texts = ctx_target_count(w, st, CTX_TEXT), n = 0, i;
	const struct ctx_str note = ctx_marker_text(w->s->notes,
	    CTX_MARKER_OMITTED);
	const struct ctx_said *it;

	ctx_put(w, ",\"content\":\"");
	if (is_omitted(w, st)) {
		ctx_put_str(w, note);
		ctx_trace_mark(&w->s->trace, CTX_MADE, NULL, note, "note");
	}
	for (i = st->item; i < st->item + st->nitem; i++) {
		it = &w->s->item[i];
		if (it->kind != CTX_TEXT)
			continue;
		if (n++ > 0)
			ctx_put(w, "\\n\\n");
		if (texts > 1)
			ctx_put_joined(w, it);
		else
			ctx_put_text(w, it);
	}
	ctx_put(w, "\"");
}

/* Write a member with a list, before its first element. */
static void
begin_list(struct ctx_writer *w, const char *key, int *n)
{
	if (*n == 0)
		ctx_put(w, key);
	ctx_put_comma(w, n);
}

static void
put_images(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	struct ctx_attachment m;
	struct ctx_str json;
	int n = 0;

	for (end = it + st->nitem; it < end; it++) {
		if (it->kind == CTX_OTHER)
			ctx_target_lose(w, it, CTX_L_PART);
		if (it->kind != CTX_IMAGE && it->kind != CTX_FILE)
			continue;
		if (!read_image(w, it, &m)) {
			ctx_target_lose(w, it, CTX_L_MEDIA);
			continue;
		}
		begin_list(w, ",\"images\":[", &n);
		ctx_put_3(w, "\"", m.data, "\"");
		ctx_trace_mark(&w->s->trace, CTX_RENAMED, m.type.p,
		    (struct ctx_str){ NULL, 0 }, "type");
	}
	while (ctx_target_take_kept(w, st, 1, &json))
		if (ctx_target_is_thought(json)) {
			continue;	/* already written */
		} else if (json.p[0] == '"') {
			begin_list(w, ",\"images\":[", &n);
			ctx_put_json(w, json);
		} else
			ctx_script_lose(w->s, json);
	if (n > 0)
		ctx_put(w, "]");
}

static void
put_calls(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	int n = 0;

	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_CALL)
			continue;
		begin_list(w, ",\"tool_calls\":[", &n);
		if (ctx_target_is_ours(w, it) && it->flags & CTX_RAW) {
			ctx_put_json(w, it->raw);
			continue;
		}
		ctx_put(w, "{");
		if (it->id.p != NULL)
			ctx_put_3(w, "\"id\":\"", it->id, "\",");
		ctx_put_3(w, "\"function\":{\"name\":\"", it->name,
		    "\",\"arguments\":");
		ctx_put_object(w, it);
		ctx_put(w, "}}");
	}
	if (n > 0)
		ctx_put(w, "]");
}

static void
put_results(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->result, *end;

	for (end = it + st->nresult; it < end; it += 1 + it->n) {
		w->s->loss[CTX_L_ERROR] += (it->flags & CTX_ERROR) != 0;
		ctx_put_begin(w);
		ctx_put(w, "\"role\":\"tool\"");
		if (it->id.p != NULL)
			ctx_put_3(w, ",\"tool_call_id\":\"", it->id, "\"");
		ctx_put_3(w, ",\"tool_name\":\"", it->name,
		    "\",\"content\":\"");
		ctx_put_result(w, it);
		ctx_put(w, "\"");
		ctx_put_end(w);
	}
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_step(w, i);

	ctx_put_begin(w);
	ctx_put(w, "\"role\":\"");
	ctx_put_role(w, st, w->t->role[st->role]);
	ctx_put(w, "\"");
	put_content(w, st);
	ctx_put_chat_thought(w, st);
	put_images(w, st);
	put_calls(w, st);
	ctx_put_end(w);
	put_results(w, st);
}

static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content" }, { .name = "tool_calls" },
	{ .name = "images" }, { .name = "thinking" }, { .name = "tool_name" },
	{ .name = "tool_call_id" }, { .name = NULL }
};

/* What is taken beside the messages: docs.ollama.com/api/chat. */
static const struct ctx_takes request[] = {
	{ .name = "format" }, { .name = "keep_alive" }, { .name = "logprobs" },
	{ .name = "options" }, { .name = "stream" }, { .name = "think" },
	{ .name = "top_logprobs" }, { .name = NULL }
};

const struct ctx_target ctx_to_ollama = {
	.name = "ollama",
	.role = { "system", "user", "assistant" },
	.needs = CTX_NEED_NO_ID,
	.list = "messages",
	.takes = message,
	.step = step,
	.results = put_results,
	.named = 1,
	.chat = &(const struct ctx_chat){
		.thought = ",\"thinking\":\"",
		.keeps = CTX_CHAT_ANY
	},
	.request = &(const struct ctx_request_words){
		.model = "model",
		.tool_has = " function ",
		.tool = "{\"type\":\"function\",\"function\":{",
		.tool_end = "}}",
		.schema = ",\"parameters\":",
		.choice = { .automatic = "" },
		.max_output = "options.num_predict",
		.limits = " options.num_predict ",
		.stream = 1,
		.members = request
	}
};
