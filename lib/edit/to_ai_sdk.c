/* SPDX-License-Identifier: MIT */
/*
 * ModelMessage of the AI SDK as a target: what versions 6 and 7 take, or version 5,
 * whose results have media in one form only.  UI messages stay as they are; ai's
 * convertToModelMessages is for them.
 * Their results have a form each for images and files; "file" is only 7's.
 * Format: modelMessageSchema in the source of npm's ai 5.0.277, 6.0.326 and 7.0.173.
 */
#include "edit/target.h"

#include <string.h>

static void
put_media(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	struct ctx_attachment m;

	if (!ctx_target_attachment(w, it, &m) ||
	    (!m.image && m.type.p == NULL)) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	ctx_put_comma(w, n);
	ctx_put_3(w, m.image ? "{\"type\":\"image\",\"image\":\"" :
	    "{\"type\":\"file\",\"data\":\"", m.data.p != NULL ? m.data :
	    m.url, "\"");
	if (m.name.p != NULL && !m.image)
		ctx_put_3(w, ",\"filename\":\"", m.name, "\"");
	if (m.type.p != NULL)
		ctx_put_3(w, ",\"mediaType\":\"", m.type, "\"");
	ctx_put(w, "}");
}

static void
put_part(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	(void)st;
	switch (it->kind) {
	case CTX_TEXT:
		ctx_put_text_part(w, "{\"type\":\"text\",\"text\":", it, n);
		break;
	case CTX_THINKING:
		ctx_put_thinking(w, "{\"type\":\"reasoning\",\"text\":\"",
		    ",\"providerOptions\":{\"anthropic\":{\"signature\":\"",
		    "\"}}", it, n);
		break;
	case CTX_CALL:
		ctx_put_comma(w, n);
		ctx_put_3(w, "{\"type\":\"tool-call\",\"toolCallId\":\"",
		    it->id, "\",\"toolName\":\"");
		ctx_put_3(w, "", it->name, "\",\"input\":");
		ctx_put_object(w, it);
		ctx_put(w, "}");
		break;
	case CTX_IMAGE:
	case CTX_FILE:
		put_media(w, it, n);
		break;
	default:
		if (ctx_target_is_ours(w, it)) {
			ctx_put_raw(w, it, n);
		} else
			ctx_target_lose(w, it, CTX_L_PART);
	}
}

/* Write an image or file in a result.  Returns 0 if the version has no form for it. */
static int
put_output(struct ctx_writer *w, const struct ctx_attachment *m, int *n)
{
	int old = w->t == &ctx_to_ai_sdk_5;

	if (m->data.p == NULL && old)
		return 0;
	ctx_put_comma(w, n);
	ctx_put(w, old ? "{\"type\":\"media\"" : m->image ?
	    "{\"type\":\"image" : "{\"type\":\"file");
	if (m->data.p == NULL) {
		ctx_put_3(w, "-url\",\"url\":\"", m->url, "\"}");
		return 1;
	}
	ctx_put_3(w, old ? ",\"data\":\"" : "-data\",\"data\":\"", m->data,
	    "\"");
	ctx_put_3(w, ",\"mediaType\":\"", m->type, "\"");
	if (m->name.p != NULL && !old && !m->image)
		ctx_put_3(w, ",\"filename\":\"", m->name, "\"");
	ctx_put(w, "}");
	return 1;
}

static void
put_inner(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it)
{
	const struct ctx_said *in = w->s->item + it->first;
	struct ctx_attachment m;
	uint32_t i;
	int n = 0;

	if (it->text.p != NULL)
		ctx_put_text_part(w, "{\"type\":\"text\",\"text\":", it, &n);
	for (i = 0; i < it->n; i++) {
		if (in[i].kind == CTX_TEXT) {
			put_part(w, st, &in[i], &n);
		} else if (in[i].kind == CTX_OTHER) {
			ctx_script_lose(w->s, in[i].raw);
		} else if (!ctx_target_attachment(w, &in[i], &m) ||
		    !put_output(w, &m, &n))
			w->s->loss[CTX_L_MEDIA]++;
	}
}

