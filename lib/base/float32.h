/* SPDX-License-Identifier: MIT */
/* 32-bit floats as bytes, lowest byte first on every machine. */
#ifndef CTX_BASE_FLOAT32_H
#define CTX_BASE_FLOAT32_H

#include "base/buf.h"

#define CTX_FLOAT32	4	/* bytes */

/* Append n floats.  Returns 0, or -1 if out of memory. */
int	ctx_float32_put(struct ctx_buf *out, const float *v, size_t n);

/* Read n floats from n * CTX_FLOAT32 bytes. */
void	ctx_float32_get(const void *bytes, float *v, size_t n);

#endif
