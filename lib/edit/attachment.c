/* SPDX-License-Identifier: MIT */
/* Images and files of all dialects; see attachment.h. */
#include "edit/attachment.h"

#include <stdio.h>
#include <string.h>

#include "read/spell.h"
#include "view/media.h"

/* The first of some members of e that is an object; e if there is none. */
static uint32_t
inside(const struct ctx_doc *doc, uint32_t e)
{
	static const char *const keys[] = { "source", "image_url",
	    "inlineData", "inline_data", "fileData", "file_data", "file",
	    "input_audio", "data", "image", NULL };
	const char *const *k;
	uint32_t v;

	for (k = keys; *k != NULL; k++) {
		v = ctx_node_if(doc, CTX_GET(doc, e, *k), '{');
		if (v != CTX_NONE)
			return v;
	}
	return e;
}

/*
 * The object that Bedrock's block e has around its format and source; e if it
 * is another dialect's.
 */
static uint32_t
unwrap(const struct ctx_doc *doc, uint32_t e)
{
	static const char *const keys[] = { "image", "document", "video",
	    "audio", NULL };
	const char *const *k;
	uint32_t v;

	for (k = keys; *k != NULL; k++) {
		v = ctx_node_if(doc, CTX_GET(doc, e, *k), '{');
		if (CTX_GIVEN(doc, v, "format") != CTX_NONE)
			return v;
	}
	return e;
}

/* Split data:image/png;base64,iVBO... into its type and data. */
static void
split_data_url(struct ctx_attachment *m)
{
	const char *comma, *semi;

	if (!ctx_str_starts(m->url, "data:"))
		return;
	comma = memchr(m->url.p, ',', m->url.len);
	if (comma == NULL || comma - m->url.p < 12 ||
	    memcmp(comma - 7, ";base64", 7) != 0)
		return;
	semi = memchr(m->url.p, ';', (size_t)(comma - m->url.p));
	m->type.p = m->url.p + 5;
	m->type.len = (uint32_t)(semi - m->type.p);
	m->data.p = comma + 1;
	m->data.len = (uint32_t)(m->url.p + m->url.len - m->data.p);
	m->url.p = NULL;
	m->url.len = 0;
}

/* Names of the types of audio that OpenAI's API takes, and its own. */
static const struct {
	const char *type, *format;
} audio[] = {
	{ "audio/mp3", "mp3" }, { "audio/mpeg", "mp3" },
	{ "audio/wav", "wav" }, { "audio/x-wav", "wav" },
	{ "audio/wave", "wav" }, { "audio/vnd.wave", "wav" }
};

static struct ctx_str
literal(const char *text)
{
	return (struct ctx_str){ text, (uint32_t)strlen(text) };
}

/* Set the type by the member "format" of input_audio, or of Bedrock's block. */
static void
read_format(struct ctx_attachment *m, const struct ctx_doc *doc, uint32_t e)
{
	struct ctx_str format = ctx_node_str(doc, CTX_GET(doc, e, "format"));
	const char *type;
	size_t i;

	for (i = 0; i < sizeof(audio) / sizeof(audio[0]) &&
	    m->type.p == NULL; i++)
		if (ctx_str_is(format, audio[i].format)) {
			m->format = format;
			m->type = literal(audio[i].type);
		}
	if (m->type.p == NULL && format.p != NULL &&
	    (type = ctx_media_type(format.p, format.len)) != NULL) {
		m->format = format;
		m->type = literal(type);
	}
}

struct ctx_str
ctx_attachment_audio(const struct ctx_attachment *m)
{
	size_t i;

	for (i = 0; m->data.p != NULL && i < sizeof(audio) / sizeof(audio[0]);
	    i++)
		if (ctx_str_equal(m->type.p, m->type.len, audio[i].type,
		    strlen(audio[i].type)))
			return literal(audio[i].format);
	return (struct ctx_str){ NULL, 0 };
}

int
ctx_attachment_plays(const struct ctx_attachment *m)
{
	return ctx_str_starts(m->type, "audio/") ||
	    ctx_str_starts(m->type, "video/");
}

void
ctx_attachment_name(const struct ctx_attachment *m, char *name, size_t size)
{
	const char *ending = ctx_media_ending(m->type);

	snprintf(name, size, "file%s%s", ending != NULL ? "." : "",
	    ending != NULL ? ending : "");
}

