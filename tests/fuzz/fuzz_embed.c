/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a server's answer with vectors.  An answer that is
 * accepted must have as many vectors as were requested, with finite numbers
 * that are not all 0.  A request for vectors of a text is made, which no server
 * gets.
 */
#include "fuzz.h"

#include <math.h>

#include "base/utf8.h"
#include "net/embed.h"

static void
ask(const struct ctx_embed_text *text)
{
	struct ctx_embed e = { .url = "none://example.invalid/", .model = "m",
	    .key = "k" };
	struct ctx_embed_vectors v = { 0 };
	struct ctx_err err = { 0 };

	MUST(ctx_embed_ask(&e, text, 1, &v, &err) == -1);
	MUST(err.text[0] != '\0' && v.n == 0);
	ctx_embed_done(&v);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct ctx_embed_text text = { (const char *)data, len };
	struct ctx_embed_vectors v = { 0 };
	struct ctx_err err = { 0 };
	size_t i, n = len > 0 ? data[0] % 4 + 1 : 1;

	if (ctx_embed_read((const char *)data, len, n, &v, &err) !=
	    CTX_HTTP_DONE)
		MUST(err.text[0] != '\0');
	else {
		MUST(v.n == n && v.dim > 0 && v.dim <= CTX_EMBED_DIM_MAX);
		for (i = 0; i < v.n * v.dim; i++)
			MUST(isfinite(v.v[i]));
	}
	ctx_embed_done(&v);
	if (ctx_utf8_check(text.p, len) == len)
		ask(&text);
	return 0;
}
