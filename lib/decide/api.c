/* SPDX-License-Identifier: MIT */
/* Servers and models; see api.h. */
#include "decide/api.h"

#include <stdio.h>
#include <string.h>

/*
 * The makers come first, under the names of their dialects.  Sources: OpenAI's
 * reference (platform.openai.com/docs/api-reference/chat, /responses), and for
 * the length of ids reports of its errors; Anthropic's
 * (platform.claude.com/docs/en/api/messages), which gives patterns; Google's
 * (ai.google.dev/api/caching#FunctionDeclaration); Amazon's
 * (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html);
 * Mistral's (docs.mistral.ai).
 * What a server does not apply was recorded: it took the contrary.
 */
static const struct ctx_api apis[] = {
	{ .name = "openai", .dialect = "openai", .needs_id = 1, .id_max = 40,
	    .names_files = 1, .fills = 1,
	    .name_max = 64, .name_chars = CTX_CHARS_WORD,
	    .images = " image/png image/jpeg image/webp image/gif " },
	{ .name = "anthropic", .dialect = "anthropic",
	    .id_chars = CTX_CHARS_WORD, .name_max = 128,
	    .name_chars = CTX_CHARS_WORD,
	    .images = " image/png image/jpeg image/webp image/gif " },
	{ .name = "openai-responses", .dialect = "openai-responses",
	    .names_files = 1, .fills = 1,
	    .id_max = 64, .name_max = 128, .name_chars = CTX_CHARS_WORD,
	    .images = " image/png image/jpeg image/webp image/gif " },
	{ .name = "gemini", .dialect = "gemini", .name_max = 128,
	    .name_chars = CTX_CHARS_DOTTED,
	    .images = " image/png image/jpeg image/webp image/heic image/heif "
	},
	{ .name = "bedrock", .dialect = "bedrock", .id_min = 1, .id_max = 64,
	    .id_chars = CTX_CHARS_DOTTED, .name_max = 64,
	    .name_chars = CTX_CHARS_WORD,
	    .images = " image/png image/jpeg image/webp image/gif " },
	{ .name = "cohere", .dialect = "cohere", .needs_id = 1 },
	{ .name = "deepseek", .dialect = "openai", .name_max = 64,
	    .name_chars = CTX_CHARS_WORD },
	{ .name = "groq", .dialect = "openai" },
	{ .name = "mistral", .dialect = "openai",
	    .without = CTX_RULE_NO_EMPTY_CALLS, .id_min = 9, .id_max = 9,
	    .id_chars = CTX_CHARS_ALNUM, .name_max = 256,
	    .name_chars = CTX_CHARS_WORD, .needs_id = 1, .answers = 1 },
	{ .name = "openrouter", .dialect = "openai" },
	{ .name = "google", .dialect = "openai", .name_max = 128,
	    .name_chars = CTX_CHARS_DOTTED },
	{ .name = "ollama", .dialect = "openai",
	    .without = CTX_RULE_NO_EMPTY_CALLS }
};

static const struct ctx_api_row models[] = {
	/* recorded for o1-mini */
	{ "openai", "o1-mini o1-preview", CTX_F_ROLE, "system", 1,
	    "o1-mini and o1-preview have no system messages" },
	{ "openai", "o1-mini o1-preview", CTX_F_ROLE, "developer", 1,
	    "o1-mini and o1-preview have no developer messages" },
	/* recorded for gpt-5-mini; platform.openai.com/docs/guides/audio */
	{ "openai", "gpt- o1 o3 o4 chatgpt- !gpt-audio !gpt-4o-audio "
	    "!gpt-4o-mini-audio", CTX_F_MEDIA, "input_audio", 0,
	    "only models with audio in their name can hear" },
	/* platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-6
	   (prefill removal); recorded for claude-sonnet-5 */
	{ "anthropic", "claude-opus-4-6 claude-sonnet-4-6 claude-opus-4-7 "
	    "claude-opus-4-8 claude-sonnet-5 claude-opus-5 claude-haiku-5 "
	    "claude-fable-5 claude-mythos", CTX_F_PREFILL, NULL, 1,
	    "models from Claude 4.6 on want a user's message at the end" },
	/* recorded for nova-2-lite, which reads S3 elsewhere */
	{ "bedrock", NULL, CTX_F_MEDIA, "s3Location", 0,
	    "no model is known to read a file in S3 inside a result" },
	/* reported; claude-opus-4-8 and claude-fable-5 were recorded to
	   take it */
	{ "anthropic", "claude-2 claude-3 claude-sonnet-4 claude-haiku-4 "
	    "claude-opus-4-0 claude-opus-4-1 claude-opus-4-2 claude-opus-4-5",
	    CTX_F_INSIDE, NULL, 0, "models before Claude Opus 4.8 take the system "
	    "prompt only at the start" }
};

