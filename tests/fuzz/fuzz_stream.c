/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a response that streams.  What becomes of it must be JSON,
 * and must not depend on how the bytes arrive.
 */
#include "fuzz.h"

#include "job/stream.h"

/* Feed the bytes in pieces of n.  Returns its fate, or -1. */
static int
read_all(const char *p, size_t len, size_t n, struct ctx_buf *out)
{
	struct ctx_stream s = { 0 };
	struct ctx_err err = { 0 };
	size_t i, m;
	int rc = 0;

	for (i = 0; i < len && rc == 0; i += m) {
		m = len - i < n ? len - i : n;
		rc = ctx_stream_feed(&s, p + i, m, &err);
	}
	if (rc == 0)
		rc = ctx_stream_end(&s, out, &err);
	MUST(rc == 0 || err.text[0] != '\0');
	rc = rc == -1 ? -1 : (int)s.fate;
	ctx_stream_done(&s);
	return rc;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ctx_buf whole = { 0 }, pieces = { 0 };
	struct ctx_doc doc = { 0 };
	int fate = read_all((const char *)data, len, len + 1, &whole);

	MUST(read_all((const char *)data, len, 3, &pieces) == fate);
	if (fate != -1) {
		MUST(ctx_str_same(ctx_str_of(&whole), ctx_str_of(&pieces)));
		MUST(whole.len == 0 ||
		    ctx_doc_try(&doc, whole.data, whole.len) == 1);
	}
	ctx_doc_done(&doc);
	ctx_buf_done(&whole);
	ctx_buf_done(&pieces);
	return 0;
}
