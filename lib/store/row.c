/* SPDX-License-Identifier: MIT */
/* JSON objects, one on each line; see row.h. */
#include "store/row.h"

#include <string.h>

#include "base/when.h"
#include "read/span.h"

void
ctx_row_begin(struct ctx_buf *b)
{
	ctx_buf_reset(b);
	ctx_buf_addc(b, '{');
}

void
ctx_row_end(struct ctx_buf *b)
{
	ctx_buf_add(b, "}\n", 2);
}

static void
add_key(struct ctx_buf *b, const char *key)
{
	if (b->len > 0 && b->data[b->len - 1] != '{')
		ctx_buf_addc(b, ',');
	ctx_buf_addc(b, '"');
	ctx_buf_adds(b, key);
	ctx_buf_adds(b, "\":");
}

void
ctx_row_bytes(struct ctx_buf *b, const char *key, const char *text,
    size_t len)
{
	add_key(b, key);
	ctx_buf_addc(b, '"');
	if (ctx_str_encode(b, text, len) == -1)
		b->failed = 1;
	ctx_buf_addc(b, '"');
}

void
ctx_row_text(struct ctx_buf *b, const char *key, const char *text)
{
	if (text == NULL)
		ctx_row_json(b, key, NULL, 0);
	else
		ctx_row_bytes(b, key, text, strlen(text));
}

void
ctx_row_int(struct ctx_buf *b, const char *key, int64_t v)
{
	add_key(b, key);
	ctx_buf_addf(b, "%lld", (long long)v);
}

void
ctx_row_bool(struct ctx_buf *b, const char *key, int v)
{
	add_key(b, key);
	ctx_buf_adds(b, v ? "true" : "false");
}

void
ctx_row_when(struct ctx_buf *b, const char *key, int64_t t)
{
	char text[CTX_WHEN_SIZE];

	ctx_row_text(b, key, ctx_when_text(t, text));
}

void
ctx_row_json(struct ctx_buf *b, const char *key, const char *json, size_t len)
{
	size_t i;

	add_key(b, key);
	if (json == NULL) {
		ctx_buf_adds(b, "null");
		return;
	}
	if (ctx_buf_add(b, json, len) == -1)
		return;
	/* Strings in JSON never contain a literal line end. */
	for (i = b->len - len; i < b->len; i++)
		if (b->data[i] == '\n' || b->data[i] == '\r')
			b->data[i] = ' ';
}