static void
put_results(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->result, *end;
	int n = 0, fault;

	if (st->nresult == 0)
		return;
	ctx_put_begin(w);
	ctx_put(w, "\"role\":\"tool\",\"content\":[");
	for (end = it + st->nresult; it < end; it += 1 + it->n) {
		ctx_put_comma(w, &n);
		ctx_put_3(w, "{\"type\":\"tool-result\",\"toolCallId\":\"",
		    it->id, "\",\"toolName\":\"");
		ctx_put_3(w, "", it->name, "\",\"output\":{\"type\":");
		fault = (it->flags & CTX_ERROR) != 0;
		if (it->n > 0 && !fault) {
			ctx_put(w, "\"content\",\"value\":[");
			put_inner(w, st, it);
			ctx_put(w, "]}}");
		} else if (it->flags & CTX_RAW && it->text.p != NULL) {
			ctx_put(w, fault ? "\"error-json\",\"value\":" :
			    "\"json\",\"value\":");
			ctx_put_result_json(w, it);
			ctx_put(w, "}}");
		} else {
			ctx_put(w, fault ? "\"error-text\",\"value\":\"" :
			    "\"text\",\"value\":\"");
			ctx_put_result(w, it);
			ctx_put(w, "\"}}");
		}
	}
	ctx_put(w, "]");
	ctx_put_end(w);
}

/* Write a system prompt, which is one text. */
static void
put_system(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	int n = 0;

	ctx_put(w, "\"");
	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_TEXT)
			continue;
		if (n++ > 0)
			ctx_put(w, "\\n");
		ctx_put_joined(w, it);
	}
	ctx_put(w, "\"");
	ctx_target_lose_others(w, st);
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_step(w, i);
	const struct ctx_said *it = w->s->item + st->item;
	int n = 0;

	ctx_put_begin(w);
	ctx_put(w, "\"role\":\"");
	ctx_put_role(w, st, w->t->role[st->role]);
	ctx_put(w, "\",\"content\":");
	if (st->role == CTX_SYSTEM) {
		put_system(w, st);
	} else if (st->nitem == 1 && it->kind == CTX_TEXT && st->nkept == 0) {
		ctx_put_quoted(w, it);
	} else {
		ctx_put(w, "[");
		ctx_put_parts(w, st, &n, put_part);
		ctx_put(w, "]");
	}
	ctx_put_end(w);
	put_results(w, st);
}

/*
 * Has a part a form that only other versions take?  Before 5, there were args and
 * result; 7 also has objects as data.
 */
static int
is_other(const struct ctx_doc *doc, uint32_t e)
{
	uint32_t type = CTX_GET(doc, e, "type");

	if (ctx_node_is(doc, type, "tool-call"))
		return CTX_GET(doc, e, "input") == CTX_NONE;
	if (ctx_node_is(doc, type, "tool-result"))
		return CTX_GET(doc, e, "output") == CTX_NONE;
	if (ctx_node_is(doc, type, "file") &&
	    ctx_node_if(doc, CTX_GET(doc, e, "data"), '{') != CTX_NONE)
		return 1;
	return ctx_node_is(doc, type, "redacted-reasoning") ||
	    CTX_GET(doc, e, "mimeType") != CTX_NONE;
}

/* Do all parts in the message's results have a form of that version? */
static int
is_of(const struct ctx_doc *doc, uint32_t node, int five)
{
	uint32_t e, o, v, type;
	int media;

	CTX_FOR_LIST(doc, e, CTX_GET(doc, node, "content")) {
		if (is_other(doc, e))
			return 0;
		v = CTX_GET(doc, CTX_GET(doc, e, "output"), "value");
		CTX_FOR_LIST(doc, o, v) {
			type = CTX_GET(doc, o, "type");
			media = ctx_node_is(doc, type, "media");
			if (ctx_node_is(doc, type, "file") ||
			    (!ctx_node_is(doc, type, "text") && media != five))
				return 0;
		}
	}
	return 1;
}

static int
is_current(const struct ctx_doc *doc, uint32_t node)
{
	return is_of(doc, node, 0);
}

static int
is_5(const struct ctx_doc *doc, uint32_t node)
{
	return is_of(doc, node, 1);
}

const struct ctx_target ctx_to_ai_sdk = {
	.name = "ai-sdk",
	.role = { "system", "user", "assistant" },
	.list = "messages",
	.is_current = is_current,
	.step = step,
	.results = put_results,
	.named = 1
};

const struct ctx_target ctx_to_ai_sdk_5 = {
	.name = "ai-sdk@5",
	.dialect = "ai-sdk",
	.role = { "system", "user", "assistant" },
	.list = "messages",
	.is_current = is_5,
	.step = step,
	.results = put_results,
	.named = 1
};
