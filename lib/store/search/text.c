/* SPDX-License-Identifier: MIT */
/* The words in a message; see text.h. */
#include "store/search/text.h"

#include <string.h>

#include "read/node.h"

/* A run of this many bytes of base64 or of hexadecimal digits is data. */
#define DATA_RUN	200

#define K(name)	{ name, sizeof(name) - 1 }

/* Members whose strings are meant for programs. */
static const struct {
	const char *name;
	size_t len;
} skipped[] = {
	K("id"), K("uuid"), K("type"), K("role"), K("signature"), K("data"),
	K("parentUuid"), K("sessionId"), K("requestId"), K("tool_call_id"),
	K("tool_use_id"), K("call_id"), K("timestamp"), K("model"),
	K("media_type"), K("mime_type"), K("mimeType"),
	K("encrypted_content"), K("thoughtSignature"), K("stop_reason"),
	K("version"), K("cwd"), K("gitBranch"), K("userType"),
	K("finish_reason"), K("object"), K("thread_id"), K("service_tier"),
	K("leafUuid"), K("messageId"), K("promptId"),
};

/* May the value of this member have what it says in its member "data"? */
static int
is_document(const struct ctx_doc *doc, uint32_t key)
{
	return ctx_doc_key_is(doc, key, "document", 8) ||
	    (ctx_doc_key_is(doc, key, "source", 6) && ctx_node_is(doc,
	    CTX_GET(doc, key + 1, "type"), "text"));
}

/*
 * Is a member "data" a message, as LangChain's is, or the text of a document, as
 * a result of Cohere's or a source of Anthropic's has it?  document is the last
 * value that may be one, or CTX_NONE.
 */
static int
is_said(const struct ctx_doc *doc, uint32_t key, uint32_t document)
{
	return ctx_doc_key_is(doc, key, "data", 4) && (CTX_GET(doc, key + 1,
	    "content") != CTX_NONE || CTX_GET(doc, document, "data") ==
	    key + 1);
}

static int
is_skipped(const struct ctx_doc *doc, uint32_t key)
{
	const char *s = doc->raw + doc->node[key].off + 1;
	size_t n = doc->node[key].len - 2, i;
	int escaped = memchr(s, '\\', n) != NULL;

	for (i = 0; i < sizeof(skipped) / sizeof(skipped[0]); i++)
		if ((n == skipped[i].len || escaped) && ctx_doc_key_is(doc,
		    key, skipped[i].name, skipped[i].len))
			return 1;
	return 0;
}

/* Does a string begin like data, with a run that has no white space? */
static int
is_data(const char *s, size_t n)
{
	size_t i, run = 0;

	if (n < DATA_RUN)
		return 0;
	if (memcmp(s, "data:", 5) == 0)
		return 1;
	for (i = 0; i < n && i < 2 * DATA_RUN; i++) {
		run = s[i] > ' ' && (unsigned char)s[i] < 0x80 &&
		    s[i] != '\\' ? run + 1 : 0;
		if (run >= DATA_RUN)
			return 1;
	}
	return 0;
}

/* Is it a character of base64, or of hashes in any notation? */
static int
is_code(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' &&
	    (c | 0x20) <= 'z') || strchr("+/=_-", c) != NULL;
}

/* Remove data from text, from start on. */
static void
drop_data(struct ctx_buf *text, size_t start)
{
	char *s = text->data;
	size_t i = start, n, to = start;

	while (i < text->len) {
		for (n = 0; i + n < text->len && s[i + n] != '\0' &&
		    is_code((unsigned char)s[i + n]); n++)
			continue;
		if (n < DATA_RUN) {
			n += i + n < text->len;
			memmove(s + to, s + i, n);
			to += n;
		}
		i += n;
	}
	text->len = to;
}

static int
add_string(const struct ctx_doc *doc, uint32_t i, int cut,
    struct ctx_buf *out)
{
	const struct ctx_node *node = &doc->node[i];
	const char *s = doc->raw + node->off + 1;
	size_t n = node->len - 2, start = out->len;

