/* SPDX-License-Identifier: MIT */
/* Floats as bytes; see float32.h. */
#include "base/float32.h"

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

int
ctx_float32_put(struct ctx_buf *out, const float *v, size_t n)
{
	unsigned char p[CTX_FLOAT32];
	uint32_t bits;
	size_t i;

	for (i = 0; i < n; i++) {
		memcpy(&bits, &v[i], sizeof(bits));
		p[0] = (unsigned char)bits;
		p[1] = (unsigned char)(bits >> 8);
		p[2] = (unsigned char)(bits >> 16);
		p[3] = (unsigned char)(bits >> 24);
		ctx_buf_add(out, p, sizeof(p));
	}
	return out->failed ? -1 : 0;
}

void
ctx_float32_get(const void *bytes, float *v, size_t n)
{
	const unsigned char *p = bytes;
	uint32_t bits;
	size_t i;

	for (i = 0; i < n; i++, p += CTX_FLOAT32) {
		bits = ctx_bytes_le(p, CTX_FLOAT32);
		memcpy(&v[i], &bits, sizeof(bits));
	}
}
