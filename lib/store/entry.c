/* SPDX-License-Identifier: MIT */
/* Find in a line what the log needs to know; see entry.h. */
#include "store/entry.h"

#include <stdio.h>
#include <string.h>

#include "base/fnv.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "base/when.h"
#include "read/node.h"

/*
 * Decode a string node's text into out, which stays empty if there is no such
 * string or it does not fit.  Returns its length.  b is used for decoding; the
 * caller that initialized it checks it for lack of memory at the end.
 */
static size_t
text_of(struct ctx_buf *b, const struct ctx_doc *doc, uint32_t i, char *out,
    size_t size)
{
	const char *s = ctx_node_str(doc, i).p;
	size_t n;

	out[0] = '\0';
	if (s == NULL)
		return 0;
	n = doc->node[i].len - 2;
	if (memchr(s, '\\', n) != NULL) {
		b->len = 0;
		if (ctx_str_decode(b, s, n) == -1)
			return 0;
		s = b->data;
		n = b->len;
	}
	if (n > 0 && n < size && memchr(s, '\0', n) == NULL) {
		memcpy(out, s, n);
		out[n] = '\0';
	}
	return n;
}

static int
text_is(struct ctx_buf *b, const struct ctx_doc *doc, uint32_t i,
    const char *word)
{
	char text[32];

	text_of(b, doc, i, text, sizeof(text));
	return strcmp(text, word) == 0;
}

/* Ids are strings or numbers. */
static void
find_mid(struct ctx_entry *line, struct ctx_buf *b, const struct ctx_doc *doc,
    const char *id_key)
{
	const char *keys[] = { "id", "uuid", id_key };
	const struct ctx_node *node;
	uint32_t i;
	size_t k, n;
	char c;

	line->mid[0] = '\0';
	for (k = 0; k < 3 && line->mid[0] == '\0'; k++) {
		if (keys[k] == NULL ||
		    (i = CTX_GET(doc, 0, keys[k])) == CTX_NONE)
			continue;
		node = &doc->node[i];
		c = doc->raw[node->off];
		if (c == '"')
			n = text_of(b, doc, i, line->mid, sizeof(line->mid));
		else if (c == '-' || (c >= '0' && c <= '9')) {
			n = node->len;
			if (n < sizeof(line->mid)) {
				memcpy(line->mid, doc->raw + node->off, n);
				line->mid[n] = '\0';
			}
		} else
			continue;
		/* It is too long or contains a NUL: store its hash instead. */
		if (n > 0 && (line->mid[0] == '\0' || n > 64))
			ctx_sha256_hex(doc->raw + node->off, node->len,
			    line->mid);
	}
}

/*
 * The message in the line: the line itself, or the member in which Claude Code
 * ("message") or Codex ("payload") keeps it.
 */
static uint32_t
message_of(const struct ctx_doc *doc)
{
	uint32_t i;

	if (CTX_GET(doc, 0, "role") != CTX_NONE)
		return 0;
	i = ctx_node_if(doc, CTX_GET(doc, 0, "message"), '{');
	if (i == CTX_NONE)
		i = ctx_node_if(doc, CTX_GET(doc, 0, "payload"), '{');
	return i != CTX_NONE ? i : 0;
}

static void
find_role(struct ctx_entry *line, struct ctx_buf *b, const struct ctx_doc *doc,
    uint32_t msg)
{
	static const struct {
		const char *word, *role;
	} same[] = {
		{ "human", "user" }, { "ai", "assistant" },
		{ "gpt", "assistant" }, { "model", "assistant" },
		{ "developer", "system" }, { "function", "tool" },
		{ "observation", "tool" },
		{ "function_call", "assistant" },
		{ "function_call_output", "tool" },
		{ "reasoning", "assistant" },
	};
	static const char *const keys[] = { "role", "from", "type" };
	size_t i;

	line->role[0] = '\0';
	for (i = 0; i < 3 && line->role[0] == '\0'; i++)
		text_of(b, doc, CTX_GET(doc, msg, keys[i]), line->role,
		    sizeof(line->role));
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (strcmp(line->role, same[i].word) == 0)
			strcpy(line->role, same[i].role);
}

/*
 * Does the content have tool results?  Anthropic has a type for them, Gemini
 * (in two spellings), Bedrock and goose have a member.
 */
static int
has_results(struct ctx_buf *b, const struct ctx_doc *doc, uint32_t msg)
{
	uint32_t list = CTX_GET(doc, msg, "content"), e;

	if (list == CTX_NONE)
		list = CTX_GET(doc, msg, "parts");
	CTX_FOR_LIST(doc, e, list)
		if (text_is(b, doc, CTX_GET(doc, e, "type"), "tool_result") ||
		    CTX_GIVEN(doc, e, "functionResponse") != CTX_NONE ||
		    CTX_GIVEN(doc, e, "function_response") != CTX_NONE ||
		    CTX_GIVEN(doc, e, "toolResult") != CTX_NONE)
			return 1;
	return 0;
}

void
ctx_entry_again(const struct ctx_entry *line, char id[CTX_ENTRY_ID])
{
	snprintf(id, CTX_ENTRY_ID, "%s@%016llx", line->mid,
	    (unsigned long long)ctx_fnv(CTX_FNV_BEGIN, line->raw, line->len));
}

int
ctx_entry_knows(const struct ctx_entry *line)
{
	static const char *const roles[] = { "system", "user", "assistant",
	    "tool" };
	size_t i;

	for (i = 0; i < 4; i++)
		if (strcmp(line->role, roles[i]) == 0)
			return 1;
	return 0;
}

size_t
ctx_entry_bare(const char *raw, size_t len)
{
	if (len > 0 && raw[len - 1] == '\n')
		len--;
	if (len > 0 && raw[len - 1] == '\r')
		len--;
	return len;
}

int
ctx_entry_scan(struct ctx_entry *line, const char *raw, size_t len,
    const char *id_key, struct ctx_doc *doc, struct ctx_err *err)
{
	struct ctx_buf b = { 0 };
	char when[40];
	uint32_t msg;
	int rc;

	memset(line, 0, sizeof(*line));
	line->tokens = -1;
	line->raw = raw;
	line->len = len;
	if (len > CTX_ENTRY_MAX)
		return ctx_fail(err, CTX_EINPUT,
		    "the line has %zu bytes; the limit is %u", len,
		    CTX_ENTRY_MAX);
	if (ctx_doc_scan(doc, raw, len, err) == -1)
		return -1;
	if (ctx_node_type(doc, 0) != '{') {
		err->col = doc->node[0].off + 1;
		return ctx_fail(err, CTX_EINPUT, "not a JSON object");
	}
	msg = message_of(doc);
	find_mid(line, &b, doc, id_key);
	find_role(line, &b, doc, msg);
	line->opens_turn = strcmp(line->role, "user") == 0 &&
	    !has_results(&b, doc, msg);
	if (text_of(&b, doc, CTX_GET(doc, 0, "timestamp"), when,
	    sizeof(when)) > 0)
		ctx_when_scan(when, strlen(when), &line->ts);
	rc = ctx_buf_fail(&b, err);
	ctx_buf_done(&b);
	return rc;
}
