/* SPDX-License-Identifier: MIT */
/*
 * Treat any bytes as a server's answer with vectors.  An answer that is
 * accepted must have as many vectors as were requested, with finite numbers
 * that are not all 0.
 */
#include "fuzz.h"

#include <math.h>

#include "net/embed.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
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
	return 0;
}
