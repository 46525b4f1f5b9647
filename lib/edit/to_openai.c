/* SPDX-License-Identifier: MIT */
/*
 * OpenAI chat completions as a target, and what it shares with the servers that
 * have a dialect of their own (struct ctx_chat).
 */
#include "edit/target.h"

#include <string.h>

/* Write an image or a file. */
static void
put_address(struct ctx_writer *w, const struct ctx_attachment *m)
{
	if (m->image) {
		ctx_put(w, "{\"type\":\"image_url\",\"image_url\":{\"url\":\"");
		ctx_put_address(w, m);
		if (m->detail.p != NULL)
			ctx_put_3(w, "\",\"detail\":\"", m->detail, "");
	} else if (w->t->chat->files == CTX_CHAT_LINKS) {
		ctx_put(w, "{\"type\":\"document_url\",\"document_url\":\"");
		ctx_put_address(w, m);
		ctx_put(w, "\"}");
		return;
	} else {
		ctx_put(w, "{\"type\":\"file\",\"file\":{");
		ctx_put_filename(w, m);
		ctx_put(w, ",\"file_data\":\"");
		ctx_put_address(w, m);
	}
	ctx_put(w, "\"}}");
}

static void
put_media(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	enum ctx_chat_files files = w->t->chat->files;
	struct ctx_attachment m;
	struct ctx_str format;

	if (!ctx_target_attachment(w, it, &m) || (!m.image &&
	    (files == CTX_CHAT_FILES ? m.data.p == NULL :
	    files == CTX_CHAT_NO_FILES || ctx_attachment_plays(&m)))) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	format = ctx_attachment_audio(&m);
	if (format.p == NULL && ctx_attachment_plays(&m)) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	ctx_put_comma(w, n);
	if (format.p != NULL) {
		ctx_trace_mark(&w->s->trace, CTX_RENAMED, m.type.p, format,
		    "format");
		ctx_put_3(w, "{\"type\":\"input_audio\",\"input_audio\":{"
		    "\"data\":\"", m.data, "\",\"format\":\"");
		ctx_put_3(w, "", format, "\"}}");
		return;
	}
	put_address(w, &m);
}

int
ctx_target_is_thought(struct ctx_str json)
{
	return ctx_str_starts(json, "{\"reasoning_content\":");
}

/* The text of such a part, valid until the writer reads another. */
static struct ctx_str
thought_of(struct ctx_writer *w, struct ctx_str json)
{
	int rc = ctx_doc_try(&w->doc, json.p, json.len);

	ctx_put_failed(w, rc == -1);
	return ctx_node_str(&w->doc, rc == 1 ? CTX_GET(&w->doc, 0,
	    "reasoning_content") : CTX_NONE);
}

static void
put_kept(struct ctx_writer *w, const struct ctx_step *st, int *n, int last)
{
	struct ctx_str json;

	while (ctx_target_take_kept(w, st, last, &json)) {
		if (ctx_target_is_thought(json))
			continue;	/* already written */
		ctx_put_comma(w, n);
		ctx_put_json(w, json);
	}
}

/* May thinking be written in the target's form? */
static int
may_think(const struct ctx_writer *w, const struct ctx_said *it)
{
	return it->text.p != NULL && !(it->flags & CTX_SIGNED) &&
	    (!w->request || w->t->chat->keeps == CTX_CHAT_ANY ||
	    (w->t == &ctx_to_openai &&
	    ctx_takes_name(&w->s->taker, "reasoning_content")) ||
	    (w->t->chat->keeps == CTX_CHAT_ITS_OWN &&
	    strcmp(it->family, w->t->name) == 0));
}

/* Is thinking written among the parts of a message, not as a member of it? */
static int
is_part(const struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it)
{
	const struct ctx_chat *chat = w->t->chat;

	if (it->kind != CTX_THINKING || chat->part == NULL)
		return 0;
	if (ctx_target_is_ours(w, it))
		return 1;
	return may_think(w, it) && (chat->thought == NULL ||
	    (ctx_target_count(w, st, CTX_CALL) == 0 &&
	    strcmp(it->family, w->t->name) != 0));
}

/* Are messages written for OpenAI, and not for others who speak its dialect? */
static int
is_for_openai(const struct ctx_writer *w)
{
	const struct ctx_api *api = w->s->api;

	return w->t == &ctx_to_openai &&
	    (api == NULL || strcmp(api->name, "openai") == 0);
}

static int
is_refusal(const struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it)
{
	return it->flags & CTX_REFUSAL && st->role == CTX_ASSISTANT &&
	    is_for_openai(w);
}