	if (n == 0 || (cut == 1 && is_data(s, n)) ||
	    (n >= DATA_RUN && memcmp(s, "data:", 5) == 0))
		return 0;
	if (memchr(s, '\\', n) == NULL)
		ctx_buf_add(out, s, n);
	else
		ctx_str_decode(out, s, n);
	if (cut > 1 && n >= DATA_RUN && !out->failed)
		drop_data(out, start);
	return ctx_buf_addc(out, '\n');
}

/*
 * Nodes are in document order, and each has the index of the one after it.
 * The list is walked once, and the value of a skipped key is stepped over.
 */
int
ctx_text_words(const struct ctx_doc *doc, int cut, struct ctx_buf *out)
{
	uint32_t i = 0, document = CTX_NONE;

	while (i < doc->n) {
		if (ctx_node_is_key(doc, i)) {
			if (is_document(doc, i))
				document = i + 1;
			i = is_skipped(doc, i) && (cut < 3 || !is_said(doc, i,
			    document)) ? doc->node[i + 1].next : i + 1;
			continue;
		}
		if (ctx_node_type(doc, i) == '"' &&
		    add_string(doc, i, cut, out) == -1)
			return -1;
		i++;
	}
	return 0;
}

int
ctx_text_typed(const struct ctx_doc *doc)
{
	static const char begin[] = "\"tool-";
	const struct ctx_node *node;
	uint32_t i;

	for (i = 1; i < doc->n; i++) {
		node = &doc->node[i];
		if (node->len > sizeof(begin) - 1 && memcmp(doc->raw +
		    node->off, begin, sizeof(begin) - 1) == 0 &&
		    ctx_node_is_key(doc, i - 1) &&
		    ctx_doc_key_is(doc, i - 1, "type", 4))
			return 1;
	}
	return 0;
}

/* The content of a line's message, or CTX_NONE. */
static uint32_t
content_of(const struct ctx_doc *doc)
{
	static const char *const wraps[] = { "message", "payload", "kwargs",
	    "data" };
	static const char *const names[] = { "content", "parts", "value" };
	uint32_t obj = 0, i;
	size_t k, w;

	for (w = 0; w <= 4; w++) {
		for (k = 0; k < 3; k++)
			if ((i = CTX_GET(doc, obj, names[k])) != CTX_NONE)
				return i;
		if (w < 4)
			obj = CTX_GET(doc, 0, wraps[w]);
	}
	return CTX_NONE;
}

/* The text of a part that is said; CTX_NONE for thoughts, calls and the like. */
static uint32_t
said_in(const struct ctx_doc *doc, uint32_t part)
{
	static const struct ctx_word said[] = { { "text", 1 },
	    { "output_text", 1 }, { "input_text", 1 }, { NULL, 0 } };
	uint32_t kind = CTX_GIVEN(doc, part, "type"), text;
	uint32_t thought = CTX_GET(doc, part, "thought");

	if (kind == CTX_NONE)
		kind = CTX_GIVEN(doc, part, "part_kind");
	if ((kind != CTX_NONE && !ctx_node_word(doc, kind, said, 0)) ||
	    (thought != CTX_NONE && ctx_node_type(doc, thought) == 't'))
		return CTX_NONE;
	text = ctx_node_if(doc, CTX_GET(doc, part, "text"), '"');
	return text != CTX_NONE || kind == CTX_NONE ? text :
	    ctx_node_if(doc, CTX_GET(doc, part, "content"), '"');
}

int
ctx_text_answer(const struct ctx_doc *doc, struct ctx_buf *out)
{
	uint32_t list = content_of(doc), e, t;
	size_t start = out->len;

	CTX_FOR_LIST(doc, e, list) {
		if ((t = said_in(doc, e)) == CTX_NONE)
			continue;
		if (out->len > start)
			ctx_buf_addc(out, '\n');
		if (ctx_node_decode(out, doc, t) == -1)
			return -1;
	}
	return ctx_node_decode(out, doc, list);
}
