/* SPDX-License-Identifier: MIT */
/* OpenAI Responses items as a target. */
#include "edit/target.h"
#include "view/dialect.h"

/* Write an object as an item of its own: without its braces. */
static void
put_item(struct ctx_writer *w, struct ctx_str json)
{
	ctx_put_begin(w);
	json.p++;
	json.len -= 2;
	ctx_put_json(w, json);
	ctx_put_end(w);
	w->at++;
}

static void
put_media(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	struct ctx_attachment m;

	if (!ctx_target_attachment(w, it, &m) || ctx_attachment_plays(&m)) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	ctx_put_comma(w, n);
	if (m.image)
		ctx_put_3(w, "{\"type\":\"input_image\",\"detail\":\"",
		    m.detail.p != NULL ? m.detail :
		    (struct ctx_str){ "auto", 4 }, "\",\"image_url\":\"");
	else {
		ctx_put(w, "{\"type\":\"input_file\",");
		if (m.data.p != NULL || m.name.p != NULL) {
			ctx_put_filename(w, &m);
			ctx_put(w, ",");
		}
		ctx_put(w, m.data.p != NULL ? "\"file_data\":\"" :
		    "\"file_url\":\"");
	}
	ctx_put_address(w, &m);
	ctx_put(w, "\"}");
}

/* Write a text or medium of a message or a result. */
static void
put_part(struct ctx_writer *w, const struct ctx_said *it,
    enum ctx_role role, int *n)
{
	if (ctx_target_is_ours(w, it)) {
		ctx_put_raw(w, it, n);
	} else if (role == CTX_ASSISTANT && it->flags & CTX_REFUSAL) {
		ctx_put_text_part(w, "{\"type\":\"refusal\",\"refusal\":", it,
		    n);
	} else if (it->kind == CTX_TEXT) {
		ctx_put_comma(w, n);
		ctx_put(w, role == CTX_ASSISTANT ? "{\"type\":\"output_text\","
		    "\"text\":\"" : "{\"type\":\"input_text\",\"text\":\"");
		ctx_put_text(w, it);
		ctx_put(w, role == CTX_ASSISTANT ? "\",\"annotations\":[]}" :
		    "\"}");
	} else if (it->kind == CTX_OTHER || role == CTX_ASSISTANT)
		ctx_target_lose(w, it, it->kind == CTX_OTHER ? CTX_L_PART :
		    CTX_L_MEDIA);
	else
		put_media(w, it, n);
}

/* Begin a message, with n parts so far, unless one is open. */
static void
open_message(struct ctx_writer *w, const struct ctx_step *st, int *open, int *n)
{
	if (*open)
		return;
	*open = 1;
	*n = 0;
	ctx_put_begin(w);
	ctx_put(w, "\"type\":\"message\",\"role\":\"");
	ctx_put_role(w, st, st->developer ? "developer" :
	    w->t->role[st->role]);
	ctx_put(w, "\",\"content\":[");
}

/* Close a message with n parts. */
static void
end_message(struct ctx_writer *w, const struct ctx_step *st, int n)
{
	ctx_put_note(w, st->role == CTX_ASSISTANT ? "{\"type\":\"output_text\","
	    "\"annotations\":[],\"text\":" :
	    "{\"type\":\"input_text\",\"text\":", &n);
	ctx_put(w, "]");
	ctx_put_end(w);
}

static void
put_call(struct ctx_writer *w, const struct ctx_said *it)
{
	int custom = (it->flags & CTX_CUSTOM) != 0;

	if (ctx_target_is_ours(w, it)) {
		put_item(w, it->raw);
		return;
	}
	ctx_put_begin(w);
	ctx_put_3(w, custom ? "\"type\":\"custom_tool_call\",\"call_id\":\"" :
	    "\"type\":\"function_call\",\"call_id\":\"", it->id,
	    "\",\"name\":\"");
	ctx_put_3(w, "", it->name, custom ? "\",\"input\":\"" :
	    "\",\"arguments\":\"");
	if (it->text.p == NULL)
		ctx_put(w, custom ? "" : "{}");
	else
		ctx_put_text(w, it);
	ctx_put(w, "\"");
	ctx_put_end(w);
	w->at++;
}