/* The refusal that is a member of its message: its last text; or NULL. */
static const struct ctx_said *
refusal_of(const struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item + st->nitem;

	while (it > w->s->item + st->item)
		if ((--it)->kind == CTX_TEXT)
			return is_refusal(w, st, it) ? it : NULL;
	return NULL;
}

/* Write the list of a message's parts, except for calls; or what says nothing. */
static void
put_parts(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	const struct ctx_said *refusal = refusal_of(w, st);
	size_t start = w->out->len;
	int n = 0;

	ctx_put(w, "[");
	for (end = it + st->nitem; it < end; it++) {
		put_kept(w, st, &n, 0);
		if (it->kind == CTX_CALL || it == refusal ||
		    (it->kind == CTX_THINKING && !is_part(w, st, it)))
			continue;
		if (ctx_target_is_ours(w, it)) {
			ctx_put_raw(w, it, &n);
		} else if (it->kind == CTX_THINKING) {
			ctx_put_comma(w, &n);
			ctx_put_3(w, w->t->chat->part, it->text,
			    w->t->chat->part_end);
		} else if (it->kind == CTX_TEXT) {
			ctx_put_text_part(w, is_refusal(w, st, it) ?
			    "{\"type\":\"refusal\",\"refusal\":" :
			    "{\"type\":\"text\",\"text\":", it, &n);
		} else if (it->kind == CTX_OTHER) {
			ctx_target_lose(w, it, CTX_L_PART);
		} else if (st->role == CTX_USER) {
			put_media(w, it, &n);
		} else
			ctx_target_lose(w, it, CTX_L_MEDIA);
	}
	put_kept(w, st, &n, 1);
	if (n == 0 && ctx_target_count(w, st, CTX_CALL) > 0) {
		w->out->len = start;
		ctx_put(w, w->t->chat->nothing != NULL ?
		    w->t->chat->nothing : "[]");
		return;
	}
	ctx_put_note(w, "{\"type\":\"text\",\"text\":", &n);
	ctx_put(w, "]");
}

/* Write the content: a string if it is one text; there may be none. */
static void
put_content(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *refusal = refusal_of(w, st);
	uint32_t texts = ctx_target_count(w, st, CTX_TEXT) - (refusal != NULL);
	uint32_t others = st->nitem - ctx_target_count(w, st, CTX_TEXT) -
	    ctx_target_count(w, st, CTX_CALL) -
	    ctx_target_count(w, st, CTX_THINKING), i, parts = 0;
	const char *nothing = w->t->chat->nothing;

	for (i = st->item; i < st->item + st->nitem; i++)
		others += is_part(w, st, &w->s->item[i]);
	for (i = 0; i < st->nkept; i++)
		parts += !ctx_target_is_thought(w->s->kept[st->kept + i].part);
	if (texts + others + parts > 0 || nothing != NULL)
		ctx_put(w, ",\"content\":");
	if (texts == 1 && others == 0 && parts == 0 &&
	    !is_refusal(w, st, ctx_target_first(w, st, CTX_TEXT))) {
		ctx_put_quoted(w, ctx_target_first(w, st, CTX_TEXT));
		w->at++;
	} else if (texts + others + parts > 0)
		put_parts(w, st);
	else if (nothing != NULL)
		ctx_put(w, nothing);
	if (refusal != NULL) {
		ctx_put(w, ",\"refusal\":");
		ctx_put_quoted(w, refusal);
		w->at++;
	}
}

/* Write a signature in the form that Google's API accepts through this one. */
static void
put_signature(struct ctx_writer *w, const struct ctx_said *it)
{
	struct ctx_taker call = ctx_takes_in(&w->s->taker, "tool_calls");

	if (w->t->signs && it->sign.p != NULL &&
	    strcmp(it->family, "gemini") == 0 &&
	    ctx_takes_name(&call, "extra_content"))
		ctx_put_3(w, ",\"extra_content\":{\"google\":{"
		    "\"thought_signature\":\"", it->sign, "\"}}");
}

static void
put_calls(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	int n = 0, custom;

	if (ctx_target_count(w, st, CTX_CALL) == 0)
		return;
	ctx_put(w, ",\"tool_calls\":[");
	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_CALL)
			continue;
		if (ctx_target_is_ours(w, it) && !(w->request &&
		    it->flags & CTX_RAW)) {
			ctx_put_raw(w, it, &n);
			continue;
		}
		custom = it->flags & CTX_CUSTOM && is_for_openai(w);
		ctx_put_comma(w, &n);
		ctx_put_3(w, "{\"id\":\"", it->id, custom ?
		    "\",\"type\":\"custom\",\"custom\":{\"name\":\"" :
		    "\",\"type\":\"function\",\"function\":{\"name\":\"");
		ctx_put_3(w, "", it->name, custom ? "\",\"input\":\"" :
		    "\",\"arguments\":\"");
		if (it->text.p == NULL)
			ctx_put(w, custom ? "" : "{}");
		else
			ctx_put_text(w, it);
		ctx_put(w, "\"}");
		put_signature(w, it);
		ctx_put(w, "}");
	}
	ctx_put(w, "]");
}

