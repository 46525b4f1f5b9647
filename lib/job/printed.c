/* SPDX-License-Identifier: MIT */
/* A text that a command printed; see printed.h. */
#include "job/printed.h"

#include <string.h>

#include "base/utf8.h"
#include "job/document.h"
#include "read/node.h"

/* The first two bytes of the characters that stand for bytes, and a third. */
#define HIDDEN		"\xf4\x8f"
#define THIRD		0xba	/* for bytes up to 0xbf; the next for others */

#define RESULT	"{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\""

/* The byte that the character at p stands for, or -1. */
static int
hidden(const char *p, size_t len)
{
	if (len < 4 || memcmp(p, HIDDEN, 2) != 0 ||
	    ((unsigned char)p[2] & 0xfe) != THIRD)
		return -1;
	return 0x80 | ((unsigned char)p[2] & 1) << 6 |
	    ((unsigned char)p[3] & 0x3f);
}

static void
hide(struct ctx_buf *out, unsigned char byte)
{
	char c[4] = HIDDEN;

	c[2] = (char)(THIRD | (byte >> 6 & 1));
	c[3] = (char)(0x80 | (byte & 0x3f));
	ctx_buf_add(out, c, sizeof(c));
}

/* Append valid UTF-8, but hide the characters that stand for bytes. */
static void
add_valid(struct ctx_buf *out, const char *p, size_t len)
{
	const char *end = p + len, *from = p;
	int i;

	while (p < end && (p = memchr(p, HIDDEN[0], (size_t)(end - p))) !=
	    NULL) {
		if (hidden(p, (size_t)(end - p)) == -1) {
			p++;
			continue;
		}
		ctx_buf_add(out, from, (size_t)(p - from));
		for (i = 0; i < 4; i++)
			hide(out, (unsigned char)*p++);
		from = p;
	}
	ctx_buf_add(out, from, (size_t)(end - from));
}

/* Append any bytes as UTF-8.  Returns 0, or -1 if out of memory. */
static int
add_bytes(struct ctx_buf *out, const char *p, size_t len)
{
	size_t n;

	while (len > 0) {
		n = ctx_utf8_check(p, len);
		add_valid(out, p, n);
		if (n < len)
			hide(out, (unsigned char)p[n++]);
		p += n;
		len -= n;
	}
	return out->failed ? -1 : 0;
}

/* Turn what add_bytes did into bytes again, from at on. */
static void
restore(struct ctx_buf *b, size_t at)
{
	size_t i, o = at;
	int byte;

	if (b->len == at || memchr(b->data + at, HIDDEN[0], b->len - at) ==
	    NULL)
		return;
	for (i = at; i < b->len; o++) {
		byte = hidden(b->data + i, b->len - i);
		b->data[o] = byte == -1 ? b->data[i] : (char)byte;
		i += byte == -1 ? 1 : 4;
	}
	b->len = o;
}

/* The call, whose arguments are JSON in a string. */
static int
give_call(struct ctx_job *j, const char *command, struct ctx_err *err)
{
	struct ctx_buf text = { 0 }, json = { 0 }, b = { 0 };
	int rc;

	if (command != NULL)
		add_bytes(&text, command, strlen(command));
	ctx_buf_adds(&json, "{\"command\":\"");
	if (!text.failed && text.len > 0)
		ctx_str_encode(&json, text.data, text.len);
	ctx_buf_adds(&json, "\"}");
	ctx_buf_adds(&b, "{\"role\":\"assistant\",\"tool_calls\":[{"
	    "\"id\":\"1\",\"type\":\"function\",\"function\":{"
	    "\"name\":\"shell\",\"arguments\":\"");
	if (!json.failed)
		ctx_str_encode(&b, json.data, json.len);
	ctx_buf_adds(&b, "\"}}]}\n");
	rc = text.failed || json.failed || b.failed ? ctx_fail_nomem(err) :
	    ctx_document_give(j, b.data, b.len, err);
	ctx_buf_done(&text);
	ctx_buf_done(&json);
	ctx_buf_done(&b);
	return rc;
}

static int
give_result(struct ctx_job *j, struct ctx_str text, struct ctx_err *err)
{
	struct ctx_buf plain = { 0 }, b = { 0 };
	int rc = 0;

	ctx_buf_adds(&b, RESULT);
	if (add_bytes(&plain, text.p, text.len) == -1 ||
	    ctx_str_encode(&b, plain.data, plain.len) == -1)
		rc = ctx_fail_nomem(err);
	ctx_buf_done(&plain);
	ctx_buf_adds(&b, "\"}\n");
	if (rc == 0)
		rc = ctx_buf_fail(&b, err);
	if (rc == 0)
		rc = ctx_document_give(j, b.data, b.len, err);
	ctx_buf_done(&b);
	return rc;
}

int
ctx_printed_give(struct ctx_job *j, const char *command, struct ctx_str text,
    struct ctx_err *err)
{
	static const char asked[] = "{\"role\":\"user\",\"content\":\"-\"}\n";

	return ctx_document_give(j, asked, sizeof(asked) - 1, err) == -1 ||
	    give_call(j, command, err) == -1 ? -1 : give_result(j, text, err);
}

int
ctx_printed_take(const char *line, size_t len, struct ctx_buf *out,
    struct ctx_err *err)
{
	struct ctx_doc doc = { 0 };
	size_t at = out->len;
	uint32_t node;
	int rc;

	if (len < sizeof(RESULT) - 1 ||
	    memcmp(line, RESULT, sizeof(RESULT) - 1) != 0)
		return 0;
	rc = ctx_doc_scan(&doc, line, len, err);
	if (rc == 0) {
		node = ctx_doc_get(&doc, 0, "content", 7);
		rc = ctx_node_decode(out, &doc, node) == -1 ?
		    ctx_fail_nomem(err) : 1;
	}
	ctx_doc_done(&doc);
	if (rc == 1)
		restore(out, at);
	return rc;
}
