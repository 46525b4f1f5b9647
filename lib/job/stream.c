/* SPDX-License-Identifier: MIT */
/* A response as it comes; see stream.h. */
#include "job/stream_impl.h"

#include <string.h>

int
ctx_stream_grow(struct ctx_stream *s, struct ctx_grow *g, const char *key,
    struct ctx_str text, int told)
{
	struct ctx_grow *m = ctx_grow_member(g, key);

	if (m == NULL || ctx_grow_add(m, text) == -1)
		return -1;
	if (told && text.len > 0 && s->text != NULL)
		s->text(s->arg, text);
	return 0;
}

int
ctx_stream_set(struct ctx_grow *g, const char *key, const struct ctx_doc *doc,
    uint32_t node)
{
	struct ctx_grow *m;

	if (ctx_node_given(doc, node) == CTX_NONE)
		return 0;
	m = ctx_grow_member(g, key);
	return m == NULL ? -1 : ctx_grow_set(m, doc, node);
}

uint64_t
ctx_stream_index(const struct ctx_doc *doc, uint32_t node)
{
	struct ctx_str json = ctx_node_json(doc, node);
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < json.len && i < 9 && json.p[i] >= '0' &&
	    json.p[i] <= '9'; i++)
		n = n * 10 + (uint64_t)(json.p[i] - '0');
	return n;
}

/* Does the element's type end so? */
static int
ends(struct ctx_grow *e, const char *end)
{
	const struct ctx_grow *type = ctx_grow_find(e, "type");
	size_t n = strlen(end);

	return type != NULL && type->text.len >= n &&
	    memcmp(type->text.data + type->text.len - n, end, n) == 0;
}

void
ctx_stream_leave(struct ctx_stream *s, struct ctx_grow *list, const char *end)
{
	struct ctx_grow *e, *next, *before = NULL;

	for (e = list->kind == CTX_GROW_LIST ? list->first : NULL; e != NULL;
	    e = next) {
		next = e->next;
		if (!e->whole && ends(e, end))
			ctx_grow_move(list, before, e, &s->left);
		else
			before = e;
	}
}

/* --- events ------------------------------------------------------------ */

/* What the events of an API have: a member, or a type that begins so. */
static const struct api {
	const char *key, *type;
	int (*event)(struct ctx_stream *s, const struct ctx_doc *doc);
} apis[] = {
	{ "choices", NULL, ctx_stream_openai },
	{ "candidates", NULL, ctx_stream_gemini },
	{ "promptFeedback", NULL, ctx_stream_gemini },
	{ "usageMetadata", NULL, ctx_stream_gemini },
	{ "type", "response.", ctx_stream_responses },
	{ "type", "message_", ctx_stream_anthropic },
	{ "type", "content_block_", ctx_stream_anthropic },
	{ "done", NULL, ctx_stream_ollama }
};

static int
is_of(const struct api *a, const struct ctx_doc *doc)
{
	uint32_t v = CTX_GET(doc, 0, a->key);

	return v != CTX_NONE && (a->type == NULL ||
	    ctx_str_starts(ctx_node_str(doc, v), a->type));
}

uint32_t
ctx_stream_error(const struct ctx_doc *doc)
{
	uint32_t e = CTX_GIVEN(doc, 0, "error");

	if (e != CTX_NONE)
		return ctx_node_type(doc, e) == '{' ||
		    ctx_node_type(doc, e) == '"' ? e : CTX_NONE;
	return ctx_node_is(doc, CTX_GET(doc, 0, "type"), "error") ||
	    ctx_node_is(doc, CTX_GET(doc, 0, "object"), "error") ? 0 :
	    CTX_NONE;
}

/* The document has the error that an event is, or has. */
static int
take_error(struct ctx_stream *s, const struct ctx_doc *doc)
{
	uint32_t error = ctx_stream_error(doc);

	if (error == CTX_NONE)
		return 0;
	s->known = 1;
	return ctx_stream_set(&s->root, "error", doc, error);
}

/* Take the JSON of an event.  Returns 0, 1 to skip the rest, or -1. */
static int
take_event(void *arg, const char *p, size_t len)
{
	struct ctx_stream *s = arg;
	size_t i;
	int rc;

	if (len == 6 && memcmp(p, "[DONE]", 6) == 0) {
		s->ended = 1;
		return 0;
	}
	rc = ctx_doc_try(&s->doc, p, len);
	if (rc == 0)
		s->broken = 1;
	if (rc != 1)
		return rc == 0 ? 1 : -1;
	if (ctx_node_type(&s->doc, 0) != '{')
		return 0;
	if (take_error(s, &s->doc) == -1)
		return -1;
	for (i = 0; i < sizeof(apis) / sizeof(apis[0]); i++)
		if (is_of(&apis[i], &s->doc)) {
			s->known = s->streamed = 1;
			return apis[i].event(s, &s->doc);
		}
	s->strange |= !s->known;
	return 0;
}

