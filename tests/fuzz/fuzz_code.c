/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as the text of an answer.  Blocks and references must be
 * inside of it and must not overlap, and code that is inserted as a block must
 * be found again unchanged.
 */
#include "fuzz.h"

#include "decide/code.h"

/* Insert whole lines of code as a block into a text, and extract it. */
static void
there_and_back(const char *indent, size_t n, const struct ctx_buf *code)
{
	struct ctx_buf text = { 0 }, again = { 0 };
	struct ctx_code_fence f;
	size_t pos = 0;

	ctx_buf_add(&text, indent, n);
	ctx_code_fence_put(&text, indent, n, "python",
	    code->data != NULL ? code->data : "", code->len);
	MUST(!text.failed);
	MUST(ctx_code_fence_next(text.data, text.len, &pos, &f) == 1);
	MUST(!f.open && f.from == n && f.to == text.len && f.lang == 6);
	MUST(ctx_code_fence_take(text.data, &f, &again) == 0);
	MUST(again.len == code->len);
	MUST(code->len == 0 || memcmp(again.data, code->data, code->len) == 0);
	ctx_buf_done(&text);
	ctx_buf_done(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *p = (const char *)data;
	struct ctx_code_fence f;
	struct ctx_code_ref r;
	struct ctx_buf code = { 0 };
	size_t pos = 0, from;

	for (from = 0; ctx_code_fence_next(p, len, &pos, &f); from = pos) {
		MUST(pos > from && pos <= len);
		MUST(f.from >= from + f.indent && f.to <= pos);
		MUST(f.info >= f.from + 3 && f.lang <= f.infolen);
		MUST(f.info + f.infolen <= f.code || f.codelen == 0);
		MUST(f.code + f.codelen <= len);
		ctx_buf_reset(&code);
		MUST(ctx_code_fence_take(p, &f, &code) == 0);
		if (!f.open) {
			there_and_back("", 0, &code);
			there_and_back(p + f.from - f.indent, f.indent,
			    &code);
		}
	}
	MUST(pos == len);
	for (pos = 0; ctx_code_ref_next(p, len, &pos, &r);)
		MUST(r.from < r.id && r.idlen > 0 && r.id + r.idlen < r.to &&
		    r.to == pos && pos <= len);
	MUST(pos == len);
	ctx_buf_done(&code);
	return 0;
}