static void
put_results(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->result, *end;
	uint32_t i;
	int n;

	for (end = it + st->nresult; it < end; it += 1 + it->n) {
		if (ctx_target_is_ours(w, it)) {
			put_item(w, it->raw);
			continue;
		}
		w->s->loss[CTX_L_ERROR] += (it->flags & CTX_ERROR) != 0;
		ctx_put_begin(w);
		ctx_put_3(w, it->flags & CTX_CUSTOM ?
		    "\"type\":\"custom_tool_call_output\",\"call_id\":\"" :
		    "\"type\":\"function_call_output\",\"call_id\":\"",
		    it->id, "\",\"output\":");
		if (it->n == 0) {
			ctx_put(w, "\"");
			ctx_put_result(w, it);
			ctx_put(w, "\"");
		} else {
			ctx_put(w, "[");
			n = 0;
			if (it->text.p != NULL)
				ctx_put_text_part(w, "{\"type\":\"input_text\","
				    "\"text\":", it, &n);
			for (i = it->first; i < it->first + it->n; i++)
				put_part(w, &w->s->item[i], CTX_USER, &n);
			ctx_put_note(w, "{\"type\":\"input_text\",\"text\":",
			    &n);
			ctx_put(w, "]");
		}
		ctx_put_end(w);
	}
}

/*
 * Write an item of reasoning that leads to a message that we write.  This one
 * has no id, and the API refuses it after reasoning that has one.  Reasoning
 * without its id must have its content; otherwise nothing is left of it.
 */
static void
put_unbound(struct ctx_writer *w, struct ctx_str json)
{
	uint32_t k, sealed, n = 0;
	int rc = ctx_doc_try(&w->doc, json.p, json.len);

	ctx_put_failed(w, rc == -1);
	if (rc != 1)
		return;
	sealed = CTX_GET(&w->doc, 0, "encrypted_content");
	if (ctx_node_if(&w->doc, sealed, '"') == CTX_NONE) {
		w->s->loss[CTX_L_THINKING]++;
		return;
	}
	ctx_put_begin(w);
	CTX_FOR_KEYS(&w->doc, k, 0) {
		if (ctx_doc_key_is(&w->doc, k, "id", 2))
			continue;
		if (n++ > 0)
			ctx_put(w, ",");
		ctx_put_member(w, &w->doc, k);
	}
	ctx_put_end(w);
	w->at++;
}

static int
is_reasoning_with_id(struct ctx_writer *w, struct ctx_str json)
{
	int rc = ctx_doc_try(&w->doc, json.p, json.len);

	ctx_put_failed(w, rc == -1);
	return rc == 1 && ctx_node_is(&w->doc, CTX_GET(&w->doc, 0, "type"),
	    "reasoning") && CTX_GET(&w->doc, 0, "id") != CTX_NONE;
}

/* Is it an item of its own, and not a part of a message? */
static int
is_item(struct ctx_writer *w, struct ctx_str json)
{
	struct ctx_shape s;
	int rc;

	if (json.p[0] != '{')
		return 0;
	rc = ctx_doc_try(&w->doc, json.p, json.len);
	ctx_put_failed(w, rc == -1);
	if (rc != 1)
		return 0;
	ctx_shape_of(&s, &w->doc, 0);
	return ctx_dialect_responses.match(&s, &w->doc) != CTX_MATCH_NOT;
}

/*
 * Write what was kept: parts into the message, items between messages.  it is what
 * follows them in the step; NULL at its end.
 */
static void
put_kept(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *open, int *n)
{
	struct ctx_str json;

	while (ctx_target_take_kept(w, st, it == NULL, &json)) {
		if (!is_item(w, json)) {
			open_message(w, st, open, n);
			ctx_put_comma(w, n);
			ctx_put_json(w, json);
			continue;
		}
		if (*open)
			end_message(w, st, *n);
		*open = 0;
		if (it != NULL && it->kind == CTX_TEXT &&
		    is_reasoning_with_id(w, json))
			put_unbound(w, json);
		else
			put_item(w, json);
	}
}

/* The end of the last item that is not reasoning; later reasoning is unused. */
static const struct ctx_said *
end_of_led(const struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item + st->nitem;

	while (it > w->s->item + st->item && it[-1].kind == CTX_THINKING)
		it--;
	return it;
}

/*
 * Can the item be written?  Reasoning, and items that only this API has, go
 * home alone; reasoning must lead to something.
 */