const char *
ctx_api_name(size_t i)
{
	return i < sizeof(apis) / sizeof(apis[0]) ? apis[i].name : NULL;
}

const struct ctx_api *
ctx_api_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(apis) / sizeof(apis[0]); i++)
		if (strcmp(apis[i].name, name) == 0)
			return &apis[i];
	return NULL;
}

const struct ctx_api *
ctx_api_for(const struct ctx_api *api, const struct ctx_dialect *d)
{
	static const struct ctx_api none;
	const struct ctx_api *own;

	if (api != NULL && strcmp(api->dialect, d->name) == 0)
		return api;
	own = ctx_api_find(d->name);
	return own != NULL ? own : &none;
}

int
ctx_api_chars(enum ctx_charset set, struct ctx_str s)
{
	static const char *const more[] = { "", "_-", "", "_-.:" };
	uint32_t i;
	char ch;

	for (i = 0; set != CTX_CHARS_ANY && i < s.len; i++) {
		ch = s.p[i];
		if ((ch < '0' || ch > '9') && ((ch | 32) < 'a' ||
		    (ch | 32) > 'z') && (ch == '\0' ||
		    strchr(more[set], ch) == NULL))
			return 0;
	}
	return 1;
}

int
ctx_api_image(const struct ctx_api *api, struct ctx_str type)
{
	char word[64];

	if (api->images == NULL || type.p == NULL)
		return 1;
	snprintf(word, sizeof(word), " %.*s ", CTX_STR_ARGS(type));
	return strstr(api->images, word) != NULL;
}

/* "us.anthropic.claude-x" and "anthropic/claude-x" are claude-x. */
static struct ctx_str
bare_name(struct ctx_str model)
{
	uint32_t i, from = 0;

	for (i = 0; i + 1 < model.len; i++)
		if (model.p[i] == '/' || (model.p[i] == '.' &&
		    (model.p[i + 1] | 32) >= 'a' && (model.p[i + 1] | 32) <=
		    'z'))
			from = i + 1;
	model.p += from;
	model.len -= from;
	return model;
}

int
ctx_api_has_model(const char *list, struct ctx_str model)
{
	const char *p = list, *end;
	int except, found = 0;
	size_t len;

	model = bare_name(model);
	for (; *p != '\0'; p = end + (*end == ' ')) {
		except = *p == '!';
		p += except;
		end = p + strcspn(p, " ");
		len = (size_t)(end - p);
		if (model.len < len || memcmp(model.p, p, len) != 0)
			continue;
		if (except)
			return 0;
		found = 1;
	}
	return found;
}

const struct ctx_api_row *
ctx_api_refuses(const struct ctx_api *api, struct ctx_str model,
    enum ctx_fault fault, const char *what)
{
	const struct ctx_api_row *r = models;
	const struct ctx_api_row *end = r + sizeof(models) / sizeof(*r);

	for (; r < end; r++)
		if (api->name != NULL && strcmp(r->api, api->name) == 0 &&
		    r->fault == fault && (r->what == NULL || (what != NULL &&
		    strcmp(r->what, what) == 0)) &&
		    (r->models == NULL || (model.p == NULL ? !r->named :
		    ctx_api_has_model(r->models, model))))
			return r;
	return NULL;
}
