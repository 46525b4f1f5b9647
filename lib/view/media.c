/* SPDX-License-Identifier: MIT */
/* The data of images and files; see media.h. */
#include "view/media.h"

#include <string.h>

#include "view/dialect.h"

/* One extension per type, so that the mapping works both ways. */
static const struct {
	const char *type, *ending;
} types[] = {
	{ "image/png", "png" }, { "image/jpeg", "jpg" },
	{ "image/gif", "gif" }, { "image/webp", "webp" },
	{ "image/bmp", "bmp" }, { "image/tiff", "tiff" },
	{ "image/svg+xml", "svg" }, { "image/heic", "heic" },
	{ "image/avif", "avif" }, { "application/pdf", "pdf" },
	{ "text/plain", "txt" }, { "text/csv", "csv" },
	{ "application/json", "json" }, { "application/zip", "zip" },
	{ "audio/mpeg", "mp3" }, { "audio/wav", "wav" },
	{ "audio/ogg", "ogg" }, { "video/mp4", "mp4" },
	{ "video/quicktime", "mov" }, { "video/x-matroska", "mkv" },
	{ "video/webm", "webm" }, { "video/x-flv", "flv" },
	{ "video/mpeg", "mpeg" }, { "video/x-ms-wmv", "wmv" },
	{ "text/html", "html" }, { "text/markdown", "md" },
	{ "application/msword", "doc" }, { "application/vnd.ms-excel", "xls" },
	{ "application/vnd.openxmlformats-officedocument.wordprocessingml"
	    ".document", "docx" },
	{ "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	    "xlsx" },
	{ "application/octet-stream", "bin" }
};

const char *
ctx_media_ending(struct ctx_str type)
{
	size_t i;

	for (i = 0; type.p != NULL && i < sizeof(types) / sizeof(types[0]);
	    i++)
		if (ctx_str_equal(type.p, type.len, types[i].type,
		    strlen(types[i].type)))
			return types[i].ending;
	return NULL;
}

const char *
ctx_media_type(const char *ending, size_t len)
{
	size_t i;

	if (len == 4 && memcmp(ending, "jpeg", 4) == 0)
		return "image/jpeg";
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].ending) == len &&
		    memcmp(types[i].ending, ending, len) == 0)
			return types[i].type;
	return NULL;
}

int
ctx_media_url(struct ctx_str s, struct ctx_media *m)
{
	static const char mark[] = ";base64,";
	const char *comma;

	if (s.len < 13 || memcmp(s.p, "data:", 5) != 0 ||
	    (comma = memchr(s.p, ',', s.len < 200 ? s.len : 200)) == NULL ||
	    (size_t)(comma - s.p) < 5 + sizeof(mark) - 2 ||
	    memcmp(comma - (sizeof(mark) - 2), mark, sizeof(mark) - 1) != 0)
		return 0;
	m->form = CTX_MEDIA_URL;
	m->type.p = s.p + 5;
	m->type.len = (uint32_t)(comma - s.p - 5 - (sizeof(mark) - 2));
	m->data.p = comma + 1;
	m->data.len = (uint32_t)(s.p + s.len - comma - 1);
	return 1;
}

/* Parse "data:TYPE;base64,DATA" or "file://...". */
static int
url(struct ctx_str s, struct ctx_media *m)
{
	if (!ctx_str_starts(s, "file://") || s.len == 7)
		return ctx_media_url(s, m);
	m->form = CTX_MEDIA_LINK;
	m->data = s;
	return 1;
}

/* Find Bedrock's data, {"format","source":{"bytes"}}. */
static int
bytes(const struct ctx_doc *doc, uint32_t object, struct ctx_media *m)
{
	struct ctx_str format = ctx_node_str(doc, CTX_GET(doc, object,
	    "format"));
	uint32_t source = CTX_GET(doc, object, "source");
	const char *type;

	m->node = CTX_GET(doc, source, "bytes");
	m->data = ctx_node_str(doc, m->node);
	if (format.p == NULL || m->data.p == NULL ||
	    (type = ctx_media_type(format.p, format.len)) == NULL)
		return 0;
	m->type = (struct ctx_str){ type, (uint32_t)strlen(type) };
	m->form = CTX_MEDIA_BESIDE;
	return 1;
}

