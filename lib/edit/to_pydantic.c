/* SPDX-License-Identifier: MIT */
/*
 * pydantic-ai messages as a target.  Everything said to the model between two
 * of its responses is one request.
 */
#include "edit/target.h"
#include "view/media.h"

#include <string.h>

static void
close_request(struct ctx_writer *w)
{
	if (!w->open)
		return;
	w->open = 0;
	ctx_put(w, "]");
	ctx_put_end(w);
}

/* Begin the next part of the open request, or of a new one. */
static void
open_part(struct ctx_writer *w, const char *kind)
{
	if (w->open) {
		ctx_put(w, ",");
	} else {
		ctx_put_begin(w);
		ctx_put(w, "\"kind\":\"request\",\"parts\":[");
		w->open = 1;
	}
	ctx_put(w, "{\"part_kind\":\"");
	ctx_put(w, kind);
	ctx_put(w, "\",\"content\":");
}

/* Close a part of a request: being a message, it has kept parts of its own. */
static void
close_part(struct ctx_writer *w)
{
	ctx_put_kept(w);
	ctx_put(w, "}");
}

/*
 * Write the type of what is at a URL.  Without one, pydantic-ai infers it from the
 * URL's ending when it dumps the message, and fails if that is unknown.
 */
static void
put_type(struct ctx_writer *w, const struct ctx_attachment *m)
{
	uint32_t end = 0, dot;
	struct ctx_str type = { NULL, 0 };

	if (m->type.p != NULL) {
		ctx_put_str(w, m->type);
		return;
	}
	while (end < m->url.len && strchr("?#", m->url.p[end]) == NULL)
		end++;
	for (dot = end; dot > 0 && strchr("./", m->url.p[dot - 1]) == NULL;)
		dot--;
	type.p = ctx_media_type(m->url.p + dot, end - dot);
	if (type.p == NULL)
		type.p = m->image ? "image/jpeg" : "application/octet-stream";
	type.len = (uint32_t)strlen(type.p);
	ctx_put(w, type.p);
	ctx_trace_mark(&w->s->trace, CTX_MADE, NULL, type, "type");
}

static void
put_media(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	struct ctx_attachment m;

	if (!ctx_target_attachment(w, it, &m)) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	ctx_put_comma(w, n);
	if (m.data.p != NULL) {
		ctx_put_3(w, "{\"kind\":\"binary\",\"media_type\":\"", m.type,
		    "\",\"data\":\"");
		ctx_put_3(w, "", m.data, "\"}");
		return;
	}
	ctx_put(w, "{\"kind\":\"");
	ctx_put(w, m.image ? "image" : ctx_str_starts(m.type, "audio/") ?
	    "audio" : ctx_str_starts(m.type, "video/") ? "video" : "document");
	ctx_put_3(w, "-url\",\"url\":\"", m.url, "\",\"media_type\":\"");
	put_type(w, &m);
	ctx_put(w, "\"}");
}

/* Write a user's words: a string if they are one text. */
static void
put_user(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;
	int n = 0;

	open_part(w, "user-prompt");
	if (st->nitem == 1 && it->kind == CTX_TEXT && st->nkept == 0) {
		ctx_put_quoted(w, it);
		close_part(w);
		return;
	}
	ctx_put(w, "[");
	for (end = it + st->nitem; it < end; it++) {
		ctx_put_kept_parts(w, st, &n, 0);
		if (it->kind == CTX_TEXT) {
			ctx_put_comma(w, &n);
			ctx_put_quoted(w, it);
		} else if (it->kind == CTX_OTHER) {
			ctx_target_lose(w, it, CTX_L_PART);
		} else
			put_media(w, it, &n);
	}
	ctx_put_kept_parts(w, st, &n, 1);
	ctx_put(w, "]");
	close_part(w);
}

static void
put_system(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->item, *end;

	/* without a text, there is no part to keep others in */
	w->bare = ctx_target_count(w, st, CTX_TEXT) == 0;
	ctx_target_lose_others(w, st);
	w->bare = 0;
	for (end = it + st->nitem; it < end; it++) {
		if (it->kind != CTX_TEXT)
			continue;
		open_part(w, "system-prompt");
		ctx_put_quoted(w, it);
		close_part(w);
	}
}

/*
 * Is a result written as JSON?  An error is a text, or the list of details that only
 * pydantic-ai has (RetryPromptPart in its messages.py).
 */
static int
is_json(const struct ctx_said *it)
{
	return it->flags & CTX_RAW && it->text.p != NULL &&
	    (!(it->flags & CTX_ERROR) ||
	    strcmp(it->family, "pydantic-ai") == 0);
}

static void
put_results(struct ctx_writer *w, const struct ctx_step *st)
{
	const struct ctx_said *it = w->s->item + st->result, *end;

	for (end = it + st->nresult; it < end; it += 1 + it->n) {
		open_part(w, it->flags & CTX_ERROR ? "retry-prompt" :
		    "tool-return");
		if (is_json(it)) {
			ctx_put_result_json(w, it);
		} else {
			ctx_put(w, "\"");
			ctx_put_result(w, it);
			ctx_put(w, "\"");
		}
		ctx_put_3(w, ",\"tool_name\":\"", it->name, "\"");
		ctx_put_3(w, ",\"tool_call_id\":\"", it->id, "\"}");
	}
}

static void
put_part(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	(void)st;
	if (ctx_target_is_ours(w, it)) {
		ctx_put_raw(w, it, n);
		return;
	}
	switch (it->kind) {
	case CTX_TEXT:
		ctx_put_text_part(w, "{\"part_kind\":\"text\",\"content\":",
		    it, n);
		break;
	case CTX_THINKING:
		ctx_put_thinking(w, "{\"part_kind\":\"thinking\","
		    "\"content\":\"", ",\"signature\":\"", "\"", it, n);
		break;
	case CTX_CALL:
		ctx_put_comma(w, n);
		ctx_put_3(w, "{\"part_kind\":\"tool-call\",\"tool_name\":\"",
		    it->name, "\",\"args\":");
		if (it->flags & CTX_RAW || it->text.p == NULL)
			ctx_put_object(w, it);
		else
			ctx_put_3(w, "\"", it->text, "\"");
		ctx_put_3(w, ",\"tool_call_id\":\"", it->id, "\"}");
		break;
	default:
		ctx_target_lose(w, it, it->kind == CTX_OTHER ? CTX_L_PART :
		    CTX_L_MEDIA);
	}
}

static void
put_response(struct ctx_writer *w, const struct ctx_step *st)
{
	int n = 0;

	ctx_put_begin(w);
	ctx_put(w, "\"kind\":\"response\",\"parts\":[");
	ctx_put_parts(w, st, &n, put_part);
	ctx_put(w, "]");
	ctx_put_end(w);
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_step(w, i);

	switch (st->role) {
	case CTX_SYSTEM:
		put_system(w, st);
		break;
	case CTX_ASSISTANT:
		close_request(w);
		put_response(w, st);
		put_results(w, st);
		break;
	default:
		put_user(w, st);
	}
}

const struct ctx_target ctx_to_pydantic = {
	.name = "pydantic-ai",
	.list = "messages",
	.step = step,
	.results = put_results,
	.named = 1,
	.end = close_request
};
