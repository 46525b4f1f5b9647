/* SPDX-License-Identifier: MIT */
#include "job/payload.h"

#include <string.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "digest/format.h"
#include "view/media.h"

/* Fewer digits of base64 may be a word. */
#define LEAST	64

/* The media type that a path has by its ending; .p is NULL if none. */
static struct ctx_str
type_of(struct ctx_str path)
{
	struct ctx_str type = { NULL, 0 }, s = ctx_wrapped_suffix(path);
	char ending[8];
	uint32_t k;

	if (s.len == 0 || s.len > sizeof(ending))
		return type;
	for (k = 0; k < s.len; k++)
		ending[k] = s.p[k] >= 'A' && s.p[k] <= 'Z' ?
		    (char)(s.p[k] | 0x20) : s.p[k];
	type.p = ctx_media_type(ending, s.len);
	type.len = type.p != NULL ? (uint32_t)strlen(type.p) : 0;
	return type;
}

/* Is what has this type text? */
static int
is_text(struct ctx_str type)
{
	return ctx_str_starts(type, "text/") ||
	    ctx_str_is(type, "application/json") ||
	    ctx_str_is(type, "image/svg+xml");
}

/* Has a file of this type pixels or sounds, so that no text is it? */
static int
is_medium(struct ctx_str type)
{
	return type.p != NULL && !is_text(type) &&
	    (ctx_str_starts(type, "image/") || ctx_str_starts(type, "audio/") ||
	    ctx_str_starts(type, "video/"));
}

static int
same_type(struct ctx_str a, struct ctx_str b)
{
	return a.p != NULL && b.p != NULL && (ctx_str_same(a, b) ||
	    (ctx_str_is(a, "image/jpg") && ctx_str_is(b, "image/jpeg")));
}

/* Are they the bytes of a text? */
static int
is_utf8(const struct ctx_wrapped *w)
{
	return w->len > 0 && memchr(w->p, '\0', w->len) == NULL &&
	    ctx_utf8_check(w->p, w->len) == w->len;
}

/* Are all characters digits of base64, or ends of lines? */
static int
is_digits(struct ctx_str text)
{
	uint32_t i;

	for (i = 0; i < text.len; i++)
		if (ctx_base64_digit(text.p[i]) == -1 && text.p[i] != '=' &&
		    text.p[i] != '\n' && text.p[i] != '\r')
			return 0;
	return 1;
}

/*
 * The same as ctx_payload_text for digits of base64, which may also be all that
 * the file has, unless its name says that this is not so.
 */
static int
open_digits(struct ctx_wrapped *w, struct ctx_str text, struct ctx_str type)
{
	struct ctx_wrapped bytes = { 0 };
	int rc = ctx_wrapped_base64(&bytes, text), magic;

	if (rc == 1) {
		magic = ctx_format_by_magic("", bytes.p, bytes.len) != NULL;
		if (magic && type.p != NULL && !is_text(type))
			rc = ctx_wrapped_base64(w, text);
		else
			rc = !is_medium(type) && (text.len < LEAST ||
			    (!magic && !is_utf8(&bytes)));
	} else if (rc == 0)
		rc = !is_medium(type);
	ctx_wrapped_done(&bytes);
	return rc;
}

int
ctx_payload_text(struct ctx_wrapped *w, struct ctx_str path)
{
	struct ctx_str text = { w->p, (uint32_t)w->len };
	struct ctx_str type = type_of(path);
	struct ctx_media m;

	if (w->lines.base64)
		return 1;
	if (ctx_media_url(text, &m))
		return same_type(m.type, type) ?
		    ctx_wrapped_base64(w, m.data) : 0;
	/* of a PDF, a tool may have taken the text */
	return is_digits(text) ? open_digits(w, text, type) :
	    !is_medium(type);
}

/* Is the data of a document its text as it is, and not base64? */
static int
is_plain(const struct ctx_convo *c, const struct ctx_part *p)
{
	struct ctx_doc doc = ctx_convo_doc(c, c->msg[p->msg].rec);
	uint32_t source = CTX_GET(&doc, p->place[0].node, "source");

	return source != CTX_NONE && ctx_node_is(&doc, CTX_GET(&doc, source,
	    "type"), "text");
}

int
ctx_payload_part(struct ctx_wrapped *w, const struct ctx_convo *c, uint32_t p,
    struct ctx_str path)
{
	struct ctx_str type = type_of(path);
	struct ctx_respelled plain = { 0 };
	struct ctx_buf data = { 0 };
	struct ctx_media m;
	int rc = ctx_media_find(c, p, &m, &plain), text;

	text = rc == 0 && is_text(m.type) && (type.p == NULL || is_text(type));
	if (rc == -1 || m.data.p == NULL || m.form == CTX_MEDIA_LINK ||
	    (!text && !same_type(m.type, type))) {
		ctx_respelled_done(&plain);
		return rc;
	}
	rc = ctx_str_decode(&data, m.data.p, m.data.len);
	if (rc == 0 && is_plain(c, &c->part[p])) {
		ctx_buf_reset(&w->json);
		rc = ctx_buf_add(&w->json, data.data, data.len) == -1 ? -1 : 1;
		memset(&w->lines, 0, sizeof(w->lines));
		w->lines.base64 = 1;
		w->p = w->json.data;
		w->len = w->json.len;
	} else if (rc == 0)
		rc = ctx_wrapped_base64(w, ctx_str_of(&data));
	ctx_respelled_done(&plain);
	ctx_buf_done(&data);
	return rc == 1 && text && !is_utf8(w) ? 0 : rc;
}
