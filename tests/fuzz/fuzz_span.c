/* SPDX-License-Identifier: MIT */
/*
 * For any bytes, all code paths must find the same nodes or the same error, and
 * the strings of a valid line must survive decoding and encoding.
 */
#include "fuzz.h"

#include "base/cpu.h"
#include "base/utf8.h"
#include "read/span.h"

static const char *const paths[] = { "portable", "avx2", "avx512", "neon" };

static void
same_scan(const struct ctx_doc *want, const struct ctx_err *wanterr)
{
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };

	ctx_doc_scan(&doc, want->raw, want->len, &err);
	MUST(err.code == wanterr->code && err.col == wanterr->col);
	MUST(strcmp(err.text, wanterr->text) == 0);
	MUST(doc.n == want->n);
	MUST(doc.n == 0 || memcmp(doc.node, want->node,
	    doc.n * sizeof(*doc.node)) == 0);
	ctx_doc_done(&doc);
}

/* s is the valid contents of a string. */
static void
check_string(const char *s, size_t len)
{
	struct ctx_buf text = { 0 }, spelled = { 0 }, again = { 0 };
	size_t chars = ctx_str_chars(s, len), cut;

	MUST(ctx_str_decode(&text, s, len) == 0);
	MUST(ctx_utf8_check(text.data, text.len) == text.len);
	MUST(ctx_utf8_count(text.data, text.len) == chars);
	MUST(ctx_str_encode(&spelled, text.data, text.len) == 0);
	MUST(ctx_str_decode(&again, spelled.data, spelled.len) == 0);
	MUST(again.len == text.len);
	MUST(text.len == 0 || memcmp(again.data, text.data, text.len) == 0);
	MUST(ctx_str_equal(s, len, s, len));
	cut = ctx_str_cut(s, len, chars / 2);
	MUST(ctx_str_chars(s, cut) == chars / 2);
	MUST(ctx_str_cut(s, len, chars) == len);
	ctx_buf_done(&text);
	ctx_buf_done(&spelled);
	ctx_buf_done(&again);
}

/* s can be anything; it is only required that no memory outside is accessed. */
static void
touch_string(const char *s, size_t len)
{
	struct ctx_buf text = { 0 };

	ctx_str_chars(s, len);
	ctx_str_cut(s, len, len / 2);
	ctx_str_equal(s, len, s, len / 2);
	ctx_str_decode(&text, s, len);
	ctx_str_encode(&text, s, len);
	ctx_buf_done(&text);
}

static void
check_doc(const struct ctx_doc *doc)
{
	const struct ctx_node *node = doc->node;
	uint32_t i;

	for (i = 0; i < doc->n; i++)
		if (ctx_node_type(doc, i) == '"')
			check_string(doc->raw + node[i].off + 1,
			    node[i].len - 2);
	if (ctx_node_type(doc, 0) == '{' && doc->n > 1)
		MUST(memchr(doc->raw + node[1].off, '\\', node[1].len) ||
		    ctx_doc_get(doc, 0, doc->raw + node[1].off + 1,
		    node[1].len - 2) != CTX_NONE);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ctx_doc doc = { 0 };
	struct ctx_err err = { 0 };
	char *raw = malloc(len > 0 ? len : 1);	/* no byte after it */
	size_t i;

	if (len > 0)
		memcpy(raw, data, len);
	MUST(ctx_cpu_force(paths[0]) == 0);
	ctx_doc_scan(&doc, raw, len, &err);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (ctx_cpu_force(paths[i]) == -1)
			continue;
		same_scan(&doc, &err);
		MUST(ctx_scan_utf8(raw, len) == ctx_utf8_check(raw, len));
		touch_string(raw, len);
		if (err.code == CTX_OK)
			check_doc(&doc);
	}
	ctx_doc_done(&doc);
	free(raw);
	return 0;
}
