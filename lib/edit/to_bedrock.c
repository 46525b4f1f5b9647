/* SPDX-License-Identifier: MIT */
/* Messages of Bedrock's Converse API as a target. */
#include "edit/target.h"

#include <stdio.h>
#include <string.h>

#include "edit/said.h"
#include "view/media.h"

/*
 * The formats of media, by the names that the API has for them
 * (docs.aws.amazon.com/bedrock/latest/APIReference: ImageBlock, DocumentBlock,
 * VideoBlock, AudioBlock).
 */
static const struct {
	const char *member, *formats;
} media[] = {
	{ "image", " png jpeg gif webp " },
	{ "document", " pdf csv doc docx xls xlsx html txt md " },
	{ "video", " mkv mov mp4 webm flv mpeg wmv " },
	{ "audio", " mp3 wav ogg " }
};

/* Find the member and the API's name of m's format; 0 if it takes no such. */
static int
find_format(const struct ctx_attachment *m, const char **member,
    const char **format)
{
	char word[16];
	size_t i;

	*format = ctx_media_ending(m->type);
	if (m->data.p == NULL || *format == NULL)
		return 0;
	if (strcmp(*format, "jpg") == 0)
		*format = "jpeg";
	snprintf(word, sizeof(word), " %s ", *format);
	for (i = 0; i < sizeof(media) / sizeof(media[0]); i++)
		if (strstr(media[i].formats, word) != NULL) {
			*member = media[i].member;
			return 1;
		}
	return 0;
}

/* Append the bytes of name that the API takes, without its ending, to b. */
static void
make_name(struct ctx_buf *b, const char *name, size_t len)
{
	size_t i, end = len;

	for (i = len; i-- > 1;)
		if (name[i] == '.') {
			end = i;
			break;
		}
	for (i = 0; i < end && b->len < 190; i++)
		if (memchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
		    "XYZ0123456789-()[]", name[i], 67) != NULL)
			ctx_buf_addc(b, name[i]);
		else if (b->len > 0 && b->data[b->len - 1] != ' ')
			ctx_buf_addc(b, ' ');
	while (b->len > 0 && b->data[b->len - 1] == ' ')
		b->len--;
	if (b->len == 0)
		ctx_buf_adds(b, "document");
}

/* Write the name of a document, which no other one of the request has. */
static void
put_name(struct ctx_writer *w, const struct ctx_attachment *m)
{
	struct ctx_buf *b = &w->text, *given = &w->s->buf;

	ctx_buf_reset(b);
	ctx_buf_reset(given);
	if (m->name.p != NULL)
		ctx_put_failed(w, ctx_str_decode(given, m->name.p,
		    m->name.len) == -1);
	make_name(b, given->data, given->len);
	ctx_put_failed(w, ctx_said_unique(w->s, b, ' ') == -1 || b->failed);
	ctx_put(w, "\"name\":\"");
	ctx_buf_add(w->out, b->data, b->len);
	ctx_put(w, "\",");
	if (m->name.p == NULL)
		return;
	if (ctx_str_same(ctx_str_of(b), m->name))
		ctx_trace_copy(&w->s->trace, m->name.p, m->name.len);
	else
		ctx_trace_mark(&w->s->trace, CTX_RENAMED, m->name.p,
		    ctx_said_own(w->s, b->data, b->len), "name");
}

static void
put_media(struct ctx_writer *w, const struct ctx_step *st,
    const struct ctx_said *it, int *n)
{
	const char *member, *format;
	struct ctx_attachment m;

	if (!ctx_target_attachment(w, it, &m) ||
	    !find_format(&m, &member, &format)) {
		ctx_target_lose(w, it, CTX_L_MEDIA);
		return;
	}
	/* "A text block must be included when using documents." */
	if (w->request && it == ctx_target_first(w, st, CTX_FILE) &&
	    ctx_target_count(w, st, CTX_TEXT) == 0) {
		ctx_put_comma(w, n);
		ctx_put(w, "{\"text\":\"[document]\"}");
		ctx_trace_mark(&w->s->trace, CTX_MADE, NULL,
		    (struct ctx_str){ "[document]", 10 }, "message");
	}
	ctx_put_comma(w, n);
	ctx_buf_addf(w->out, "{\"%s\":{\"format\":\"%s\",", member, format);
	if (strcmp(member, "document") == 0)
		put_name(w, &m);
	ctx_put_3(w, "\"source\":{\"bytes\":\"", m.data, "\"}}}");
	ctx_trace_mark(&w->s->trace, CTX_RENAMED, m.type.p,
	    (struct ctx_str){ format, (uint32_t)strlen(format) }, "format");
}

