/* SPDX-License-Identifier: MIT */
/*
 * LangChain's messages_to_dict as a target.  A file has the form with source_type:
 * convert_to_openai_data_block in langchain-core of Python and isDataContentBlock in
 * npm's @langchain/core 1.4.0 read it; base64 and mime_type alone only Python does.
 */
#include "edit/target.h"

#include <string.h>

static void
put_media(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	struct ctx_attachment m;

	if (!ctx_target_attachment(w, it, &m)) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	ctx_put_comma(w, n);
	if (m.image) {
		ctx_put(w, "{\"type\":\"image_url\",\"image_url\":{"
		    "\"url\":\"");
		ctx_put_address(w, &m);
		ctx_put(w, "\"}}");
		return;
	}
	ctx_put(w, "{\"type\":\"file\",\"source_type\":");
	ctx_put(w, m.data.p != NULL ? "\"base64\"," : "\"url\",");
	if (m.type.p != NULL)
		ctx_put_3(w, "\"mime_type\":\"", m.type, "\",");
	if (m.name.p != NULL)
		ctx_put_3(w, "\"metadata\":{\"filename\":\"", m.name, "\"},");
	ctx_put_3(w, m.data.p != NULL ? "\"data\":\"" : "\"url\":\"",
	    m.data.p != NULL ? m.data : m.url, "\"}");
}

static void
put_block(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	(void)st;
	if (ctx_target_is_ours(w, it) && it->kind != CTX_CALL) {
		ctx_put_raw(w, it, n);
		return;
	}
	switch (it->kind) {
	case CTX_TEXT:
		ctx_put_text_part(w, "{\"type\":\"text\",\"text\":", it, n);
		break;
	case CTX_THINKING:
		ctx_put_thinking(w, "{\"type\":\"thinking\",\"thinking\":\"",
		    ",\"signature\":\"", "\"", it, n);
		break;
	case CTX_IMAGE:
	case CTX_FILE:
		put_media(w, it, n);
		break;
	case CTX_CALL:
		break;
	default:
		ctx_target_lose(w, it, CTX_L_PART);
	}
}

static void
put_content(struct ctx_writer *w, const struct ctx_step *st)
{
	uint32_t calls = ctx_target_count(w, st, CTX_CALL);
	int n = 0;

	ctx_put(w, "\"content\":");
	if (st->nitem - calls <= 1 && st->nkept == 0 && (st->nitem == calls ||
	    ctx_target_count(w, st, CTX_TEXT) == 1)) {
		ctx_put(w, "\"");
		if (st->nitem > calls) {
			ctx_put_text(w, ctx_target_first(w, st, CTX_TEXT));
			w->at++;
		}
		ctx_put(w, "\"");
		return;
	}
	ctx_put(w, "[");
	ctx_put_parts(w, st, &n, put_block);
	ctx_put(w, "]");
}

static void
put_calls(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	int n = 0;

	ctx_put(w, ",\"tool_calls\":[");
	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_CALL)
			continue;
		ctx_put_comma(w, &n);
		ctx_put_3(w, "{\"name\":\"", it->name, "\",\"args\":");
		ctx_put_object(w, it);
		ctx_put_3(w, ",\"id\":\"", it->id,
		    "\",\"type\":\"tool_call\"}");
	}
	ctx_put(w, "],\"invalid_tool_calls\":[]");
}

static void
begin(struct ctx_writer *w, const char *type)
{
	ctx_put_begin(w);
	ctx_put(w, "\"type\":\"");
	ctx_put(w, type);
	ctx_put(w, "\",\"data\":{\"type\":\"");
	ctx_put(w, type);
	ctx_put(w, "\",\"additional_kwargs\":{},\"response_metadata\":{},");
}

/* Close the object of the message, in which kept parts are written. */
static void
end_message(struct ctx_writer *w)
{
	ctx_put_kept(w);
	ctx_put(w, "}");
	ctx_put_end(w);
}

static void
put_results(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->result, *end;
	uint32_t i;
	int n;

	for (end = it + st->nresult; it < end; it += 1 + it->n) {
		begin(w, "tool");
		ctx_put(w, "\"content\":");
		if (it->text.p != NULL || it->n == 0) {
			ctx_put(w, "\"");
			ctx_put_result(w, it);
			ctx_put(w, "\"");
		} else {
			ctx_put(w, "[");
			for (n = 0, i = it->first; i < it->first + it->n; i++)
				put_block(w, st, &w->s->item[i], &n);
			ctx_put(w, "]");
		}
		ctx_put_3(w, ",\"tool_call_id\":\"", it->id, "\"");
		if (it->name.p != NULL)
			ctx_put_3(w, ",\"name\":\"", it->name, "\"");
		ctx_put(w, it->flags & CTX_ERROR ? ",\"status\":\"error\"" :
		    ",\"status\":\"success\"");
		end_message(w);
	}
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_step(w, i);

	begin(w, w->t->role[st->role]);
	if (st->name.p != NULL)
		ctx_put_3(w, "\"name\":\"", st->name, "\",");
	put_content(w, st);
	if (st->role == CTX_ASSISTANT)
		put_calls(w, st);
	end_message(w);
	put_results(w, st);
}

const struct ctx_target ctx_to_langchain = {
	.name = "langchain",
	.role = { "system", "human", "ai" },
	.list = "messages",
	.names = 1,
	.step = step,
	.results = put_results
};
