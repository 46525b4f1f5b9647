/* SPDX-License-Identifier: MIT */
/* Numbers of up to 4 bytes: be has the highest byte first, le the lowest. */
#ifndef CTX_BASE_BYTES_H
#define CTX_BASE_BYTES_H

#include <stdint.h>

static inline uint32_t
ctx_bytes_be(const void *bytes, int n)
{
	const unsigned char *p = bytes;
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

static inline uint32_t
ctx_bytes_le(const void *bytes, int n)
{
	const unsigned char *p = bytes;
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

#endif