static int
fits(const struct ctx_writer *w, const struct ctx_said *it,
    const struct ctx_said *led)
{
	int thinks = it->kind == CTX_THINKING;

	return (!thinks && it->kind != CTX_OTHER) ||
	    (ctx_target_is_ours(w, it) && !(thinks && it >= led));
}

/* Write a call, reasoning or another item that is not a part of a message. */
static void
put_apart(struct ctx_writer *w, const struct ctx_said *it,
    const struct ctx_said *end)
{
	if (it->kind == CTX_CALL)
		put_call(w, it);
	else if (it->kind == CTX_THINKING && it + 1 < end &&
	    it[1].kind == CTX_TEXT && is_reasoning_with_id(w, it->raw))
		put_unbound(w, it->raw);
	else
		put_item(w, it->raw);
}

/*
 * Must there be a message, for what is kept, or not included?  A result would do.
 * begin: where the step begins in the output.
 */
static int
needs_message(const struct ctx_writer *w, const struct ctx_step *st,
    size_t begin)
{
	return st->nresult == 0 && (w->request ? w->out->len == begin :
	    w->left.len > 0);
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_step(w, i);
	const struct ctx_said *it = w->s->item + st->item, *end;
	const struct ctx_said *led = end_of_led(w, st);
	const size_t begin = w->out->len;
	int open = 0, n = 0;

	for (end = it + st->nitem; it < end; it++) {
		put_kept(w, st, it, &open, &n);
		if (!fits(w, it, led)) {
			ctx_target_lose(w, it, it->kind == CTX_THINKING ?
			    CTX_L_THINKING : CTX_L_PART);
			continue;
		}
		if (it->kind == CTX_CALL || it->kind == CTX_THINKING ||
		    (it->kind == CTX_OTHER && is_item(w, it->raw))) {
			if (open)
				end_message(w, st, n);
			open = 0;
			put_apart(w, it, end);
			continue;
		}
		open_message(w, st, &open, &n);
		put_part(w, it, st->role, &n);
	}
	put_kept(w, st, NULL, &open, &n);
	if (needs_message(w, st, begin))
		open_message(w, st, &open, &n);
	if (open)
		end_message(w, st, n);
	put_results(w, st);
}

/*
 * What is taken beside the items:
 * platform.openai.com/docs/api-reference/responses/create.
 */
static const struct ctx_takes request[] = {
	{ .name = "background" }, { .name = "context_management" },
	{ .name = "conversation" }, { .name = "include" },
	{ .name = "max_output_tokens" }, { .name = "max_tool_calls" },
	{ .name = "metadata" }, { .name = "moderation" },
	{ .name = "parallel_tool_calls" }, { .name = "previous_response_id" },
	{ .name = "prompt" }, { .name = "prompt_cache_key" },
	{ .name = "prompt_cache_options" },
	{ .name = "prompt_cache_retention" }, { .name = "reasoning" },
	{ .name = "safety_identifier" }, { .name = "service_tier" },
	{ .name = "store" }, { .name = "stream" }, { .name = "stream_options" },
	{ .name = "temperature" }, { .name = "text" },
	{ .name = "tool_choice" }, { .name = "top_logprobs" },
	{ .name = "top_p" }, { .name = "truncation" }, { .name = "user" },
	{ .name = NULL }
};

const struct ctx_target ctx_to_responses = {
	.name = "openai-responses",
	.needs = CTX_NEED_SHORT_64,
	.role = { "system", "user", "assistant" },
	.list = "input",
	.system = "\"type\":\"message\",\"role\":\"system\",\"content\":",
	.step = step,
	.results = put_results,
	.request = &(const struct ctx_request_words){
		.model = "model",
		.tool_has = " type ",
		.tool_lacks = " function input_schema ",
		.tool = "{\"type\":\"function\",",
		.tool_end = "}",
		.custom = "{\"type\":\"custom\",",
		.grammar = "{\"type\":\"grammar\",",
		.schema = ",\"strict\":false,\"parameters\":",
		.choice = {
			.name = "tool_choice",
			.automatic = "\"auto\"",
			.none = "\"none\"",
			.required = "\"required\"",
			.one = "{\"type\":\"function\",\"name\":\"",
			.one_end = "\"}",
			.one_custom = "{\"type\":\"custom\",\"name\":\""
		},
		.max_output = "max_output_tokens",
		.limits = " max_output_tokens ",
		.stream = 1,
		.members = request,
		.needs = CTX_NEED_STRINGS | CTX_NEED_FILLED
	}
};
