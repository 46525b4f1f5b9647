/* SPDX-License-Identifier: MIT */
/* Anthropic messages as a target. */
#include "edit/target.h"

static void
put_media(struct ctx_writer *w, const struct ctx_said *it, int *n)
{
	struct ctx_attachment m;

	if (!ctx_target_attachment(w, it, &m) || (!m.image &&
	    m.type.p != NULL && !ctx_str_is(m.type, "application/pdf"))) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	ctx_put_comma(w, n);
	ctx_put(w, m.image ? "{\"type\":\"image\"" : "{\"type\":\"document\"");
	if (!m.image && m.name.p != NULL)
		ctx_put_3(w, ",\"title\":\"", m.name, "\"");
	ctx_put(w, ",\"source\":");
	if (m.data.p != NULL) {
		ctx_put_3(w, "{\"type\":\"base64\",\"media_type\":\"", m.type,
		    "\",\"data\":\"");
		ctx_put_3(w, "", m.data, "\"}}");
	} else
		ctx_put_3(w, "{\"type\":\"url\",\"url\":\"", m.url, "\"}}");
}

static void
put_block(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	(void)st;
	if (ctx_target_is_ours(w, it) && (it->kind != CTX_THINKING ||
	    it->flags & CTX_SIGNED)) {
		ctx_put_raw(w, it, n);
		return;
	}
	switch (it->kind) {
	case CTX_TEXT:
		ctx_put_text_part(w, "{\"type\":\"text\",\"text\":", it, n);
		break;
	case CTX_CALL:
		ctx_put_comma(w, n);
		ctx_put_3(w, "{\"type\":\"tool_use\",\"id\":\"", it->id,
		    "\",\"name\":\"");
		ctx_put_3(w, "", it->name, "\",\"input\":");
		ctx_put_object(w, it);
		ctx_put(w, "}");
		break;
	case CTX_IMAGE:
	case CTX_FILE:
		put_media(w, it, n);
		break;
	case CTX_THINKING:
		if (!ctx_target_is_signed(it)) {
			ctx_target_lose(w, it, CTX_L_THINKING);
			break;
		}
		ctx_put_comma(w, n);
		ctx_put_3(w, "{\"type\":\"thinking\",\"thinking\":\"",
		    it->text, "\",\"signature\":\"");
		ctx_put_3(w, "", it->sign, "\"}");
		break;
	default:
		ctx_target_lose(w, it, CTX_L_PART);
	}
}

static void
put_result(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	uint32_t i;
	int inner = 0;

	if (ctx_target_is_ours(w, it)) {
		ctx_put_raw(w, it, n);
		return;
	}
	ctx_put_comma(w, n);
	ctx_put_3(w, "{\"type\":\"tool_result\",\"tool_use_id\":\"", it->id,
	    "\"");
	if (it->flags & CTX_ERROR)
		ctx_put(w, ",\"is_error\":true");
	if (it->n == 0) {
		ctx_put(w, ",\"content\":\"");
		ctx_put_result(w, it);
		ctx_put(w, "\"}");
		return;
	}
	ctx_put(w, ",\"content\":[");
	if (it->text.p != NULL)
		ctx_put_text_part(w, "{\"type\":\"text\",\"text\":", it,
		    &inner);
	for (i = it->first; i < it->first + it->n; i++)
		put_block(w, st, &w->s->item[i], &inner);
	ctx_put_note(w, "{\"type\":\"text\",\"text\":", &inner);
	ctx_put(w, "]}");
}

static int
is_one_text(const struct ctx_writer *w, const struct ctx_step *st)
{
	return st->nitem == 1 && st->nkept == 0 &&
	    w->s->item[st->item].kind == CTX_TEXT &&
	    !ctx_target_is_ours(w, &w->s->item[st->item]);
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	const struct ctx_step *st = ctx_target_begin_turn(w, i);
	int n = 0;

	if (st == NULL)
		return;
	if (is_one_text(w, st)) {
		ctx_put(w, "\",\"content\":");
		ctx_put_quoted(w, &w->s->item[st->item]);
	} else {
		ctx_put(w, "\",\"content\":[");
		ctx_put_parts(w, st, &n, put_block);
		ctx_put_note(w, "{\"type\":\"text\",\"text\":", &n);
		ctx_put(w, "]");
	}
	ctx_put_end(w);
	if (st->nresult > 0)
		ctx_put_answer(w, i, "\"content\":[", put_result, put_block);
}

