/* SPDX-License-Identifier: MIT */
/* Gemini contents as a target. */
#include "edit/target.h"

#include <string.h>

/* The value that the API's documents give for calls that another model made. */
#define NO_SIGNATURE	"skip_thought_signature_validator"

static void
put_media(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	struct ctx_attachment m;

	if (!ctx_target_attachment(w, it, &m) ||
	    (m.data.p == NULL && m.type.p == NULL && !m.image)) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	ctx_put_comma(w, n);
	ctx_put(w, m.data.p != NULL ? "{\"inlineData\":{" :
	    "{\"fileData\":{");
	if (m.type.p != NULL)
		ctx_put_3(w, "\"mimeType\":\"", m.type, "\",");
	if (m.data.p != NULL)
		ctx_put_3(w, "\"data\":\"", m.data, "\"}}");
	else
		ctx_put_3(w, "\"fileUri\":\"", m.url, "\"}}");
}

static void
put_call(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it)
{
	int first = it == ctx_target_first(w, st, CTX_CALL);

	ctx_put(w, "{\"functionCall\":{");
	if (it->id.p != NULL)
		ctx_put_3(w, "\"id\":\"", it->id, "\",");
	ctx_put_3(w, "\"name\":\"", it->name, "\",\"args\":");
	ctx_put_object(w, it);
	ctx_put(w, "}");
	if (it->sign.p != NULL && strcmp(it->family, "openai") == 0)
		ctx_put_3(w, ",\"thoughtSignature\":\"", it->sign, "\"");
	else if (w->request && first && st > w->last_user)
		ctx_put(w, ",\"thoughtSignature\":\"" NO_SIGNATURE "\"");
	ctx_put(w, "}");
}

static void
put_part(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	if (ctx_target_is_ours(w, it)) {
		ctx_put_raw(w, it, n);
		return;
	}
	switch (it->kind) {
	case CTX_TEXT:
		ctx_put_text_part(w, "{\"text\":", it, n);
		break;
	case CTX_CALL:
		ctx_put_comma(w, n);
		put_call(w, st, it);
		break;
	case CTX_IMAGE:
	case CTX_FILE:
		put_media(w, it, n);
		break;
	case CTX_THINKING:
		if (w->request || it->flags & CTX_SIGNED ||
		    it->text.p == NULL) {
			ctx_target_lose(w, it, CTX_L_THINKING);
			break;
		}
		ctx_put_comma(w, n);
		ctx_put_3(w, "{\"text\":\"", it->text, "\",\"thought\":true}");
		break;
	default:
		ctx_target_lose(w, it, CTX_L_PART);
	}
}

/* Is the result an object that its API could take as the response? */
static int
is_response(struct ctx_writer *w, const struct ctx_said *it)
{
	int rc;

	if (!(it->flags & CTX_RAW) || it->text.p == NULL ||
	    it->text.p[0] != '{')
		return 0;
	if (!(it->flags & CTX_ERROR))
		return 1;
	rc = ctx_doc_try(&w->doc, it->text.p, it->text.len);
	ctx_put_failed(w, rc == -1);
	return rc == 1 && CTX_GIVEN(&w->doc, 0, "error") != CTX_NONE;
}

static void
put_result(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	int raw = it->flags & CTX_RAW && it->text.p != NULL;

	(void)st;
	if (ctx_target_is_ours(w, it)) {
		ctx_put_raw(w, it, n);
		return;
	}
	ctx_put_comma(w, n);
	ctx_put(w, "{\"functionResponse\":{");
	if (it->id.p != NULL)
		ctx_put_3(w, "\"id\":\"", it->id, "\",");
	ctx_put_3(w, "\"name\":\"", it->name, "\",\"response\":");
	if (is_response(w, it)) {
		ctx_put_json(w, it->text);
	} else if (raw) {
		ctx_put(w, it->flags & CTX_ERROR ? "{\"error\":" :
		    "{\"output\":");
		ctx_put_json(w, it->text);
		ctx_put(w, "}");
	} else {
		ctx_put(w, it->flags & CTX_ERROR ? "{\"error\":\"" :
		    "{\"output\":\"");
		ctx_put_result(w, it);
		ctx_put(w, "\"}");
	}
	ctx_put(w, "}}");
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	ctx_put_turn(w, i, "\"parts\":[", put_result, put_part);
}

static void
results(struct ctx_writer *w, const struct ctx_step *st)
{
	ctx_put_answer(w, (uint32_t)(st - w->s->step), "\"parts\":[", put_result,
	    put_part);
}

static void
head(struct ctx_writer *w)
{
	ctx_put_head(w, "\"systemInstruction\":{\"parts\":[", "]},",
	    put_part);
}

static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "parts" }, { .name = NULL }
};

/*
 * What is taken beside the contents:
 * ai.google.dev/api/generate-content; Vertex has labels.
 */
static const struct ctx_takes request[] = {
	{ .name = "cachedContent" }, { .name = "cached_content" },
	{ .name = "generationConfig" }, { .name = "generation_config" },
	{ .name = "labels" }, { .name = "safetySettings" },
	{ .name = "safety_settings" }, { .name = "serviceTier" },
	{ .name = "store" }, { .name = "toolConfig" },
	{ .name = "tool_config" }, { .name = NULL }
};

const struct ctx_target ctx_to_gemini = {
	.name = "gemini",
	.role = { "system", "user", "model" },
	.needs = CTX_NEED_MERGED | CTX_NEED_FIRST_USER | CTX_NEED_TEXT |
	    CTX_NEED_NO_ID | CTX_NEED_HEAD,
	.list = "contents",
	.takes = message,
	.system = "\"role\":\"system\",\"parts\":",
	.system_parts = "[{\"text\":",
	.signs = 1,
	.step = step,
	.results = results,
	.named = 1,
	.head = head,
	.request = &(const struct ctx_request_words){
		.group = "{\"functionDeclarations\":[",
		.group_end = "]}",
		.tool_lacks = " name function ",
		.tool = "{",
		.tool_end = "}",
		.schema = ",\"parametersJsonSchema\":",
		.google = ",\"parameters\":",
		.no_about = ",\"description\":\"\"",
		.choice = {
			.name = "toolConfig.functionCallingConfig",
			.automatic = "{\"mode\":\"AUTO\"}",
			.none = "{\"mode\":\"NONE\"}",
			.required = "{\"mode\":\"ANY\"}",
			.one = "{\"mode\":\"ANY\",\"allowedFunctionNames\":[\"",
			.one_end = "\"]}"
		},
		.max_output = "generationConfig.maxOutputTokens",
		.limits = " generationConfig.maxOutputTokens ",
		.members = request
	}
};