/* Write the thinking that it is, and the pieces that continue it. */
static const struct ctx_said *
put_pieces(struct ctx_writer *w, const char *member, const struct ctx_said *it,
    const struct ctx_said *end)
{
	ctx_put(w, member);
	do
		ctx_put_str(w, it->text);
	while (++it < end && it->flags & CTX_CONTINUES);
	ctx_put(w, "\"");
	return it - 1;
}

void
ctx_put_chat_thought(struct ctx_writer *w, const struct ctx_step *st)
{
	const char *member = w->t->chat->thought != NULL ?
	    w->t->chat->thought : ",\"reasoning_content\":\"";
	const struct ctx_said *it = w->s->item + st->item, *end;
	const struct ctx_kept *k;
	struct ctx_str text;
	uint32_t i;
	int takes = ctx_takes_name(&w->s->taker, "reasoning_content"), n = 0;

	for (i = 0; i < st->nkept && takes && n == 0; i++) {
		k = &w->s->kept[st->kept + i];
		if (!ctx_str_is(k->from, w->t->name) ||
		    !ctx_target_is_thought(k->part) ||
		    (text = thought_of(w, k->part)).p == NULL)
			continue;
		ctx_put_3(w, member, text, "\"");
		w->at++;
		n++;
	}
	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_THINKING || is_part(w, st, it))
			continue;
		if (n > 0 || w->t->chat->thought == NULL ||
		    !may_think(w, it)) {
			ctx_target_lose(w, it, CTX_L_THINKING);
			continue;
		}
		n++;
		w->at++;
		it = put_pieces(w, member, it, end);
	}
}

void
ctx_put_chat_results(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->result, *end;

	for (end = it + st->nresult; it < end; it += 1 + it->n) {
		w->s->loss[CTX_L_ERROR] += (it->flags & CTX_ERROR) != 0;
		ctx_put_begin(w);
		ctx_put_3(w, "\"role\":\"tool\",\"tool_call_id\":\"", it->id,
		    "\",\"content\":\"");
		ctx_put_result(w, it);
		ctx_put(w, "\"");
		ctx_put_end(w);
	}
}

void
ctx_put_chat(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_step(w, i);

	ctx_put_begin(w);
	ctx_put(w, "\"role\":\"");
	ctx_put_role(w, st, st->developer && w->t->chat->developer ?
	    "developer" : w->t->role[st->role]);
	ctx_put(w, "\"");
	if (st->name.p != NULL && w->t->names)
		ctx_put_3(w, ",\"name\":\"", st->name, "\"");
	if (st->role == CTX_ASSISTANT)
		ctx_put_chat_thought(w, st);
	put_content(w, st);
	put_calls(w, st);
	ctx_put_end(w);
	ctx_put_chat_results(w, st);
}

/*
 * What is taken: by OpenAI, its reference and SDK (platform.openai.com/docs/api-reference/
 * chat/create); by others, api-docs.deepseek.com, docs.mistral.ai, openrouter.ai/docs,
 * console.groq.com/docs, ollama.com/blog/openai-compatibility,
 * ai.google.dev/gemini-api/docs/openai, and recorded requests that they accepted.
 */
static const struct ctx_takes part[] = {
	{ .name = "type", .tag = 1 }, { .name = "text" },
	{ .name = "image_url" }, { .name = "input_audio" }, { .name = "file" },
	{ .name = "refusal" },
	{ .name = "cache_control", .only = " openrouter " },
	{ .name = "video_url", .only = " openrouter " },
	{ .name = "document_url", .only = " mistral " },
	{ .name = "document_name", .only = " mistral " },
	{ .name = "thinking", .only = " mistral " },
	{ .name = "closed", .only = " mistral " }, { .name = NULL }
};
static const struct ctx_takes call[] = {
	{ .name = "id" }, { .name = "type", .tag = 1 }, { .name = "function" },
	{ .name = "custom" },
	{ .name = "index", .only = " mistral openrouter " },
	{ .name = "cache_control", .only = " openrouter " },
	{ .name = "extra_content", .only = " google " }, { .name = NULL }
};
static const struct ctx_takes audio[] = { { .name = "id" }, { .name = NULL } };
static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content", .in = part },
	{ .name = "name", .given = 1 },
	{ .name = "tool_calls", .in = call, .given = 1 },
	{ .name = "tool_call_id", .given = 1 }, { .name = "function_call" },
	{ .name = "refusal" }, { .name = "audio", .in = audio },
	{ .name = "annotations" },
	{ .name = "reasoning_content", .only = " deepseek openrouter " },
	{ .name = "reasoning", .only = " groq ollama openrouter " },
	{ .name = "reasoning_details", .only = " openrouter " },
	{ .name = "prefix", .only = " deepseek mistral " },
	{ .name = "cache_control", .only = " openrouter " }, { .name = NULL }
};