struct ctx_str
ctx_attachment_text(const struct ctx_doc *doc, uint32_t e)
{
	uint32_t block = unwrap(doc, e);
	uint32_t source = ctx_node_if(doc, CTX_GET(doc, block, "source"), '{');
	struct ctx_str none = { NULL, 0 };

	if (block != e)
		return ctx_node_str(doc, CTX_GET(doc, source, "text"));
	if (source == CTX_NONE ||
	    !ctx_node_is(doc, CTX_GET(doc, source, "type"), "text"))
		return none;
	return ctx_node_str(doc, CTX_GET(doc, source, "data"));
}

struct ctx_str
ctx_attachment_id(const struct ctx_doc *doc, uint32_t e)
{
	static const char *const ids[] = { "file_id", "fileId",
	    "asset_pointer", "id", NULL };
	uint32_t in = inside(doc, unwrap(doc, e));
	uint32_t s3 = CTX_GET(doc, in, "s3Location");

	return s3 == CTX_NONE ? ctx_node_first(doc, in, ids) :
	    ctx_node_str(doc, CTX_GET(doc, s3, "uri"));
}

/* The name of a file: beside its data, or around it, or in LangChain's metadata. */
static struct ctx_str
name_of(const struct ctx_doc *doc, uint32_t e, uint32_t block)
{
	static const char *const names[] = { "filename", "title", NULL };
	struct ctx_str s = ctx_node_first(doc, inside(doc, block), names);

	if (s.p == NULL)
		s = block == e ? ctx_node_first(doc, e, names) :
		    ctx_node_str(doc, CTX_GET(doc, block, "name"));
	if (s.p == NULL)
		s = ctx_node_first(doc, CTX_GET(doc, e, "metadata"), names);
	return s;
}

/* Is what stands for data a URL?  Base64 has no colon. */
static int
has_scheme(struct ctx_str s)
{
	return s.p != NULL && memchr(s.p, ':', s.len < 32 ? s.len : 32) != NULL;
}

static int
read_as_it_is(struct ctx_attachment *m, const struct ctx_doc *doc, uint32_t e)
{
	static const char *const types[] = { "media_type", "mimeType",
	    "mime_type", "mediaType", NULL };
	static const char *const urls[] = { "url", "fileUri", "file_uri",
	    "file_url", "image_url", "document_url", "uri", NULL };
	static const char *const datas[] = { "data", "image", "file_data",
	    "base64", "bytes", "content", NULL };
	static const char *const details[] = { "detail", NULL };
	uint32_t block = unwrap(doc, e), in = inside(doc, block);

	memset(m, 0, sizeof(*m));
	if (ctx_node_type(doc, e) == '"') {	/* Ollama's */
		m->data = ctx_node_str(doc, e);
		m->type = ctx_media_sniff(m->data);
		m->image = 1;
		return m->type.p != NULL;
	}
	if (ctx_node_type(doc, e) != '{')
		return 0;
	m->name = name_of(doc, e, block);
	if (ctx_attachment_text(doc, e).p != NULL)
		return 0;
	m->type = ctx_node_first(doc, in, types);
	if (m->type.p == NULL)
		m->type = ctx_node_first(doc, e, types);
	read_format(m, doc, block != e ? block : in);
	m->url = ctx_node_first(doc, in, urls);
	m->data = ctx_node_first(doc, in, datas);
	m->detail = ctx_node_first(doc, in, details);
	if (has_scheme(m->data)) {
		m->url = m->data;
		m->data = (struct ctx_str){ NULL, 0 };
	}
	split_data_url(m);
	m->image = ctx_str_starts(m->type, "image/");
	return m->url.p != NULL || (m->data.p != NULL && m->type.p != NULL);
}

int
ctx_attachment_read(struct ctx_attachment *m, const struct ctx_doc *doc,
    uint32_t e, struct ctx_respelled *plain)
{
	if (read_as_it_is(m, doc, e) && ctx_spell_is_plain(m->type) &&
	    ctx_spell_is_plain(m->format) && ctx_spell_is_plain(m->data) &&
	    ctx_spell_is_plain(m->url))
		return 1;
	if ((doc = ctx_respelled_of(plain, doc, e, &e)) == NULL)
		return -1;
	return read_as_it_is(m, doc, e);
}
