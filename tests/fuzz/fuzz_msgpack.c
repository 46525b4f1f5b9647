/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as MessagePack.  What becomes of it is JSON on one line.
 */
#include "fuzz.h"

#include "read/span.h"
#include "store/port/msgpack.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct ctx_buf out = { 0 };
	struct ctx_err err = { 0 };
	struct ctx_doc doc = { 0 };

	if (ctx_msgpack_json(data, len, &out, &err) == -1)
		MUST(err.text[0] != '\0');
	else {
		MUST(ctx_doc_try(&doc, out.data, out.len) == 1);
		MUST(memchr(out.data, '\n', out.len) == NULL);
	}
	ctx_doc_done(&doc);
	ctx_buf_done(&out);
	return 0;
}