/*
 * What is taken beside the messages: the reference and those pages; what only single
 * servers have is from theirs.
 */
static const struct ctx_takes request[] = {
	{ .name = "audio", .only = " openai openrouter " },
	{ .name = "cache_control", .only = " openrouter " },
	{ .name = "frequency_penalty" }, { .name = "function_call" },
	{ .name = "functions" },
	{ .name = "include_reasoning", .only = " groq openrouter " },
	{ .name = "logit_bias",
	    .only = " openai groq openrouter deepseek ollama " },
	{ .name = "logprobs" }, { .name = "max_completion_tokens" },
	{ .name = "max_tokens" },
	{ .name = "metadata", .only = " openai openrouter groq " },
	{ .name = "min_p", .only = " openrouter " },
	{ .name = "modalities", .only = " openai openrouter " },
	{ .name = "models", .only = " openrouter " },
	{ .name = "moderation", .only = " openai " }, { .name = "n" },
	{ .name = "parallel_tool_calls" },
	{ .name = "plugins", .only = " openrouter " },
	{ .name = "prediction", .only = " openai mistral " },
	{ .name = "presence_penalty" },
	{ .name = "prompt_cache_key", .only = " openai mistral openrouter " },
	{ .name = "prompt_cache_options", .only = " openai " },
	{ .name = "prompt_cache_retention", .only = " openai " },
	{ .name = "prompt_mode", .only = " mistral " },
	{ .name = "provider", .only = " openrouter " },
	{ .name = "random_seed", .only = " mistral " },
	{ .name = "reasoning", .only = " openrouter groq " },
	{ .name = "reasoning_effort" },
	{ .name = "reasoning_format", .only = " groq " },
	{ .name = "repetition_penalty", .only = " openrouter " },
	{ .name = "response_format" },
	{ .name = "route", .only = " openrouter " },
	{ .name = "safe_prompt", .only = " mistral " },
	{ .name = "safety_identifier", .only = " openai " },
	{ .name = "seed",
	    .only = " openai deepseek groq openrouter google ollama " },
	{ .name = "service_tier", .only = " openai groq openrouter " },
	{ .name = "stop" }, { .name = "store", .only = " openai " },
	{ .name = "stream" },
	{ .name = "stream_options",
	    .only = " openai deepseek groq openrouter google ollama " },
	{ .name = "temperature" }, { .name = "thinking", .only = " deepseek " },
	{ .name = "tool_choice" }, { .name = "top_a", .only = " openrouter " },
	{ .name = "top_k", .only = " openrouter " }, { .name = "top_logprobs" },
	{ .name = "top_p" }, { .name = "transforms", .only = " openrouter " },
	{ .name = "usage", .only = " openrouter " }, { .name = "user" },
	{ .name = "verbosity", .only = " openai openrouter " },
	{ .name = "web_search_options", .only = " openai openrouter " },
	{ .name = NULL }
};

const struct ctx_target ctx_to_openai = {
	.name = "openai",
	.role = { "system", "user", "assistant" },
	.needs = CTX_NEED_SHORT,
	.list = "messages",
	.takes = message,
	.signs = 1,
	.names = 1,
	.step = ctx_put_chat,
	.results = ctx_put_chat_results,
	.chat = &(const struct ctx_chat){
		.thought = ",\"reasoning_content\":\"",
		.nothing = "null",
		.files = CTX_CHAT_FILES,
		.developer = 1
	},
	.request = &(const struct ctx_request_words){
		.model = "model",
		.tool_has = " function custom ",
		.tool = "{\"type\":\"function\",\"function\":{",
		.tool_end = "}}",
		.custom = "{\"type\":\"custom\",\"custom\":{",
		.grammar = "{\"type\":\"grammar\",\"grammar\":{",
		.schema = ",\"parameters\":",
		.choice = CTX_CHAT_CHOICE,
		.max_output = "max_completion_tokens",
		.limits = " max_completion_tokens max_tokens ",
		.stream = 1,
		.stream_options = "{\"include_usage\":true}",
		.members = request,
		.needs = CTX_NEED_STRINGS | CTX_NEED_FILLED |
		    CTX_NEED_TEXT_RESULTS
	}
};