static void
put_block(struct ctx_writer *w, const struct ctx_step *st,
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
		ctx_put_3(w, "{\"toolUse\":{\"toolUseId\":\"", it->id,
		    "\",\"name\":\"");
		ctx_put_3(w, "", it->name, "\",\"input\":");
		ctx_put_object(w, it);
		ctx_put(w, "}}");
		break;
	case CTX_IMAGE:
	case CTX_FILE:
		put_media(w, st, it, n);
		break;
	case CTX_THINKING:
		if (!ctx_target_is_signed(it) && (w->request ||
		    it->flags & CTX_SIGNED || it->text.p == NULL)) {
			ctx_target_lose(w, it, CTX_L_THINKING);
			break;
		}
		ctx_put_thinking(w, "{\"reasoningContent\":{"
		    "\"reasoningText\":{\"text\":\"", ",\"signature\":\"",
		    "\"", it, n);
		ctx_put(w, "}}");
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
	ctx_put_3(w, "{\"toolResult\":{\"toolUseId\":\"", it->id,
	    "\",\"content\":[");
	if (it->flags & CTX_RAW && it->text.p != NULL && it->text.p[0] == '{') {
		ctx_put_comma(w, &inner);
		ctx_put_3(w, "{\"json\":", it->text, "}");
	} else if (it->text.p != NULL)
		ctx_put_text_part(w, "{\"text\":", it, &inner);
	for (i = it->first; i < it->first + it->n; i++)
		put_block(w, st, &w->s->item[i], &inner);
	/* only what is no error may be empty */
	if (inner == 0 && it->flags & CTX_ERROR)
		ctx_put(w, "{\"text\":\"\"}");
	ctx_put(w, it->flags & CTX_ERROR ? "],\"status\":\"error\"}}" :
	    "]}}");
}

static void
step(struct ctx_writer *w, uint32_t i)
{
	ctx_put_turn(w, i, "\"content\":[", put_result, put_block);
}

static void
results(struct ctx_writer *w, const struct ctx_step *st)
{
	ctx_put_answer(w, (uint32_t)(st - w->s->step), "\"content\":[", put_result,
	    put_block);
}

static void
head(struct ctx_writer *w)
{
	ctx_put_head(w, "\"system\":[", "],", put_block);
}

static const struct ctx_takes message[] = {
	{ .name = "role" }, { .name = "content" }, { .name = NULL }
};

/* What is taken beside the messages: API_runtime_Converse.html there. */
static const struct ctx_takes request[] = {
	{ .name = "additionalModelRequestFields" },
	{ .name = "additionalModelResponseFieldPaths" },
	{ .name = "guardrailConfig" }, { .name = "inferenceConfig" },
	{ .name = "outputConfig" }, { .name = "performanceConfig" },
	{ .name = "promptVariables" }, { .name = "requestMetadata" },
	{ .name = "serviceTier" }, { .name = NULL }
};

const struct ctx_target ctx_to_bedrock = {
	.name = "bedrock",
	.role = { "system", "user", "assistant" },
	.needs = CTX_NEED_MERGED | CTX_NEED_FIRST_USER | CTX_NEED_TEXT |
	    CTX_NEED_UNIQUE | CTX_NEED_PLAIN | CTX_NEED_SHORT_64 |
	    CTX_NEED_HEAD,
	.list = "messages",
	.takes = message,
	.system = "\"role\":\"system\",\"content\":",
	.system_parts = "[{\"text\":",
	.step = step,
	.results = results,
	.head = head,
	.request = &(const struct ctx_request_words){
		.model = "modelId",
		.tools = "toolConfig.tools",
		.tool_has = " toolSpec systemTool cachePoint ",
		.tool = "{\"toolSpec\":{",
		.tool_end = "}}}",
		.schema = ",\"inputSchema\":{\"json\":",
		.choice = {
			.name = "toolConfig.toolChoice",
			.automatic = "{\"auto\":{}}",
			.required = "{\"any\":{}}",
			.one = "{\"tool\":{\"name\":\"",
			.one_end = "\"}}"
		},
		.max_output = "inferenceConfig.maxTokens",
		.limits = " inferenceConfig.maxTokens ",
		.members = request
	}
};