static void
results(struct ctx_writer *w, const struct ctx_step *st)
{
	ctx_put_answer(w, (uint32_t)(st - w->s->step), "\"content\":[",
	    put_result, put_block);
}

/* Write the system prompt: a string if it is one text, else blocks. */
static void
head(struct ctx_writer *w)
{
	const struct ctx_step *st = w->s->step;

	if (w->s->nstep > 0 && st->role == CTX_SYSTEM && !st->as_is &&
	    is_one_text(w, st) && (w->s->nstep == 1 ||
	    st[1].role != CTX_SYSTEM || st[1].as_is)) {
		ctx_put(w, "\"system\":");
		ctx_put_quoted(w, &w->s->item[st->item]);
		ctx_put(w, ",");
		return;
	}
	ctx_put_head(w, "\"system\":[", "],", put_block);
}

/*
 * What is taken in blocks of these types; in others, all is.  Source:
 * platform.claude.com/docs/en/api/messages, and npm's @anthropic-ai/sdk.
 */
static const struct ctx_takes block[] = {
	{ .name = "type", .tag = 1, .of = " text image document thinking "
	    "redacted_thinking tool_use tool_result " },
	{ .name = "cache_control", .of = " text image document tool_use "
	    "tool_result " },
	{ .name = "text", .of = " text " },
	{ .name = "citations", .of = " text document " },
	{ .name = "source", .of = " image document " },
	{ .name = "title", .of = " document " },
	{ .name = "context", .of = " document " },
	{ .name = "thinking", .of = " thinking " },
	{ .name = "signature", .of = " thinking " },
	{ .name = "data", .of = " redacted_thinking " },
	{ .name = "id", .of = " tool_use " },
	{ .name = "name", .of = " tool_use " },
	{ .name = "input", .of = " tool_use " },
	{ .name = "caller", .of = " tool_use " },
	{ .name = "tool_use_id", .of = " tool_result " },
	{ .name = "content", .in = block, .of = " tool_result " },
	{ .name = "is_error", .of = " tool_result " }, { .name = NULL }
};
static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content", .in = block }, { .name = NULL }
};

/* What is taken beside the messages, from the same sources. */
static const struct ctx_takes request[] = {
	{ .name = "cache_control" },
	{ .name = "container" }, { .name = "context_management" },
	{ .name = "inference_geo" }, { .name = "max_tokens" },
	{ .name = "mcp_servers" }, { .name = "metadata" },
	{ .name = "output_config" }, { .name = "output_format" },
	{ .name = "service_tier" }, { .name = "stop_sequences" },
	{ .name = "stream" }, { .name = "temperature" }, { .name = "thinking" },
	{ .name = "tool_choice" }, { .name = "top_k" }, { .name = "top_p" },
	{ .name = NULL }
};

const struct ctx_target ctx_to_anthropic = {
	.name = "anthropic",
	.role = { "system", "user", "assistant" },
	.needs = CTX_NEED_MERGED | CTX_NEED_FIRST_USER | CTX_NEED_TEXT |
	    CTX_NEED_UNIQUE | CTX_NEED_PLAIN,
	.list = "messages",
	.takes = message,
	.system = "\"role\":\"system\",\"content\":",
	.step = step,
	.results = results,
	.head = head,
	.request = &(const struct ctx_request_words){
		.model = "model",
		.tool_has = " input_schema type ",
		.tool_lacks = " function parameters ",
		.tool = "{",
		.tool_end = "}",
		.schema = ",\"input_schema\":",
		.choice = {
			.name = "tool_choice",
			.automatic = "{\"type\":\"auto\"}",
			.none = "{\"type\":\"none\"}",
			.required = "{\"type\":\"any\"}",
			.one = "{\"type\":\"tool\",\"name\":\"",
			.one_end = "\"}"
		},
		.max_output = "max_tokens",
		.limits = " max_tokens ",
		.usual = 4096,		/* the API requires one */
		.stream = 1,
		.members = request,
		/* only some models take a system message among the others */
		.needs = CTX_NEED_HEAD | CTX_NEED_SIGNED
	}
};