/* An object that is no event in an envelope: of Ollama's, or the document. */
static int
take_value(void *arg, const char *p, size_t len)
{
	struct ctx_stream *s = arg;
	int rc;

	if (s->values.state == CTX_VALUES_LIST)
		return take_event(s, p, len);
	if (s->whole.len > 0) {
		s->values.odd = 1;
		return 0;
	}
	rc = ctx_doc_try(&s->doc, p, len);
	if (rc == 1 && (s->streamed || ctx_node_if(&s->doc, CTX_GET(&s->doc,
	    0, "done"), 'f') != CTX_NONE))
		return take_event(s, p, len);
	return rc == -1 ? -1 : ctx_buf_add(&s->whole, p, len);
}

/* --- bytes ----------------------------------------------------------- */

/* Why it cannot grow. */
static int
grown(const struct ctx_stream *s, struct ctx_err *err)
{
	if (ctx_grow_full(&s->root) || ctx_grow_full(&s->items))
		return ctx_fail(err, CTX_EINPUT, "the response has more than "
		    "%u parts", CTX_GROW_MAX);
	return ctx_fail_nomem(err);
}

/* Does a line of an event begin so, as far as it goes? */
static int
is_field(const char *p, size_t len)
{
	static const char *const fields[] = { "data:", "event:", "id:",
	    "retry:", ":" };
	size_t i, n;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		n = strlen(fields[i]);
		if (memcmp(p, fields[i], n < len ? n : len) == 0)
			return 1;
	}
	return 0;
}

int
ctx_stream_feed(struct ctx_stream *s, const char *p, size_t len,
    struct ctx_err *err)
{
	size_t i;
	int rc;

	if (s->bytes + len > CTX_LINE_MAX)
		return ctx_fail(err, CTX_EINPUT,
		    "a response is larger than 1 GiB");
	s->bytes += len;
	while (s->form == CTX_STREAM_BEGIN && len > 0 &&
	    strchr(" \t\r\n", *p) != NULL && *p != '\0') {
		p++;
		len--;
	}
	if (len == 0 || s->broken)
		return 0;
	if (s->form == CTX_STREAM_BEGIN)
		s->form = *p == '{' || *p == '[' ? CTX_STREAM_VALUES :
		    CTX_STREAM_EVENTS;
	for (i = 0; i < len && s->nhead < sizeof(s->head); i++)
		s->head[s->nhead++] = p[i];
	rc = s->form == CTX_STREAM_EVENTS ?
	    ctx_sse_feed(&s->sse, p, len, take_event, s) :
	    ctx_values_feed(&s->values, p, len, take_value, s);
	return rc == -1 ? grown(s, err) : 0;
}

/* What became of a document, which is in out. */
static int
end_document(struct ctx_stream *s, struct ctx_buf *out, struct ctx_err *err)
{
	if (ctx_values_open(&s->values)) {
		s->fate = CTX_STREAM_CUT;
		return 0;
	}
	s->fate = CTX_STREAM_STRANGE;
	if (s->whole.len == 0 && !s->values.odd)
		return 0;
	s->fate = CTX_STREAM_WHOLE;
	if (ctx_doc_scan(&s->doc, s->whole.len > 0 ? s->whole.data : "",
	    s->whole.len, err) == -1)
		return -1;
	if (s->values.odd)
		return ctx_fail(err, CTX_EINPUT,
		    "not JSON: something follows the document");
	return ctx_buf_add(out, s->whole.data, s->whole.len) == -1 ?
	    ctx_fail_nomem(err) : 0;
}

int
ctx_stream_end(struct ctx_stream *s, struct ctx_buf *out, struct ctx_err *err)
{
	/* servers leave out the last line end */
	if (s->form == CTX_STREAM_EVENTS && !s->broken) {
		if (ctx_sse_feed(&s->sse, "\n\n", 2, take_event, s) == -1)
			return grown(s, err);
		s->broken = 0;		/* it was cut */
	}
	if (s->form == CTX_STREAM_VALUES && !s->streamed && !s->broken &&
	    !s->known)
		return end_document(s, out, err);
	s->fate = s->broken ? CTX_STREAM_BROKEN : s->known && s->ended ?
	    CTX_STREAM_WHOLE : s->known || (!s->strange && is_field(s->head,
	    s->nhead)) ? CTX_STREAM_CUT : CTX_STREAM_STRANGE;
	if (s->finish != NULL && s->finish(s) == -1)
		return grown(s, err);
	if (s->known)
		ctx_grow_put(out, &s->root);
	return ctx_buf_fail(out, err);
}

void
ctx_stream_done(struct ctx_stream *s)
{
	ctx_grow_done(&s->root);
	ctx_grow_done(&s->items);
	ctx_grow_done(&s->left);
	ctx_buf_done(&s->whole);
	ctx_buf_done(&s->word);
	ctx_sse_done(&s->sse);
	ctx_values_done(&s->values);
	ctx_doc_done(&s->doc);
}