/* Find data and its type as members of an object. */
static int
beside(const struct ctx_doc *doc, uint32_t object, struct ctx_media *m)
{
	static const char *const type_keys[] = { "media_type", "mediaType",
	    "mime_type", "mimeType", NULL };
	static const char *const data_keys[] = { "data", "image", "bytes",
	    "content" };
	struct ctx_str data = { NULL, 0 };
	uint32_t node = CTX_NONE;
	size_t i;

	for (i = 0; i < sizeof(data_keys) / sizeof(data_keys[0]) &&
	    data.p == NULL; i++) {
		node = CTX_GET(doc, object, data_keys[i]);
		data = ctx_node_str(doc, node);
	}
	m->type = ctx_node_first(doc, object, type_keys);
	if (data.p == NULL || m->type.p == NULL || data.len < 16)
		return 0;
	m->data = data;
	m->form = CTX_MEDIA_BESIDE;
	m->node = node;
	if (ctx_node_is(doc, CTX_GET(doc, object, "type"), "base64")) {
		m->form = CTX_MEDIA_SOURCE;
		m->node = object;
	}
	return 1;
}

struct ctx_str
ctx_media_sniff(struct ctx_str data)
{
	static const struct {
		const char *begin, *type;
	} table[] = {
		{ "iVBOR", "image/png" }, { "/9j/", "image/jpeg" },
		{ "R0lG", "image/gif" }, { "UklGR", "image/webp" }
	};
	struct ctx_str type = { NULL, 0 };
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (ctx_str_starts(data, table[i].begin)) {
			type.p = table[i].type;
			type.len = (uint32_t)strlen(type.p);
		}
	return type;
}

/* Find the data in the value at node i. */
static void
find(const struct ctx_doc *doc, uint32_t i, struct ctx_media *m)
{
	struct ctx_str s = ctx_node_str(doc, i);
	uint32_t end;

	m->type = ctx_media_sniff(s);
	if (m->type.p != NULL) {	/* Ollama's: only data */
		m->form = CTX_MEDIA_BESIDE;
		m->node = i;
		m->data = s;
		return;
	}
	for (end = doc->node[i].next; i < end; i++) {
		if (ctx_node_type(doc, i) == '{') {
			if (bytes(doc, i, m) || beside(doc, i, m))
				return;
			memset(m, 0, sizeof(*m));
		}
		s = ctx_node_str(doc, i);
		if (s.p != NULL && url(s, m)) {
			m->node = i;
			return;
		}
	}
}

int
ctx_media_find(const struct ctx_convo *c, uint32_t p, struct ctx_media *m,
    struct ctx_respelled *plain)
{
	const struct ctx_part *part = &c->part[p];
	struct ctx_doc whole = ctx_convo_doc(c, c->msg[part->msg].rec);
	uint32_t e = part->place[0].node, top;
	const struct ctx_doc *doc;

	memset(m, 0, sizeof(*m));
	m->node = CTX_NONE;
	if (e == CTX_NONE)
		return 0;
	if ((doc = ctx_respelled_of(plain, &whole, e, &top)) == NULL)
		return -1;
	find(doc, top, m);
	if (m->node != CTX_NONE)
		m->node += e - top;
	return 0;
}

void
ctx_media_put(struct ctx_buf *b, int source, struct ctx_str type,
    struct ctx_str data)
{
	ctx_buf_adds(b, source ? "{\"type\":\"base64\",\"media_type\":\"" :
	    "\"data:");
	ctx_buf_add(b, type.p, type.len);
	ctx_buf_adds(b, source ? "\",\"data\":\"" : ";base64,");
	ctx_buf_add(b, data.p, data.len);
	ctx_buf_adds(b, source ? "\"}" : "\"");
}

void
ctx_media_put_link(struct ctx_buf *b, int source, struct ctx_str url)
{
	ctx_buf_adds(b, source ? "{\"type\":\"url\",\"url\":\"" : "\"");
	ctx_buf_add(b, url.p, url.len);
	ctx_buf_adds(b, source ? "\"}" : "\"");
}
